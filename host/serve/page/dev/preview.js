// @ts-check
/**
 * The last call, in every way that somebody sees it: the live conversation, both themes of the page, terminals of three
 * widths, what a model reads, and the plugin's log with its calls to the host.
 */

import { get } from '../api.js';
import { drawRequest } from '../approval.js';
import { Conversation } from '../conversation.js';
import { draw } from '../draw.js';
import { el, fill, plural } from '../dom.js';
import { MAX_TURNS } from '../live.js';
import { pending } from '../pending.js';

const COLUMNS = [40, 80, 120];

/** The conversation of the calls, of which only the last call and what follows it is shown. */
export class LastCall extends Conversation {
  /** The call may have been pressed often since. */
  atOnce = MAX_TURNS;
  /** The turn of the call. */
  turn = '';
  /** Makes the last call again. */
  again = async () => {};

  /**
   * @param {string} session
   * @param {string} turn
   */
  async show(session, turn) {
    this.turn = turn;
    if (this.id !== session) await this.open(session);
    this.hideEarlier();
  }

  /** @param {import('../record.js').Changes} changes */
  update(changes) {
    super.update(changes);
    this.hideEarlier();
  }

  /** The last call and the presses in it, as turns. */
  get shown() {
    const turns = this.session?.turns ?? [];
    const first = turns.findIndex((turn) => turn.id === this.turn);
    return first < 0 ? [] : turns.slice(first);
  }

  hideEarlier() {
    const shown = new Set(this.shown.map((turn) => turn.id));
    for (const [id, parts] of this.turns) parts.root.hidden = !shown.has(id);
  }

  get items() {
    return this.shown.flatMap((turn) => this.session?.itemsOf(turn.n) ?? []);
  }

  async prompt() {
    await this.again();
  }
}

customElements.define('fl-last-call', LastCall);

export class Previews {
  constructor() {
    this.conversation = new LastCall();
    this.conversation.addEventListener('changed', () => this.redraw());
    pending.addEventListener('change', () => this.redraw());
    this.themes = /** @type {const} */ (['fl-light', 'fl-dark']).map((theme) => el('div', { class: `dev-theme ${theme}`, inert: true }));
    this.terminals = COLUMNS.map(() => el('div', { class: 'dev-terminal' }));
    this.model = el('div', { class: 'dev-model' });
    this.log = el('div', { class: 'dev-model' });
    /** @type {[string, string, HTMLElement][]} */
    const panels = [
      ['page', 'Page', this.conversation],
      ['themes', 'Light and dark', el('div', { class: 'dev-themes' }, this.themes)],
      ['terminal', 'Terminal', el('div', { class: 'dev-terminals' }, COLUMNS.map((columns, n) =>
        el('figure', {}, el('figcaption', {}, `${columns} columns`), this.terminals[n])))],
      ['model', 'Model', this.model],
      ['log', 'Log', this.log],
    ];
    this.tabs = panels.map(([name, label]) => el('button', {
      role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, 'data-tab': name, onclick: () => this.select(name),
    }, label));
    this.panels = panels.map(([name, , content]) =>
      el('div', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, class: 'dev-panel' }, content));
    this.element = el('section', { class: 'dev-previews', 'aria-label': 'The last call' },
      el('div', { role: 'tablist', class: 'dev-tabs', 'aria-label': 'How the last call is seen' }, this.tabs), this.panels);
    this.selected = 'page';
    this.isReading = false;
    this.select('page');
  }

  /** @param {string} name */
  select(name) {
    this.selected = name;
    for (const [n, tab] of this.tabs.entries()) {
      const isOn = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(isOn));
      /** @type {HTMLElement} */ (this.panels[n]).hidden = !isOn;
    }
    this.redraw();
  }

  /** @param {fl.DevView} view */
  async show(view) {
    const { call } = view;
    if (call?.session && call.turn) await this.conversation.show(call.session, call.turn);
    else if (!call?.session) this.conversation.close();
    this.showModel(view);
    const { log = [], trace = [] } = call ?? {};
    const lines = (/** @type {string[]} */ of, /** @type {string} */ none) =>
      (of.length === 0 ? el('p', { class: 'fl-muted' }, none) : el('pre', { class: 'fl-pre', tabindex: 0 }, of.join('\n')));
    fill(this.log,
      el('h2', {}, 'What the plugin logs and prints'), lines(log, 'The plugin has logged nothing.'),
      el('h2', {}, 'What it calls of the host'), lines(trace, 'It has called nothing.'));
    const tab = this.tabs.find((one) => one.dataset.tab === 'log');
    if (tab) tab.textContent = log.length > 0 ? `Log (${log.length})` : 'Log';
    this.redraw();
  }

  /** @param {fl.DevView} view */
  showModel({ call, costs, cost, plugin }) {
    const reads = call?.reads;
    const about = (/** @type {number} */ tokens) => `about ${plural(tokens, 'token')}`;
    fill(this.model,
      el('h2', {}, 'What a model reads of the result'),
      !reads && el('p', { class: 'fl-muted' }, 'Nothing yet.'),
      reads && el('p', { class: 'fl-muted' }, [
        `${about(reads.tokens)}, estimated at four bytes each`,
        reads.images > 0 && `, and ${plural(reads.images, 'image')}`,
        reads.isError && '; as an error',
      ].filter(Boolean).join('')),
      reads && el('pre', { class: 'fl-pre', tabindex: 0, 'data-part': 'reads' }, reads.text),
      plugin && el('h2', {}, 'What every request to a model has'),
      plugin && el('table', { class: 'fl-table' },
        el('tbody', {}, plugin.tools.map((tool) => el('tr', {}, el('th', { scope: 'row' }, tool.name), el('td', {}, about(costs[tool.name] ?? 0)))),
          el('tr', {}, el('th', { scope: 'row' }, 'All tools, with instructions'), el('td', {}, about(cost))))));
  }

  /** Draws what is on the screen. */
  redraw() {
    if (this.selected === 'themes') this.drawThemes();
    if (this.selected === 'terminal') this.drawTerminals();
  }

  drawThemes() {
    const own = pending.open.filter(({ session, request }) => session === this.conversation.id && request.type === 'approval_request');
    for (const place of this.themes) {
      fill(place,
        this.conversation.items.map((item) => {
          const drawn = el('div', { class: `item ${item.type}` });
          draw(drawn, item.markup ?? [item.fallback ?? item.text ?? '']);
          return drawn;
        }),
        own.map(({ request }) => el('div', { class: 'dev-approval' }, el('h2', {}, request.headline), drawRequest(request))));
    }
  }

  /** Asks the server for the drawings, once more if something changes meanwhile. */
  async drawTerminals() {
    this.isStale = true;
    if (this.isReading) return;
    this.isReading = true;
    while (this.isStale && this.selected === 'terminal') {
      this.isStale = false;
      try {
        const drawn = await Promise.all(COLUMNS.map((columns) => get(`/api/dev/preview?columns=${columns}`)));
        for (const [n, { markup }] of drawn.entries()) draw(/** @type {HTMLElement} */ (this.terminals[n]), markup ?? []);
      } catch (error) {
        console.warn(error);
      }
    }
    this.isReading = false;
  }
}
