// @ts-check
/**
 * The live connection of a tab: a WebSocket, or server-sent events where that fails. It reconnects by itself and
 * continues after the last stored event.
 */

import { get, segment, send, subprotocols } from './api.js';

/** @typedef {'connecting' | 'open' | 'lost'} State */

/** The longest pause between two attempts, in milliseconds. */
const MAX_PAUSE = 10_000;

/** After so many sockets that never opened, events are tried. */
const MAX_SOCKETS = 2;

export class Live {
  /**
   * @param {string} session
   * @param {number} seq The last event that the page has.
   * @param {(frame: fl.Frame) => void} onframe
   * @param {(state: State) => void} onstate
   */
  constructor(session, seq, onframe, onstate) {
    this.session = session;
    this.seq = seq;
    this.onframe = onframe;
    this.onstate = onstate;
    this.attempts = 0;
    this.failedSockets = 0;
    /** @type {State} */
    this.state = 'connecting';
    /** @type {(() => void) | null} */
    this.drop = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isClosed = false;
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

  path() {
    const kind = this.failedSockets < MAX_SOCKETS ? 'socket' : 'events';
    return `/api/sessions/${segment(this.session)}/${kind}?markup=true&after=${this.seq}`;
  }

  connect() {
    if (this.isClosed) return;
    if (this.failedSockets < MAX_SOCKETS) this.openSocket();
    else this.openEvents();
  }

  openSocket() {
    const socket = new WebSocket(this.path().replace(/^/, location.origin.replace(/^http/, 'ws')), subprotocols());
    let hasOpened = false;
    socket.onopen = () => {
      hasOpened = true;
      this.failedSockets = 0;
      this.opened();
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
      const response = await send('GET', this.path(), undefined, {}, abort.signal);
      this.opened();
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
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').filter((line) => line.startsWith('data:'));
        if (data.length > 0) this.take(JSON.parse(data.map((line) => line.slice(5)).join('\n')));
      }
    }
  }

  /** @param {fl.Frame} frame */
  take(frame) {
    if (frame.type === 'resync') {
      this.drop?.();
      this.lost(0);
      return;
    }
    if (typeof frame.seq === 'number') this.seq = frame.seq;
    this.onframe(frame);
  }

  opened() {
    this.attempts = 0;
    this.set('open');
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
    this.onstate(state);
  }
}
