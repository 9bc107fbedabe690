// @ts-check
/** The screens beside the conversation: the first one, the inbox, grants, signing in, and the sheet of keys. */

import { get, post, request, segment } from './api.js';
import { showLink, withCode } from './approval.js';
import { ago, el, fill, icon, iconButton, plural, sheet, toast, words } from './dom.js';
import { complain, sentence } from './form.js';
import { pending } from './pending.js';

/** Says what the model is. @param {fl.About | null} about */
export function modelLine(about) {
  if (!about) return '';
  return about.model.isLanguageModel
    ? about.model.name
    : `${about.model.name}: matches your words with tools. It is no language model.`;
}

/**
 * The first screen: what can be asked, what waits, and what was done before.
 * @param {{ about: fl.About | null, plugins: fl.Plugin[], sessions: fl.Session[], ask: (text: string) => void, composer: HTMLElement }} home
 */
export function home({ about, plugins, sessions, ask, composer }) {
  // Of each plugin in turn, so that none takes all the room.
  const byPlugin = plugins.map((plugin) => plugin.tools.filter((tool) => tool.traits.audience !== 'user')
    .flatMap((tool) => (tool.traits.examples ?? []).slice(0, 1)));
  const examples = [0, 1, 2].flatMap((n) => byPlugin.flatMap((of) => of[n] ?? [])).slice(0, 6);
  const waiting = pending.open;
  return el('div', { class: 'home' },
    el('h1', {}, 'What would you like to do?'),
    composer,
    about && !about.model.isLanguageModel && el('p', { class: 'model-note' },
      modelLine(about), ' Choose one with ', el('code', {}, 'footlight serve --model'), '.'),
    examples.length > 0 && el('div', { class: 'examples', role: 'group', 'aria-label': 'Examples' },
      examples.map((example) => el('button', { class: 'example', onclick: () => ask(example) }, example))),
    waiting.length > 0 && el('section', { class: 'waiting' },
      el('h2', {}, 'Waiting for you'),
      waiting.slice(0, 5).map((one) => pendingRow(one, sessions)),
      waiting.length > 5 && el('a', { href: '#/inbox' }, `All ${waiting.length}`)),
    el('section', {}, el('h2', {}, 'Plugins'),
      el('div', { class: 'plugins' }, plugins.map((plugin) => pluginCard(plugin, ask))),
      plugins.length === 0 && el('p', { class: 'fl-muted' }, 'No plugin is loaded. Name one: ', el('code', {}, 'footlight serve PLUGIN'))),
    sessions.length > 0 && el('section', {}, el('h2', {}, 'Recent'),
      el('ul', { class: 'recent' }, sessions.slice(0, 5).map((session) => el('li', {},
        el('a', { href: `#/s/${segment(session.id)}` }, el('span', { dir: 'auto' }, session.title || 'Untitled'), el('time', { datetime: session.updated }, ago(session.updated))))))));
}

/** @param {fl.Plugin} plugin @param {(text: string) => void} ask */
function pluginCard(plugin, ask) {
  const powers = plugin.powers.length > 0
    ? plugin.powers.map((power) => el('li', {}, power))
    : [el('li', { class: 'none' }, 'show, ask and keep its own state; nothing else')];
  const tools = plugin.tools.filter((tool) => tool.traits.audience !== 'user');
  return el('article', { class: 'plugin' },
    el('header', {}, el('span', { class: 'avatar', 'aria-hidden': 'true' }, words(plugin.id).charAt(0)),
      el('h3', {}, plugin.id), el('span', { class: 'version' }, plugin.version)),
    el('p', { dir: 'auto' }, plugin.description),
    el('p', { class: 'may' }, plugin.powers.length > 0 ? 'With your permission it may' : 'It may'),
    el('ul', { class: 'powers' }, powers),
    el('details', {}, el('summary', {}, plural(tools.length, 'tool')),
      el('ul', { class: 'tools' }, tools.map((tool) => {
        const example = tool.traits.examples?.[0];
        return el('li', {}, el('strong', {}, tool.traits.title || words(tool.name)),
          el('span', { dir: 'auto' }, tool.description.split('\n')[0]),
          example && el('button', { class: 'link', onclick: () => ask(example) }, `“${example}”`));
      }))));
}

/** @param {fl.Pending} one @param {fl.Session[]} sessions */
function pendingRow(one, sessions) {
  const { request, session, waitedFor } = one;
  const title = sessions.find((known) => known.id === session)?.title || 'Session';
  const isAsk = request.type === 'ask_request';
  const text = (isAsk ? request.payload.prompt : request.headline) ?? '';
  return el('a', { class: waitedFor ? 'pending-row' : 'pending-row stale', href: `#/s/${segment(session)}/${segment(request.id)}` },
    icon(isAsk ? 'inbox' : 'shield'),
    el('span', { class: 'pending-text' }, el('span', { dir: 'auto' }, text.slice(0, 200)), el('small', { dir: 'auto' }, title)),
    el('span', { class: 'pill warning' }, !waitedFor ? 'interrupted' : isAsk ? 'answer' : 'decide'));
}

/**
 * What waits for the person in all sessions.
 * @param {fl.Session[]} sessions
 * @param {boolean} hasLinks Whether a link can open a request on another device.
 */
export function inbox(sessions, hasLinks) {
  const list = pending.list;
  const decline = async () => {
    if (!confirm(`Decline all ${list.length}? Questions are skipped and approvals denied.`)) return;
    await post('/api/pending/decline').then(({ declined }) => toast(`${plural(declined, 'request')} declined`), complain);
    pending.refresh();
  };
  return el('div', { class: 'screen' },
    el('header', {}, el('h1', {}, 'Inbox'),
      list.length > 1 && el('button', { class: 'button', onclick: decline }, 'Decline all')),
    list.length === 0 && el('p', { class: 'empty' }, icon('check'), 'Nothing waits for you.'),
    list.map((one) => el('div', { class: 'pending-line' }, pendingRow(one, sessions),
      hasLinks && one.waitedFor && iconButton('link', 'Link for another device', () => showLink(one.request.id)))));
}

/** What is permitted without asking. @param {fl.Session[]} sessions */
export function grants(sessions) {
  const list = el('ul', { class: 'grants' });
  const load = async () => {
    const { grants } = /** @type {{ grants: fl.Grant[] }} */ (await get('/api/grants'));
    fill(list, grants.map((grant) => el('li', {},
      el('div', {}, el('span', { dir: 'auto' }, withCode(grant.covers)),
        el('small', {}, 'In “', el('a', { href: `#/s/${segment(grant.session)}` }, sessions.find((one) => one.id === grant.session)?.title || 'a session'), '”'),
        grant.why.map((why) => el('small', {}, sentence(why))),
        grant.rule && el('small', {}, 'A rule goes on when this is revoked: ', el('code', {}, `footlight grants revoke ${grant.rule}`))),
      el('button', {
        class: 'button',
        onclick: async () => {
          await request('DELETE', `/api/grants/${grant.id}`).catch(complain);
          load();
        },
      }, 'Revoke'))),
    grants.length === 0 && el('li', { class: 'empty' }, icon('check'), 'You have permitted nothing beyond single requests.'));
  };
  load().catch(complain);
  return el('div', { class: 'screen' },
    el('header', {}, el('h1', {}, 'Permissions')),
    el('p', { class: 'fl-muted' }, 'What you allowed for a session. Rules that last are kept in a file: ', el('code', {}, 'footlight grants list'), ' shows them.'),
    list);
}

/** Shows the keys in a dialog. */
export function showKeys() {
  /** @type {[string, string][]} */
  const keys = [
    ['Enter', 'Send'], ['Shift + Enter', 'New line'], ['↑', 'Bring the last prompt back'], ['Esc', 'Stop the answer; deny in a dialog'],
    ['1, 2, 3', 'Choose a verdict in a dialog'], ['Ctrl + K', 'Search sessions'], ['Ctrl + Shift + O', 'New session'], ['Ctrl + /', 'This sheet'],
  ];
  sheet('Keyboard', el('dl', {}, keys.map(([key, what]) =>
    el('div', {}, el('dt', {}, key.split(' + ').flatMap((one, n) => [n > 0 && ' + ', el('kbd', {}, one)])), el('dd', {}, what)))));
}
