// @ts-check
/** The card of a tool call: one line with its state, below it what it returned, and on request the exact input and result. */

import { segment } from './api.js';
import { draw } from './draw.js';
import { rendererOf } from './renderers.js';
import { pageFromServer } from './table.js';
import { copy, duration, el, fill, icon, iconButton, words } from './dom.js';

/** @typedef {import('./record.js').Progress} Progress */

/** The most characters of an input or a result that are shown; all of them are copied. */
const MAX_RAW = 20_000;

/** @param {string} label @param {unknown} value */
function raw(label, value) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  const shown = text.length > MAX_RAW ? `${text.slice(0, MAX_RAW)}\n… ${(text.length - MAX_RAW).toLocaleString()} more characters` : text;
  const button = iconButton('copy', `Copy the ${label.toLowerCase()}`, () => copy(button, text));
  return el('div', { class: 'raw' }, el('div', { class: 'raw-head' }, label, button), el('pre', { class: 'fl-pre', tabindex: 0 }, shown));
}

/** Larger tables are drawn in part, and the server has the rest. */
const PAGED_FROM = 1_000;

/** Returns how many rows the table of a result has. @param {fl.Item} item */
function rowsOf(item) {
  const output = item.result?.type === 'success' ? /** @type {any} */ (item.result.output) : null;
  const rows = output?.data?.rows ?? output?.rows;
  return Array.isArray(rows) ? rows.length : 0;
}

/** @param {fl.Tree | undefined} tree */
const childrenOf = (tree) => (typeof tree === 'object' ? tree.children ?? [] : []);

/** @param {string} name A tag, or the beginning of a class. @returns {(tree: fl.Tree) => boolean} */
const is = (name) => (tree) => typeof tree === 'object' && (tree.tag === name || !!tree.attrs?.class?.startsWith(name));

export class CallCard extends HTMLElement {
  /** @type {fl.Item | null} */
  item = null;
  /** What a registered element draws of the result. @type {HTMLElement | null} */
  own = null;
  /** The path of its session. */
  path = '';
  name = el('span', { class: 'call-name' });
  plugin = el('span', { class: 'call-plugin' });
  input = el('span', { class: 'call-input', dir: 'auto' });
  state = el('span');
  took = el('span', { class: 'took' });
  progress = el('div', { class: 'call-progress', hidden: true });
  lines = el('pre', { class: 'fl-pre' });
  log = el('details', { class: 'call-log', hidden: true, open: true }, el('summary', {}, icon('chevron'), 'Log'), this.lines);
  body = el('div', { class: 'call-body' });
  exact = el('div', { class: 'call-exact' });
  details = el('details', {
    class: 'call-head',
    ontoggle: () => {
      if (this.details.open && this.item) this.fillDetails(this.item);
    },
  }, el('summary', { title: 'Show the exact input and result' }, icon('chevron'), this.plugin, this.name, this.input, this.took, this.state), this.exact);

  /** @param {fl.Item} item @param {string} title @param {Progress | undefined} progress */
  show(item, title, progress) {
    if (!this.firstChild) this.append(this.details, this.progress, this.log, this.body);
    const isPending = item.result?.type === 'pending';
    const [plugin = '', name = ''] = (item.function ?? '').split('.');
    this.className = 'call';
    this.setAttribute('data-item', item.id);
    this.name.textContent = title || words(name);
    this.plugin.textContent = plugin;
    if (this.item?.rev !== item.rev || this.item?.markup !== item.markup) {
      // Of the first line in the drawing of a call, the page has the input and the state.
      const parts = childrenOf(item.markup?.[0]);
      const line = childrenOf(parts.find(is('summary')));
      draw(this.input, line.filter(is('fl-input')));
      draw(this.state, line.filter(is('fl-badge')));
      const own = rendererOf(item, this.own);
      draw(this.body, own ? [] : parts.filter((part) => !is('summary')(part)));
      this.own?.remove();
      if (own) this.body.append(own);
      this.own = own;
      const rows = rowsOf(item);
      const shown = this.body.querySelectorAll('tbody tr').length;
      if (rows > PAGED_FROM && shown > 0) {
        pageFromServer(this.body, `${this.path}/items/${segment(item.id)}/rows`, rows);
      }
      if (this.details.open) this.fillDetails(item);
    }
    // What a call has logged is folded when it ends.
    if (!isPending && this.item?.result?.type === 'pending') this.log.open = false;
    this.item = item;
    this.tick();
    this.showProgress(isPending ? progress : undefined);
  }

  /** @param {fl.Item} item */
  fillDetails(item) {
    const result = item.result;
    const value = result?.type === 'success' ? result.output : result?.type === 'error' ? result : undefined;
    fill(this.exact, raw('Input', item.input), value !== undefined && raw('Result', value));
  }

  /** Shows how long the call takes, or took. */
  tick() {
    const item = this.item;
    if (!item) return;
    const isRunning = item.result?.type === 'pending';
    const millis = (item.end ? Date.parse(item.end) : Date.now()) - Date.parse(item.start);
    const text = isRunning && millis < 1_000 ? '' : duration(isRunning ? Math.floor(millis / 1000) * 1000 : millis);
    if (this.took.textContent !== text) this.took.textContent = text;
  }

  /** @param {Progress | undefined} progress */
  showProgress(progress) {
    this.progress.hidden = !progress;
    if (!progress) return;
    const { message, done, total = 0 } = progress;
    const isKnown = done !== undefined && total > 0;
    fill(this.progress, el('progress', { 'aria-label': message || 'Progress', ...isKnown && { value: done, max: total } }),
      el('span', {}, message));
  }

  /** @param {string[] | undefined} lines */
  showLog(lines) {
    if (!lines) return;
    this.log.hidden = false;
    this.lines.textContent = lines.join('\n');
  }
}

customElements.define('fl-call', CallCard);
