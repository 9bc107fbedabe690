// @ts-check
/**
 * Questions and forms: reads what was filled in, sends it, and keeps drafts of answers over a reload, except for secrets.
 */

import { Problem, request, segment } from './api.js';
import { el, keep, kept, toast } from './dom.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement} Control */

/**
 * Returns the controls of a field. The server puts a prefix before the names of a plugin.
 * @param {ParentNode} form
 * @param {string} name
 * @returns {Control[]}
 */
const controls = (form, name) => [...form.querySelectorAll(`[name="${CSS.escape(`f:${name}`)}"]`)].map(
  (control) => /** @type {Control} */ (control));

/** @param {Control} control */
const isTick = (control) => control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);

/** @param {Element} control */
const isOption = (control) => control instanceof HTMLButtonElement && control.dataset.control === 'option';

/**
 * Reads the answer to one field of a question; none if it was left empty.
 * @param {ParentNode} form
 * @param {fl.Field} field
 */
function answerOf(form, field) {
  const own = controls(form, field.name);
  const other = own.find((control) => 'other' in control.dataset && control.value.trim() !== '');
  const chosen = own.filter((control) =>
    isTick(control) ? /** @type {HTMLInputElement} */ (control).checked : isOption(control) && control.ariaPressed === 'true');
  const plain = own.find((control) => !isTick(control) && !isOption(control) && !('other' in control.dataset));
  if (plain instanceof HTMLSelectElement && plain.multiple) {
    return [...plain.selectedOptions].map((option) => option.value);
  }
  if (plain) return plain.value === '' ? undefined : plain.value;
  const values = chosen.map((control) => control.value);
  if (other) values.push(other.value.trim());
  const isMany = own.some((control) => control instanceof HTMLInputElement && control.type === 'checkbox');
  return isMany ? values : values.at(-1);
}

/**
 * Returns what was typed and chosen, by field, without secrets.
 * @param {ParentNode} form
 */
function draftOf(form) {
  /** @type {Record<string, string | string[]>} */
  const draft = {};
  for (const control of form.querySelectorAll('[name^="f:"]')) {
    const own = /** @type {Control} */ (control);
    if (own instanceof HTMLInputElement && own.type === 'password') continue;
    const key = 'other' in own.dataset ? `${own.name}:other` : own.name;
    if (own instanceof HTMLSelectElement) draft[key] = [...own.selectedOptions].map((option) => option.value);
    else if (isTick(own) || isOption(own)) {
      const list = /** @type {string[]} */ (draft[key] ??= []);
      const isOn = isTick(own) ? /** @type {HTMLInputElement} */ (own).checked : own.ariaPressed === 'true';
      if (isOn) list.push(own.value);
    } else draft[key] = own.value;
  }
  return draft;
}

/**
 * @param {ParentNode} form
 * @param {Record<string, string | string[]>} draft
 */
function restore(form, draft) {
  for (const control of form.querySelectorAll('[name^="f:"]')) {
    const own = /** @type {Control} */ (control);
    const kept = draft['other' in own.dataset ? `${own.name}:other` : own.name];
    if (kept === undefined) continue;
    if (own instanceof HTMLSelectElement) {
      for (const option of own.options) option.selected = kept.includes(option.value);
    } else if (isTick(own)) /** @type {HTMLInputElement} */ (own).checked = kept.includes(own.value);
    else if (isOption(own)) own.ariaPressed = String(kept.includes(own.value));
    else if (typeof kept === 'string') own.value = kept;
  }
}

/**
 * Lets a person answer an open question.
 * @param {HTMLElement} place Where the question is drawn.
 * @param {fl.Item} item
 */
export function enableAsk(place, item) {
  const form = place.querySelector('form.fl-ask');
  if (!(form instanceof HTMLFormElement) || form.dataset.ready) return;
  form.dataset.ready = 'yes';
  form.noValidate = true;
  const fields = item.widgets ?? [];
  const names = fields.length > 0 ? fields : [{ name: 'answer', type: 'confirm' }];
  const problem = el('p', { class: 'form-problem', role: 'alert' });
  form.append(problem);
  const draftKey = `draft.${item.id}`;
  const draft = kept(draftKey);
  if (draft) restore(form, JSON.parse(draft));
  form.addEventListener('input', () => keep(draftKey, JSON.stringify(draftOf(form))));

  /** @param {object} body */
  const reply = async (body) => {
    problem.textContent = '';
    form.inert = true;
    form.setAttribute('aria-busy', 'true');
    try {
      await request('POST', `/api/asks/${segment(item.id)}`, body);
      keep(draftKey, null);
    } catch (error) {
      problem.textContent = sentence(error);
      form.inert = false;
    }
    form.removeAttribute('aria-busy');
  };
  const answer = () => {
    /** @type {Record<string, unknown>} */
    const values = {};
    for (const field of names) {
      const value = answerOf(form, field);
      if (value !== undefined) values[field.name] = value;
    }
    return reply({ values });
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const invalid = [...form.elements].find((control) => 'checkValidity' in control && !/** @type {any} */ (control).checkValidity());
    if (invalid instanceof HTMLElement) {
      problem.textContent = /** @type {HTMLInputElement} */ (invalid).validationMessage;
      invalid.focus();
      return;
    }
    answer();
  });
  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button) return;
    if (button.dataset.control === 'skip') reply({ skip: true });
    if (!isOption(button)) return;
    const isOnly = names.length === 1 && !form.querySelector('[type="submit"]');
    for (const other of controls(form, button.name.slice(2))) {
      if (isOption(other)) other.ariaPressed = String(other === button);
    }
    if (isOnly) answer();
    else form.dispatchEvent(new Event('input'));
  });
}

/**
 * Reads the values of a form of a widget, by field. Fields that are empty are left out, and unticked boxes are false.
 * @param {ParentNode} form
 */
function valuesOf(form) {
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const control of form.querySelectorAll('[name^="f:"]')) {
    const own = /** @type {Control} */ (control);
    const name = own.name.slice(2);
    if (own.disabled || own instanceof HTMLButtonElement) continue;
    if (own instanceof HTMLInputElement && own.type === 'checkbox') values[name] = own.checked;
    else if (own instanceof HTMLInputElement && own.type === 'radio') {
      if (own.checked) values[name] = own.value;
    } else if (own instanceof HTMLInputElement && own.type === 'number') {
      if (own.value !== '') values[name] = own.valueAsNumber;
    } else if (own.value !== '') values[name] = own.value;
  }
  return values;
}

/**
 * Returns the form that a press belongs to: the one with the path that the pressed element names.
 * @param {HTMLElement} pressed
 * @param {HTMLElement} widget
 */
function formOf(pressed, widget) {
  const path = pressed.dataset.form;
  if (path === undefined) return null;
  if (pressed.matches('form')) return pressed;
  return [...widget.querySelectorAll('form')].find((form) => form.dataset.form === path) ?? null;
}

/**
 * Sends a press of a widget.
 * @param {string} session
 * @param {HTMLElement} pressed
 */
async function press(session, pressed) {
  const widget = pressed.closest('.fl-widget');
  const path = pressed.dataset.press;
  if (!(widget instanceof HTMLElement) || path === undefined || widget.getAttribute('aria-busy')) return;
  const form = formOf(pressed, widget);
  if (form instanceof HTMLFormElement && !form.reportValidity()) return;
  widget.setAttribute('aria-busy', 'true');
  try {
    await request('POST', '/api/actions', {
      session, item: widget.dataset.item, rev: Number(widget.dataset.rev), path, values: form ? valuesOf(form) : {},
    });
  } catch (error) {
    toast(sentence(error), 'danger');
    widget.removeAttribute('aria-busy');
  }
}

/**
 * Listens for presses in all widgets below an element.
 * @param {HTMLElement} root
 * @param {() => string} session
 */
export function listenForPresses(root, session) {
  root.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button || !button.closest('.fl-widget')) return;
    if (button.dataset.press !== undefined) press(session(), button);
    else if ('submit' in button.dataset) button.closest('form')?.requestSubmit();
  });
  root.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.matches('.fl-ask')) return;
    event.preventDefault();
    if (form.dataset.press !== undefined) press(session(), form);
  });
  root.addEventListener('change', (event) => {
    const control = event.target;
    if (control instanceof HTMLElement && control.dataset.press !== undefined && !control.matches('form')) {
      press(session(), control);
    }
  });
}

/** @param {unknown} error */
export function sentence(error) {
  const text = error instanceof Problem || error instanceof Error ? error.message : 'something went wrong';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
