// @ts-check
/** The page around a conversation: the list of sessions, and which screen is shown. */

import { get, isSignedIn, logout, post, request, segment, tabs } from './api.js';
import { Approvals } from './approval.js';
import { Composer } from './composer.js';
import { Conversation } from './conversation.js';
import { ago, el, fill, icon, iconButton, relabel, words } from './dom.js';
import { complain, sentence } from './form.js';
import { download } from './output.js';
import { pending } from './pending.js';
import { grants, home, inbox, modelLine, showKeys } from './screens.js';
import { Shell } from './shell.js';

/** The theme that follows another one. @type {Record<string, string>} */
const THEMES = { system: 'light', light: 'dark', dark: 'system' };

class App extends Shell {
  /** @type {fl.About | null} */
  about = null;
  /** @type {fl.Plugin[]} */
  plugins = [];
  /** @type {fl.Session[]} */
  sessions = [];
  wanted = '';
  conversation = new Conversation();
  composer = new Composer();
  approvals = new Approvals(() => this.conversation.id || null, () => this.about);
  list = el('nav', { class: 'sessions', 'aria-label': 'Sessions' });
  search = el('input', {
    type: 'search', placeholder: 'Search', 'aria-label': 'Search sessions',
    oninput: () => {
      this.wanted = this.search.value.trim().toLowerCase();
      this.showSessions();
    },
  });
  badge = el('span', { class: 'badge', hidden: true });
  heading = el('h1', { class: 'title', dir: 'auto', hidden: true });
  menu = el('div', { class: 'session-menu' });
  main = el('main', { id: 'main' });

  async connectedCallback() {
    this.listen();
    addEventListener('hashchange', () => this.route());
    addEventListener('keydown', (event) => this.keys(event));
    return super.connectedCallback();
  }

  leave() {
    this.conversation.close();
    this.isStarted = false;
  }

  async start() {
    if (this.isStarted) return;
    this.isStarted = true;
    this.build();
    try {
      const [about, { plugins }] = await Promise.all([get('/api/server'), get('/api/plugins'), this.loadSessions()]);
      [this.about, this.plugins] = [about, plugins];
      await Promise.all(about.renderers.map((/** @type {string} */ name) => import(`/renderers/${segment(name)}`).catch((error) => console.warn(error))));
    } catch (error) {
      if (!isSignedIn()) return;
      complain(error);
    }
    this.composer.about = modelLine(this.about);
    this.composer.hidden = this.about?.may === 'view';
    this.classList.toggle('offline', this.about?.model.isLanguageModel === false);
    await pending.refresh();
    this.route();
  }

  listen() {
    const { conversation, composer } = this;
    conversation.toolOf = (name) => {
      const [id, tool] = name.split('.');
      return this.plugins.find((plugin) => plugin.id === id)?.tools.find((one) => one.name === tool);
    };
    conversation.onopened = (session) => this.opened(session);
    conversation.onchanged = () => {
      composer.run(conversation.isRunning);
      // A session is named after its first prompt.
      const known = this.sessions.find((session) => session.id === conversation.id);
      if (known?.title === '' && conversation.lastPrompt) {
        known.title = conversation.lastPrompt.slice(0, 80);
        this.changed();
      }
    };
    conversation.onturn = () => this.changed();
    conversation.onsettled = () => composer.focus();
    composer.last = () => conversation.lastPrompt;
    composer.onstop = () => conversation.stop();
    composer.onsend = (text) => this.send(text);
    pending.addEventListener('change', () => this.showPending());
    tabs.addEventListener('message', ({ data }) => {
      if (data === 'sessions') this.loadSessions().catch(() => {});
    });
  }

  build() {
    const sidebar = el('aside', { class: 'sidebar' },
      el('div', { class: 'brand' }, el('a', { href: '#/', 'aria-label': 'Footlight: first screen' }, el('img', { src: '/page/icon.svg', alt: '', width: 24, height: 24 }), 'Footlight'),
        iconButton('close', 'Close the list', () => this.classList.remove('shows-list'), { class: 'icon-button narrow' })),
      el('a', { class: 'new', href: '#/' }, icon('plus'), 'New session'),
      el('div', { class: 'search' }, icon('search'), this.search),
      this.list,
      el('div', { class: 'sidebar-foot' },
        el('a', { href: '#/permissions' }, icon('key'), 'Permissions'),
        el('div', { class: 'foot-buttons' }, this.themeButton(), this.bell(),
          iconButton('keyboard', 'Keyboard (Ctrl + /)', showKeys), iconButton('logout', 'Sign out', () => this.signOut()))));
    const top = el('header', { class: 'top' },
      iconButton('menu', 'Sessions', () => this.classList.add('shows-list'), { class: 'icon-button narrow' }),
      this.heading, this.menu,
      el('a', { class: 'inbox-link', href: '#/inbox', 'aria-label': 'Inbox', title: 'Inbox' }, icon('inbox'), this.badge));
    fill(this, el('a', { class: 'skip', href: '#main', onclick: (event) => { event.preventDefault(); this.composer.focus(); } }, 'Skip to the message'),
      sidebar, el('div', { class: 'veil', onclick: () => this.classList.remove('shows-list') }), el('div', { class: 'page' }, top, this.main));
  }

  themeButton() {
    const { dataset } = document.documentElement;
    const { theme = 'system' } = dataset;
    const show = () => relabel(button, dataset.theme ?? theme, `Theme: ${dataset.theme ?? theme}`);
    const button = iconButton(theme, '', () => {
      dataset.theme = THEMES[dataset.theme ?? theme] ?? theme;
      try {
        localStorage.setItem('footlight.theme', dataset.theme);
      } catch {
        // It lasts until a reload.
      }
      show();
    });
    show();
    return button;
  }

  bell() {
    if (!('Notification' in window) || Notification.permission !== 'default') return null;
    const bell = iconButton('bell', 'Notify me when I am needed', () => {
      bell.remove();
      Notification.requestPermission();
    });
    return bell;
  }

  async signOut() {
    await logout().catch(() => {});
    this.showSignIn();
  }

  async loadSessions() {
    const { sessions } = await get('/api/sessions?limit=200');
    this.sessions = sessions;
    this.showSessions();
  }

  /** Something about a session changed; the other tabs want to know, too. */
  changed() {
    this.loadSessions().catch(() => {});
    tabs.postMessage('sessions');
  }

  showSessions() {
    const open = this.conversation.id;
    const waiting = new Set(pending.open.map((one) => one.session));
    const found = this.sessions.filter((session) => session.title.toLowerCase().includes(this.wanted));
    fill(this.list, el('ul', {}, found.map((session) => el('li', {},
      el('a', {
        href: `#/s/${segment(session.id)}`, 'aria-current': session.id === open ? 'page' : null,
        title: ago(session.updated), onclick: () => this.classList.remove('shows-list'),
      }, el('span', { dir: 'auto' }, session.title || 'Untitled'), waiting.has(session.id) && el('span', { class: 'dot', role: 'img', 'aria-label': 'needs you' }))))),
    found.length === 0 && el('p', { class: 'none' }, this.wanted ? 'Nothing found' : 'No sessions yet'));
    const current = this.sessions.find((session) => session.id === open);
    if (current) this.showHeading(current);
  }

  showPending() {
    const count = pending.open.length;
    this.badge.textContent = String(count);
    this.badge.hidden = count === 0;
    this.badge.parentElement?.setAttribute('aria-label', count ? `Inbox, ${count} waiting` : 'Inbox');
    this.showSessions();
    if (/^(#\/(inbox)?)?$/.test(location.hash)) this.route();
  }

  async route() {
    if (!this.isStarted) return;
    const [, screen = '', id = '', wanted = ''] = location.hash.split('/').map(decodeURIComponent);
    const { conversation, composer } = this;
    if (screen === 's' && id) {
      if (conversation.id !== id) {
        fill(this.main, conversation, composer);
        composer.use(id);
        try {
          await conversation.open(id);
        } catch (error) {
          if (location.hash.includes(id)) this.notFound(error);
          return;
        }
        composer.focus();
      } else if (!conversation.isConnected) fill(this.main, conversation, composer);
      this.showSessions();
      this.showPart(wanted);
      return;
    }
    const hadText = document.activeElement === composer.area;
    conversation.close();
    composer.run(false);
    this.showSessions();
    fill(this.menu);
    pending.showTitle(screen && words(screen));
    this.heading.hidden = true;
    if (screen === 'inbox') fill(this.main, inbox(this.sessions, !!this.about?.links));
    else if (screen === 'permissions') fill(this.main, grants(this.sessions));
    else {
      if (composer.key !== 'new') composer.use('new');
      fill(this.main, home({ about: this.about, plugins: this.plugins, sessions: this.sessions, ask: (text) => this.send(text).catch(() => {}), composer }));
      if (hadText || matchMedia('(hover: hover)').matches) composer.focus();
    }
  }

  /** Shows the request that a link names. @param {string} wanted */
  showPart(wanted) {
    const found = pending.open.find(({ request }) => request.id === wanted);
    if (!found) this.approvals.update();
    else if (found.request.type === 'approval_request') this.approvals.show(found.request);
    else requestAnimationFrame(() => this.conversation.focusQuestion());
  }

  /** @param {unknown} error */
  notFound(error) {
    fill(this.main, el('div', { class: 'screen' }, el('h1', {}, 'This session cannot be opened'),
      el('p', {}, sentence(error)), el('a', { class: 'button', href: '#/' }, 'First screen')));
  }

  /** @param {fl.Session} session */
  opened(session) {
    this.showHeading(session);
    if (!this.sessions.some((one) => one.id === session.id)) this.loadSessions().catch(() => {});
    this.approvals.update();
  }

  /** @param {fl.Session} session */
  showHeading(session) {
    if (this.conversation.id !== session.id) return;
    const title = session.title || 'New session';
    pending.showTitle(title);
    if (!this.heading.querySelector('input')) {
      this.heading.textContent = title;
      this.heading.hidden = false;
    }
    if (this.menu.firstChild && this.menu.dataset.session === session.id) return;
    this.menu.dataset.session = session.id;
    fill(this.menu,
      iconButton('pencil', 'Rename', () => this.rename(session)),
      iconButton('download', 'Export as a file', () => this.export_(session)),
      iconButton('trash', 'Delete', () => this.remove_(session)));
  }

  /** @param {fl.Session} session */
  rename(session) {
    const { heading } = this;
    const current = this.sessions.find((one) => one.id === session.id)?.title ?? session.title;
    let isDone = false;
    const end = async (/** @type {boolean} */ isKept) => {
      if (isDone) return;
      isDone = true;
      const title = input.value.trim();
      heading.textContent = current;
      if (isKept && title && title !== current) {
        await request('PATCH', this.conversation.path, { title }).catch(complain);
        this.changed();
      }
      this.composer.focus();
    };
    const input = el('input', {
      type: 'text', value: current, maxlength: 200, 'aria-label': 'Title', onblur: () => end(true),
      onkeydown: (event) => {
        event.stopPropagation();
        if (/^(Enter|Escape)$/.test(event.key)) end(event.key === 'Enter');
      },
    });
    fill(heading, input);
    input.focus();
    input.select();
  }

  /** @param {fl.Session} session */
  export_(session) {
    download(`${this.conversation.path}/export?format=html`, `${(session.title || 'session').slice(0, 60)}.html`);
  }

  /** @param {fl.Session} session */
  async remove_(session) {
    if (!confirm(`Delete “${session.title || 'Untitled'}” with everything in it?`)) return;
    await request('DELETE', this.conversation.path).then(() => { location.hash = '#/'; }, complain);
    this.changed();
  }

  /** Sends a prompt, in a new session if none is open. @param {string} text */
  async send(text) {
    const { conversation } = this;
    try {
      if (!conversation.id) {
        const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const session = await post('/api/sessions', { timezone, locale: navigator.language });
        await post(`/api/sessions/${segment(session.id)}/prompts`, { prompt: text });
        location.hash = `#/s/${segment(session.id)}`;
        this.changed();
        return;
      }
      await conversation.prompt(text);
    } catch (error) {
      complain(error);
      throw error;
    }
  }

  /** @param {KeyboardEvent} event */
  keys(event) {
    const command = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : '';
    const hasDialog = document.querySelector('dialog[open]');
    const { classList, conversation } = this;
    if (command === '/') {
      if (!hasDialog) showKeys();
    } else if (command === 'k') {
      classList.add('shows-list');
      this.search.focus();
    } else if (command === 'o' && event.shiftKey) location.hash = '#/';
    else if (command === 'p' && conversation.session?.earlier) {
      // A print is the whole conversation.
      conversation.loadAll().then(() => requestAnimationFrame(() => print()));
    } else {
      if (event.key !== 'Escape' || hasDialog) return;
      if (classList.contains('shows-list')) classList.remove('shows-list');
      else if (conversation.isRunning) conversation.stop();
      return;
    }
    event.preventDefault();
  }
}

customElements.define('fl-app', App);
