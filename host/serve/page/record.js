// @ts-check
/**
 * What the page knows of one session: its last turns and their items, built from a snapshot and the frames that follow,
 * and earlier ones that were asked for. Whoever draws it is told which items and turns have changed, at most once a frame
 * of the screen.
 */

/** @typedef {{ message: string, done?: number, total?: number }} Progress */
/** @typedef {{ items: Set<string>, turns: Set<string>, all: boolean }} Changes */

/** @param {fl.Item} a @param {fl.Item} b */
function order(a, b) {
  const [p, q] = [a.position, b.position];
  return p.turn - q.turn || p.step - q.step || p.call - q.call || p.n - q.n;
}

/** An item that is only known from the text that streams in stands at the end of its turn. */
const STREAMING = 1_000_000;

export class Session {
  seq = 0;
  /** How many turns come before the first one here. */
  earlier = 0;
  /** @type {fl.Turn[]} */
  turns = [];
  /** @type {Map<string, fl.Item>} */
  items = new Map();
  /** Items that were removed: turns that are read meanwhile may still have them. @type {Set<string>} */
  removed = new Set();
  /** The progress of running calls. @type {Map<string, Progress>} */
  progress = new Map();
  /** The last lines that calls of the last turn have logged. @type {Map<string, string[]>} */
  logs = new Map();
  /** What the model is about to do, in words; empty if it does nothing that can be named. */
  activity = '';
  /** @type {Changes} */
  changes = { items: new Set(), turns: new Set(), all: false };
  isScheduled = false;

  /** @param {(changes: Changes) => void} onchange */
  constructor(onchange) {
    this.onchange = onchange;
  }

  get isRunning() {
    const last = this.turns.at(-1);
    return last !== undefined && (last.status === null || last.status === 'waiting');
  }

  /** Returns the items of a turn, in order. @param {number} n */
  itemsOf(n) {
    const own = [...this.items.values()].filter((item) => item.position.turn === n);
    return own.sort(order);
  }

  /** What the model wrote, with the titles of outputs for their ids. @param {fl.Item[]} items */
  textOf(items) {
    const texts = items.filter((item) => item.type === 'text' && item.text).map((item) => item.text);
    return texts.join('\n\n').replace(/\[output:(\w+)\]/g, (token, id) => this.items.get(id)?.title ?? token);
  }

  /** @param {fl.Frame} frame */
  apply(frame) {
    if (typeof frame.seq === 'number') this.seq = frame.seq;
    switch (frame.type) {
      case 'snapshot':
        this.earlier = frame.earlier ?? 0;
        this.turns = frame.turns ?? [];
        this.items = new Map((frame.items ?? []).map((item) => [item.id, item]));
        this.progress.clear();
        this.changes.all = true;
        break;
      case 'turn_started':
        this.start(frame);
        break;
      case 'turn_finished':
        this.finish(frame);
        break;
      case 'put':
        this.put({ ...frame.item, markup: frame.item.markup ?? frame.markup });
        break;
      case 'remove':
        this.remove(frame.id ?? '');
        break;
      case 'text_delta':
      case 'reasoning_delta':
        this.extend(frame);
        break;
      case 'retry':
        for (const item of this.items.values()) if (item.position.step === STREAMING) this.remove(item.id);
        this.activity = 'Trying again';
        break;
      case 'calling':
        this.activity = frame.tool ?? '';
        this.touch(this.turns.at(-1));
        break;
      case 'progress': {
        const { call = '', message = '', done, total } = frame;
        this.progress.set(call, { message, done, total });
        this.changes.items.add(call);
        break;
      }
      case 'log':
        this.logs.set(frame.call ?? '', frame.lines ?? []);
        this.changes.items.add(frame.call ?? '');
        break;
      case 'request_settled':
        this.changes.items.add(frame.request_id ?? '');
        break;
      default:
        return;
    }
    this.schedule();
  }

  /** Adds turns from before the first one. What frames have changed of them since counts. @param {fl.Frame} record */
  prepend({ earlier = 0, turns = [], items = [] }) {
    this.earlier = earlier;
    this.turns.unshift(...turns);
    for (const item of items) {
      if (!this.removed.has(item.id) && !((this.items.get(item.id)?.rev ?? -1) >= item.rev)) this.items.set(item.id, item);
    }
    turns.forEach((turn) => this.touch(turn));
    this.schedule();
  }

  /** @param {fl.Frame} frame */
  start(frame) {
    const known = this.turns.find((turn) => turn.id === frame.turn);
    if (known) known.status = null;
    else {
      const n = (this.turns.at(-1)?.n ?? 0) + 1;
      this.logs.clear();
      if (frame.retries) {
        // The turn that runs again, and all after it, are retracted; perhaps all that are here.
        this.turns.splice(Math.max(0, this.turns.findIndex((turn) => turn.id === frame.retries)));
      }
      // The turn before is not the last one any more.
      this.touch(this.turns.at(-1));
      this.turns.push({
        id: frame.turn ?? '', n, prompt: frame.prompt ?? '', origin: frame.origin ?? 'person', start: frame.at ?? '', status: null,
      });
    }
    this.changes.turns.add(frame.turn ?? '');
  }

  /** @param {fl.Frame} frame */
  finish(frame) {
    const turn = this.turns.find((turn) => turn.id === frame.turn);
    if (turn) turn.status = frame.status ?? 'done';
    this.activity = '';
    this.changes.turns.add(frame.turn ?? '');
  }

  /** @param {fl.Item} item */
  put(item) {
    const before = this.items.get(item.id);
    // A snapshot and a stream may both have it.
    if (before && before.position.step !== STREAMING && before.rev > item.rev) return;
    this.items.set(item.id, item);
    this.removed.delete(item.id);
    this.activity = '';
    if (item.type === 'tool' && item.result?.type !== 'pending') this.progress.delete(item.id);
    this.changes.items.add(item.id);
    this.touchTurn(item.position.turn);
  }

  /** @param {string} id */
  remove(id) {
    this.removed.add(id);
    const item = this.items.get(id);
    if (!item) return;
    this.items.delete(id);
    this.changes.items.add(id);
    this.touchTurn(item.position.turn);
  }

  /** @param {fl.Frame} frame */
  extend(frame) {
    const turn = this.turns.find((turn) => turn.id === frame.turn) ?? this.turns.at(-1);
    const before = this.items.get(frame.item);
    const text = (before?.text ?? '') + (frame.delta ?? '');
    const position = before?.position ?? { turn: turn?.n ?? 1, step: STREAMING, call: 0, n: 0 };
    const markup = frame.markup ?? before?.markup;
    this.items.set(frame.item, {
      id: frame.item, type: frame.type.replace('_delta', ''), position, rev: frame.rev ?? 0,
      start: before?.start ?? frame.start ?? frame.at ?? '', end: frame.end, text, markup,
    });
    this.activity = '';
    // Without a new tree nothing is drawn; the next frame has one, or the item that is put in the end.
    if (frame.markup || !before?.markup) this.changes.items.add(frame.item);
    if (!before || frame.end) this.touchTurn(position.turn);
  }

  /** @param {fl.Turn | undefined} turn */
  touch(turn) {
    if (turn) this.changes.turns.add(turn.id);
  }

  /** @param {number} n */
  touchTurn(n) {
    this.touch(this.turns.find((turn) => turn.n === n));
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const flush = () => {
      this.isScheduled = false;
      const changes = this.changes;
      this.changes = { items: new Set(), turns: new Set(), all: false };
      this.onchange(changes);
    };
    // A hidden page draws no frames, and still has a title to keep.
    if (document.hidden) setTimeout(flush, 200);
    else requestAnimationFrame(flush);
  }
}
