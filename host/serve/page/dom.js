// @ts-check
/** Builds elements, and formats what stands in them. Text is always text: nothing here parses markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element; a button submits nothing unless it says so. A property that begins with `on` is a listener, `class` and other names are attributes,
 * and `true` is an attribute without a value.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[N]}
 */
export function el(name, props, ...children) {
  const element = document.createElement(name);
  if (element instanceof HTMLButtonElement) element.type = 'button';
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  add(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function add(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/** The outlines of the page's own icons, on a grid of 24 by 24. @type {Record<string, string>} */
const OUTLINES = {
  plus: 'M12 5v14M5 12h14',
  send: 'M12 19V5M5.5 11.5 12 5l6.5 6.5',
  stop: 'M7 7h10v10H7z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M12 5v14M5.5 12.5 12 19l6.5-6.5',
  chevron: 'M9 6l6 6-6 6',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1.5 2.5h3L15 13h5',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4',
  key: 'M14.5 13a4.5 4.5 0 1 0-4.2-3L4 16.3V20h3.7v-2.5h2.6V15l1-1M15.5 8.5h.01',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 14h.01M7 14h.01M10 14h4',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  retry: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  eye: 'M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9.5C7.5 20 4 17 4 12V6z',
  play: 'M8 5.5v13l11-6.5z',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  trash: 'M5 7h14M10 4h4M7 7l1 13h8l1-13',
  file: 'M7 3h7l5 5v13H7zM14 3v5h5',
  logout: 'M14 4H5v16h9M10 12h11M17.5 8.5 21 12l-3.5 3.5',
};

/**
 * Draws one of the page's own icons. It is hidden from assistive technology: a label stands beside it, or on the
 * button around it.
 * @param {string} name
 */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', OUTLINES[name] ?? '');
  svg.append(path);
  return svg;
}

/**
 * Creates a button with an icon and no visible text.
 * @param {string} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, any>} [props]
 */
export function iconButton(name, label, onclick, props) {
  const all = { class: 'icon-button', 'aria-label': label, title: label, onclick, ...props };
  return el('button', all, icon(name));
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
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  if (minutes < 7 * 24 * 60) return `${Math.round(minutes / 1440)} d ago`;
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
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

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/**
 * Turns `show_forecast` into `Show forecast`.
 * @param {string} name
 */
export function words(name) {
  const text = name.replace(/[_-]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Shows a line for a few seconds; a problem stays longer.
 * @param {string} text
 * @param {'info' | 'danger'} [tone]
 */
export function toast(text, tone = 'info') {
  const line = el('div', { class: `toast ${tone}` }, text);
  document.getElementById('toasts')?.append(line);
  setTimeout(() => line.remove(), tone === 'danger' ? 8_000 : 2_500);
}

/**
 * Reads a finished message or a status to people who do not see the page.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById('announce');
  if (region) region.textContent = text.slice(0, 2_000);
}

/**
 * Copies text, and says so on the button.
 * @param {HTMLElement} button
 * @param {string} text
 */
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

/**
 * Reads what was kept in this tab, and none where storage is switched off.
 * @param {string} key
 */
export function kept(key) {
  try {
    return sessionStorage.getItem(`footlight.${key}`);
  } catch {
    return null;
  }
}

/**
 * Keeps a text in this tab, or forgets it.
 * @param {string} key
 * @param {string | null} value
 */
export function keep(key, value) {
  try {
    if (value === null) sessionStorage.removeItem(`footlight.${key}`);
    else sessionStorage.setItem(`footlight.${key}`, value);
  } catch {
    // Full, or switched off: what is kept is a convenience.
  }
}
