// @ts-check
/** The conversation: turns with what was said, called, shown and asked, drawn piece by piece as it changes. */

import { get, post, segment } from './api.js';
import { CallCard } from './call.js';
import { announce, copy, duration, el, fill, icon, iconButton, plural, smallButton, time, words } from './dom.js';
import { draw } from './draw.js';
import { complain, enableAsk, listenForPresses } from './form.js';
import { Live, MAX_TURNS } from './live.js';
import { outputCard } from './output.js';
import { pending } from './pending.js';
import { Session } from './record.js';
import { rendererOf } from './renderers.js';

/** Results that are mostly for the model; the others are shown, however many there are. */
const QUIET = new Set([undefined, 'text', 'structured']);

/** @param {fl.Item} item */
const isQuiet = ({ type, result }) => type === 'tool' && result?.type === 'success'
  && QUIET.has(/** @type {{ kind?: string } | null} */ (result.output)?.kind);

/** From so many calls in a row on, they are folded to a line. */
const FOLD_FROM = 5;

/** How a turn ended that did not simply end. @type {Record<string, string>} */
const ENDS = {
  cancelled: 'You stopped this.',
  error: 'Something went wrong.',
  limit: 'This reached a limit.',
};

export class Conversation extends HTMLElement {
  /** @type {Session | null} */
  session = null;
  /** @type {Live | null} */
  live = null;
  id = '';
  /** Elements by item and by turn. @type {Map<string, HTMLElement>} */
  nodes = new Map();
  /** @type {Map<string, Record<'root' | 'said' | 'items' | 'end', HTMLElement>>} */
  turns = new Map();
  /** Folded runs of calls, by their first call. @type {Map<string, Record<'root' | 'head' | 'list', HTMLElement>>} */
  folds = new Map();
  /** @type {(id: string) => fl.Tool | undefined} */
  toolOf = () => undefined;
  /** What the shell does then. @type {(session: fl.Session) => void} */
  onopened = () => {};
  onchanged = () => {};
  onturn = () => {};
  onsettled = () => {};
  /** How many turns are read when a conversation is opened, and with each page of earlier ones. */
  atOnce = 12;
  /** Earlier turns on their way. @type {Promise<boolean> | null} */
  loading = null;
  isStuck = true;
  /** The first turn on the screen, and where it stands. @type {{ id: string, y: number } | undefined} */
  anchor;
  log = el('div', { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': 'Conversation', tabindex: -1 });
  banner = el('div', { class: 'banner', role: 'status', hidden: true });
  jump = el('button', { class: 'jump', hidden: true, onclick: () => this.scrollToEnd() }, icon('down'), ' Latest');
  missing = el('span');
  earlier = el('div', { class: 'earlier', hidden: true }, this.missing,
    smallButton('', 'Earlier', () => this.loadEarlier()), smallButton('', 'All', () => this.loadAll()));
  scroller = el('div', { class: 'scroller', onscroll: () => this.scrolled() }, this.earlier, this.log);

  connectedCallback() {
    this.ticker = setInterval(() => this.tick(), 1_000);
    if (this.firstChild) return;
    this.append(this.banner, this.scroller, this.jump);
    listenForPresses(this.log, () => this.id);
    new ResizeObserver(() => this.follow()).observe(this.log);
  }

  disconnectedCallback() {
    this.close();
    clearInterval(this.ticker);
  }

  get path() {
    return `/api/sessions/${segment(this.id)}`;
  }

  /** Opens a session: reads the end of its record, then follows it. @param {string} id */
  async open(id) {
    this.close();
    this.id = id;
    this.isStuck = true;
    const detail = await get(`${this.path}?markup=true&turns=${this.atOnce}`);
    if (this.id !== id) return;
    const session = new Session((changes) => {
      if (this.session === session) this.update(changes);
    });
    this.session = session;
    for (const one of detail.pending) pending.add(id, one);
    session.apply(detail.record);
    this.live = new Live(this.path, session, (frame) => this.take(frame), (state) => this.connection(state));
    this.onopened(detail.session);
  }

  /** Reads a page of earlier turns, one at a time. Returns whether there was one. */
  loadEarlier(turns = this.atOnce) {
    return this.loading ??= this.readEarlier(turns).finally(() => { this.loading = null; });
  }

  /** @param {number} turns */
  async readEarlier(turns) {
    const { session, path } = this;
    const first = session?.turns[0];
    if (!session?.earlier || !first) return false;
    try {
      const { record } = await get(`${path}?markup=true&turns=${turns}&before=${first.n}`);
      // A snapshot may have taken the place of what these turns come before.
      if (session.turns[0] !== first) return false;
      session.prepend(record);
      announce(`${plural(record.turns.length, 'earlier turn')} shown`);
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  async loadAll() {
    while (await this.loadEarlier(MAX_TURNS));
  }

  close() {
    this.live?.close();
    this.live = null;
    this.session = null;
    this.id = '';
    this.clear();
    this.banner.hidden = this.earlier.hidden = true;
  }

  clear() {
    for (const known of [this.nodes, this.turns, this.folds]) known.clear();
    this.log.replaceChildren();
  }

  get isRunning() {
    return this.session?.isRunning ?? false;
  }

  /** The last prompt of the person, to edit it. */
  get lastPrompt() {
    return this.session?.turns.findLast((turn) => turn.origin === 'person')?.prompt ?? '';
  }

  /** @param {fl.Frame} frame */
  take(frame) {
    if (frame.type === 'ask_request' || frame.type === 'approval_request') {
      return pending.add(this.id, /** @type {any} */ (frame));
    }
    this.session?.apply(frame);
    if (frame.type === 'request_settled') pending.settle(frame.request_id ?? '');
    if (frame.type === 'turn_started') this.onturn();
    if (frame.type === 'turn_finished') {
      this.onturn();
      this.tellFinished(frame);
    }
  }

  /** Reads a finished answer to people who do not see it. @param {fl.Frame} frame */
  tellFinished(frame) {
    const turn = this.session?.turns.find((turn) => turn.id === frame.turn);
    if (!turn || frame.status === 'waiting') return;
    announce(this.session?.textOf(this.session.itemsOf(turn.n)) || ENDS[frame.status ?? ''] || 'Done.');
  }

  /** @param {import('./live.js').State} state */
  connection(state) {
    clearTimeout(this.bannerTimer);
    if (state === 'open') {
      this.banner.hidden = true;
      // Settled meanwhile, perhaps.
      pending.refresh();
      return;
    }
    // A moment without a connection is no matter.
    this.bannerTimer = setTimeout(() => {
      fill(this.banner, el('span', { class: 'pulse' }), 'The connection is lost. Trying again; nothing you did is lost.');
      this.banner.hidden = false;
    }, 700);
  }

  /** @param {import('./record.js').Changes} changes */
  update(changes) {
    const { session, log } = this;
    if (!session) return;
    if (changes.all) this.clear();
    for (const id of changes.items) {
      const item = session.items.get(id);
      if (item) this.drawItem(item);
      else this.nodes.delete(id);
    }
    for (const turn of session.turns) {
      if (changes.all || changes.turns.has(turn.id)) this.drawTurn(turn);
    }
    if (changes.all || changes.turns.size > 0) this.place(log, session.turns.map((turn) => this.partsOf(turn).root));
    this.showEarlier(session.earlier);
    log.setAttribute('aria-busy', String(session.isRunning));
    this.onchanged();
    this.follow();
  }

  /** @param {number} count */
  showEarlier(count) {
    // The focus must not get lost with the last page.
    if (count === 0 && this.earlier.contains(document.activeElement)) this.log.focus({ preventScroll: true });
    this.earlier.hidden = count === 0;
    this.missing.textContent = `${plural(count, 'earlier turn')} not shown`;
  }

  /** @param {fl.Turn} turn */
  partsOf(turn) {
    let parts = this.turns.get(turn.id);
    if (!parts) {
      const [said, items, end] = [el('div', { class: 'said-row' }), el('div', { class: 'items' }), el('div', { class: 'turn-end' })];
      const root = el('section', { class: 'turn' }, el('h2', { class: 'unseen' }, `Turn ${turn.n}`), said, items, end);
      parts = { root, said, items, end };
      this.turns.set(turn.id, parts);
    }
    return parts;
  }

  /** @param {fl.Turn} turn */
  drawTurn(turn) {
    const session = /** @type {Session} */ (this.session);
    const parts = this.partsOf(turn);
    const items = session.itemsOf(turn.n);
    this.drawSaid(turn, items, parts.said);
    this.place(parts.items, this.arrange(items));
    this.drawEnd(turn, items, parts.end);
  }

  /** @param {fl.Turn} turn @param {fl.Item[]} items @param {HTMLElement} place */
  drawSaid(turn, items, place) {
    const when = { title: turn.start && time(turn.start) };
    if (turn.origin === 'person') {
      if (!place.firstChild) place.append(el('div', { class: 'said', dir: 'auto', ...when }, turn.prompt));
      return;
    }
    // What the model is told of a press is not for people; what was called is known from the call.
    const name = items.find((item) => item.type === 'tool')?.function;
    fill(place, el('div', { class: 'pressed', ...when }, icon('person'), name ? `Pressed “${this.titleOf(name)}”` : 'Pressed a button'));
  }

  /** @param {string} name */
  titleOf(name) {
    return this.toolOf(name)?.traits.title || words(name.split('.').at(-1) ?? name);
  }

  /** Returns the elements of a turn's items, in order, with long runs of calls folded. @param {fl.Item[]} items */
  arrange(items) {
    /** @type {HTMLElement[]} */
    const out = [];
    /** @type {fl.Item[]} */
    let run = [];
    const flush = () => {
      const nodes = run.map((item) => this.node(item));
      if (run.length < FOLD_FROM) out.push(...nodes);
      else out.push(this.fold(run, nodes));
      run = [];
    };
    for (const item of items) {
      if (isQuiet(item)) run.push(item);
      else {
        flush();
        out.push(this.node(item));
      }
    }
    flush();
    return out;
  }

  /** @param {fl.Item[]} run @param {HTMLElement[]} nodes */
  fold(run, nodes) {
    const first = /** @type {fl.Item} */ (run[0]);
    let fold = this.folds.get(first.id);
    if (!fold) {
      const [head, list] = [el('summary'), el('div', { class: 'calls-list' })];
      fold = { root: el('details', { class: 'calls' }, head, list), head, list };
      this.folds.set(first.id, fold);
    }
    const took = run.reduce((sum, item) => sum + (item.end ? Date.parse(item.end) - Date.parse(item.start) : 0), 0);
    const names = [...new Set(run.map((item) => this.titleOf(item.function ?? '')))];
    fill(fold.head, icon('chevron'), plural(run.length, 'call'),
      el('span', { class: 'call-input' }, names.slice(0, 3).join(', '), names.length > 3 && ' …'),
      el('span', { class: 'took' }, duration(took)));
    this.place(fold.list, nodes);
    return fold.root;
  }

  /** Moves only elements that stand elsewhere. @param {HTMLElement} parent @param {HTMLElement[]} nodes */
  place(parent, nodes) {
    let at = parent.firstElementChild;
    for (const node of nodes) {
      if (node === at) at = at.nextElementSibling;
      else parent.insertBefore(node, at);
    }
    while (at) {
      const next = at.nextElementSibling;
      at.remove();
      at = next;
    }
  }

  /** @param {fl.Item} item */
  node(item) {
    return this.nodes.get(item.id) ?? this.drawItem(item);
  }

  /** @param {fl.Item} item */
  drawItem(item) {
    const known = this.nodes.get(item.id);
    let node;
    try {
      node = this.drawContent(item, known);
    } catch (error) {
      // One item that cannot be drawn is one line less.
      console.warn(error);
      node = el('div', { class: 'fl-notice fl-danger' }, 'This cannot be drawn.');
    }
    if (known !== node) known?.replaceWith(node);
    this.nodes.set(item.id, node);
    return node;
  }

  /** @param {fl.Item} item @param {HTMLElement | undefined} known @returns {HTMLElement} */
  drawContent(item, known) {
    const own = item.type === 'widget' && rendererOf(item, known);
    if (own) return own;
    switch (item.type) {
      case 'tool': {
        const card = known instanceof CallCard ? known : new CallCard();
        card.path = this.path;
        card.show(item, this.toolOf(item.function ?? '')?.traits.title ?? '', this.session?.progress.get(item.id));
        card.showLog(this.session?.logs.get(item.id));
        return card;
      }
      case 'output':
        return known?.dataset.item ? known : outputCard(item);
      default: {
        const node = known ?? el('div', { class: item.type === 'text' ? 'text' : `item ${item.type}` });
        const focused = node.contains(document.activeElement);
        draw(node, item.markup ?? [item.fallback ?? item.text ?? '']);
        if (item.type === 'widget') node.querySelector('.fl-widget')?.removeAttribute('aria-busy');
        if (item.type === 'ask') this.finishAsk(node, item, focused);
        return node;
      }
    }
  }

  /** @param {HTMLElement} node @param {fl.Item} item @param {boolean} hadFocus */
  finishAsk(node, item, hadFocus) {
    if (item.state === 'open') return enableAsk(node, item.id);
    const line = node.querySelector('.fl-answer');
    const about = [item.answeredBy && `by ${item.answeredBy}`, item.end && time(item.end)].filter(Boolean).join(', ');
    if (line && about && !line.querySelector('.by')) line.append(el('span', { class: 'by' }, about));
    if (hadFocus) this.onsettled();
  }

  /** @param {fl.Turn} turn @param {fl.Item[]} items @param {HTMLElement} place */
  drawEnd(turn, items, place) {
    const isLast = turn === this.session?.turns.at(-1);
    const isRunning = turn.status === null || turn.status === 'waiting';
    if (isRunning) {
      const waits = items.some((item) => item.type === 'tool' && item.result?.type === 'pending'
        && /^(approval|waiting)$/.test(item.result.reason));
      const isStreaming = /^(text|reasoning)$/.test(items.at(-1)?.type ?? '') && !items.at(-1)?.end;
      const activity = this.session?.activity;
      const label = waits ? 'Waiting for you' : activity ? `Calling ${this.titleOf(activity.replace('__', '.'))}` : 'Working';
      fill(place, isLast && !isStreaming && el('div', { class: waits ? 'working waits' : 'working' }, el('span', { class: 'dots', 'aria-hidden': 'true' }), label));
      return;
    }
    const texts = this.session?.textOf(items) ?? '';
    const copyButton = iconButton('copy', 'Copy the answer', () => copy(copyButton, texts));
    const problem = ENDS[turn.status ?? ''];
    const retry = problem && isLast && turn.origin === 'person' && smallButton('retry', 'Try again', () => this.prompt(turn.prompt));
    fill(place, problem && el('p', { class: `ended ${turn.status}` }, problem, ' ', retry),
      texts !== '' && el('div', { class: 'turn-tools' }, copyButton, turn.start && el('time', { datetime: turn.start }, time(turn.start))));
  }

  /** Starts a turn. @param {string} text */
  async prompt(text) {
    const key = crypto.randomUUID();
    this.isStuck = true;
    await post(`${this.path}/prompts`, { prompt: text }, { 'Idempotency-Key': key });
    this.scrollToEnd();
  }

  async stop() {
    await post(`${this.path}/cancel`).catch(complain);
  }

  tick() {
    for (const [id, node] of this.nodes) {
      if (node instanceof CallCard) node.tick();
      const item = this.session?.items.get(id);
      if (item?.type === 'reasoning' && !item.end) {
        node.querySelector('.fl-thinking')?.setAttribute('data-time', duration(Date.now() - Date.parse(item.start)));
      }
    }
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.isStuck = scrollHeight - scrollTop - clientHeight < 80;
    this.jump.hidden = this.isStuck;
    const { top } = this.scroller.getBoundingClientRect();
    const turn = this.session?.turns.find(({ id }) => (this.boxOf(id)?.bottom ?? top) > top);
    this.anchor = turn && { id: turn.id, y: this.boxOf(turn.id)?.top ?? 0 };
    if (!this.isStuck && scrollTop < clientHeight && this.live?.state === 'open') this.loadEarlier();
  }

  /** @param {string} turn */
  boxOf(turn) {
    return this.turns.get(turn)?.root.getBoundingClientRect();
  }

  /** Stays at the end if the person is there, and else keeps what they see where it is, whatever is drawn above it. */
  follow() {
    if (this.isStuck) return this.scrollToEnd();
    const { id = '', y = 0 } = this.anchor ?? {};
    this.scroller.scrollTop += (this.boxOf(id)?.top ?? y) - y;
    this.scrolled();
  }

  scrollToEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  /** Moves the focus to the first open question. */
  focusQuestion() {
    const form = this.querySelector('form.fl-ask');
    const control = form?.querySelector('input, select, textarea, button');
    form?.scrollIntoView({ block: 'center' });
    if (control instanceof HTMLElement) control.focus();
  }
}

customElements.define('fl-conversation', Conversation);
