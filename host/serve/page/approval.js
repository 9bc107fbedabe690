// @ts-check
/**
 * The dialog in which a person decides. The host's facts stand first and the plugin's words are quoted; every label is
 * the page's own. A key that was meant for something else decides nothing: buttons work only after a moment.
 */

import { request as call, segment } from './api.js';
import { draw } from './draw.js';
import { el, fill, icon, words } from './dom.js';
import { sentence } from './form.js';
import { pending } from './pending.js';

/** How long the buttons stay without effect, in milliseconds. */
const ARMING = 500;

/** What each verdict sends, and its label. @type {Record<string, { label: string, body: object }>} */
const VERDICTS = {
  deny: { label: 'Deny', body: { approved: false } },
  once: { label: 'Allow once', body: { approved: true } },
  session: { label: 'Allow for this session', body: { approved: true, always: true } },
  always: { label: 'Always allow', body: { approved: true, always: true, remember: true } },
};

/**
 * Says in one line what a request is about, from what the host knows.
 * @param {fl.Request} request
 */
export function headline(request) {
  const { tool, action, network, folder } = request.payload;
  const [plugin = tool, name = ''] = tool.split('.');
  if (network) return `${plugin} wants to send a request to ${network.host}`;
  if (folder) return `${plugin} wants to use a folder`;
  if (action) return `${plugin} wants to do “${words(action.split('.').at(-1) ?? action)}”`;
  return `${plugin} wants to run “${words(name)}”`;
}

/**
 * Sets off what stands between backticks in a sentence of the host.
 * @param {string} text
 */
const withCode = (text) => text.split('`').map((part, n) => (n % 2 ? el('code', {}, part) : part));

/**
 * Draws what a request is about.
 * @param {fl.Request} request
 */
export function drawRequest(request) {
  const body = el('div', { class: 'approval-body' });
  if (request.markup) {
    draw(body, request.markup);
    return body;
  }
  const { facts = [], quotes = [], subject } = request.payload;
  body.append(el('dl', { class: 'fl-facts' },
    [...facts, ...(subject ? [{ name: 'to', value: JSON.stringify(subject) }] : [])].map((fact) =>
      el('div', {}, el('dt', {}, fact.name), el('dd', {}, fact.value)))));
  for (const quote of quotes) {
    body.append(el('blockquote', { class: 'fl-quote' }, el('p', { class: 'fl-caption' }, `${quote.by} says`), quote.text));
  }
  return body;
}

export class Approvals {
  /**
   * @param {() => string | null} session The session on the screen.
   * @param {() => fl.About | null} about
   */
  constructor(session, about) {
    this.session = session;
    this.about = about;
    /** The request in the dialog. @type {fl.Request | null} */
    this.shown = null;
    /** Requests that the person put off. @type {Set<string>} */
    this.later = new Set();
    this.dialog = el('dialog', { class: 'approval', 'aria-labelledby': 'approval-title' });
    this.dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.decide('deny');
    });
    document.body.append(this.dialog);
    pending.addEventListener('change', () => this.update());
  }

  /** The requests of the session on the screen that were not put off, oldest first. */
  get queue() {
    return pending.open.filter(({ session, request }) => request.type === 'approval_request'
      && session === this.session() && !this.later.has(request.id)).map(({ request }) => request);
  }

  /** Shows the next request, or closes the dialog if the one that it shows was settled elsewhere. */
  update() {
    if (this.shown && !pending.open.some(({ request }) => request.id === this.shown?.id)) this.close();
    const next = this.queue[0];
    if (!this.shown && next && (this.about()?.may ?? 'approve') === 'approve') this.show(next);
    else if (this.shown) this.count();
  }

  /** @param {fl.Request} request */
  show(request) {
    this.later.delete(request.id);
    this.shown = request;
    this.armed = performance.now() + ARMING;
    const options = request.payload.options ?? [{ verdict: 'deny', covers: '' }, { verdict: 'once', covers: '' }];
    const isOffered = (/** @type {fl.VerdictOption} */ { verdict }) =>
      verdict in VERDICTS && (verdict !== 'always' || this.about()?.remembers);
    const button = (/** @type {fl.VerdictOption} */ option, /** @type {number} */ n) => {
      const { label } = /** @type {{ label: string }} */ (VERDICTS[option.verdict]);
      return el('div', { class: 'verdict' },
        el('button', {
          class: option.verdict === 'deny' ? 'button' : 'button allow', disabled: true,
          'data-verdict': option.verdict, 'aria-describedby': `covers-${n}`,
          onclick: () => this.decide(option.verdict),
        }, label, n > 0 && el('kbd', {}, n)),
        el('small', { id: `covers-${n}` }, withCode(option.covers)));
    };
    this.counter = el('span', { class: 'counter' });
    this.problem = el('p', { class: 'form-problem', role: 'alert' });
    this.reason = el('input', {
      type: 'text', class: 'reason', placeholder: 'Words for the model, if you deny', maxlength: 1000,
      'aria-label': 'Words for the model, if you deny',
    });
    fill(this.dialog,
      el('header', {}, icon('shield'), el('h2', { id: 'approval-title' }, headline(request)), this.counter),
      el('div', { class: 'approval-scroll', tabindex: 0, role: 'group', 'aria-label': 'What it is about' }, drawRequest(request)),
      el('footer', {}, this.problem, this.reason, el('div', { class: 'verdicts' }, options.filter(isOffered).map(button)),
        el('button', { class: 'link', onclick: () => this.postpone() }, 'Decide later')));
    this.before = document.activeElement;
    if (!this.dialog.open) this.dialog.showModal();
    this.count();
    const buttons = /** @type {HTMLButtonElement[]} */ ([...this.dialog.querySelectorAll('[data-verdict]')]);
    this.dialog.tabIndex = -1;
    this.dialog.focus();
    setTimeout(() => {
      if (this.shown !== request) return;
      for (const one of buttons) one.disabled = false;
      buttons[0]?.focus();
    }, ARMING);
    this.dialog.onkeydown = (event) => {
      if (event.target === this.reason || event.ctrlKey || event.metaKey || event.altKey) return;
      const chosen = buttons[Number(event.key)];
      if (/^[1-9]$/.test(event.key) && chosen) {
        event.preventDefault();
        // The key chooses; Enter decides.
        chosen.focus();
      }
    };
  }

  count() {
    const count = this.queue.length;
    if (this.counter) this.counter.textContent = count > 1 ? `1 of ${count}` : '';
  }

  close() {
    this.shown = null;
    this.dialog.close();
    const before = this.before;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    else document.querySelector('textarea')?.focus();
  }

  postpone() {
    if (this.shown) this.later.add(this.shown.id);
    this.close();
    this.update();
  }

  /** @param {string} verdict */
  async decide(verdict) {
    const shown = this.shown;
    const chosen = VERDICTS[verdict];
    if (!shown || !chosen || performance.now() < (this.armed ?? 0)) return;
    const reason = this.reason?.value.trim();
    const said = verdict === 'deny' && reason ? { reason } : {};
    this.dialog.inert = true;
    try {
      await call('POST', `/api/approvals/${segment(shown.id)}`, { ...chosen.body, ...said });
      pending.settle(shown.id);
    } catch (error) {
      if (this.problem) this.problem.textContent = sentence(error);
      pending.refresh();
    }
    this.dialog.inert = false;
  }
}
