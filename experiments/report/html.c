/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/html.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "experiments/cli/utf8.h"

/* One column that a phone can show; the figures' black is the page's ink, so
 * that they follow the reader's light or dark. */
static const char style[] =
    ":root{--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;"
    "--wash:#f6f8fa;--good:#0072b2;--bad:#b34700;--mark:#eaf4fb;"
    "color-scheme:light dark}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e8eaed;"
    "--soft:#a0a8b2;--line:#343a42;--wash:#1d2126;--good:#56b4e9;"
    "--bad:#f0883e;--mark:#1a2a36}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:66rem;"
    "background:var(--paper);color:var(--ink);"
    "font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif}\n"
    "h1{font-size:clamp(1.7rem,5vw,2.6rem);line-height:1.15;margin:.2em 0 .4em;"
    "letter-spacing:-.01em}\n"
    "h2{font-size:1.35rem;margin:3rem 0 .8rem}\n"
    "h3{font-size:1.05rem;margin:2rem 0 .3rem}\n"
    "p,li{max-width:46rem;overflow-wrap:anywhere}\n"
    ".kicker,.foot{color:var(--soft);font-size:.88rem;margin:0}\n"
    ".lead{font-size:1.2rem;line-height:1.5;margin:0 0 1.5rem}\n"
    ".machine+.machine{border-top:3px solid var(--line);margin-top:4rem}\n"
    ".findings{width:100%}\n"
    ".findings th{white-space:normal}\n"
    ".findings .bar{display:block;width:11rem}\n"
    ".bar{position:relative;height:1.5rem;background:var(--wash);"
    "border-right:2px solid var(--soft);font-size:.85rem}\n"
    ".bar i{position:absolute;inset:0 auto 0 0;background:var(--soft);"
    "opacity:.35}\n"
    ".bar b{position:relative;padding-left:.5rem;line-height:1.5rem;"
    "font-weight:600}\n"
    ".faster .bar i{background:var(--good);opacity:.55}\n"
    ".slower .bar i{background:var(--bad);opacity:.55}\n"
    ".card{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,"
    "1fr));gap:.7rem 1.5rem;margin:0;padding:1.1rem 1.25rem;"
    "background:var(--wash);border:1px solid var(--line);border-radius:.5rem}\n"
    ".card dt{color:var(--soft);font-size:.8rem}\n"
    ".card dd{margin:0;overflow-wrap:anywhere}\n"
    "figure{margin:1rem 0 0}\n"
    "figcaption{color:var(--soft);font-size:.92rem;max-width:46rem;"
    "margin-top:.6rem}\n"
    /* Where something is beyond an edge, a shadow lies there: the first two
     * backgrounds, which scroll along, cover the last two at the ends. */
    ".wide{overflow-x:auto;-webkit-overflow-scrolling:touch;background:"
    "linear-gradient(90deg,var(--paper) 40%,transparent) 0 0/2.5rem 100%,"
    "linear-gradient(270deg,var(--paper) 40%,transparent) 100% 0/2.5rem 100%,"
    "linear-gradient(90deg,rgb(127 127 127/.55),transparent) 0 0/.5rem 100%,"
    "linear-gradient(270deg,rgb(127 127 127/.55),transparent) 100% 0/.5rem "
    "100%;"
    "background-repeat:no-repeat;background-attachment:local,local,scroll,"
    "scroll}\n"
    "figure svg{display:block;width:100%;min-width:46rem;height:auto}\n"
    "figure svg.narrow{min-width:28rem;max-width:40rem}\n"
    "svg [color='black'],svg [color='rgb(  0,   0,   0)']"
    "{color:var(--ink)}\n"
    "svg [fill='black'],svg [fill='rgb(0,0,0)']{fill:var(--ink)}\n"
    "svg [stroke='black'],svg [stroke='rgb(  0,   0,   0)']"
    "{stroke:var(--ink)}\n"
    "svg text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif}\n"
    "table{border-collapse:collapse;font-size:.9rem;margin:.5rem 0;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.28rem .7rem;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}\n"
    "th{font-weight:600;vertical-align:bottom}\n"
    "th small{display:block;color:var(--soft);font-weight:400}\n"
    ".left{text-align:left}\n"
    ".telling td{background:var(--mark)}\n"
    "td.faster{color:var(--good);font-weight:600}\n"
    "td.slower{color:var(--bad);font-weight:600}\n"
    "details summary{cursor:pointer;color:var(--soft);font-size:.9rem;"
    "padding:.3rem 0}\n"
    "a{color:var(--good)}\n"
    "code{font-size:.9em;background:var(--wash);padding:.1em .3em;"
    "border-radius:.25em}\n"
    "@media(max-width:30rem){figure .wide::before{content:'Scroll sideways "
    "to see the whole figure \\2192';display:block;position:sticky;left:0;"
    "width:max-content;color:var(--soft);font-size:.8rem}}\n"
    "@media(max-width:36rem){.roomy{display:none}"
    ".findings td:first-child{white-space:normal;overflow-wrap:anywhere;"
    "min-width:6.8rem}"
    ".findings .bar{width:5.9rem;font-size:.72rem}.findings .bar b{"
    "padding-left:.3rem;white-space:nowrap}"
    ".findings th,.findings td{padding:.28rem .2rem;font-size:.75rem}}\n"
    "@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;"
    "--wash:#f4f4f4;--good:#0072b2;--bad:#b34700;--mark:#eef6fb}"
    "body{padding:0;max-width:none;font-size:10pt}details{display:none}"
    "figure,table,.card{break-inside:avoid}"
    "h2,h3{break-after:avoid}figure svg,figure "
    "svg.narrow{min-width:0}.wide{overflow:visible;background:none}"
    "table{font-size:7pt}.findings{font-size:9pt}th,td{padding:.2rem .25rem}"
    "*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";

static const char *const entities[UCHAR_MAX + 1] = {['&'] = "&amp;",
                                                    ['<'] = "&lt;",
                                                    ['>'] = "&gt;",
                                                    ['"'] = "&quot;",
                                                    ['\''] = "&#39;"};

void html_text(FILE *page, const char *text) {
  for (size_t length = 1; *text; text += length, length = 1) {
    const char *escaped = entities[(unsigned char)*text];
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
  fprintf(page, "<style>\n%s</style>\n</head>\n<body>\n<header>\n", style);
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
          "<svg%s viewBox=\"0 0 %d %d\" style=\"max-width:%dpx\" "
          "role=\"img\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" ",
          width < 700 ? " class=\"narrow\"" : "", width, height, width * 6 / 5);
  /* The group that was opened before <defs>, together with the background. */
  html_print(page, "aria-label=\"%s\">\n<g>\n", label);
  for (size_t opener; *body; body += opener ? opener : 1) {
    opener = id_opener(body);
    fwrite(body, 1, opener ? opener : 1, page);
    if (opener) fputs(prefix, page);
  }
}
