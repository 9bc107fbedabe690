// @ts-check
/** The conversation: turns with what was said, called, shown and asked, drawn piece by piece as it changes. */

import { get, request, segment } from './api.js';
import { CallCard } from './call.js';
import { announce, copy, duration, el, fill, icon, iconButton, plural, time, words } from './dom.js';
import { draw } from './draw.js';
import { complain, enableAsk, listenForPresses } from './form.js';
import { Live } from './live.js';
import { outputCard } from './output.js';
import { pending } from './pending.js';
import { Session } from './record.js';
import { rendererOf } from './renderers.js';

/** Results that are mostly for the model; the others are shown, however many there are. */
const QUIET = new Set([undefined, 'text', 'structured']);

/** @param {fl.Item} item */
const isQuiet = ({ type, result }) => type === 'tool' && result?.type === 'success'
  && QUIET.has(/** @type {{ kind?: string } | null} */ (result.output)?.kind);

/** How many turns are drawn before the others, when a conversation is opened. */
const DRAWN_AT_ONCE = 12;

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
  isStuck = true;
  log = el('div', { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': 'Conversation' });
  banner = el('div', { class: 'banner', role: 'status', hidden: true });
  jump = el('button', { class: 'jump', hidden: true, onclick: () => this.scrollToEnd(true) }, icon('down'), ' Latest');
  scroller = el('div', { class: 'scroller', onscroll: () => this.scrolled() }, this.log);

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

  /**
   * Opens a session: reads its record, then follows it.
   * @param {string} id
   */
  async open(id) {
    this.close();
    this.id = id;
    this.isStuck = true;
    const detail = await get(`/api/sessions/${segment(id)}?markup=true`);
    if (this.id !== id) return;
    this.session = new Session((changes) => this.update(changes));
    for (const one of detail.pending) pending.add(id, one);
    this.session.apply(detail.record);
    this.live = new Live(id, detail.record.seq, (frame) => this.take(frame), (state) => this.connection(state));
    this.onopened(detail.session);
  }

  close() {
    this.live?.close();
    this.live = null;
    this.session = null;
    this.id = '';
    this.clear();
    this.banner.hidden = true;
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
      pending.add(this.id, /** @type {any} */ (frame));
      return;
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
    const texts = this.session?.itemsOf(turn.n).filter((item) => item.type === 'text').map((item) => item.text);
    announce(texts?.join('\n') || ENDS[frame.status ?? ''] || 'Done.');
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
    // A moment without a connection is nobody's business.
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
    // The end of a conversation is on the screen first. What is above it keeps its place until it is drawn.
    const changed = session.turns.filter((turn) => changes.all || changes.turns.has(turn.id));
    for (const turn of changed) this.partsOf(turn);
    for (const turn of changed.slice(-DRAWN_AT_ONCE)) this.drawTurn(turn);
    this.drawLater(session, changed.slice(0, -DRAWN_AT_ONCE));
    log.setAttribute('aria-busy', String(session.isRunning));
    this.onchanged();
    this.follow();
  }

  /** @param {Session} session @param {fl.Turn[]} turns */
  drawLater(session, turns) {
    if (turns.length > 0) {
      requestIdleCallback((idle) => {
        if (this.session !== session) return;
        do {
          const turn = turns.pop();
          if (turn && session.turns.includes(turn)) this.drawTurn(turn);
        } while (turns.length > 0 && idle.timeRemaining() > 4);
        this.drawLater(session, turns);
      }, { timeout: 100 });
    }
  }

  /** @param {fl.Turn} turn */
  partsOf(turn) {
    let parts = this.turns.get(turn.id);
    if (!parts) {
      const [said, items, end] = [el('div', { class: 'said-row' }), el('div', { class: 'items' }), el('div', { class: 'turn-end' })];
      const root = el('section', { class: 'turn' }, el('h2', { class: 'unseen' }, `Turn ${turn.n}`), said, items, end);
      parts = { root, said, items, end };
      this.turns.set(turn.id, parts);
      this.log.append(root);
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

  /**
   * Draws what the person said or pressed.
   * @param {fl.Turn} turn
   * @param {fl.Item[]} items
   * @param {HTMLElement} place
   */
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

  /**
   * Puts elements in order and touches only those that are elsewhere.
   * @param {HTMLElement} parent
   * @param {HTMLElement[]} nodes
   */
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
        card.session = this.id;
        card.show(item, this.toolOf(item.function ?? '')?.traits.title ?? '', this.session?.progress.get(item.id));
        return card;
      }
      case 'output':
        return known && known.dataset.item === item.id ? known : outputCard(item);
      case 'text': {
        const node = known ?? el('div', { class: 'text' });
        if (item.markup) {
          if (node.dataset.plain) {
            node.replaceChildren();
            delete node.dataset.plain;
          }
          draw(node, item.markup);
        } else {
          node.dataset.plain = 'yes';
          node.textContent = item.text ?? '';
        }
        return node;
      }
      default: {
        const node = known ?? el('div', { class: `item ${item.type}` });
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
    if (item.state === 'open') {
      enableAsk(node, item.id, item.widgets ?? []);
      return;
    }
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
    const texts = items.filter((item) => item.type === 'text' && item.text).map((item) => item.text).join('\n\n');
    const copyButton = iconButton('copy', 'Copy the answer', () => copy(copyButton, texts));
    const problem = ENDS[turn.status ?? ''];
    const retry = problem && isLast && turn.origin === 'person' && el('button', {
      class: 'small-button', onclick: () => this.prompt(turn.prompt),
    }, icon('retry'), ' Try again');
    fill(place, problem && el('p', { class: `ended ${turn.status}` }, problem, ' ', retry),
      texts !== '' && el('div', { class: 'turn-tools' }, copyButton, turn.start && el('time', { datetime: turn.start }, time(turn.start))));
  }

  /** Starts a turn. @param {string} text */
  async prompt(text) {
    const key = crypto.randomUUID();
    this.isStuck = true;
    await request('POST', `/api/sessions/${segment(this.id)}/prompts`, { prompt: text }, { 'Idempotency-Key': key });
    this.scrollToEnd(false);
  }

  async stop() {
    await request('POST', `/api/sessions/${segment(this.id)}/cancel`, {}).catch(complain);
  }

  tick() {
    for (const item of this.session?.items.values() ?? []) {
      const node = this.nodes.get(item.id);
      if (node instanceof CallCard && item.result?.type === 'pending') node.tick();
      if (item.type === 'reasoning' && !item.end) {
        node?.querySelector('.fl-thinking')?.setAttribute('data-time', duration(Date.now() - Date.parse(item.start)));
      }
    }
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.isStuck = scrollHeight - scrollTop - clientHeight < 80;
    this.jump.hidden = this.isStuck;
  }

  /** Stays at the end, if the person is there. */
  follow() {
    if (this.isStuck) this.scrollToEnd(false);
    else this.scrolled();
  }

  /** @param {boolean} isSmooth */
  scrollToEnd(isSmooth) {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.scroller.scrollTo({ top: this.scroller.scrollHeight, behavior: isSmooth && !calm ? 'smooth' : 'instant' });
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
