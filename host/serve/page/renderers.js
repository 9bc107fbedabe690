// @ts-check
/**
 * Renderers of the site's owner: elements that draw a kind of result or a type of widget in place of the page.
 *
 * A module in the folder of `serve --renderers` imports this file and registers a custom element. The element's `data` is set
 * whenever the item changes, and its `item` beside it. What it shows is the owner's; plugins cannot register anything.
 */

/** @type {Map<string, string>} */
const elements = new Map();

/**
 * Registers an element for a kind of result, such as `table`, or a type of widget, such as `weather-forecast`.
 * @param {string} kindOrWidget
 * @param {string} element The name of a custom element.
 */
export function registerRenderer(kindOrWidget, element) {
  elements.set(kindOrWidget, element);
}

/**
 * Draws a widget, or the result of a call, with a registered element. Returns none if there is no such element, or if it
 * fails.
 * @param {fl.Item} item
 * @param {HTMLElement | null} [known] What this returned for the item before.
 */
export function rendererOf(item, known) {
  const result = /** @type {any} */ (item.result?.type === 'success' && item.result.output);
  const name = elements.get((item.type === 'widget' ? item.widget : result?.kind) ?? '');
  if (!name) return null;
  try {
    const place = known?.dataset.renderer === name ? known : document.createElement('div');
    place.className = 'item widget';
    place.dataset.renderer = name;
    const element = place.firstElementChild ?? place.appendChild(document.createElement(name));
    Object.assign(element, { item, data: item.type === 'widget' ? item.data : result.data ?? result });
    return place;
  } catch (error) {
    console.warn(error);
    return null;
  }
}
