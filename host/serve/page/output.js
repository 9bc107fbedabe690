// @ts-check
/**
 * Outputs: content for the person, fetched when it is asked for; images, which can be enlarged; and media of other sites,
 * whose player is loaded on a click.
 */

import { Problem, segment, send } from './api.js';
import { el, fill, icon, iconButton, size, smallButton, time, toast } from './dom.js';

/** The most bytes that are shown in the page; more is downloaded. */
const MAX_SHOWN = 512 << 10;

/** @param {string} path */
const fetchBlob = async (path) => (await send('GET', path)).blob();

/** @param {unknown} error */
function wordsOf(error) {
  if (error instanceof Problem && error.status === 404) return 'It has expired.';
  return error instanceof Error ? `It cannot be read: ${error.message}.` : 'It cannot be read.';
}

/** Shows an image in the whole window. @param {HTMLImageElement} image */
function zoom(image) {
  const close = () => { dialog.close(); };
  const dialog = el('dialog', {
    class: 'zoom', 'aria-label': image.alt || 'Image', onclick: close, onclose: () => { dialog.remove(); },
  }, el('img', { src: image.currentSrc || image.src, alt: image.alt }),
  iconButton('close', 'Close', close));
  document.body.append(dialog);
  dialog.showModal();
}

/** Makes an image a button that enlarges it, and loads it if it is stored content. @param {HTMLElement} figure */
export function enhanceImage(figure) {
  const image = figure.querySelector('img');
  if (!image) return;
  figure.dataset.enhanced = 'image';
  const button = el('button', {
    class: 'enlarge', 'aria-label': `Enlarge: ${image.alt || 'image'}`, onclick: () => zoom(image),
  });
  image.replaceWith(button);
  button.append(image);
  const path = image.dataset.src;
  if (!path) return;
  fetchBlob(path).then(
    (blob) => { image.src = URL.createObjectURL(blob); },
    (error) => { button.replaceWith(el('span', { class: 'fl-muted' }, wordsOf(error))); },
  );
}

/** @param {string} path @param {string} name */
export async function download(path, name) {
  try {
    const url = URL.createObjectURL(await fetchBlob(path));
    el('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    toast(wordsOf(error), 'danger');
  }
}

/** The escape sequences of a terminal, which a page does not draw. */
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)/g;

/** @param {fl.Item} item */
const isText = (item) => /^(text\/|application\/json)/.test(item.mimeType ?? '');

/** Draws an output: what it is, its size, and buttons that fetch it. @param {fl.Item} item */
export function outputCard(item) {
  const title = item.title?.trim() || 'Output';
  const path = `/api/outputs/${segment(item.id)}`;
  const isExpired = item.expires !== undefined && Date.parse(item.expires) <= Date.now();
  const bytes = item.size ?? 0;
  const content = el('div', { class: 'output-content' });
  const about = [item.mimeType, size(bytes)].filter(Boolean).join(' · ');
  const until = isExpired ? 'has expired' : item.expires ? `until ${time(item.expires)}` : '';
  const state = el('span', {}, until);
  const buttons = el('span', { class: 'output-buttons' });
  const card = el('section', { class: 'output', 'data-item': item.id },
    el('div', { class: 'output-head' }, icon('file'),
      el('div', { class: 'output-name' }, el('strong', { dir: 'auto' }, title),
        el('small', {}, about, until && ' · ', state)),
      buttons),
    content);
  if (isExpired) {
    card.classList.add('expired');
    return card;
  }
  const expire = (/** @type {unknown} */ error) => {
    const text = wordsOf(error);
    content.replaceChildren(el('p', { class: 'fl-muted' }, text));
    if (error instanceof Problem && error.status === 404) {
      buttons.remove();
      card.classList.add('expired');
      state.textContent = 'has expired';
    }
  };
  const isImage = /^image\/(png|jpeg|gif|webp)$/.test(item.mimeType ?? '');
  if (item.player) content.append(playerOf(item.player, item.meta));
  else if (isImage && item.kind === 'image') {
    const figure = el('figure', { class: 'fl-image' }, el('img', { alt: title, 'data-src': path }));
    content.append(figure);
    enhanceImage(figure);
  } else if (isText(item) && bytes <= MAX_SHOWN) {
    const show = smallButton('eye', 'Show', async () => {
      const isShown = content.firstChild !== null;
      try {
        const text = isShown ? '' : await (await fetchBlob(path)).text();
        fill(content, !isShown && el('pre', { class: 'fl-pre', tabindex: 0 }, text.replace(ESCAPES, '')));
        fill(show, icon('eye'), isShown ? ' Show' : ' Hide');
      } catch (error) {
        expire(error);
      }
    });
    buttons.append(show);
  }
  buttons.append(smallButton('download', '', () => download(path, title), { 'aria-label': `Download ${title}` }));
  return card;
}

/**
 * Draws media of another site. Nothing is loaded from there until the person asks for it.
 * @param {fl.Player} player
 * @param {any} meta
 */
function playerOf({ name, src, isWide }, meta) {
  const box = el('div', { class: isWide ? 'player wide' : 'player' });
  const load = () => box.replaceChildren(el('iframe', {
    src, title: `${name} player`, sandbox: 'allow-scripts allow-same-origin allow-presentation',
    referrerpolicy: 'strict-origin', allow: 'encrypted-media; fullscreen; picture-in-picture',
  }));
  box.append(el('button', { class: 'play', onclick: load },
    icon('play'), el('span', {}, `Load the player of ${name}`), el('small', {}, `${name} then learns that you watch it.`)));
  return el('div', {}, typeof meta?.author === 'string' && el('p', { class: 'fl-caption' }, meta.author), box);
}
