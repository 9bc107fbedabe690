// @ts-check
/**
 * The screens of a plugin that its author is working on: its builds, its tools as forms, and the last call in every way
 * that somebody sees it.
 */

import { get, isSignedIn, post, send } from '../api.js';
import { Approvals } from '../approval.js';
import { announce, duration, el, fill, size, words } from '../dom.js';
import { draw } from '../draw.js';
import { complain, sentence } from '../form.js';
import { pending } from '../pending.js';
import { Shell } from '../shell.js';
import { InputForm, hasSecret } from './input.js';
import { Previews } from './preview.js';

/** How long to wait before the next attempt to follow the builds, in milliseconds. */
const PAUSE = 1_000;

/**
 * Reads what was kept of a tool's input; none where storage is switched off.
 * @param {string} key
 */
function keptInput(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function keepInput(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // It is a convenience.
  }
}

class Dev extends Shell {
  /** @type {fl.DevView | null} */
  view = null;
  /** @type {fl.About | null} */
  about = null;
  /** The tool on the screen. */
  tool = '';
  /** @type {InputForm | null} */
  form = null;
  /** The schema that the form was made of. */
  schema = '';
  previews = new Previews();
  approvals = new Approvals(() => this.previews.conversation.id || null, () => this.about);
  state = el('div', { class: 'dev-state', role: 'status' });
  output = el('div', { class: 'dev-output' });
  tools = el('nav', { class: 'dev-tools', 'aria-label': 'Tools' });
  place = el('div', { class: 'dev-form-place' });
  problem = el('p', { class: 'form-problem', role: 'alert' });
  /** For how long the build runs. It is not read aloud: it changes each second. */
  clock = el('span', { 'aria-hidden': 'true' });
  /** The number of the build on the screen, and when it was seen first. */
  seen = { number: -1, since: 0 };
  again = el('input', { type: 'checkbox', checked: true, onchange: () => this.chooseAgain() });

  leave() {
    this.abort?.abort();
    this.previews.conversation.close();
  }

  async start() {
    this.build();
    try {
      this.about = await get('/api/server');
      await this.refresh();
      await pending.refresh();
    } catch (error) {
      if (!isSignedIn()) return;
      complain(error);
    }
    this.follow();
  }

  build() {
    this.previews.conversation.again = () => this.call();
    this.previews.conversation.toolOf = (name) => this.view?.plugin?.tools.find((tool) => `${this.view?.plugin?.id}.${tool.name}` === name);
    const form = el('form', {
      class: 'dev-form',
      onsubmit: (event) => {
        event.preventDefault();
        this.call();
      },
      oninput: () => this.keep(),
    }, this.place, this.problem,
    el('div', { class: 'dev-actions' }, el('button', { type: 'submit', class: 'button allow', 'data-part': 'call' }, 'Call'),
      el('label', {}, this.again, ' again with each build'),
      el('button', { class: 'link', title: 'Begin a new session: what the plugin keeps for the session is gone', onclick: () => this.beginAnew() }, 'Begin anew')));
    fill(this, el('header', { class: 'dev-top' },
      el('div', { class: 'dev-name' }, this.heading = el('h1', {}, 'dev'), el('a', { href: '/' }, 'Conversations')), this.state), this.output,
    el('div', { class: 'dev-columns' }, el('section', { class: 'dev-side', 'aria-label': 'Call a tool' }, this.tools, form), this.previews.element));
  }

  /** Follows the revisions of the state, for as long as the page is open. */
  async follow() {
    this.abort?.abort();
    const abort = this.abort = new AbortController();
    while (!abort.signal.aborted && isSignedIn()) {
      try {
        const response = await send('GET', '/api/dev/events', undefined, {}, abort.signal);
        const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
        while (!(await reader.read()).done) this.refresh().catch((error) => console.warn(error));
      } catch {
        // Lost, like one that ends.
      }
      if (abort.signal.aborted) return;
      this.state.textContent = 'The connection is lost. Trying again.';
      this.state.className = 'dev-state failed';
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  /** Reads the state, once more if it changes meanwhile. */
  async refresh() {
    this.isStale = true;
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        await this.show(/** @type {fl.DevView} */ (await get('/api/dev')));
      }
    } finally {
      this.isReading = false;
    }
  }

  /** @param {fl.DevView} view */
  async show(view) {
    const before = this.view?.build;
    if (!this.view && view.call) this.again.checked = view.call.again;
    this.view = view;
    const { build, plugin } = view;
    if (this.heading) this.heading.textContent = plugin ? `${plugin.id} ${plugin.version}` : view.folder;
    document.title = `${build.state === 'failed' ? '✗ ' : ''}${plugin?.id ?? view.folder} · Footlight dev`;
    const text = {
      running: 'Building …',
      failed: plugin ? 'The build failed. The one before goes on serving.' : 'The build failed.',
      loaded: `Built and loaded in ${duration(build.millis)}, ${size(build.bytes)}`,
    }[build.state];
    this.state.className = `dev-state ${build.state}`;
    if (this.seen.number !== build.number) this.seen = { number: build.number, since: Date.now() };
    clearInterval(this.counter);
    this.clock.textContent = '';
    if (build.state === 'running') {
      this.count();
      this.counter = setInterval(() => this.count(), 1_000);
    }
    fill(this.state, el('span', {}, text, this.clock), build.changes.length > 0 && el('ul', {}, build.changes.map((change) => el('li', { dir: 'auto' }, change))));
    if (before && before.state !== build.state) announce(text);
    this.output.hidden = build.output === '';
    draw(this.output, view.output);
    this.showTools();
    await this.previews.show(view);
  }

  count() {
    const seconds = Math.floor((Date.now() - this.seen.since) / 1_000);
    this.clock.textContent = seconds > 0 ? ` ${seconds} s` : '';
  }

  showTools() {
    const { plugin, call } = /** @type {fl.DevView} */ (this.view);
    const tools = plugin?.tools ?? [];
    if (!tools.some((tool) => tool.name === this.tool)) this.tool = call?.tool ?? tools[0]?.name ?? '';
    fill(this.tools, tools.map((tool) => el('button', {
      'data-tool': tool.name, 'aria-current': tool.name === this.tool ? 'true' : null, title: tool.description,
      onclick: () => {
        this.tool = tool.name;
        this.showTools();
      },
    }, tool.traits.title ?? words(tool.name))));
    const tool = tools.find((one) => one.name === this.tool);
    const schema = JSON.stringify([plugin?.id, tool?.name, tool?.inputSchema]);
    if (!tool || schema === this.schema) return;
    // A schema that changes keeps what was typed.
    this.schema = schema;
    const known = keptInput(this.key) ?? (call?.tool === tool.name ? call.input : {});
    const inputSchema = /** @type {fl.Schema} */ (tool.inputSchema);
    this.form = new InputForm(inputSchema, known);
    this.problem.textContent = '';
    fill(this.place, el('p', { class: 'fl-muted', dir: 'auto' }, tool.description), this.form.element);
  }

  /** Where the input of the tool on the screen is kept. */
  get key() {
    return `footlight.dev.${this.view?.plugin?.id}.${this.tool}`;
  }

  keep() {
    if (!this.form || hasSecret(this.form.schema)) return;
    try {
      keepInput(this.key, this.form.read());
      this.problem.textContent = '';
    } catch {
      // Half of a JSON text: it is kept once it is whole.
    }
  }

  async call() {
    if (!this.form) return;
    this.problem.textContent = '';
    try {
      const input = this.form.read();
      this.keep();
      await post('/api/dev/calls', { tool: this.tool, input, again: this.again.checked });
    } catch (error) {
      this.problem.textContent = sentence(error);
    }
  }

  async chooseAgain() {
    await post('/api/dev/again', { again: this.again.checked }).catch(complain);
  }

  async beginAnew() {
    await post('/api/dev/anew').catch(complain);
  }
}

customElements.define('fl-dev', Dev);
