/** The kinds of results: one function each. Generated from the vocabulary. */

/** What every result can say of itself. */
export interface Hints {
  /** A summary in one line. */
  summary?: string;
  /** The key by which a host finds a translation of the summary. */
  summaryKey?: string;
  /** The media type of the data. */
  mimeType?: string;
  /** What the model reads in place of the data. */
  model?: unknown;
  /** How to draw the result: `preferredView`, `language`, `collapsed`, `maxHeight`, `priority`, `fieldTypes`. */
  display?: Record<string, unknown>;
}

/** A result of a tool. */
export interface Result {
  readonly kind: string;
  readonly data: unknown;
  readonly hints: Hints;
}

/** A result of a kind of your own, such as `acme.timeline`. */
export function custom(kind: string, data: unknown, hints?: Hints): Result;

/** A result of kind `text`. */
export function text(content: string, more?: Hints): Result;

/** A result of kind `diff`. */
export function diff(path: string, original?: string, modified?: string, more?: Hints & {
  /** The hunks, if known; they take precedence over the two texts. */
  hunks?: readonly ({ oldStart: number; oldLines: number; newStart: number; newLines: number; lines: readonly (string)[] })[];
  /** Whether the file did not exist before. */
  isNew?: boolean;
}): Result;

/** A result of kind `file_content`. */
export function file_content(path: string, content: string, more?: Hints & {
  /** The encoding of `content`: absent for text, or `base64`. */
  encoding?: string;
  /** The size of the file in bytes, which can be larger than the content. */
  size?: number;
}): Result;

/** A result of kind `file_list`. */
export function file_list(entries: readonly ({ name: string; type: "file" | "directory" | "symlink" | (string & {}); modified?: string; size?: number } | string | readonly unknown[])[] | Record<string, unknown>, more?: Hints & {
  /** The path of the folder; empty in lists of an older format. */
  path?: string;
  /** Whether entries are missing from the list. */
  truncated?: boolean;
}): Result;

/** A result of kind `table`. */
export function table(rows: readonly (Record<string, unknown>)[], more?: Hints & {
  /** The columns, from left to right. */
  columns?: readonly ({ key: string; align?: "left" | "center" | "right" | (string & {}); label?: string; type?: "string" | "number" | "money" | "boolean" | "date" | "url" | "path" | (string & {}) } | string | readonly unknown[])[] | Record<string, unknown>;
}): Result;

/** A result of kind `image`. The result's `mimeType` is the media type of the picture. */
export function image(more?: Hints & {
  /** The alternative text. */
  alt?: string;
  /** The bytes, in Base64. */
  base64?: string;
  /** The URL. */
  url?: string;
}): Result;

/** A result of kind `structured`: the value itself. */
export function structured(value: unknown, more?: Hints): Result;

/** A result of kind `markdown`. */
export function markdown(content: string, more?: Hints): Result;

/** A result of kind `code`. */
export function code(content: string, more?: Hints & {
  /** The language, such as `rust`. */
  language?: string;
  /** The path of its file. */
  path?: string;
}): Result;

/** A result of kind `chart`. */
export function chart(type: "bar" | "line" | "area" | "scatter" | "pie" | (string & {}), rows: readonly (Record<string, unknown>)[], more?: Hints & {
  /** The members of the rows that are drawn. */
  series?: readonly ({ key: string; label?: string; type?: "bar" | "line" | "area" | "scatter" | "pie" | (string & {}) } | string | readonly unknown[])[] | Record<string, unknown>;
  /** The title. */
  title?: string;
  /** The horizontal axis. */
  x?: { key: string; label?: string } | string;
}): Result;

/** A result of kind `facts`. */
export function facts(facts: readonly ({ label: string; value: unknown; type?: "string" | "number" | "money" | "boolean" | "date" | "url" | "path" | (string & {}) } | string | readonly unknown[])[] | Record<string, unknown>, more?: Hints): Result;

/** A result of kind `list`. */
export function list(items: readonly ({ text: string; detail?: string; url?: string } | string | readonly unknown[])[] | Record<string, unknown>, more?: Hints & {
  /** Whether the items are numbered. */
  ordered?: boolean;
}): Result;

/** A result of kind `log`. */
export function log(lines: readonly ({ text: string; level?: "trace" | "debug" | "info" | "warn" | "error" | (string & {}); time?: string } | string | readonly unknown[])[] | Record<string, unknown>, more?: Hints): Result;

/** A result of kind `link`. */
export function link(url: string, more?: Hints & {
  /** A description of the target. */
  description?: string;
  /** The text of the link. */
  title?: string;
}): Result;
