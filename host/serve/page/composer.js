// @ts-check
/** Where a person writes. Enter sends, Shift+Enter begins a new line, the arrow up brings the last prompt back. */

import { el, icon, keep, kept, relabel } from './dom.js';

export class Composer extends HTMLElement {
  /** Under what the draft is kept. */
  key = '';
  isRunning = false;
  /** A line below it. */
  about = '';
  /** @type {(text: string) => Promise<void>} */
  onsend = async () => {};
  /** @type {() => void} */
  onstop = () => {};
  /** @type {() => string} */
  last = () => '';

  area = el('textarea', {
    rows: 1, placeholder: 'Write a message', 'aria-label': 'Message', enterkeyhint: 'send',
    oninput: () => this.changed(),
    onkeydown: (event) => this.key_(event),
  });
  button = el('button', { type: 'submit', class: 'send', 'aria-label': 'Send', title: 'Send (Enter)' }, icon('send'));
  note = el('p', { class: 'composer-note' });

  connectedCallback() {
    if (this.firstChild) return;
    this.note.textContent = this.about;
    this.append(el('form', {
      class: 'composer',
      onsubmit: (event) => {
        event.preventDefault();
        if (this.isRunning) this.onstop();
        else this.send();
      },
    }, this.area, this.button), this.note);
    this.use(this.key);
  }

  /** Shows the draft that was kept for a session. @param {string} key */
  use(key) {
    this.key = key;
    if (this.firstChild) this.set(kept(`draft.${key}`) ?? '');
  }

  /** @param {string} text */
  set(text) {
    this.area.value = text;
    this.changed();
  }

  focus() {
    this.area.focus();
  }

  changed() {
    const { area } = this;
    keep(`draft.${this.key}`, area.value || null);
    // `field-sizing` does this where the browser has it.
    if (!CSS.supports('field-sizing', 'content')) area.rows = Math.min(10, area.value.split('\n').length);
    this.show();
  }

  /** @param {boolean} isRunning */
  run(isRunning) {
    if (this.isRunning === isRunning) return;
    this.isRunning = isRunning;
    this.show();
  }

  show() {
    const { button } = this;
    const label = this.isRunning ? 'Stop' : 'Send';
    button.disabled = !this.isRunning && !this.area.value.trim();
    button.classList.toggle('stop', this.isRunning);
    if (button.ariaLabel !== label) relabel(button, label.toLowerCase(), label, this.isRunning ? 'Stop (Esc)' : 'Send (Enter)');
  }

  /** @param {KeyboardEvent} event */
  key_(event) {
    const { area } = this;
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      if (!this.isRunning) this.send();
    }
    if (event.key === 'ArrowUp' && area.value === '' && this.last()) {
      event.preventDefault();
      this.set(this.last());
    }
  }

  async send() {
    const { area } = this;
    const text = area.value.trim();
    if (!text || this.isSending) return;
    this.isSending = true;
    this.set('');
    try {
      await this.onsend(text);
    } catch {
      // Whoever sends says why; the words are not lost.
      this.set(text);
    }
    this.isSending = false;
  }
}

customElements.define('fl-composer', Composer);
