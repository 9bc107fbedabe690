/**
 * The kinds of results: one function each. Generated from the vocabulary.
 *
 * A tool returns `result.table([{ day: "Mon", rain: 0.4 }], { summary: "1 day" })`. It can also return a string, which
 * is `text`, or any other value, which is `structured`. A list of objects accepts texts and lists in their place.
 */

import { chart_series, chart_x, kind, table_columns } from "./derived.js";
import { each, one } from "./shape.js";

export { custom } from "./derived.js";

/** A result of kind `text`. */
export const text = kind("text", ["content"], {});

/** A result of kind `diff`. */
export const diff = kind("diff", ["path","original","modified"], {});

/** A result of kind `file_content`. */
export const file_content = kind("file_content", ["path","content"], {});

/** A result of kind `file_list`. */
export const file_list = kind("file_list", ["entries"], { entries: each("name", "type") });

/** A result of kind `table`. */
export const table = kind("table", ["rows"], { columns: each("key") }, { columns: table_columns });

/** A result of kind `image`. The result's `mimeType` is the media type of the picture. */
export const image = kind("image", [], {});

/** A result of kind `structured`: the value itself. */
export const structured = kind("structured", ["value"], {});

/** A result of kind `markdown`. */
export const markdown = kind("markdown", ["content"], {});

/** A result of kind `code`. */
export const code = kind("code", ["content"], {});

/** A result of kind `chart`. */
export const chart = kind("chart", ["type","rows"], { series: each("key"), x: one("key") }, { x: chart_x, series: chart_series });

/** A result of kind `facts`. */
export const facts = kind("facts", ["facts"], { facts: each("label", "value") });

/** A result of kind `list`. */
export const list = kind("list", ["items"], { items: each("text") });

/** A result of kind `log`. */
export const log = kind("log", ["lines"], { lines: each("text") });

/** A result of kind `link`. */
export const link = kind("link", ["url"], {});
