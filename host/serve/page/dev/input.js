// @ts-check
/**
 * The form of a tool, made from the schema of its input. What a form cannot express is typed as JSON, one field or the
 * whole input. The host checks the input; the form only helps.
 */

import { el, fill } from '../dom.js';

/**
 * A part of a form: reads its value, or `undefined` if it was left out, and throws if it is not JSON.
 * @typedef {{ element: HTMLElement, read: () => unknown }} Part
 */

/** How deep objects are shown as fields. */
const MAX_DEPTH = 3;

/** The types of inputs by format. @type {Record<string, string>} */
const INPUTS = { date: 'date', time: 'time', email: 'email', uri: 'url', url: 'url', password: 'password' };

/**
 * Follows a reference within the schema, and takes the one choice that is not `null`.
 * @param {fl.Schema} schema
 * @param {fl.Schema} root
 * @returns {fl.Schema}
 */
function resolve(schema, root) {
  let found = schema;
  for (let n = 0; n < 8; n += 1) {
    const { $ref, anyOf, oneOf, allOf } = found;
    const target = /^#\/\$defs\/([^/]+)$/.exec($ref ?? '')?.[1];
    const choices = (anyOf ?? oneOf ?? []).filter((choice) => choice.type !== 'null');
    const next = target !== undefined ? root.$defs?.[target]
      : allOf?.length === 1 ? allOf[0]
        : (anyOf ?? oneOf) && choices.length === 1 ? choices[0] : undefined;
    if (!next) break;
    const { title, description, default: initial } = found;
    found = { title, description, default: initial, ...next };
  }
  return found;
}

/**
 * Returns the values that a schema lists, with their labels; none if it lists no values.
 * @param {fl.Schema} schema
 * @returns {{ value: unknown, label: string }[] | null}
 */
function choices(schema) {
  const label = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (Array.isArray(schema.enum)) return schema.enum.filter((value) => value !== null).map((value) => ({ value, label: label(value) }));
  const list = schema.oneOf ?? schema.anyOf;
  if (!list?.length || !list.every((one) => one.const !== undefined)) return null;
  return list.map((one) => ({ value: one.const, label: one.title ?? label(one.const) }));
}

/** @param {fl.Schema} schema */
const typeOf = (schema) => (Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type);

/**
 * A field for JSON.
 * @param {unknown} value
 * @param {Record<string, any>} props
 * @returns {Part}
 */
function json(value, props) {
  const area = el('textarea', { rows: 3, spellcheck: 'false', placeholder: 'JSON', ...props },
    value === undefined ? '' : JSON.stringify(value, null, 2));
  return {
    element: area,
    read: () => {
      if (area.value.trim() === '') return undefined;
      try {
        return JSON.parse(area.value);
      } catch {
        throw new Error(`${props['aria-label'] ?? 'the input'} is not JSON`);
      }
    },
  };
}

/**
 * A list whose entries are typed one to a line.
 * @param {unknown} value
 * @param {boolean} isNumber
 * @param {Record<string, any>} props
 * @returns {Part}
 */
function lines(value, isNumber, props) {
  const area = el('textarea', { rows: 2, placeholder: 'One to a line', ...props }, Array.isArray(value) ? value.join('\n') : '');
  return {
    element: area,
    read: () => {
      const entries = area.value.split('\n').map((line) => line.trim()).filter((line) => line !== '');
      if (entries.length === 0) return undefined;
      return isNumber ? entries.map(Number) : entries;
    },
  };
}

/**
 * @param {fl.Schema} schema
 * @param {unknown} value
 * @param {boolean} isRequired
 * @param {Record<string, any>} props
 * @returns {Part}
 */
function simple(schema, value, isRequired, props) {
  const listed = choices(schema);
  const type = typeOf(schema);
  if (listed || type === 'boolean') {
    const options = listed ?? [{ value: true, label: 'yes' }, { value: false, label: 'no' }];
    const chosen = options.findIndex((option) => option.value === value);
    const select = el('select', props,
      (!isRequired || chosen < 0) && el('option', { value: '' }, isRequired ? 'Choose' : '(left out)'),
      options.map((option, n) => el('option', { value: n, selected: n === chosen }, option.label)));
    return { element: select, read: () => (select.value === '' ? undefined : options[Number(select.value)]?.value) };
  }
  if (type === 'integer' || type === 'number') {
    const { minimum, maximum } = schema;
    const input = el('input', { type: 'number', step: type === 'integer' ? 1 : 'any', min: minimum, max: maximum, ...props });
    if (typeof value === 'number') input.value = String(value);
    return { element: input, read: () => (input.value === '' ? undefined : input.valueAsNumber) };
  }
  const isLong = (schema.maxLength ?? 0) > 200;
  const isSecret = schema.writeOnly || schema.format === 'password';
  const input = isLong ? el('textarea', { rows: 3, ...props })
    : el('input', { type: isSecret ? 'password' : INPUTS[schema.format ?? ''] ?? 'text', autocomplete: 'off', ...props });
  if (typeof value === 'string') input.value = value;
  // Text that must be there may be empty.
  return { element: input, read: () => (input.value === '' && !isRequired ? undefined : input.value) };
}

/**
 * @param {fl.Schema} schema
 * @param {fl.Schema} root
 * @param {unknown} value
 * @param {string} name
 * @param {boolean} isRequired
 * @param {number} depth
 * @returns {Part}
 */
function field(schema, root, value, name, isRequired, depth) {
  const found = resolve(schema, root);
  const props = { 'aria-label': name, 'data-field': name };
  const type = typeOf(found);
  const items = found.items && resolve(found.items, root);
  if (type === 'object' && found.properties && depth < MAX_DEPTH) return object(found, root, value, name, isRequired, depth + 1);
  if (type === 'array' && items && !choices(items) && ['string', 'integer', 'number'].includes(typeOf(items) ?? '')) {
    return lines(value, typeOf(items) !== 'string', props);
  }
  const isSimple = choices(found) || ['string', 'integer', 'number', 'boolean'].includes(type ?? '');
  return isSimple ? simple(found, value, isRequired, props) : json(value, props);
}

/**
 * @param {fl.Schema} schema
 * @param {fl.Schema} root
 * @param {unknown} value
 * @param {string} name
 * @param {boolean} isRequired
 * @param {number} depth
 * @returns {Part}
 */
function object(schema, root, value, name, isRequired, depth) {
  const known = /** @type {Record<string, unknown>} */ (value !== null && typeof value === 'object' ? value : {});
  const required = new Set(schema.required ?? []);
  const parts = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const about = resolve(property, root);
    const part = field(property, root, known[key] ?? about.default, depth > 1 ? `${name}.${key}` : key, required.has(key), depth);
    const label = el('span', { class: 'dev-label' }, about.title ?? key, required.has(key) ? ' *' : '');
    const hint = about.description && el('small', { dir: 'auto' }, about.description);
    const row = part.element instanceof HTMLFieldSetElement
      ? part.element : el('label', { class: 'dev-field' }, label, hint, part.element);
    return { key, part, row };
  });
  const element = depth > 1 ? el('fieldset', { class: 'dev-object' }, el('legend', {}, name), parts.map(({ row }) => row))
    : el('div', { class: 'dev-fields' }, parts.map(({ row }) => row));
  return {
    element,
    read: () => {
      /** @type {Record<string, unknown>} */
      const values = {};
      for (const { key, part } of parts) {
        const own = part.read();
        if (own !== undefined) values[key] = own;
      }
      return Object.keys(values).length > 0 || isRequired ? values : undefined;
    },
  };
}

/**
 * Reports whether a schema has a field whose value must not be kept.
 * @param {fl.Schema} schema
 */
export const hasSecret = (schema) => /"(writeOnly":true|format":"password)"?/.test(JSON.stringify(schema));

/** The form of one tool: fields, or the whole input as JSON. */
export class InputForm {
  /**
   * @param {fl.Schema} schema
   * @param {Record<string, unknown>} value
   */
  constructor(schema, value) {
    this.schema = schema;
    this.place = el('div', { class: 'dev-input' });
    this.toggle = el('button', { class: 'link', 'data-part': 'json', onclick: () => this.change() });
    this.isJson = false;
    /** @type {Part} */
    this.part = this.show(value);
    this.element = el('div', {}, this.place, this.toggle);
  }

  /**
   * @param {unknown} value
   * @returns {Part}
   */
  show(value) {
    this.part = this.isJson ? json(value, { rows: 8, 'aria-label': 'the input' })
      : object(this.schema, this.schema, value, '', true, 1);
    const isEmpty = !this.isJson && Object.keys(this.schema.properties ?? {}).length === 0;
    fill(this.place, isEmpty ? el('p', { class: 'fl-muted' }, 'It has no fields.') : this.part.element);
    this.toggle.textContent = this.isJson ? 'As fields' : 'As JSON';
    return this.part;
  }

  change() {
    const value = this.read();
    this.isJson = !this.isJson;
    this.show(value);
  }

  /**
   * Reads the input. Throws if it is not JSON.
   * @returns {Record<string, unknown>}
   */
  read() {
    const value = this.part.read() ?? {};
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('the input is not an object');
    return /** @type {Record<string, unknown>} */ (value);
  }
}
