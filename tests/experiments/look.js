/* SPDX-License-Identifier: GPL-3.0-or-later
 * How does a page of vat report look, in the browser that shows it?  look.pl
 * evaluates this in the page, calls look(), and for each figure height_of(),
 * then scroll_to(), see() of a screenshot and so on until there is nothing left
 * to scroll to, and tell().  What is wrong is in `wrong`, a line each. */
'use strict';

const wrong = [];
const say = (what) => wrong.push(what);
const short = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 60);
const shown = (element) => element.getClientRects().length > 0;

/* WCAG 2.1, relative luminance and contrast. */
const pixel = document.createElement('canvas').getContext(
    '2d', {willReadFrequently: true});
const colours = new Map();
function channels(colour) {
  if (!colours.has(colour)) {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    colours.set(colour, pixel.getImageData(0, 0, 1, 1).data);
  }
  return colours.get(colour);
}

function luminance(rgb) {
  const [r, g, b] = [0, 1, 2].map((i) => {
    const c = rgb[i] / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function paper_of(element) {
  for (let e = element; e; e = e.parentElement) {
    const rgb = channels(getComputedStyle(e).backgroundColor);
    if (rgb[3] === 255) return rgb;
  }
  return channels(getComputedStyle(document.documentElement)
                      .getPropertyValue('--paper'));
}

function texts() {
  const seen = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (!shown(element) || element.closest('script, defs')) continue;
    const own = [...element.childNodes].some(
        (node) => node.nodeType === 3 && node.data.trim());
    if (!own) continue;
    const style = getComputedStyle(element);
    const colour = element.closest('svg') ? style.fill : style.color;
    const paper = paper_of(element);
    const kind = colour + paper.join();
    if (seen.has(kind)) continue;
    seen.add(kind);
    const ratio = contrast(channels(colour), paper);
    /* 4.5 for text; what a figure says in a line's colour is large and has its
     * mark beside it: 3, as for graphical objects. */
    const least = element.closest('svg') ? 3 : 4.5;
    if (ratio < least)
      say(`"${short(element.textContent)}" is pale: contrast ${ratio.toFixed(1)}`);
  }
}

function width() {
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth + 1)
    say(`the page is ${page.scrollWidth} wide on a screen of ${page.clientWidth}`);
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('svg') || !shown(element)) continue;
    if (element.scrollWidth <= element.clientWidth + 1) continue;
    const overflow = getComputedStyle(element).overflowX;
    if (overflow === 'hidden' || overflow === 'clip')
      say(`"${short(element.textContent)}" is cut off`);
    else if (/auto|scroll/.test(overflow) && element.tabIndex < 0)
      say(`<${element.localName} class="${element.className}"> scrolls, and ` +
          'no key reaches it');
  }
}

function links() {
  for (const link of document.querySelectorAll('a[href]')) {
    if (!link.textContent.trim()) say(`a link without text: ${link.href}`);
    const to = link.getAttribute('href');
    if (to[0] === '#' && !document.getElementById(to.slice(1)))
      say(`a link to nothing: ${to}`);
  }
}

/* How much of `colour` on `paper` there is in a pixel, from 0 to 1, smoothed
 * edges having less; -1 of another colour. */
function share(pixels, at, colour, paper) {
  let dot = 0, square = 0, off = 0;
  for (let i = 0; i < 3; i++) {
    dot += (pixels[at + i] - paper[i]) * (colour[i] - paper[i]);
    square += (colour[i] - paper[i]) ** 2;
  }
  const part = dot / square;
  for (let i = 0; i < 3; i++)
    off += Math.abs(pixels[at + i] - paper[i] - part * (colour[i] - paper[i]));
  return off < 90 ? part : -1;
}

function ink_of(element) {
  const style = getComputedStyle(element);
  if (element.localName === 'use') return channels(style.color);
  if (element.localName === 'text') return channels(style.fill);
  return channels(style.stroke === 'none' ? style.fill : style.stroke);
}

/* Points, in the window, that have to have its ink; where it is hidden, none. */
const POINTS = 32; /* of a line */
const APART = 2;   /* in pixels, of what has two dimensions */
function points_of(element) {
  const points = [], box = element.getBoundingClientRect();
  if (!shown(element)) return points;
  if (element.localName === 'path' &&
      getComputedStyle(element).stroke !== 'none') {
    const length = element.getTotalLength(), to = element.getScreenCTM();
    for (let i = 0; i < POINTS; i++)
      points.push(element.getPointAtLength((i + 0.5) * length / POINTS)
                      .matrixTransform(to));
  } else {
    for (let y = box.top; y <= box.bottom; y += APART)
      for (let x = box.left; x <= box.right; x += APART) points.push({x, y});
  }
  return points;
}

/* Lines, symbols and labels of a figure, and which of their points were seen.
 * What one sees through has no colour of its own. */
const pieces = new Map();
function pieces_of(svg) {
  if (!pieces.has(svg)) {
    const opaque = (element) => {
      const style = getComputedStyle(element);
      return element.getAttribute('opacity') === null &&
          (style.stroke !== 'none' || style.fill !== 'none') &&
          (style.stroke !== 'none' || style.fillOpacity > 0.9);
    };
    const all = [...svg.querySelectorAll('path,use,polygon,circle,rect,text')]
        .filter((e) => !e.closest('defs') &&
            (e.localName !== 'text' || e.textContent.trim()) &&
            (e.localName === 'use' || opaque(e)));
    pieces.set(svg, all.map((element) => ({element, seen: new Set()})));
  }
  return pieces.get(svg);
}

/* A tenth of a line will do: dashes have gaps.  Symbols are smaller than that. */
const drawn = (piece) =>
    piece.seen.size >= (piece.element.localName === 'path' ? 3 : 1);
const is_coloured = (rgb) => Math.max(...rgb) - Math.min(...rgb) > 40;
const MARKS_LEAST = 0.9; /* of a figure's: others cover some of the symbols */
const INK_LEAST = 0.3; /* of a pixel; thin digits on a phone have no more */

const svg_of = (i) => document.querySelectorAll('figure')[i].querySelector('svg');

/* Of a window that shows the figure. */
function height_of(i) {
  const svg = svg_of(i);
  return Math.ceil(svg ? svg.getBoundingClientRect().height : 0) + 100;
}

/* As a reader does it, where there is something to scroll.  Is there more to
 * see?  A screenshot is of the last frame: the second from here is after it. */
async function scroll_to(i, step) {
  const svg = svg_of(i);
  if (!svg) return false;
  const wide = svg.closest('.wide');
  const from = step * wide.clientWidth;
  if (from >= wide.scrollWidth) return false;
  if (/auto|scroll/.test(getComputedStyle(wide).overflowX))
    wide.scrollLeft = from;
  window.scrollTo(0, svg.getBoundingClientRect().top + window.scrollY - 50);
  for (let frame = 0; frame < 2; frame++)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return true;
}

/* Has the point its ink within `reach` pixels, or another line's upon it? */
function inked(image, point, reach, ink, paper) {
  for (let y = Math.round(point.y) - reach; y <= point.y + reach; y++)
    for (let x = Math.round(point.x) - reach; x <= point.x + reach; x++) {
      if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
      const at = 4 * (y * image.width + x);
      if (share(image.data, at, ink, paper) > INK_LEAST ||
          is_coloured(image.data.subarray(at, at + 3)))
        return true;
    }
  return false;
}

async function see(i, screenshot) {
  const shot = new Image();
  shot.src = screenshot;
  await shot.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [shot.width, shot.height];
  const context = canvas.getContext('2d');
  context.drawImage(shot, 0, 0);
  const image = context.getImageData(0, 0, shot.width, shot.height);
  const paper = paper_of(svg_of(i));
  for (const piece of pieces_of(svg_of(i))) {
    if (drawn(piece)) continue;
    const ink = ink_of(piece.element);
    points_of(piece.element).forEach((point, at) => {
      if (inked(image, point, 1, ink, paper)) piece.seen.add(at);
    });
  }
}

function tell(i) {
  const svg = svg_of(i);
  if (!svg) return;
  const of = `figure "${svg.getAttribute('aria-label')}"`;
  const labels = pieces_of(svg).filter((p) => p.element.localName === 'text');
  const marks = pieces_of(svg).filter((p) => p.element.localName !== 'text');
  for (const label of labels)
    if (!drawn(label))
      say(`${of}: "${short(label.element.textContent)}" is not drawn`);
  const lines = marks.filter((p) => is_coloured(ink_of(p.element).slice(0, 3)));
  if (!lines.some(drawn)) say(`${of} is empty`);
  const seen = marks.filter(drawn).length;
  if (seen < MARKS_LEAST * marks.length)
    say(`${of}: ${seen} of ${marks.length} lines and marks are drawn`);
}

function overlap(a, b) {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const least = Math.min(a.width * a.height, b.width * b.height);
  return w > 0 && h > 0 && least > 0 ? w * h / least : 0;
}

function figure(element) {
  const svg = element.querySelector('svg');
  const name = svg && svg.getAttribute('aria-label');
  if (!svg) return say(`a figure without a picture: "${short(element.textContent)}"`);
  if (!name) say('a figure has no name for those who hear it');
  const of = `figure "${name}"`;
  const caption = element.querySelector('figcaption');
  if (!caption || caption.textContent.trim().length < 40)
    say(`${of} has no caption`);
  if (!element.querySelector('a[download$=".csv"]'))
    say(`${of} has no data`);
  const box = svg.getBoundingClientRect();
  const labels = [...svg.querySelectorAll('text')].filter(
      (label) => label.textContent.trim() && shown(label));
  if (labels.length < 4) say(`${of} has ${labels.length} labels`);
  const boxes = labels.map((label) => label.getBoundingClientRect());
  boxes.forEach((a, i) => {
    const text = short(labels[i].textContent);
    if (a.left < box.left - 1 || a.right > box.right + 1 ||
        a.top < box.top - 1 || a.bottom > box.bottom + 1)
      say(`${of}: "${text}" is cut off`);
    for (let j = 0; j < i; j++)
      if (overlap(a, boxes[j]) > 0.4)
        say(`${of}: "${text}" lies on "${short(labels[j].textContent)}"`);
  });
}

/* How many figures are there? */
function look() {
  width();
  texts();
  links();
  const figures = document.querySelectorAll('figure');
  figures.forEach(figure);
  return figures.length;
}
