// @ts-check
/**
 * Renderers of the site's owner: elements that draw a type of widget in place of the page.
 *
 * A module in the folder of `serve --renderers` imports this file and registers a custom element. The element's `data` is set
 * whenever the item changes, and its `item` beside it. What it shows is the owner's; plugins cannot register anything.
 */

/** @type {Map<string, string>} */
const elements = new Map();

/**
 * Registers an element for a type of widget, such as `weather-forecast`.
 * @param {string} widget
 * @param {string} element The name of a custom element.
 */
export function registerRenderer(widget, element) {
  elements.set(widget, element);
}

/**
 * Draws an item with a registered element. Returns none if there is no such element, or if it fails.
 * @param {fl.Item} item
 * @param {HTMLElement | undefined} known
 * @returns {HTMLElement | null}
 */
export function rendererOf(item, known) {
  const name = item.type === 'widget' ? elements.get(item.widget ?? '') : undefined;
  if (!name) return null;
  try {
    const place = known?.dataset.renderer === name ? known : document.createElement('div');
    place.className = 'item widget';
    place.dataset.renderer = name;
    const element = place.firstElementChild ?? place.appendChild(document.createElement(name));
    Object.assign(element, { item, data: item.data });
    return place;
  } catch (error) {
    console.warn(error);
    return null;
  }
}
