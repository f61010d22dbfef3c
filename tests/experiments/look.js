/* SPDX-License-Identifier: GPL-3.0-or-later
 * How does a page of vat report look, in the browser that shows it?  Its text
 * becomes what is wrong, a line each, and at last "looked at N figures".
 * The page's data-media is "print" where the rules of print are to hold. */
'use strict';

const wrong = [];
const say = (what) => wrong.push(what);
const short = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 60);
const shown = (element) => element.getClientRects().length > 0;

/* The rules of print hold on the screen, too. */
function as_printed() {
  for (const sheet of document.styleSheets) {
    for (const rule of [...sheet.cssRules]) {
      if (!rule.media) continue;
      if (/print/.test(rule.media.mediaText)) {
        for (const inner of rule.cssRules)
          sheet.insertRule(inner.cssText, sheet.cssRules.length);
      }
    }
  }
}

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

/* Of a figure as it is drawn: how many pixels have a colour, neither ink, paper
 * nor grey?  A line's colour is one. */
async function coloured(svg) {
  const copy = svg.cloneNode(true);
  const [w, h] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', w);
  copy.setAttribute('height', h);
  const image = new Image();
  image.src = 'data:image/svg+xml,' +
      encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, w, h).data;
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const rgb = [pixels[i], pixels[i + 1], pixels[i + 2]];
    count += pixels[i + 3] > 128 && Math.max(...rgb) - Math.min(...rgb) > 40;
  }
  return count;
}

function overlap(a, b) {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const least = Math.min(a.width * a.height, b.width * b.height);
  return w > 0 && h > 0 && least > 0 ? w * h / least : 0;
}

async function figure(element) {
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
  const count = await coloured(svg);
  if (count < 100) say(`${of} is empty: ${count} pixels are coloured`);
}

(async () => {
  let looked = 0;
  try {
    if (document.documentElement.dataset.media === 'print') as_printed();
    width();
    texts();
    links();
    for (const element of document.querySelectorAll('figure')) {
      await figure(element);
      looked++;
    }
  } catch (error) {
    say(`the look ends: ${error.stack}`);
  }
  wrong.push(`looked at ${looked} figures`);
  document.body.innerHTML = '<pre id="look"></pre>';
  document.getElementById('look').textContent = `\n${wrong.join('\n')}\n`;
})();
