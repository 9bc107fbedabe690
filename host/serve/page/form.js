// @ts-check
/**
 * Questions and forms: reads what was filled in, sends it, and keeps drafts of answers over a reload, except for secrets.
 */

import { Problem, request, segment } from './api.js';
import { el, keep, kept, toast } from './dom.js';

/**
 * Returns the controls of a form, or those of one of its fields. The server puts a prefix before the names of a plugin.
 * @param {ParentNode} form
 * @param {string} [name]
 * @returns {fl.Control[]}
 */
const controls = (form, name) =>
  [...form.querySelectorAll(name === undefined ? '[name^="f:"]' : `[name="${CSS.escape(`f:${name}`)}"]`)].map((control) => /** @type {any} */ (control));

/** @param {fl.Control} control */
const isTick = (control) => /^(checkbox|radio)$/.test(control.type);

/** @param {fl.Control} control */
const isOption = (control) => control.dataset.control === 'option';

/** @param {fl.Control} control */
const isOther = (control) => 'other' in control.dataset;

/** @param {fl.Control} control */
const isOn = (control) => (isTick(control) ? control.checked : control.ariaPressed === 'true');

/** Returns what is selected in a list. @param {fl.Control} list */
const selected = (list) => [...list.options].filter((option) => option.selected).map((option) => option.value);

/** Reads the answer to one field of a question; none if it was left empty. @param {fl.Control[]} own */
function answerOf(own) {
  const other = own.find((control) => isOther(control) && control.value.trim() !== '');
  const choices = own.filter((control) => isTick(control) || isOption(control));
  const plain = own.find((control) => !choices.includes(control) && !isOther(control));
  if (plain?.multiple && plain.options) return selected(plain);
  if (plain) return plain.value === '' ? undefined : plain.value;
  const values = choices.filter(isOn).map((control) => control.value);
  if (other) values.push(other.value.trim());
  return own.some((control) => control.type === 'checkbox') ? values : values.at(-1);
}

/** @param {fl.Control} control */
const draftName = (control) => (isOther(control) ? `${control.name}:other` : control.name);

/** Returns what was typed and chosen, by field, without secrets. @param {ParentNode} form */
function draftOf(form) {
  /** @type {Record<string, string | string[]>} */
  const draft = {};
  for (const control of controls(form)) {
    if (control.type === 'password') continue;
    const key = draftName(control);
    if (control.options) draft[key] = selected(control);
    else if (isTick(control) || isOption(control)) {
      draft[key] ??= [];
      if (isOn(control)) draft[key] = [...draft[key], control.value];
    } else draft[key] = control.value;
  }
  return draft;
}

/** @param {ParentNode} form @param {Record<string, string | string[]>} draft */
function restore(form, draft) {
  for (const control of controls(form)) {
    const kept = draft[draftName(control)];
    if (kept === undefined) continue;
    if (control.options) for (const option of control.options) option.selected = kept.includes(option.value);
    else if (isTick(control)) control.checked = kept.includes(control.value);
    else if (isOption(control)) control.ariaPressed = String(kept.includes(control.value));
    else control.value = String(kept);
  }
}

/** @param {Event} event */
const buttonOf = (event) => (event.target instanceof Element ? event.target.closest('button') : null);

/**
 * Lets a person answer an open question.
 * @param {HTMLElement} place Where the question is drawn.
 * @param {string} id
 * @param {fl.Field[]} fields
 */
export function enableAsk(place, id, fields) {
  const form = place.querySelector('form.fl-ask');
  if (!(form instanceof HTMLFormElement) || form.dataset.ready) return;
  form.dataset.ready = 'yes';
  form.noValidate = true;
  const names = fields.length > 0 ? fields : [{ name: 'answer', type: 'confirm' }];
  const problem = el('p', { class: 'form-problem', role: 'alert' });
  form.append(problem);
  const draftKey = `draft.${id}`;
  const draft = kept(draftKey);
  if (draft) restore(form, JSON.parse(draft));
  form.addEventListener('input', () => keep(draftKey, JSON.stringify(draftOf(form))));

  /** @param {object} body */
  const reply = async (body) => {
    problem.textContent = '';
    form.inert = true;
    form.setAttribute('aria-busy', 'true');
    try {
      await request('POST', `/api/asks/${segment(id)}`, body);
      keep(draftKey, null);
      form.dispatchEvent(new Event('answered', { bubbles: true }));
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
      const value = answerOf(controls(form, field.name));
      if (value !== undefined) values[field.name] = value;
    }
    return reply({ values });
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const invalid = controls(form).find((control) => !control.checkValidity());
    if (invalid) {
      problem.textContent = invalid.validationMessage;
      invalid.focus();
      return;
    }
    answer();
  });
  form.addEventListener('click', (event) => {
    const button = buttonOf(event);
    if (button?.dataset.control === 'skip') reply({ skip: true });
    if (button?.dataset.control !== 'option') return;
    const isOnly = names.length === 1 && !form.querySelector('[type="submit"]');
    for (const other of controls(form, button.name.slice(2)).filter(isOption)) other.ariaPressed = String(other.isSameNode(button));
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
  for (const own of controls(form)) {
    const name = own.name.slice(2);
    if (own.disabled || own.matches('button')) continue;
    if (own.type === 'checkbox') values[name] = own.checked;
    else if (own.type === 'radio' ? own.checked : own.value !== '') values[name] = own.type === 'number' ? own.valueAsNumber : own.value;
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

/** Sends a press of a widget. @param {string} session @param {HTMLElement} pressed */
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
    complain(error);
    widget.removeAttribute('aria-busy');
  }
}

/** Listens for presses in all widgets below an element. @param {HTMLElement} root @param {() => string} session */
export function listenForPresses(root, session) {
  root.addEventListener('click', (event) => {
    const button = buttonOf(event);
    if (!button?.closest('.fl-widget')) return;
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
export const complain = (error) => toast(sentence(error), 'danger');

/** @param {unknown} error */
export function sentence(error) {
  const text = error instanceof Problem || error instanceof Error ? error.message : 'something went wrong';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
