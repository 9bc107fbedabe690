/**
 * The components of widgets: one function each. Generated from the vocabulary.
 *
 * A component takes what it requires, then its props if it has any, then its children:
 *
 *     ui.Card(
 *       ui.Title("Oslo"),
 *       ui.Row({ gap: 2 }, ui.Text("Mon"), ui.Badge("rain", { color: "info" })),
 *       ui.Button({ label: "Refresh", onClickAction: ui.action("refresh", { city: "Oslo" }) }),
 *     )
 *
 * A child that is `null` is left out. Words such as colours are open: a host ignores one that it does not know.
 */

import { component, each, one } from "./shape.js";

/** A call of a tool of this plugin, with `payload` and the values of the form around it as input. */
export const action = (tool, payload, members = {}) => ({ type: tool, ...(payload === undefined ? {} : { payload }), ...members });

/** A card: a root with a frame. */
export const Card = component("Card", [], "list", { status: one("text") });

/** A list; its children are `ListViewItem`s. */
export const ListView = component("ListView", [], "list", { status: one("text") });

/** An item of a `ListView`. */
export const ListViewItem = component("ListViewItem", [], "list", { onClickAction: one("type") });

/** A root without a frame, which can contain other roots. */
export const Basic = component("Basic", [], "some", {});

/** A box with a direction. */
export const Box = component("Box", [], "some", {});

/** A horizontal box. */
export const Row = component("Row", [], "some", {});

/** A vertical box. */
export const Col = component("Col", [], "some", {});

/** A box of fields that are submitted together. */
export const Form = component("Form", [], "some", { onSubmitAction: one("type") });

/** Space that grows and pushes its siblings apart. */
export const Spacer = component("Spacer", [], "none", {});

/** A horizontal line. */
export const Divider = component("Divider", [], "none", {});

/** Animates its child when the layout changes. */
export const Transition = component("Transition", [], "one", {});

/** Plain text. */
export const Text = component("Text", ["value"], "none", {});

/** A heading. */
export const Title = component("Title", ["value"], "none", {});

/** Small text beside another component. */
export const Caption = component("Caption", ["value"], "none", {});

/** Markdown text, with formulas such as `$x^2$`. HTML in it is not drawn. */
export const Markdown = component("Markdown", ["value"], "none", {});

/** A short label for a state. */
export const Badge = component("Badge", ["label"], "none", {});

/** An icon. */
export const Icon = component("Icon", ["name"], "none", {});

/** A picture. */
export const Image = component("Image", ["src"], "none", {});

/** A chart of bars, lines and areas. */
export const Chart = component("Chart", ["data","series","xAxis"], "none", { series: each("type", "dataKey") });

/** A table; its children are `TableRow`s. */
export const Table = component("Table", [], "some", {});

/** A row of a `Table`; its children are `TableCell`s. */
export const TableRow = component("Table.Row", [], "some", {});

/** A cell of a `TableRow`. */
export const TableCell = component("Table.Cell", [], "some", {});

/** A progress bar; indeterminate without a value. */
export const Progress = component("Progress", [], "none", {});

/** A button. */
export const Button = component("Button", [], "none", { onClickAction: one("type") });

/** A text field of one line. */
export const Input = component("Input", ["name"], "none", {});

/** A text field of several lines. */
export const Textarea = component("Textarea", ["name"], "none", {});

/** A drop-down list. */
export const Select = component("Select", ["name","options"], "none", { options: each("value", "label"), onChangeAction: one("type") });

/** A group of radio buttons. */
export const RadioGroup = component("RadioGroup", ["name"], "none", { options: each("value", "label"), onChangeAction: one("type") });

/** A checkbox. */
export const Checkbox = component("Checkbox", ["name"], "none", { onChangeAction: one("type") });

/** A date picker. */
export const DatePicker = component("DatePicker", ["name"], "none", { onChangeAction: one("type") });

/** The label of a field. */
export const Label = component("Label", ["value","fieldName"], "none", {});
