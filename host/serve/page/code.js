// @ts-check
/** Source code with line numbers and a button to copy it; diffs in one column or two, with equal lines folded. */

import { copy, el, iconButton, plural, smallButton } from './dom.js';

/** @param {HTMLElement} figure */
export function enhanceCode(figure) {
  const pre = figure.querySelector('pre');
  const code = pre?.querySelector('code');
  if (!pre || !code) return;
  figure.dataset.enhanced = 'code';
  const text = code.textContent ?? '';
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines > 1) {
    const numbers = Array.from({ length: lines }, (_, n) => n + 1).join('\n');
    pre.prepend(el('span', { class: 'gutter', 'aria-hidden': 'true' }, numbers));
  }
  const button = iconButton('copy', 'Copy the code', () => copy(button, text));
  const language = code.dataset.language;
  figure.append(el('div', { class: 'code-tools' }, language && el('span', { class: 'language' }, language), button));
}

/** Runs of this many equal lines are folded, except for the lines around a change. */
const FOLD_FROM = 10;
const AROUND = 3;

/** @typedef {{ kind: 'hunk' | 'same' | 'added' | 'removed', old: string, now: string, text: string }} Line */

/** @param {HTMLTableRowElement} row @returns {Line} */
function read(row) {
  const cell = (/** @type {number} */ n) => row.cells[n]?.textContent ?? '';
  if (row.cells.length === 1) return { kind: 'hunk', old: '', now: '', text: cell(0) };
  const kind = row.classList.contains('fl-added') ? 'added' : row.classList.contains('fl-removed') ? 'removed' : 'same';
  return { kind, old: cell(0), now: cell(1), text: cell(3) };
}

/** @param {HTMLElement} figure */
export function enhanceDiff(figure) {
  const table = figure.querySelector('table');
  const body = table?.tBodies[0];
  const caption = figure.querySelector('figcaption');
  if (!table || !body || !caption || !table.classList.contains('fl-unified')) return;
  figure.dataset.enhanced = 'diff';
  const unified = [...body.rows];
  const lines = unified.map(read);
  /** @type {HTMLTableRowElement[] | null} */
  let split = null;
  let isSplit = false;
  /** Runs that the person unfolded, by their first line. @type {Set<number>} */
  const open = new Set();

  const update = () => {
    table.className = isSplit ? 'fl-split' : 'fl-unified';
    const names = isSplit
      ? ['Line before', 'Text before', 'Line after', 'Text after']
      : ['Line before', 'Line after', 'Change', 'Text'];
    [...(table.tHead?.rows[0]?.cells ?? [])].forEach((cell, n) => { cell.textContent = names[n] ?? ''; });
    body.replaceChildren(...(isSplit ? split ??= splitRows(lines) : folded()));
    toggle.textContent = isSplit ? 'Unified' : 'Split';
  };
  const folded = () => {
    /** @type {HTMLTableRowElement[]} */
    const out = [];
    for (let n = 0; n < lines.length;) {
      let end = n;
      while (lines[end]?.kind === 'same') end += 1;
      const isFirst = n === 0 || lines[n - 1]?.kind === 'hunk';
      const isLast = end === lines.length || lines[end]?.kind === 'hunk';
      const [from, to] = [n + (isFirst ? 0 : AROUND), end - (isLast ? 0 : AROUND)];
      if (end - n < FOLD_FROM || open.has(n)) {
        end = Math.max(end, n + 1);
        out.push(...unified.slice(n, end));
      } else {
        const start = n;
        const unfold = () => {
          open.add(start);
          update();
        };
        out.push(
          ...unified.slice(n, from),
          el('tr', { class: 'fold' }, el('td', { colspan: 4 },
            el('button', { onclick: unfold }, `${plural(to - from, 'equal line')}`))),
          ...unified.slice(to, end),
        );
      }
      n = end;
    }
    return out;
  };
  const toggle = smallButton('', '', () => {
    isSplit = !isSplit;
    update();
  });
  const text = () => lines.map((line) =>
    line.kind === 'hunk' ? line.text : `${{ same: ' ', added: '+', removed: '-' }[line.kind]}${line.text}`).join('\n');
  const button = iconButton('copy', 'Copy the diff', () => copy(button, text()));
  caption.append(el('span', { class: 'diff-tools' }, toggle, button));
  update();
}

/** Pairs removed lines with the added lines that follow them. @param {Line[]} lines */
function splitRows(lines) {
  /** @type {HTMLTableRowElement[]} */
  const rows = [];
  /** @type {Line[]} */
  let removed = [];
  /** @type {Line[]} */
  let added = [];
  const side = (/** @type {Line | undefined} */ line, /** @type {'old' | 'now'} */ which) => [
    el('td', {}, line?.[which]),
    el('td', { class: line && line.kind !== 'same' ? `fl-${line.kind}` : null }, line?.text),
  ];
  const pair = (/** @type {Line | undefined} */ old, /** @type {Line | undefined} */ now) =>
    rows.push(el('tr', {}, ...side(old, 'old'), ...side(now, 'now')));
  const flush = () => {
    for (let n = 0; n < Math.max(removed.length, added.length); n += 1) pair(removed[n], added[n]);
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else {
      flush();
      if (line.kind === 'same') pair(line, line);
      else rows.push(el('tr', {}, el('td', { class: 'fl-hunk', colspan: 4 }, line.text)));
    }
  }
  flush();
  return rows;
}
