// @ts-check
/**
 * Questions and forms: reads what was filled in, sends it, and keeps drafts of answers over a reload, except for secrets.
 */

import { post, segment } from './api.js';
import { el, keep, kept, toast } from './dom.js';

/** The server puts this before the names of a plugin's fields. */
const PREFIX = 'f:';

/** All controls, or those of a field. @param {ParentNode} form @param {string} [name] @returns {any[]} */
const controls = (form, name) => [...form.querySelectorAll(name ? `[name="${CSS.escape(name)}"]` : `[name^="${PREFIX}"]`)];

/** @param {fl.Control} control */
const isTick = (control) => /^(checkbox|radio)$/.test(control.type);

/** @param {fl.Control} control */
const isOption = (control) => control.dataset.control === 'option';

/** @param {fl.Control} control */
const isOther = (control) => 'other' in control.dataset;

/** Returns what is selected in a list. @param {fl.Control} list */
const selected = (list) => [...list.options].filter((option) => option.selected).map((option) => option.value);

/** Reads the answer to one field of a question; none if it was left empty. @param {fl.Control[]} own */
function answerOf(own) {
  const other = own.find((control) => isOther(control) && control.value.trim() !== '');
  const choices = own.filter((control) => isTick(control) || isOption(control));
  const plain = own.find((control) => !choices.includes(control) && !isOther(control));
  if (plain?.multiple && plain.options) return selected(plain);
  if (plain) return plain.value === '' ? undefined : plain.value;
  const values = choices.filter((control) => control.checked || control.ariaPressed === 'true').map((control) => control.value);
  if (other) values.push(other.value.trim());
  return own.some((control) => control.type === 'checkbox') ? values : values.at(-1);
}

/** Returns what each control holds, and of a secret nothing. @param {ParentNode} form */
const draftOf = (form) => controls(form).map((control) => (control.type === 'password' ? '' : control.options ? selected(control)
  : isTick(control) ? control.checked : isOption(control) ? control.ariaPressed : control.value));

/** @param {ParentNode} form @param {any[]} draft */
function restore(form, draft) {
  controls(form).forEach((control, n) => {
    const kept = draft[n];
    if (kept === undefined) return;
    if (control.options) for (const option of control.options) option.selected = kept.includes(option.value);
    else if (isTick(control)) control.checked = kept;
    else if (isOption(control)) control.ariaPressed = kept;
    else control.value = kept;
  });
}

/** @param {Event} event */
const buttonOf = (event) => (event.target instanceof Element ? event.target.closest('button') : null);

/** Lets a person answer the open question that is drawn in a place. @param {HTMLElement} place @param {string} id */
export function enableAsk(place, id) {
  const form = place.querySelector('form.fl-ask');
  if (!(form instanceof HTMLFormElement) || form.dataset.ready) return;
  form.dataset.ready = 'yes';
  form.noValidate = true;
  const names = new Set(controls(form).map(({ name }) => name));
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
      await post(`/api/asks/${segment(id)}`, body);
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
    for (const name of names) {
      const value = answerOf(controls(form, name));
      if (value !== undefined) values[name.slice(PREFIX.length)] = value;
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
    const isOnly = names.size === 1 && !form.querySelector('[type="submit"]');
    for (const other of controls(form, button.name).filter(isOption)) other.ariaPressed = String(other.isSameNode(button));
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
    const name = own.name.slice(PREFIX.length);
    if (own.disabled || own.matches('button')) continue;
    if (own.type === 'checkbox') values[name] = own.checked;
    else if (own.type === 'radio' ? own.checked : own.value !== '') values[name] = own.type === 'number' ? own.valueAsNumber : own.value;
  }
  return values;
}

/** The form with the path that the pressed element names. @param {HTMLElement} pressed @param {HTMLElement} widget */
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
    await post('/api/actions', {
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

/** @param {unknown} error Or a clause. */
export function sentence(error) {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'something went wrong';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
