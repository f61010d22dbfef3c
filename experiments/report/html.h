/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/html.h -- text and pictures inside a page.
 *
 * Whatever comes from a results file goes through html_text(): it may hold any
 * bytes, and must stay text.
 */
#pragma once
#include <stdio.h>

/* For element content and for quoted attributes; "->" becomes an arrow. */
void html_text(FILE *page, const char *text);

/* As fprintf(), but each %s goes through html_text(), and of others there is
 * %zu alone. */
void html_print(FILE *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The page up to its header.  `meta`: what else stands in its head. */
void html_begin(FILE *page, const char *title, const char *meta);

/*
 * The SVG picture that gnuplot drew, without what only a file of its own needs
 * (prolog, white background).  Its ids get `prefix`, so that several pictures
 * can share a page; `label` is its text alternative.
 */
void html_svg(FILE *page, const char *svg, const char *prefix,
              const char *label);

/* Opens what may be wider than the screen: it scrolls by itself, by keys, too.
 */
#define HTML_WIDE "<div class=\"wide\" tabindex=\"0\">"
