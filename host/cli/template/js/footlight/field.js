/**
 * The fields of questions: one function for each control. Generated from the vocabulary.
 *
 * `stage.ask("Which one?", field.select("city", { options: ["Springfield, MA", "Springfield, IL"] }))` returns the
 * answers by the names of the fields.
 */

import { control } from "./shape.js";

/** A field with the control `buttons`. */
export const buttons = control("buttons");

/** A field with the control `confirm`. */
export const confirm = control("confirm");

/** A field with the control `select`. */
export const select = control("select");

/** A field with the control `radio`. */
export const radio = control("radio");

/** A field with the control `checkbox`. */
export const checkbox = control("checkbox");

/** A field with the control `text`. */
export const text = control("text");

/** A field with the control `textarea`. */
export const textarea = control("textarea");

/** A field with the control `number`. */
export const number = control("number");

/** A field with the control `date`. */
export const date = control("date");

/** A field with the control `secret`. */
export const secret = control("secret");
