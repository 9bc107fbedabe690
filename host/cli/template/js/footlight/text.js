// The text of a component tree, for the fallback of a widget: the same lines as a Rust plugin makes.

/** The most bytes of text. */
const MAX_TEXT = 16 * 1024;

/** The greatest depth of a tree. */
const MAX_DEPTH = 64;

/** Returns the text of a component tree in reading order, one line per block. */
export const textOf = (tree) => (isObject(tree) ? block(tree, MAX_DEPTH, MAX_TEXT) : "");

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const member = (value, name) => (isObject(value) && typeof value[name] === "string" ? value[name] : "");

function block(node, depth, room) {
  const kind = member(node, "type");
  const out = new Lines("\n", room);
  out.add(member(node.status, "text"));
  if (kind === "Button" && member(node, "label")) out.add(`[${node.label}]`);
  else if (kind === "Progress") out.add(progress(node));
  else if (kind === "Chart") chart(node, out);
  else {
    for (const name of ["label", "value", "alt"]) out.add(member(node, name));
    if (Array.isArray(node.options)) out.add(node.options.map((option) => member(option, "label")).join(", "));
    else out.add(member(node, "defaultValue"));
  }
  if (depth > 0) {
    let isRow = kind === "Row" || kind === "Table.Row" || member(node, "direction") === "row";
    const inner = new Lines("\n", out.left());
    const line = new Lines(kind === "Table.Row" ? " | " : " ", out.left());
    for (const child of [node.children].flat().filter(isObject)) {
      const text = block(child, depth - 1, inner.left());
      isRow &&= !text.includes("\n");
      inner.add(text);
      if (isRow) line.add(text);
    }
    out.add(isRow ? line.text : inner.text);
  }
  for (const name of ["confirm", "cancel"]) {
    const label = member(node[name], "label");
    if (label) out.add(`[${label}]`);
  }
  if (!out.text) out.add(member(node, "fallback"));
  return out.text;
}

function progress(node) {
  if (typeof node.value !== "number") return member(node, "label");
  return `${member(node, "label")} ${scalar(node.value)}/${scalar(node.max ?? 100)}`;
}

function chart(node, out) {
  const axis = typeof node.xAxis === "string" ? node.xAxis : member(node.xAxis, "dataKey");
  for (const row of node.data ?? []) {
    const line = new Lines(", ", out.left());
    for (const series of node.series ?? []) {
      const key = member(series, "dataKey");
      if (row[key] != null) line.add(`${member(series, "label") || key} ${scalar(row[key])}`);
    }
    out.add(axis in row ? `${scalar(row[axis])}: ${line.text}` : line.text);
  }
}

const scalar = (value) => (["string", "number", "boolean"].includes(typeof value) ? String(value) : "");

/** Returns the number of bytes of a character in UTF-8. */
const size = (letter) => {
  const point = letter.codePointAt(0);
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
};

/** Pieces of text joined by a separator, up to a number of bytes. */
class Lines {
  text = "";
  #bytes = 0;

  constructor(separator, room) {
    this.separator = separator;
    this.room = room;
  }

  add(piece) {
    let left = this.left();
    if (!piece.trim() || left === 0) return;
    if (this.text) this.#push(this.separator);
    for (const letter of piece.trim()) {
      left -= size(letter);
      if (left < 0) return;
      this.#push(letter);
    }
  }

  left() {
    return Math.max(0, this.room - this.#bytes);
  }

  #push(text) {
    for (const letter of text) this.#bytes += size(letter);
    this.text += text;
  }
}
