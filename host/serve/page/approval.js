// @ts-check
/**
 * The dialog in which a person decides, and links for it. The host's facts stand first and the plugin's words are
 * quoted; every label is the page's own. A key that was meant for something else decides nothing: buttons work only after
 * a moment.
 */

import { post, segment } from './api.js';
import { draw } from './draw.js';
import { copy, el, fill, icon, iconButton, sheet, time } from './dom.js';
import { complain, sentence } from './form.js';
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

/** Sets off what is between backticks. @param {string} text */
export const withCode = (text) => text.split('`').map((part, n) => (n % 2 ? el('code', {}, part) : part));

/** @param {fl.Request} request */
export function drawRequest(request) {
  const body = el('div', { class: 'approval-body' });
  draw(body, request.markup ?? []);
  return body;
}

/**
 * Draws the verdicts of a request, and the place for words. Nothing is decided in the first moment.
 * @param {fl.Request} request
 * @param {(verdict: string) => boolean | undefined} isOffered
 * @param {(isDone: boolean) => void} done
 */
export function verdicts(request, isOffered, done) {
  const start = performance.now();
  const problem = el('p', { class: 'form-problem', role: 'alert' });
  const label = 'Words for the model, if you deny';
  const reason = el('input', { type: 'text', class: 'reason', placeholder: label, maxlength: 1000, 'aria-label': label });
  /** @param {string} verdict */
  const decide = async (verdict) => {
    const chosen = VERDICTS[verdict];
    if (!chosen || performance.now() < start + ARMING) return;
    const words = reason.value.trim();
    const said = verdict === 'deny' && words ? { reason: words } : {};
    footer.inert = true;
    let isDone = true;
    try {
      await post(`/api/approvals/${segment(request.id)}`, { ...chosen.body, ...said });
    } catch (error) {
      problem.textContent = sentence(error);
      isDone = false;
    }
    footer.inert = false;
    done(isDone);
  };
  const options = request.payload.options ?? [{ verdict: 'deny', covers: '' }, { verdict: 'once', covers: '' }];
  const offered = options.filter(({ verdict }) => verdict in VERDICTS && isOffered(verdict));
  const buttons = offered.map(({ verdict }, n) => el('button', {
    class: verdict === 'deny' ? 'button' : 'button allow', disabled: true,
    'data-verdict': verdict, 'aria-describedby': `covers-${n}`, onclick: () => decide(verdict),
  }, VERDICTS[verdict]?.label, n > 0 && el('kbd', {}, n)));
  const footer = el('footer', {}, problem, reason, el('div', { class: 'verdicts' }, offered.map(({ covers }, n) =>
    el('div', { class: 'verdict' }, buttons[n], el('small', { id: `covers-${n}` }, withCode(covers))))));
  /** The key of a digit chooses; Enter decides. @param {KeyboardEvent} event */
  const choose = (event) => {
    const chosen = /^[1-9]$/.test(event.key) && buttons[Number(event.key)];
    if (!chosen || event.target === reason || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    chosen.focus();
  };
  setTimeout(() => {
    for (const one of buttons) one.disabled = false;
    if (footer.isConnected) buttons[0]?.focus();
  }, ARMING);
  return { footer, decide, choose };
}

/** Makes a link that opens one request on another device, and shows it. @param {string} id */
export async function showLink(id) {
  try {
    const { url, expires } = await post(`/api/pending/${segment(id)}/link`);
    const button = iconButton('copy', 'Copy the link', () => copy(button, url));
    sheet('Link for another device',
      el('p', {}, `Whoever opens it can reply to this one request, once, until ${time(expires)}. It shows nothing else.`),
      el('div', { class: 'share' }, el('input', { readonly: true, value: url, 'aria-label': 'Link' }), button));
  } catch (error) {
    complain(error);
  }
}

export class Approvals {
  /** @type {(() => void) | undefined} */
  deny;
  /** The request in the dialog. @type {fl.Request | null} */
  shown = null;
  /** Requests that the person put off. @type {Set<string>} */
  later = new Set();
  dialog = el('dialog', { class: 'approval', 'aria-labelledby': 'approval-title' });

  /** @param {() => string | null} session The session on the screen. @param {() => fl.About | null} about */
  constructor(session, about) {
    this.session = session;
    this.about = about;
    this.dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.deny?.();
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
    const about = this.about();
    const { footer, decide, choose } = verdicts(request, (verdict) => verdict !== 'always' || about?.remembers,
      (isDone) => (isDone ? pending.settle(request.id) : pending.refresh()));
    this.counter = el('span', { class: 'counter' });
    footer.append(el('div', { class: 'approval-links' }, el('button', { class: 'link', onclick: () => this.postpone() }, 'Decide later'),
      about?.links && el('button', { class: 'link', onclick: () => showLink(request.id) }, 'Link for another device')));
    fill(this.dialog,
      el('header', {}, icon('shield'), el('h2', { id: 'approval-title' }, request.headline), this.counter),
      el('div', { class: 'approval-scroll', tabindex: 0, role: 'group', 'aria-label': 'What it is about' }, drawRequest(request)),
      footer);
    this.before = document.activeElement;
    this.deny = () => decide('deny');
    this.dialog.onkeydown = choose;
    if (!this.dialog.open) this.dialog.showModal();
    this.count();
    this.dialog.tabIndex = -1;
    this.dialog.focus();
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
}
