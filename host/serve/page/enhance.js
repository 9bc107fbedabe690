// @ts-check
/** What the page adds to drawn elements, by their class: a drawing without it is complete, only less handy. */

import { enhanceCode, enhanceDiff } from './code.js';
import { enhanceImage } from './output.js';
import { enhanceTable } from './table.js';

/** @type {Record<string, (element: HTMLElement) => void>} */
const BY_CLASS = {
  'fl-scroll': enhanceTable,
  'fl-code': enhanceCode,
  'fl-diff': enhanceDiff,
  'fl-image': enhanceImage,
};

/** @param {Element} element */
export function enhance(element) {
  if (!(element instanceof HTMLElement) || !element.className) return;
  const add = BY_CLASS[element.classList.item(0) ?? ''];
  if (!add) return;
  try {
    add(element);
  } catch (error) {
    // The drawing itself is there.
    console.warn(error);
  }
}
