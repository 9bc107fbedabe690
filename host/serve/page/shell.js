// @ts-check
/** What every page begins with that is for one person: signing in, by a code in the address, by another tab, or by hand. */

import { adoptToken, isSignedIn, login } from './api.js';
import { el, fill } from './dom.js';
import { sentence } from './form.js';
import { pending } from './pending.js';

export class Shell extends HTMLElement {
  async connectedCallback() {
    addEventListener('signed-out', () => this.showSignIn());
    const code = /^#c=([A-Za-z0-9._~-]+)$/.exec(location.hash)?.[1];
    if (code) {
      // The code must not stay in the history.
      history.replaceState(null, '', location.pathname);
      try {
        await login(code);
      } catch (error) {
        if (!isSignedIn()) return this.showSignIn(sentence(error));
      }
    }
    if (!isSignedIn() && !await adoptToken()) return this.showSignIn();
    return this.start();
  }

  /** Shows what is for the person who has signed in. */
  async start() {}

  /** Ends what is for that person. */
  leave() {}

  showSignIn(problem = '') {
    pending.stop();
    this.leave();
    const message = el('p', { class: 'form-problem', role: 'alert' }, problem);
    const label = 'Login code or link';
    const code = el('input', { type: 'text', 'aria-label': label, placeholder: label, autocomplete: 'off', spellcheck: 'false' });
    const signIn = async (/** @type {Event} */ event) => {
      event.preventDefault();
      message.textContent = '';
      try {
        await login(code.value.trim().replace(/^.*#c=/, ''));
        await this.start();
      } catch (error) {
        message.textContent = sentence(error);
      }
    };
    fill(this, el('main', { class: 'sign-in' }, el('form', { onsubmit: signIn },
      el('img', { src: '/page/icon.svg', alt: '', width: 48, height: 48 }),
      el('h1', {}, 'Footlight'),
      el('p', {}, 'Open the link that ', el('code', {}, 'footlight serve'), ' prints. It works once; ', el('code', {}, 'footlight serve --open'), ' opens it for you.'),
      code, message, el('button', { type: 'submit', class: 'button allow' }, 'Sign in'))));
  }
}
