// @ts-check
/**
 * What the page knows of one session: its turns and items, built from a snapshot and the frames that follow.
 * Whoever draws it is told which items and turns have changed, at most once a frame of the screen.
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
  /** @param {(changes: Changes) => void} onchange */
  constructor(onchange) {
    this.onchange = onchange;
    this.seq = 0;
    /** @type {fl.Turn[]} */
    this.turns = [];
    /** @type {Map<string, fl.Item>} */
    this.items = new Map();
    /** The progress of running calls. @type {Map<string, Progress>} */
    this.progress = new Map();
    /** What the model is about to do, in words; empty if it does nothing that can be named. */
    this.activity = '';
    /** @type {Changes} */
    this.changes = { items: new Set(), turns: new Set(), all: false };
    this.isScheduled = false;
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

  /** @param {fl.Frame} frame */
  apply(frame) {
    if (typeof frame.seq === 'number') this.seq = frame.seq;
    switch (frame.type) {
      case 'snapshot':
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
        this.touchLastTurn();
        break;
      case 'progress': {
        const { message = '', done, total } = frame;
        this.progress.set(frame.call ?? '', { message, done, total });
        this.changes.items.add(frame.call ?? '');
        break;
      }
      case 'request_settled':
        this.changes.items.add(frame.request_id ?? '');
        break;
      default:
        return;
    }
    this.schedule();
  }

  /** @param {fl.Frame} frame */
  start(frame) {
    const known = this.turns.find((turn) => turn.id === frame.turn);
    if (known) known.status = null;
    else {
      // The turn before is not the last one any more.
      this.touchLastTurn();
      this.turns.push({
        id: frame.turn ?? '', n: (this.turns.at(-1)?.n ?? 0) + 1, prompt: frame.prompt ?? '',
        origin: frame.origin ?? 'person', start: frame.at ?? '', status: null,
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
    this.activity = '';
    if (item.type === 'tool' && item.result?.type !== 'pending') this.progress.delete(item.id);
    this.changes.items.add(item.id);
    this.touchTurn(item.position.turn);
  }

  /** @param {string} id */
  remove(id) {
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

  touchLastTurn() {
    const last = this.turns.at(-1);
    if (last) this.changes.turns.add(last.id);
  }

  /** @param {number} n */
  touchTurn(n) {
    const turn = this.turns.find((turn) => turn.n === n);
    if (turn) this.changes.turns.add(turn.id);
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
