/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/html.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "experiments/cli/utf8.h"

static const char *entity(char c) {
  static const char *const entities[CHAR_MAX + 1] = {['&'] = "&amp;",
                                                     ['<'] = "&lt;",
                                                     ['>'] = "&gt;",
                                                     ['"'] = "&quot;",
                                                     ['\''] = "&#39;"};
  return c < 0 ? NULL : entities[(unsigned char)c];
}

void html_text(FILE *page, const char *text) {
  for (size_t length = 1; *text; text += length, length = 1) {
    const char *escaped = entity(*text);
    if (!strncmp(text, "->", 2)) {
      fputs("&rarr;", page);
      length = 2;
    } else if (escaped) {
      fputs(escaped, page);
    } else if ((unsigned char)*text < ' ' || *text == 127) {
      fputc(' ', page);
    } else {
      length = utf8_print(page, text);
    }
  }
}

void html_print(FILE *page, const char *format, ...) {
  va_list args;
  va_start(args, format);
  for (; *format; format++) {
    if (*format != '%') {
      fputc(*format, page);
    } else if (*++format == 's') {
      html_text(page, va_arg(args, const char *));
    } else {
      fprintf(page, "%zu", va_arg(args, size_t));
      format++;
    }
  }
  va_end(args);
}

void html_begin(FILE *page, const char *title, const char *meta) {
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n",
      page);
  fputs(meta, page);
  html_print(page, "<title>%s</title>\n", title);
  fprintf(page, "<style>\n%s</style>\n</head>\n<body>\n<header>\n", html_style);
}

/* What an id, or a reference to one, follows in gnuplot's SVG. */
static size_t id_opener(const char *svg) {
  static const char *const openers[] = {" id='", " id=\"", "href='#", "url(#"};
  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
    if (!strncmp(svg, openers[i], strlen(openers[i])))
      return strlen(openers[i]);
  return 0;
}

void html_svg(FILE *page, const char *svg, const char *prefix,
              const char *label) {
  int width = 0, height = 0;
  const char *box = strstr(svg, "viewBox=\"0 0 ");
  const char *body = strstr(svg, "<defs>");
  if (!box || !body || sscanf(box, "viewBox=\"0 0 %d %d", &width, &height) != 2)
    return;
  fprintf(page,
          "<svg%s viewBox=\"0 0 %d %d\" role=\"img\" "
          "xmlns:xlink=\"http://www.w3.org/1999/xlink\" ",
          width < 700 ? " class=\"narrow\"" : "", width, height);
  /* The group that was opened before <defs>, together with the background. */
  html_print(page, "aria-label=\"%s\">\n<g>\n", label);
  for (size_t opener; *body; body += opener ? opener : 1) {
    opener = id_opener(body);
    fwrite(body, 1, opener ? opener : 1, page);
    if (opener) fputs(prefix, page);
  }
}
