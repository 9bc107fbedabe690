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

/** A component tree. */
export interface Node {
  type: string;
  [prop: string]: unknown;
}

/** A child, or nothing. */
export type Child = Node | null | undefined | false;

/** A call of a tool of this plugin. */
export interface Action {
  type: string;
  payload?: unknown;
  handler?: string;
  loadingBehavior?: string;
  streaming?: boolean;
}

/** A call of a tool of this plugin, with `payload` and the values of the form around it as input. */
export function action(tool: string, payload?: unknown, members?: Partial<Action>): Action;

export interface CardProps {
  /** Whether the card is a form whose values go with the confirmation. */
  asForm?: boolean;
  /** The background: a token such as `surface-secondary`, a primitive, a CSS colour. */
  background?: string | { light: string; dark: string };
  /** The border. */
  border?: number | { size?: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}); top?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; right?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; bottom?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; left?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; x?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; y?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) } };
  /** The size. */
  size?: "sm" | "md" | "lg" | "full" | (string & {});
  /** The padding. */
  padding?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** A header above the card. */
  status?: { text: string; icon?: string; favicon?: string; frame?: boolean } | string;
  /** Whether the body folds after the card's action. */
  collapsed?: boolean;
  /** The button in the footer that confirms. */
  confirm?: { label: string; action: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } };
  /** The button in the footer that cancels. */
  cancel?: { label: string; action: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } };
  /** The theme of everything inside. */
  theme?: "light" | "dark" | (string & {});
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A card: a root with a frame. */
export function Card(...children: Child[]): Node;
/** A card: a root with a frame. */
export function Card(props: CardProps, ...children: Child[]): Node;

export interface ListViewProps {
  /** The number of items shown before "more". */
  limit?: number | "auto" | (string & {});
  /** A header above the list. */
  status?: { text: string; icon?: string; favicon?: string; frame?: boolean } | string;
  /** The theme of everything inside. */
  theme?: "light" | "dark" | (string & {});
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A list; its children are `ListViewItem`s. */
export function ListView(...children: Child[]): Node;
/** A list; its children are `ListViewItem`s. */
export function ListView(props: ListViewProps, ...children: Child[]): Node;

export interface ListViewItemProps {
  /** The action of a press. */
  onClickAction?: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } | string;
  /** The gap between children; spacing units or a CSS string. */
  gap?: number | string;
  /** The alignment of children across the direction. */
  align?: "start" | "center" | "end" | "baseline" | "stretch" | (string & {});
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** An item of a `ListView`. */
export function ListViewItem(...children: Child[]): Node;
/** An item of a `ListView`. */
export function ListViewItem(props: ListViewItemProps, ...children: Child[]): Node;

export interface BasicProps {
  /** The gap between children; spacing units or a CSS string. */
  gap?: number | string;
  /** The padding. */
  padding?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The alignment of children across the direction. */
  align?: "start" | "center" | "end" | "baseline" | "stretch" | (string & {});
  /** The distribution of children along the direction. */
  justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | (string & {});
  /** The direction of the layout. */
  direction?: "row" | "col" | (string & {});
  /** The theme of everything inside. */
  theme?: "light" | "dark" | (string & {});
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A root without a frame, which can contain other roots. */
export function Basic(...children: Child[]): Node;
/** A root without a frame, which can contain other roots. */
export function Basic(props: BasicProps, ...children: Child[]): Node;

export interface BoxProps {
  /** The direction of the layout. */
  direction?: "row" | "col" | (string & {});
  /** The alignment of children across the direction. */
  align?: "start" | "center" | "end" | "baseline" | "stretch" | (string & {});
  /** The distribution of children along the direction. */
  justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | (string & {});
  /** Wrapping of children that do not fit on one line. */
  wrap?: "nowrap" | "wrap" | "wrap-reverse" | (string & {});
  /** The gap between children; spacing units or a CSS string. */
  gap?: number | string;
  /** The padding. */
  padding?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The margin. */
  margin?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The border. */
  border?: number | { size?: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}); top?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; right?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; bottom?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; left?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; x?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; y?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) } };
  /** The radius of the corners. */
  radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | (string & {});
  /** The background: a token such as `surface-secondary`, a primitive, a CSS colour. */
  background?: string | { light: string; dark: string };
  /** The height; pixels or a CSS string. */
  height?: number | string;
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** Width and height at once. */
  size?: number | string;
  /** The least height. */
  minHeight?: number | string;
  /** The least width. */
  minWidth?: number | string;
  /** The least width and height at once. */
  minSize?: number | string;
  /** The greatest height. */
  maxHeight?: number | string;
  /** The greatest width. */
  maxWidth?: number | string;
  /** The greatest width and height at once. */
  maxSize?: number | string;
  /** Width by height, such as `1.6` or `"16/9"`. */
  aspectRatio?: number | string;
  /** How it grows and shrinks relative to its siblings. */
  flex?: number | string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A box with a direction. */
export function Box(...children: Child[]): Node;
/** A box with a direction. */
export function Box(props: BoxProps, ...children: Child[]): Node;

export interface RowProps {
  /** The alignment of children across the direction. */
  align?: "start" | "center" | "end" | "baseline" | "stretch" | (string & {});
  /** The distribution of children along the direction. */
  justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | (string & {});
  /** Wrapping of children that do not fit on one line. */
  wrap?: "nowrap" | "wrap" | "wrap-reverse" | (string & {});
  /** The gap between children; spacing units or a CSS string. */
  gap?: number | string;
  /** The padding. */
  padding?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The margin. */
  margin?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The border. */
  border?: number | { size?: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}); top?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; right?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; bottom?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; left?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; x?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; y?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) } };
  /** The radius of the corners. */
  radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | (string & {});
  /** The background: a token such as `surface-secondary`, a primitive, a CSS colour. */
  background?: string | { light: string; dark: string };
  /** The height; pixels or a CSS string. */
  height?: number | string;
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** Width and height at once. */
  size?: number | string;
  /** The least height. */
  minHeight?: number | string;
  /** The least width. */
  minWidth?: number | string;
  /** The least width and height at once. */
  minSize?: number | string;
  /** The greatest height. */
  maxHeight?: number | string;
  /** The greatest width. */
  maxWidth?: number | string;
  /** The greatest width and height at once. */
  maxSize?: number | string;
  /** Width by height, such as `1.6` or `"16/9"`. */
  aspectRatio?: number | string;
  /** How it grows and shrinks relative to its siblings. */
  flex?: number | string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A horizontal box. */
export function Row(...children: Child[]): Node;
/** A horizontal box. */
export function Row(props: RowProps, ...children: Child[]): Node;

export interface ColProps {
  /** The alignment of children across the direction. */
  align?: "start" | "center" | "end" | "baseline" | "stretch" | (string & {});
  /** The distribution of children along the direction. */
  justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | (string & {});
  /** Wrapping of children that do not fit on one line. */
  wrap?: "nowrap" | "wrap" | "wrap-reverse" | (string & {});
  /** The gap between children; spacing units or a CSS string. */
  gap?: number | string;
  /** The padding. */
  padding?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The margin. */
  margin?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The border. */
  border?: number | { size?: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}); top?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; right?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; bottom?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; left?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; x?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; y?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) } };
  /** The radius of the corners. */
  radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | (string & {});
  /** The background: a token such as `surface-secondary`, a primitive, a CSS colour. */
  background?: string | { light: string; dark: string };
  /** The height; pixels or a CSS string. */
  height?: number | string;
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** Width and height at once. */
  size?: number | string;
  /** The least height. */
  minHeight?: number | string;
  /** The least width. */
  minWidth?: number | string;
  /** The least width and height at once. */
  minSize?: number | string;
  /** The greatest height. */
  maxHeight?: number | string;
  /** The greatest width. */
  maxWidth?: number | string;
  /** The greatest width and height at once. */
  maxSize?: number | string;
  /** Width by height, such as `1.6` or `"16/9"`. */
  aspectRatio?: number | string;
  /** How it grows and shrinks relative to its siblings. */
  flex?: number | string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A vertical box. */
export function Col(...children: Child[]): Node;
/** A vertical box. */
export function Col(props: ColProps, ...children: Child[]): Node;

export interface FormProps {
  /** The action of submitting the form. */
  onSubmitAction?: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } | string;
  /** The direction of the layout. */
  direction?: "row" | "col" | (string & {});
  /** The alignment of children across the direction. */
  align?: "start" | "center" | "end" | "baseline" | "stretch" | (string & {});
  /** The distribution of children along the direction. */
  justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | (string & {});
  /** Wrapping of children that do not fit on one line. */
  wrap?: "nowrap" | "wrap" | "wrap-reverse" | (string & {});
  /** The gap between children; spacing units or a CSS string. */
  gap?: number | string;
  /** The padding. */
  padding?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The margin. */
  margin?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The border. */
  border?: number | { size?: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}); top?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; right?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; bottom?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; left?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; x?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) }; y?: number | { size: number; color?: string | { light: string; dark: string }; style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | (string & {}) } };
  /** The radius of the corners. */
  radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | (string & {});
  /** The background: a token such as `surface-secondary`, a primitive, a CSS colour. */
  background?: string | { light: string; dark: string };
  /** The height; pixels or a CSS string. */
  height?: number | string;
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** Width and height at once. */
  size?: number | string;
  /** The least height. */
  minHeight?: number | string;
  /** The least width. */
  minWidth?: number | string;
  /** The least width and height at once. */
  minSize?: number | string;
  /** The greatest height. */
  maxHeight?: number | string;
  /** The greatest width. */
  maxWidth?: number | string;
  /** The greatest width and height at once. */
  maxSize?: number | string;
  /** Width by height, such as `1.6` or `"16/9"`. */
  aspectRatio?: number | string;
  /** How it grows and shrinks relative to its siblings. */
  flex?: number | string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A box of fields that are submitted together. */
export function Form(...children: Child[]): Node;
/** A box of fields that are submitted together. */
export function Form(props: FormProps, ...children: Child[]): Node;

export interface SpacerProps {
  /** The least size. */
  minSize?: number | string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** Space that grows and pushes its siblings apart. */
export function Spacer(props?: SpacerProps): Node;

export interface DividerProps {
  /** A token (`default`, `subtle`, `strong`), a primitive, a CSS colour, or one per theme. */
  color?: string | { light: string; dark: string };
  /** The thickness; pixels or a CSS string. */
  size?: number | string;
  /** The space above and below; spacing units or a CSS string. */
  spacing?: number | string;
  /** Whether the line reaches the edges of its container. */
  flush?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A horizontal line. */
export function Divider(props?: DividerProps): Node;

export interface TransitionProps {
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** Animates its child when the layout changes. */
export function Transition(child?: Child): Node;
/** Animates its child when the layout changes. */
export function Transition(props: TransitionProps, child?: Child): Node;

export interface TextProps {
  /** Whether more text will be appended. */
  streaming?: boolean;
  /** Whether the text is italic. */
  italic?: boolean;
  /** Whether the text is struck through. */
  lineThrough?: boolean;
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** The size of the text. */
  size?: "xs" | "sm" | "md" | "lg" | "xl" | (string & {});
  /** The least number of lines reserved. */
  minLines?: number;
  /** Makes the text an editable field of the form around it. */
  editable?: false | { name: string; autoFocus?: boolean; autoSelect?: boolean; autoComplete?: string; allowAutofillExtensions?: boolean; pattern?: string; placeholder?: string; required?: boolean };
  /** A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme. */
  color?: string | { light: string; dark: string };
  /** The weight of the font. */
  weight?: "normal" | "medium" | "semibold" | "bold" | (string & {});
  /** The alignment of the text. */
  textAlign?: "start" | "center" | "end" | (string & {});
  /** Whether text that does not fit ends in an ellipsis. */
  truncate?: boolean;
  /** The most lines. */
  maxLines?: number;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** Plain text. */
export function Text(value: string, props?: TextProps): Node;

export interface TitleProps {
  /** The size. */
  size?: "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "5xl" | (string & {});
  /** A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme. */
  color?: string | { light: string; dark: string };
  /** The weight of the font. */
  weight?: "normal" | "medium" | "semibold" | "bold" | (string & {});
  /** The alignment of the text. */
  textAlign?: "start" | "center" | "end" | (string & {});
  /** Whether text that does not fit ends in an ellipsis. */
  truncate?: boolean;
  /** The most lines. */
  maxLines?: number;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A heading. */
export function Title(value: string, props?: TitleProps): Node;

export interface CaptionProps {
  /** The size. */
  size?: "sm" | "md" | "lg" | (string & {});
  /** A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme. */
  color?: string | { light: string; dark: string };
  /** The weight of the font. */
  weight?: "normal" | "medium" | "semibold" | "bold" | (string & {});
  /** The alignment of the text. */
  textAlign?: "start" | "center" | "end" | (string & {});
  /** Whether text that does not fit ends in an ellipsis. */
  truncate?: boolean;
  /** The most lines. */
  maxLines?: number;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** Small text beside another component. */
export function Caption(value: string, props?: CaptionProps): Node;

export interface MarkdownProps {
  /** Whether more text will be appended. */
  streaming?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** Markdown text, with formulas such as `$x^2$`. HTML in it is not drawn. */
export function Markdown(value: string, props?: MarkdownProps): Node;

export interface BadgeProps {
  /** The meaning of the colour. */
  color?: "secondary" | "success" | "danger" | "warning" | "info" | "discovery" | (string & {});
  /** The fill. */
  variant?: "solid" | "soft" | "outline" | (string & {});
  /** The size. */
  size?: "sm" | "md" | "lg" | (string & {});
  /** Whether the ends are fully rounded. */
  pill?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A short label for a state. */
export function Badge(label: string, props?: BadgeProps): Node;

export interface IconProps {
  /** A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme. */
  color?: string | { light: string; dark: string };
  /** The size. */
  size?: "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | (string & {});
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** An icon. */
export function Icon(name: string, props?: IconProps): Node;

export interface ImageProps {
  /** The alternative text. */
  alt?: string;
  /** How the picture fills its frame. */
  fit?: "cover" | "contain" | "fill" | "scale-down" | "none" | (string & {});
  /** The part that stays visible when the picture is cropped. */
  position?: "top left" | "top" | "top right" | "left" | "center" | "right" | "bottom left" | "bottom" | "bottom right" | (string & {});
  /** The radius of the corners. */
  radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | (string & {});
  /** Whether the picture has a frame. */
  frame?: boolean;
  /** Whether the picture reaches the edges of its container. */
  flush?: boolean;
  /** The margin. */
  margin?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The background: a token such as `surface-secondary`, a primitive, a CSS colour. */
  background?: string | { light: string; dark: string };
  /** The height; pixels or a CSS string. */
  height?: number | string;
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** Width and height at once. */
  size?: number | string;
  /** The least height. */
  minHeight?: number | string;
  /** The least width. */
  minWidth?: number | string;
  /** The least width and height at once. */
  minSize?: number | string;
  /** The greatest height. */
  maxHeight?: number | string;
  /** The greatest width. */
  maxWidth?: number | string;
  /** The greatest width and height at once. */
  maxSize?: number | string;
  /** Width by height, such as `1.6` or `"16/9"`. */
  aspectRatio?: number | string;
  /** How it grows and shrinks relative to its siblings. */
  flex?: number | string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A picture. */
export function Image(src: string, props?: ImageProps): Node;

export interface ChartProps {
  /** Whether the y axis is drawn. */
  showYAxis?: boolean;
  /** Whether there is a legend. */
  showLegend?: boolean;
  /** Whether a tooltip shows values. */
  showTooltip?: boolean;
  /** The gap between bars of one category, in pixels. */
  barGap?: number;
  /** The gap between categories, in pixels. */
  barCategoryGap?: number;
  /** The height; pixels or a CSS string. */
  height?: number | string;
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** Width and height at once. */
  size?: number | string;
  /** The least height. */
  minHeight?: number | string;
  /** The least width. */
  minWidth?: number | string;
  /** The least width and height at once. */
  minSize?: number | string;
  /** The greatest height. */
  maxHeight?: number | string;
  /** The greatest width. */
  maxWidth?: number | string;
  /** The greatest width and height at once. */
  maxSize?: number | string;
  /** Width by height, such as `1.6` or `"16/9"`. */
  aspectRatio?: number | string;
  /** How it grows and shrinks relative to its siblings. */
  flex?: number | string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A chart of bars, lines and areas. */
export function Chart(data: readonly (Record<string, string | number | null>)[], series: readonly ({ type: "bar" | "area" | "line" | (string & {}); dataKey: string; label?: string | null; stack?: string; color?: string | { light: string; dark: string }; curveType?: "basis" | "basisClosed" | "basisOpen" | "bumpX" | "bumpY" | "bump" | "linear" | "linearClosed" | "natural" | "monotoneX" | "monotoneY" | "monotone" | "step" | "stepBefore" | "stepAfter" | (string & {}) } | string | readonly unknown[])[] | Record<string, unknown>, xAxis: string | { dataKey: string; hide?: boolean; labels?: Record<string, string> }, props?: ChartProps): Node;

export interface TableProps {
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A table; its children are `TableRow`s. */
export function Table(...children: Child[]): Node;
/** A table; its children are `TableRow`s. */
export function Table(props: TableProps, ...children: Child[]): Node;

export interface TableRowProps {
  /** Whether this is a header row. */
  header?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A row of a `Table`; its children are `TableCell`s. */
export function TableRow(...children: Child[]): Node;
/** A row of a `Table`; its children are `TableCell`s. */
export function TableRow(props: TableRowProps, ...children: Child[]): Node;

export interface TableCellProps {
  /** The width; pixels or a CSS string. */
  width?: number | string;
  /** The padding. */
  padding?: number | string | { top?: number | string; right?: number | string; bottom?: number | string; left?: number | string; x?: number | string; y?: number | string };
  /** The number of columns the cell spans. */
  colSpan?: number;
  /** The number of rows the cell spans. */
  rowSpan?: number;
  /** The horizontal alignment of the content. */
  align?: "start" | "center" | "end" | (string & {});
  /** The vertical alignment of the content. */
  vAlign?: "start" | "center" | "end" | (string & {});
  /** The width of the column. */
  colSize?: "xs" | "sm" | "md" | "lg" | "xl" | (string & {});
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A cell of a `TableRow`. */
export function TableCell(...children: Child[]): Node;
/** A cell of a `TableRow`. */
export function TableCell(props: TableCellProps, ...children: Child[]): Node;

export interface ProgressProps {
  /** The amount done, of `max`. */
  value?: number;
  /** The total amount; 100 by default. */
  max?: number;
  /** The label. */
  label?: string;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A progress bar; indeterminate without a value. */
export function Progress(props?: ProgressProps): Node;

export interface ButtonProps {
  /** Whether a press submits the form around the button. */
  submit?: boolean;
  /** The label. */
  label?: string;
  /** The action of a press. */
  onClickAction?: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } | string;
  /** An icon before the label, or alone. */
  iconStart?: string;
  /** An icon after the label. */
  iconEnd?: string;
  /** The preset. */
  style?: "primary" | "secondary" | (string & {});
  /** The size of the icons. */
  iconSize?: "sm" | "md" | "lg" | "xl" | "2xl" | (string & {});
  /** The meaning of the colour. */
  color?: "primary" | "secondary" | "info" | "discovery" | "success" | "caution" | "warning" | "danger" | (string & {});
  /** The fill. */
  variant?: "solid" | "soft" | "outline" | "ghost" | (string & {});
  /** The size. */
  size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | (string & {});
  /** Whether the ends are fully rounded. */
  pill?: boolean;
  /** Whether width and height are equal. */
  uniform?: boolean;
  /** Whether it takes the full width. */
  block?: boolean;
  /** Whether the button is disabled. */
  disabled?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A button. */
export function Button(props?: ButtonProps): Node;

export interface InputProps {
  /** The type of the input. */
  inputType?: "number" | "email" | "text" | "password" | "tel" | "url" | (string & {});
  /** Whether the ends are fully rounded. */
  pill?: boolean;
  /** The initial value. */
  defaultValue?: string;
  /** Whether the field is required. */
  required?: boolean;
  /** A regular expression that the text must match. */
  pattern?: string;
  /** The placeholder of an empty field. */
  placeholder?: string;
  /** Whether password managers can fill the field. */
  allowAutofillExtensions?: boolean;
  /** Whether the text is selected when the field appears. */
  autoSelect?: boolean;
  /** Whether the field has the focus when it appears. */
  autoFocus?: boolean;
  /** The fill. */
  variant?: "soft" | "outline" | (string & {});
  /** The size. */
  size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | (string & {});
  /** The size of the gutter. */
  gutterSize?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | (string & {});
  /** Whether the field is disabled. */
  disabled?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A text field of one line. */
export function Input(name: string, props?: InputProps): Node;

export interface TextareaProps {
  /** The initial number of lines. */
  rows?: number;
  /** Whether the field resizes with its text. */
  autoResize?: boolean;
  /** The most lines when it resizes. */
  maxRows?: number;
  /** The initial value. */
  defaultValue?: string;
  /** Whether the field is required. */
  required?: boolean;
  /** A regular expression that the text must match. */
  pattern?: string;
  /** The placeholder of an empty field. */
  placeholder?: string;
  /** Whether password managers can fill the field. */
  allowAutofillExtensions?: boolean;
  /** Whether the text is selected when the field appears. */
  autoSelect?: boolean;
  /** Whether the field has the focus when it appears. */
  autoFocus?: boolean;
  /** The fill. */
  variant?: "soft" | "outline" | (string & {});
  /** The size. */
  size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | (string & {});
  /** The size of the gutter. */
  gutterSize?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | (string & {});
  /** Whether the field is disabled. */
  disabled?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A text field of several lines. */
export function Textarea(name: string, props?: TextareaProps): Node;

export interface SelectProps {
  /** The action of a change. */
  onChangeAction?: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } | string;
  /** The placeholder while nothing is chosen. */
  placeholder?: string;
  /** The initial value. */
  defaultValue?: string;
  /** The fill. */
  variant?: "solid" | "soft" | "outline" | "ghost" | (string & {});
  /** The size. */
  size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | (string & {});
  /** Whether the ends are fully rounded. */
  pill?: boolean;
  /** Whether it takes the full width. */
  block?: boolean;
  /** Whether the choice can be cleared. */
  clearable?: boolean;
  /** Whether the list can be searched; by default if it is long. */
  searchable?: boolean;
  /** Whether the field is disabled. */
  disabled?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A drop-down list. */
export function Select(name: string, options: readonly ({ value: string; label: string; disabled?: boolean; description?: string } | string | readonly unknown[])[] | Record<string, unknown>, props?: SelectProps): Node;

export interface RadioGroupProps {
  /** The options. */
  options?: readonly ({ value: string; label: string; disabled?: boolean; description?: string } | string | readonly unknown[])[] | Record<string, unknown>;
  /** The label for screen readers; the field's name by default. */
  ariaLabel?: string;
  /** The action of a change. */
  onChangeAction?: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } | string;
  /** The initial value. */
  defaultValue?: string;
  /** The direction of the layout. */
  direction?: "row" | "col" | (string & {});
  /** Whether the field is required. */
  required?: boolean;
  /** Whether the field is disabled. */
  disabled?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A group of radio buttons. */
export function RadioGroup(name: string, props?: RadioGroupProps): Node;

export interface CheckboxProps {
  /** The label. */
  label?: string;
  /** Whether the box is checked initially. */
  defaultChecked?: boolean;
  /** The action of a change. */
  onChangeAction?: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } | string;
  /** Whether the box must be checked. */
  required?: boolean;
  /** Whether the field is disabled. */
  disabled?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A checkbox. */
export function Checkbox(name: string, props?: CheckboxProps): Node;

export interface DatePickerProps {
  /** The action of a change. */
  onChangeAction?: { type: string; handler?: "server" | "client" | (string & {}); loadingBehavior?: "auto" | "none" | "self" | "container" | (string & {}); payload?: unknown; streaming?: boolean } | string;
  /** The placeholder while no date is chosen. */
  placeholder?: string;
  /** The initial date, in ISO 8601. */
  defaultValue?: string;
  /** The earliest date, in ISO 8601. */
  min?: string;
  /** The latest date, in ISO 8601. */
  max?: string;
  /** The fill. */
  variant?: "solid" | "soft" | "outline" | "ghost" | (string & {});
  /** The size. */
  size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | (string & {});
  /** The side on which the calendar opens. */
  side?: "top" | "bottom" | "left" | "right" | (string & {});
  /** The alignment of the calendar with its control. */
  align?: "start" | "center" | "end" | (string & {});
  /** Whether the ends are fully rounded. */
  pill?: boolean;
  /** Whether it takes the full width. */
  block?: boolean;
  /** Whether the date can be cleared. */
  clearable?: boolean;
  /** Whether the field is disabled. */
  disabled?: boolean;
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** A date picker. */
export function DatePicker(name: string, props?: DatePickerProps): Node;

export interface LabelProps {
  /** The size of the text. */
  size?: "xs" | "sm" | "md" | "lg" | "xl" | (string & {});
  /** The weight of the font. */
  weight?: "normal" | "medium" | "semibold" | "bold" | (string & {});
  /** The alignment of the text. */
  textAlign?: "start" | "center" | "end" | (string & {});
  /** A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme. */
  color?: string | { light: string; dark: string };
  /** Identifies the component in its tree, for updates and answers. */
  id?: string;
  /** Identifies the component among its siblings when a list changes. */
  key?: string;
  /** The text for surfaces that do not know the component. */
  fallback?: string;
}

/** The label of a field. */
export function Label(value: string, fieldName: string, props?: LabelProps): Node;
