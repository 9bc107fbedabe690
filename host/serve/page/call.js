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

/** Returns the state of a call: a word for the person, and a class. @param {fl.Item} item @returns {[string, string]} */
export function stateOf(item) {
  const result = item.result;
  if (!result) return ['running', 'info'];
  if (result.type === 'success') return ['done', 'success'];
  if (result.type === 'error') {
    if (result.code === 'denied') return ['denied', 'danger'];
    if (result.code === 'cancelled' || result.code === 'interrupted') return ['stopped', 'warning'];
    return ['failed', 'danger'];
  }
  if (result.reason === 'queued') return ['queued', 'muted'];
  if (result.reason === 'approval' || result.reason === 'waiting') return ['needs you', 'warning'];
  return ['running', 'info'];
}

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

/** @param {unknown} input */
function inputLine(input) {
  if (input === null || typeof input !== 'object') return '';
  const parts = Object.values(input).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return parts.join(', ').slice(0, 200);
}

export class CallCard extends HTMLElement {
  /** @type {fl.Item | null} */
  item = null;
  /** What a registered element draws of the result. @type {HTMLElement | null} */
  own = null;
  /** The session of the call. */
  session = '';
  name = el('span', { class: 'call-name' });
  plugin = el('span', { class: 'call-plugin' });
  input = el('span', { class: 'call-input', dir: 'auto' });
  pill = el('span', { class: 'pill' });
  took = el('span', { class: 'took' });
  progress = el('div', { class: 'call-progress', hidden: true });
  body = el('div', { class: 'call-body' });
  exact = el('div', { class: 'call-exact' });
  details = el('details', {
    class: 'call-head',
    ontoggle: () => {
      if (this.details.open && this.item) this.fillDetails(this.item);
    },
  }, el('summary', { title: 'Show the exact input and result' }, icon('chevron'), this.plugin, this.name, this.input, this.took, this.pill), this.exact);

  /** @param {fl.Item} item @param {string} title @param {Progress | undefined} progress */
  show(item, title, progress) {
    if (!this.firstChild) this.append(this.details, this.progress, this.body);
    const [state, tone] = stateOf(item);
    const isPending = item.result?.type === 'pending';
    const [plugin = '', name = ''] = (item.function ?? '').split('.');
    this.className = `call ${tone}`;
    this.setAttribute('data-item', item.id);
    this.name.textContent = title || words(name);
    this.plugin.textContent = plugin;
    this.input.textContent = inputLine(item.input);
    this.pill.textContent = state;
    this.pill.className = `pill ${tone}`;
    if (this.item?.rev !== item.rev || this.item?.markup !== item.markup) {
      // Of the drawing of a call, the page has its own first line.
      const [call] = item.markup ?? [];
      const own = rendererOf(item, this.own);
      const drawn = typeof call === 'object' && !own ? (call.children ?? []).filter(isBody) : [];
      draw(this.body, drawn);
      this.own?.remove();
      if (own) this.body.append(own);
      this.own = own;
      const rows = rowsOf(item);
      const shown = this.body.querySelectorAll('tbody tr').length;
      if (rows > PAGED_FROM && shown > 0) {
        pageFromServer(this.body, `/api/sessions/${segment(this.session)}/items/${segment(item.id)}/rows`, rows);
      }
      if (this.details.open) this.fillDetails(item);
    }
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
    const isKnown = progress.done !== undefined && progress.total !== undefined && progress.total > 0;
    const bar = el('progress', isKnown
      ? { value: progress.done, max: progress.total, 'aria-label': progress.message || 'Progress' }
      : { 'aria-label': progress.message || 'Progress' });
    fill(this.progress, bar, el('span', {}, progress.message));
  }
}

/** @param {fl.Tree} tree */
const isBody = (tree) => typeof tree === 'object' && tree.tag !== 'summary';

customElements.define('fl-call', CallCard);
