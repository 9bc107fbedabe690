// @ts-check
/** Tables: sort by a column, filter, pages, and copy as CSV. */

import { get } from './api.js';
import { copy, el, plural, smallButton } from './dom.js';
import { draw } from './draw.js';
import { complain } from './form.js';

/** How many rows a page has, and from how many on a table gets a filter. */
const PAGE = 50;
const FILTER_FROM = 8;

/** Reads a cell as a number, with or without a unit; NaN if it is none. @param {string} text */
function number(text) {
  const found = /^\s*[^\d\s+-]?\s*([+-]?[\d,   ]*\.?\d+(?:e[+-]?\d+)?)\s*[^\d\s]{0,4}\s*$/i.exec(text);
  return found ? Number((found[1] ?? '').replace(/[,   ]/g, '')) : NaN;
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  const [x, y] = [number(a), number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return a.localeCompare(b, undefined, { numeric: true });
}

/** A cell that begins like a formula is copied as text: a spreadsheet would compute it. @param {string} text */
function csvCell(text) {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** @param {HTMLElement} scroll */
export function enhanceTable(scroll) {
  const table = scroll.firstElementChild;
  if (!(table instanceof HTMLTableElement) || !table.classList.contains('fl-table')) return;
  const body = table.tBodies[0];
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  if (!body || heads.length === 0 || body.rows.length < 2) return;
  const rows = [...body.rows];
  // Cells that span rows cannot be moved apart.
  if (rows.some((row) => [...row.cells].some((cell) => cell.rowSpan > 1))) return;
  scroll.dataset.enhanced = 'table';

  /** Where the server has all rows, if not all are here, and how many. @type {{ path: string, total: number } | null} */
  let remote = null;
  /** @type {string[]} */
  let keys = [];
  let shown = rows;
  let page = 0;
  let column = -1;
  let isDescending = false;
  let wanted = '';
  /** @param {HTMLTableRowElement} row */
  const text = (row) => row.cells[column]?.textContent ?? '';

  const count = el('span', { class: 'count' });
  const previous = el('button', { 'aria-label': 'Previous page', onclick: () => turn(-1) }, '‹');
  const next = el('button', { 'aria-label': 'Next page', onclick: () => turn(1) }, '›');

  /** @param {number} offset @param {number} limit */
  const fetchRows = async (offset, limit) => {
    const query = new URLSearchParams({ offset: String(offset), limit: String(limit), markup: 'true' });
    if (wanted) query.set('filter', wanted);
    const key = keys[column];
    if (key !== undefined) {
      query.set('sort', key);
      query.set('order', isDescending ? 'desc' : 'asc');
    }
    const found = await get(`${remote?.path}?${query}`);
    keys = found.columns.map((/** @type {{ key: string }} */ one) => one.key);
    const place = el('div');
    draw(place, found.markup ?? []);
    return { matched: found.matched, rows: [...place.querySelectorAll('tbody tr')] };
  };
  let latest = 0;
  const update = async () => {
    heads.forEach((head, n) => { head.ariaSort = n === column ? (isDescending ? 'descending' : 'ascending') : null; });
    latest += 1;
    const own = latest;
    if (remote) {
      const found = await fetchRows(page * PAGE, PAGE).catch(complain);
      // What was asked for later counts, whatever comes first.
      if (!found || own !== latest) return;
      body.replaceChildren(...found.rows);
      return say(found.matched, remote.total);
    }
    shown = wanted ? rows.filter((row) => (row.textContent ?? '').toLowerCase().includes(wanted)) : [...rows];
    if (column >= 0) shown.sort((a, b) => compare(text(a), text(b)) * (isDescending ? -1 : 1));
    page = Math.min(page, Math.max(1, Math.ceil(shown.length / PAGE)) - 1);
    body.replaceChildren(...shown.slice(page * PAGE, (page + 1) * PAGE));
    say(shown.length, rows.length);
  };
  /** @param {number} matched @param {number} total */
  const say = (matched, total) => {
    const pages = Math.max(1, Math.ceil(matched / PAGE));
    const all = plural(total, 'row');
    const part = wanted ? `${matched.toLocaleString()} of ${all}` : all;
    count.textContent = pages > 1 ? `${part}, page ${page + 1} of ${pages}` : part;
    previous.hidden = next.hidden = pages < 2;
    previous.disabled = page === 0;
    next.disabled = page >= pages - 1;
  };
  /** @param {number} by */
  const turn = (by) => {
    page += by;
    update();
  };
  heads.forEach((head, n) => {
    const sort = () => {
      [isDescending, column] = column === n ? [!isDescending, isDescending ? -1 : n] : [false, n];
      if (column < 0) isDescending = false;
      update();
    };
    const label = el('button', { class: 'sort', title: 'Sort by this column', onclick: sort });
    label.append(...head.childNodes);
    head.append(label);
  });

  const asCsv = async () => {
    const all = remote ? (await fetchRows(0, 1_000)).rows : shown;
    const line = (/** @type {Iterable<Element>} */ cells) =>
      [...cells].map((cell) => csvCell((cell.textContent ?? '').trim())).join(',');
    return [line(heads), ...all.map((row) => line(row.children))].join('\r\n');
  };
  const copyButton = smallButton('copy', 'CSV', async () => copy(copyButton, await asCsv()), { title: 'Copy as CSV' });
  const filter = rows.length >= FILTER_FROM && el('input', {
    type: 'search', class: 'filter', placeholder: 'Filter', 'aria-label': 'Filter the rows',
    oninput: ({ target }) => {
      wanted = target.value.trim().toLowerCase();
      page = 0;
      update();
    },
  });
  const inner = el('div', { class: 'table-scroll', tabindex: 0, role: 'group', 'aria-label': 'Table' }, table);
  scroll.removeAttribute('tabindex');
  scroll.replaceChildren(el('div', { class: 'table-tools' }, filter || null, count, previous, next, copyButton), inner);
  update();
  controls.set(scroll, (path, total) => {
    remote = { path, total };
    // The keys of the columns come with the rows.
    update();
  });
}

/** What makes a table show rows of the server. @type {WeakMap<Element, (path: string, total: number) => void>} */
const controls = new WeakMap();

/**
 * Pages through all rows of an item's table, of which only the first were drawn.
 * @param {HTMLElement} place
 * @param {string} path
 * @param {number} total
 */
export function pageFromServer(place, path, total) {
  const scroll = place.querySelector('[data-enhanced=table]');
  if (!scroll) return;
  controls.get(scroll)?.(path, total);
  const cut = scroll.nextElementSibling;
  if (cut?.classList.contains('fl-cut')) cut.remove();
}
