/** The fields of questions: one function for each control. Generated from the vocabulary. */

/** A field of a question. */
export interface Field {
  name: string;
  type: string;
  [member: string]: unknown;
}

export interface Options {
  /** The value that a surface fills in beforehand. */
  default?: unknown;
  /** A line of explanation. */
  help?: string;
  /** Whether a `number` must be whole. */
  integer?: boolean;
  /** The label beside it. */
  label?: string;
  /** The greatest number, the last day, or the most characters. */
  max?: unknown;
  /** The least number, the first day, or the fewest characters. */
  min?: unknown;
  /** Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never. */
  multiple?: boolean;
  /** The options. Only `confirm` can omit them and then has Yes and No. */
  options?: readonly (string | number | { description?: string; disabled?: boolean; label?: string; recommended?: boolean; value?: string | number })[];
  /** Whether the person can type an answer that is not an option. */
  other?: boolean;
  /** A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer. */
  pattern?: string;
  /** The placeholder of an empty input. */
  placeholder?: string;
  /** `false` makes the field optional. */
  required?: boolean;
}

/** A field with the control `buttons`. */
export function buttons(name: string, options?: Options): Field;

/** A field with the control `confirm`. */
export function confirm(name: string, options?: Options): Field;

/** A field with the control `select`. */
export function select(name: string, options?: Options): Field;

/** A field with the control `radio`. */
export function radio(name: string, options?: Options): Field;

/** A field with the control `checkbox`. */
export function checkbox(name: string, options?: Options): Field;

/** A field with the control `text`. */
export function text(name: string, options?: Options): Field;

/** A field with the control `textarea`. */
export function textarea(name: string, options?: Options): Field;

/** A field with the control `number`. */
export function number(name: string, options?: Options): Field;

/** A field with the control `date`. */
export function date(name: string, options?: Options): Field;

/** A field with the control `secret`. */
export function secret(name: string, options?: Options): Field;
