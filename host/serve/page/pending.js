// @ts-check
/**
 * What waits for the person, over all sessions: kept up to date by the live stream, by the other tabs, and by asking the
 * server now and then. Sets the number in the title, and notifies a person who looks elsewhere.
 */

import { get, tabs } from './api.js';

/** How often the server is asked, in milliseconds, while the page is seen and while it is not. */
const SEEN = 5_000;
const UNSEEN = 15_000;

class PendingRequests extends EventTarget {
  /** @type {fl.Pending[]} */
  list = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  title = '';
  /** Requests that a notification was shown for. @type {Set<string>} */
  told = new Set();

  constructor() {
    super();
    tabs.addEventListener('message', ({ data }) => {
      if (data === 'pending' && this.timer) this.refresh();
    });
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.timer) this.refresh();
    });
  }

  /** The requests that can be replied to. */
  get open() {
    return this.list.filter((pending) => pending.waitedFor);
  }

  async refresh() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), document.hidden ? UNSEEN : SEEN);
    try {
      const { pending } = await get('/api/pending?markup=true');
      this.set(pending);
    } catch {
      // The banner says what is wrong; the next attempt may work.
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** @param {fl.Pending[]} list */
  set(list) {
    const ids = (/** @type {fl.Pending[]} */ of) => of.map((pending) => `${pending.request.id}${pending.waitedFor}`).join();
    const isNew = ids(list) !== ids(this.list);
    this.list = list;
    if (!isNew) return;
    this.showTitle();
    this.notify();
    this.dispatchEvent(new Event('change'));
  }

  /** A request arrived on the live stream. @param {string} session @param {fl.Request} request */
  add(session, request) {
    if (this.list.some((pending) => pending.request.id === request.id)) return;
    this.set([...this.list, { session, waitedFor: true, request }]);
  }

  /** A request was settled, here or elsewhere. @param {string} id */
  settle(id) {
    this.set(this.list.filter((pending) => pending.request.id !== id));
    tabs.postMessage('pending');
  }

  /** @param {string} [title] */
  showTitle(title) {
    this.title = title ?? this.title;
    const count = this.open.length;
    const name = this.title ? `${this.title} · Footlight` : 'Footlight';
    document.title = count > 0 ? `(${count}) ${name}` : name;
  }

  notify() {
    for (const { request } of this.open) {
      if (this.told.has(request.id)) continue;
      this.told.add(request.id);
      if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') continue;
      const what = request.type === 'ask_request' ? 'A question waits for you' : 'A decision waits for you';
      const shown = new Notification('Footlight', { body: what, tag: request.id });
      shown.onclick = () => focus();
    }
  }
}

export const pending = new PendingRequests();
