// @ts-check
/** Builds elements, and formats what stands in them. Text is always text: nothing here parses markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element; a button submits nothing unless it says so. A property that begins with `on` is a listener, `class` and other names are attributes,
 * and `true` is an attribute without a value.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {fl.Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[N]}
 */
export function el(name, props, ...children) {
  const element = document.createElement(name);
  if (element instanceof HTMLButtonElement) element.type = 'button';
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), /** @type {any} */ (value));
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

/** @param {(Child | Child[])[]} children */
const present = (children) => children.flat().flatMap((child) =>
  (child === null || child === undefined || child === false ? [] : [child instanceof Node ? child : String(child)]));

/** Replaces the children of an element. @param {Element} element @param {...(Child | Child[])} children */
export const fill = (element, ...children) => element.replaceChildren(...present(children));

/**
 * Draws one of the page's own icons, by its name in `icons.svg`. It is hidden from assistive technology: a label stands
 * beside it, or on the button around it.
 * @param {string} name
 */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `/page/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/**
 * Creates a button with an icon and no visible text.
 * @param {string} name @param {string} label @param {(event: MouseEvent) => void} onclick @param {fl.Props} [props]
 */
export function iconButton(name, label, onclick, props) {
  return el('button', { class: 'icon-button', 'aria-label': label, title: label, onclick, ...props }, icon(name));
}

/**
 * Creates a small button with an icon, if it has a name, and a label.
 * @param {string} name @param {string} label @param {(event: MouseEvent) => void} onclick @param {fl.Props} [props]
 */
export const smallButton = (name, label, onclick, props) =>
  el('button', { class: 'small-button', onclick, ...props }, name && icon(name), name && ' ', label);

/** @param {HTMLElement} button @param {string} name Of its icon. @param {string} label @param {string} [title] */
export function relabel(button, name, label, title = label) {
  button.ariaLabel = label;
  button.title = title;
  button.replaceChildren(icon(name));
}

/** @param {string | number | Date} at */
export function time(at) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(undefined, isToday
    ? { hour: '2-digit', minute: '2-digit' }
    : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

/** @param {string} at */
export function ago(at) {
  const minutes = Math.round((Date.now() - Date.parse(at)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  return hours < 7 * 24 ? `${Math.round(hours / 24)} d ago` : new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

/** @param {number} millis */
export function duration(millis) {
  if (millis < 100) return `${Math.max(0, Math.round(millis))} ms`;
  if (millis < 60_000) return `${(millis / 1000).toFixed(1)} s`;
  const seconds = Math.round(millis / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number} count @param {string} one */
export function plural(count, one) {
  return `${count.toLocaleString()} ${one}${count === 1 ? '' : 's'}`;
}

/** Turns `show_forecast` into `Show forecast`. @param {string} name */
export function words(name) {
  const text = name.replace(/[_-]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Shows a dialog with a title and a button that closes it. @param {string} title @param {...Child} content */
export function sheet(title, ...content) {
  const dialog = el('dialog', { class: 'sheet', 'aria-labelledby': 'sheet-title', onclose: () => { dialog.remove(); } },
    el('header', {}, el('h2', { id: 'sheet-title' }, title), iconButton('close', 'Close', () => dialog.close())), content);
  document.body.append(dialog);
  dialog.showModal();
}

/** Shows a line for a few seconds; a problem stays longer. @param {string} text @param {'info' | 'danger'} [tone] */
export function toast(text, tone = 'info') {
  const line = el('div', { class: `toast ${tone}` }, text);
  document.getElementById('toasts')?.append(line);
  setTimeout(() => line.remove(), tone === 'danger' ? 8_000 : 2_500);
}

/** Reads a finished message or a status to people who do not see the page. @param {string} text */
export function announce(text) {
  const region = document.getElementById('announce');
  if (region) region.textContent = text.slice(0, 2_000);
}

/** Copies text, and says so on the button. @param {HTMLElement} button @param {string} text */
export async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toast('The browser does not permit copying.', 'danger');
    return;
  }
  const before = [...button.childNodes];
  button.replaceChildren(icon('check'));
  announce('Copied');
  setTimeout(() => button.replaceChildren(...before), 1_200);
}

/** Reads what was kept in this tab, and none where storage is switched off. @param {string} key */
export function kept(key) {
  try {
    return sessionStorage.getItem(`footlight.${key}`);
  } catch {
    return null;
  }
}

/** Keeps a text in this tab, or forgets it. @param {string} key @param {string | null} value */
export function keep(key, value) {
  try {
    if (value === null) sessionStorage.removeItem(`footlight.${key}`);
    else sessionStorage.setItem(`footlight.${key}`, value);
  } catch {
    // Full, or switched off: it is a convenience.
  }
}
