// @ts-check
/**
 * The page that a link for one decision opens: it shows one request and takes one reply. The secret of the link permits
 * nothing else, and is forgotten with the reply.
 */

import { Problem, get, isSignedIn, segment, setToken } from './api.js';
import { drawRequest, verdicts } from './approval.js';
import { draw } from './draw.js';
import { el, fill, keep, kept } from './dom.js';
import { enableAsk, sentence } from './form.js';

/** Under what the id of the request is kept over a reload. */
const ID = 'link.request';

class Reply extends HTMLElement {
  connectedCallback() {
    this.addEventListener('answered', () => this.end('Answered', 'You can close this page.'));
    addEventListener('hashchange', () => this.open());
    this.open();
  }

  /** Takes the secret out of the address, and loads the request. */
  async open() {
    const [, id, secret] = /^#([\w-]+)\/(link-[0-9a-f]+)$/.exec(location.hash) ?? [];
    if (id && secret) {
      // The secret must not stay in the history.
      history.replaceState(null, '', '/reply');
      setToken(secret);
      keep(ID, id);
    }
    await this.load();
  }

  async load() {
    const id = kept(ID);
    if (!id || !isSignedIn()) return this.refuse();
    try {
      /** @type {fl.Pending} */
      const { request, waitedFor } = await get(`/api/pending/${segment(id)}?markup=true`);
      if (!waitedFor) this.refuse();
      else if (request.type === 'ask_request') this.ask(request);
      else this.decide(request);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** @param {fl.Request} request */
  ask(request) {
    const place = el('div', { class: 'item ask' });
    draw(place, request.markup ?? []);
    this.show('A question for you', place);
    enableAsk(place, request.id);
  }

  /** @param {fl.Request} request */
  decide(request) {
    // A link decides one request, and permits nothing that lasts.
    const { footer, choose } = verdicts(request, (verdict) => /^(deny|once)$/.test(verdict),
      (isDone) => { if (isDone) this.end('Decided', 'You can close this page.'); });
    this.onkeydown = choose;
    this.show(request.headline ?? '', el('section', { class: 'approval page' }, el('div', { class: 'approval-scroll' }, drawRequest(request)), footer));
  }

  /** @param {unknown} [error] */
  refuse(error) {
    if (error instanceof Problem && error.status !== 0 && error.status !== 429) error = null;
    if (error) this.show('This cannot be shown now', el('p', {}, sentence(error)), el('button', { class: 'button', onclick: () => this.load() }, 'Try again'));
    else this.end('This link does not work any more', 'It works once, for a while, and until somebody replies elsewhere.');
  }

  /** @param {string} title @param {string} text */
  end(title, text) {
    setToken(null);
    keep(ID, null);
    this.show(title, el('p', { class: 'fl-muted' }, text));
  }

  /** @param {string} title @param {...HTMLElement} content */
  show(title, ...content) {
    fill(this, el('header', { class: 'brand' }, el('img', { src: '/page/icon.svg', alt: '', width: 24, height: 24 }), 'Footlight'),
      el('main', {}, el('h1', {}, title), content));
  }
}

customElements.define('fl-reply', Reply);
