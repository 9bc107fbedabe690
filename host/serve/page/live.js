// @ts-check
/**
 * The live connection of a tab: a WebSocket, or server-sent events where that fails. It reconnects by itself and
 * continues after the last stored event.
 */

import { get, send, subprotocols } from './api.js';

/** @typedef {'connecting' | 'open' | 'lost'} State */

/** The longest pause between two attempts, in milliseconds. */
const MAX_PAUSE = 10_000;

/** After so many sockets that never opened, events are tried. */
const MAX_SOCKETS = 2;

/** The most turns of an answer. */
export const MAX_TURNS = 200;

export class Live {
  attempts = 0;
  failedSockets = 0;
  /** @type {State} */
  state = 'connecting';
  /** @type {(() => void) | null} */
  drop = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
  isClosed = false;

  /**
   * @param {string} session The path of the session.
   * @param {import('./record.js').Session} record What the page has of it.
   * @param {(frame: fl.Frame) => void} onframe
   * @param {(state: State) => void} onstate
   */
  constructor(session, record, onframe, onstate) {
    this.session = session;
    this.record = record;
    this.onframe = onframe;
    this.onstate = onstate;
    this.wake = () => {
      if (this.state !== 'lost') return;
      clearTimeout(this.timer);
      this.connect();
    };
    addEventListener('online', this.wake);
    this.connect();
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    removeEventListener('online', this.wake);
    this.drop?.();
  }

  /** @param {string} kind */
  path(kind) {
    const { seq, turns } = this.record;
    // A page that was away for too long is sent as many turns as it had.
    const most = Math.min(MAX_TURNS, turns.length || 1);
    return `${this.session}/${kind}?markup=true&log=true&after=${seq}&turns=${most}`;
  }

  connect() {
    if (this.isClosed) return;
    if (this.failedSockets < MAX_SOCKETS) this.openSocket();
    else this.openEvents();
  }

  openSocket() {
    const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + this.path('socket'), subprotocols());
    let hasOpened = false;
    socket.onopen = () => {
      hasOpened = true;
      this.failedSockets = 0;
      this.set('open');
    };
    socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    socket.onclose = () => {
      if (!hasOpened && navigator.onLine) this.failedSockets += 1;
      this.lost();
    };
    this.drop = () => {
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
    };
  }

  async openEvents() {
    const abort = new AbortController();
    this.drop = () => abort.abort();
    try {
      const response = await send('GET', this.path('events'), undefined, {}, abort.signal);
      this.set('open');
      await this.read(/** @type {ReadableStream<Uint8Array>} */ (response.body));
    } catch {
      // Lost, like one that ends.
    }
    // The next attempt may use a socket again.
    this.failedSockets = MAX_SOCKETS - 1;
    if (!abort.signal.aborted) this.lost();
  }

  /** @param {ReadableStream<Uint8Array>} body */
  async read(body) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      // The server writes each frame on one line.
      for (const line of lines) if (line.startsWith('data:')) this.take(JSON.parse(line.slice(5)));
    }
  }

  /** @param {fl.Frame} frame */
  take(frame) {
    if (frame.type !== 'resync') return this.onframe(frame);
    this.drop?.();
    this.lost(0);
  }

  /** @param {number} [pause] */
  lost(pause) {
    if (this.isClosed) return;
    this.set('lost');
    const wait = pause ?? Math.min(MAX_PAUSE, 300 * 2 ** this.attempts) * (0.75 + Math.random() / 2);
    this.attempts += 1;
    this.timer = setTimeout(() => this.connect(), wait);
    // A socket does not say why it was refused. This does, and a token that has ended leads to signing in.
    if (this.attempts === 2) get('/api/server').catch(() => {});
  }

  /** @param {State} state */
  set(state) {
    if (state === this.state) return;
    this.state = state;
    if (state === 'open') this.attempts = 0;
    this.onstate(state);
  }
}
