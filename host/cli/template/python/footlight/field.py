"""The fields of questions: one function for each control. Generated from the vocabulary.

`stage.ask("Which one?", field.select("city", options=["Springfield, MA", "Springfield, IL"]))` returns the answers by
the names of the fields.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ._shape import each as _each, without_none as _set

Field = dict[str, Any]


def buttons(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `buttons`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "buttons"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def confirm(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `confirm`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "confirm"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def select(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `select`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "select"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def radio(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `radio`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "radio"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def checkbox(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `checkbox`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "checkbox"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def text(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `text`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "text"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def textarea(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `textarea`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "textarea"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def number(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `number`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "number"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def date(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `date`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "date"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })


def secret(
    name: str, *, default: Any | None = None, help: str | None = None, integer: bool | None = None,
    label: str | None = None, max: Any | None = None, min: Any | None = None, multiple: bool | None = None,
    options: Sequence[str | float | Mapping[str, Any]] | None = None, other: bool | None = None,
    pattern: str | None = None, placeholder: str | None = None, required: bool | None = None,
) -> Field:
    """A field with the control `secret`.

    name: The field's name in the answer.
    default: The value that a surface fills in beforehand.
    help: A line of explanation.
    integer: Whether a `number` must be whole.
    label: The label beside it.
    max: The greatest number, the last day, or the most characters.
    min: The least number, the first day, or the fewest characters.
    multiple: Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is always possible, with `radio` and `confirm` never.
    options: The options. Only `confirm` can omit them and then has Yes and No.
    other: Whether the person can type an answer that is not an option.
    pattern: A regular expression as a hint for surfaces. The host does not run it, because an untrusted expression can take exponential time; the plugin checks the answer.
    placeholder: The placeholder of an empty input.
    required: `false` makes the field optional.
    """
    return {"name": name, "type": "secret"} | _set({
        "default": default,
        "help": help,
        "integer": integer,
        "label": label,
        "max": max,
        "min": min,
        "multiple": multiple,
        "options": options,
        "other": other,
        "pattern": pattern,
        "placeholder": placeholder,
        "required": required,
    })
