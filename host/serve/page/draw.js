// @ts-check
/**
 * Draws the markup trees that the server makes, with `createElement` and text nodes, and changes a drawing to another
 * tree by touching only what differs.
 *
 * The server allows only harmless elements and attributes. The lists here repeat that: a tree that has anything else
 * is drawn without it.
 */

import { enhance } from './enhance.js';

/** @typedef {{ tree: fl.Tree, node: ChildNode, kids: Drawn[] }} Drawn */

/** @type {Record<string, string>} */
const SPACES = { svg: 'http://www.w3.org/2000/svg', math: 'http://www.w3.org/1998/Math/MathML' };

const TAGS = new Set(('a article b bdi blockquote br button code col dd del details div dl dt em fieldset figcaption figure '
  + 'footer form h1 h2 h3 h4 h5 h6 header hr img input label legend li main ol option p pre progress s section select '
  + 'small span strong summary table tbody td textarea tfoot th thead time tr u ul '
  + 'svg circle desc g line path polyline rect text title math mfrac mi mn mo mover mroot mrow mspace msqrt msub msubsup msup '
  + 'mtable mtd mtext mtr munder munderover').split(' '));

const ATTRIBUTES = new Set(('class accent alt aria-hidden aria-label autocomplete checked colspan cx cy d data-control data-form data-from '
  + 'data-item data-kind data-language data-max-height data-max-lines data-number data-other data-press data-priority data-rev '
  + 'data-state data-submit data-widget dir disabled display height href linethickness loading mathvariant max min multiple name '
  + 'open placeholder points r rel required role rowspan rows rx scope selected src start stretchy tabindex target text-anchor '
  + 'title type value viewBox width x x1 x2 y y1 y2').split(' '));

/**
 * Addresses lead to other sites in a new tab, to stored content, or to an image in the tree itself.
 * @param {string} name @param {string} value
 */
function isAllowed(name, value) {
  if (!ATTRIBUTES.has(name)) return false;
  if (name === 'href') return /^(https?:|mailto:|\/api\/outputs\/)/i.test(value);
  if (name === 'src') return /^(data:image\/(png|jpeg|gif|webp);|\/api\/outputs\/)/i.test(value);
  if (name === 'type') return /^(button|submit|checkbox|radio|text|number|date|email|tel|url|password|time|datetime-local)$/.test(value);
  return true;
}

/** @param {Element} element @param {string} name @param {string} value */
function setAttribute(element, name, value) {
  if (!isAllowed(name, value)) return;
  // Stored content needs the token; whoever shows it fetches it.
  if (name === 'src' && value.startsWith('/')) element.setAttribute('data-src', value);
  else element.setAttribute(name, value);
}

/** @param {fl.Tree} tree @param {string | null} outer @returns {Drawn} */
function create(tree, outer) {
  if (typeof tree === 'string') return { tree, node: document.createTextNode(tree), kids: [] };
  const name = TAGS.has(tree.tag) ? tree.tag : 'span';
  const element = document.createElementNS(SPACES[name] ?? outer, name);
  for (const [name, value] of Object.entries(tree.attrs ?? {})) setAttribute(element, name, value);
  const kids = (tree.children ?? []).map((child) => create(child, element.namespaceURI));
  for (const kid of kids) element.append(kid.node);
  enhance(element);
  return { tree, node: element, kids };
}

/** Reports whether two trees are equal, or two parts of them. @param {any} a @param {any} b @returns {boolean} */
function isSame(a, b) {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(a[key], b[key]));
}

/**
 * Changes a drawing in place. Returns another one if it has to be drawn anew.
 * @param {Drawn} drawn @param {fl.Tree} tree @param {string | null} outer @returns {Drawn}
 */
function change(drawn, tree, outer) {
  const before = drawn.tree;
  if (isSame(before, tree)) return drawn;
  if (typeof before === 'string' || typeof tree === 'string') {
    if (typeof before !== typeof tree) return create(tree, outer);
    /** @type {Text} */ (drawn.node).data = /** @type {string} */ (tree);
    return { ...drawn, tree };
  }
  const element = /** @type {HTMLElement} */ (drawn.node);
  // What the page adds to an element depends on its class; a table or a figure is drawn anew as a whole.
  if (before.tag !== tree.tag || before.attrs?.class !== tree.attrs?.class || element.dataset.enhanced) {
    return create(tree, outer);
  }
  for (const name of Object.keys(before.attrs ?? {})) {
    // The person decides what is open.
    if (!(name in (tree.attrs ?? {})) && name !== 'open') element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(tree.attrs ?? {})) {
    if (before.attrs?.[name] !== value && name !== 'open') setAttribute(element, name, value);
  }
  const kids = changeList(element, drawn.kids, tree.children ?? []);
  return { tree, node: element, kids };
}

/**
 * Changes the children of an element. Equal ones at the start and at the end stay, so that an entry that is inserted
 * leaves the others alone.
 * @param {Element} parent @param {Drawn[]} drawn @param {fl.Tree[]} trees
 */
function changeList(parent, drawn, trees) {
  const outer = parent.namespaceURI;
  let end = 0;
  const most = Math.min(drawn.length, trees.length);
  let start = 0;
  while (start < most && isSame(drawn[start]?.tree, trees[start])) start += 1;
  while (end < most - start && isSame(drawn.at(-1 - end)?.tree, trees.at(-1 - end))) end += 1;
  const old = drawn.slice(start, drawn.length - end);
  const wanted = trees.slice(start, trees.length - end);
  const after = drawn[drawn.length - end]?.node ?? null;
  const middle = wanted.map((tree, n) => {
    const known = old[n];
    if (!known) {
      const made = create(tree, outer);
      parent.insertBefore(made.node, after);
      return made;
    }
    const changed = change(known, tree, outer);
    if (changed.node !== known.node) known.node.replaceWith(changed.node);
    return changed;
  });
  for (const extra of old.slice(wanted.length)) extra.node.remove();
  return [...drawn.slice(0, start), ...middle, ...drawn.slice(drawn.length - end)];
}

/** @type {WeakMap<Element, Drawn[]>} */
const drawings = new WeakMap();

/**
 * Draws trees in an element, which from then on shows them and nothing else.
 * @param {Element} element @param {fl.Tree[]} trees
 */
export function draw(element, trees) {
  drawings.set(element, changeList(element, drawings.get(element) ?? [], trees));
}
