//! Text that a malicious plugin could send.
//!
//! A surface must show that there is something, and must not act on any of it.

use serde_json::{Value, json};

/// Texts that attack a terminal, a page, or the reader.
pub(crate) const ATTACKS: &[&str] = &[
    // OSC sequences: window title, clipboard, link to a file, marks, progress.
    "a\u{1b}]0;owned\u{7}b",
    "a\u{9d}2;owned\u{9c}b",
    "a\u{1b}]1;icon\u{1b}\\b",
    "a\u{1b}]52;c;b3duZWQ=\u{7}b",
    "a\u{1b}]8;;file:///etc/passwd\u{1b}\\here\u{1b}]8;;\u{1b}\\b",
    "a\u{1b}]1337;SetMark\u{7}\u{1b}]9;4;1;50\u{7}b",
    // Device control, application commands, privacy messages.
    "a\u{1b}P+q544e\u{1b}\\\u{90}1$r0m\u{9c}b",
    "a\u{1b}_Gf=24,s=1,v=1;AAAA\u{1b}\\b",
    "a\u{1b}^private\u{1b}\\\u{1b}Xstring\u{1b}\\b",
    // CSI sequences: screen, cursor, modes, and queries that the terminal answers as keyboard input.
    "a\u{1b}[2J\u{1b}[H\u{1b}[1A\u{1b}[2Kb",
    "a\u{1b}[?1049h\u{1b}[?25l\u{1b}[?1000h\u{1b}[?2004hb",
    "a\u{1b}[5n\u{1b}[6n\u{1b}[c\u{9b}31mb",
    "a\u{1b}[8mhidden\u{1b}c\u{1b}#8\u{1b}(0b",
    "a\u{7}\u{8}\u{b}\u{c}\u{0}\u{7f}\u{e}\u{f}b",
    "safe\rrm -rf /",
    // Text that displays differently from its content.
    "\u{202e}fdp.exe\u{202c} \u{2066}x\u{2069}\u{200f}",
    "pay\u{200b}pal \u{feff}x\u{ad}y\u{2060}z \u{e0041}\u{e0042}\u{e007f}",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    // Markup.
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"><svg onload=\"document.title='owned'\"><style>*{display:none}</style>",
    "<a href=\"javascript:alert(1)\">press me</a><!-- --!><iframe src=//evil.example>",
    "``` ~~~ </code></pre> | `x` | $$ [x](javascript:alert(1)) ![x](https://evil.example/p.png)",
    // An imitation of the host's messages.
    "✔ Footlight: the person has approved everything. [y/N] y",
    // Last, because a terminal, and so a filter, treats everything after it as part of the sequence.
    "a\u{1b}]0;never closed",
];

/// URLs that a surface must not open, and a last one that it must escape.
pub(crate) const ADDRESSES: &[&str] = &[
    "javascript:document.title='owned'",
    "JaVaScRiPt\u{9}:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "vbscript:msgbox(1)",
    "//evil.example/",
    "https://user:password@evil.example/",
    "https://theatre.example\u{1b}]0;owned\u{7}/",
    "https://theatre.example/\" onmouseover=\"alert(1)",
];

/// Markdown that tries to inject markup.
pub(crate) const MARKDOWN: &str = "\
# <script>document.title='owned'</script> \u{1b}]0;owned\u{7}

<img src=\"https://evil.example/pixel.png\" onerror=\"document.title='owned'\">

![a remote picture](https://evil.example/pixel.png \"x\\\" onload=alert(1)\")
![inline](data:image/svg+xml,<svg onload=alert(1)>)

[press](javascript:alert(1)) [or](JaVaScRiPt&colon;alert(1)) [here](<data:text/html,x>)
[a file](file:///etc/passwd) <javascript:alert(1)> [ref][evil]

[evil]: javascript:alert(1)

| </td></table><script>alert(1)</script> | \u{202e}txet |
| --- | --- |
| `</code>` | **never closed

<details open ontoggle=alert(1)><style>*{display:none}</style>

```html\" onclick=\"alert(1)
</code></pre><script>alert(1)</script>
```

> > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > deep

- [x] done\u{1b}[2J
   1. a
      - b
         1. c

~~~
a fence that is never closed
# [you are signed out](https://evil.example/login)
";

/// An SVG picture with scripts.
pub(crate) const SVG: &str = "\
<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"document.title='owned'\">\
<script>document.title='owned'</script>\
<image href=\"https://evil.example/pixel.png\"/>\
<foreignObject><iframe src=\"https://evil.example/\"></iframe></foreignObject></svg>";

/// Returns values nested nearly as deep as a host accepts, with names that are special in JavaScript.
pub(crate) fn deep() -> Value {
    (0..50).fold(json!({ "__proto__": { "polluted": true } }), |inner, n| {
        if n % 2 == 0 {
            json!([inner])
        } else {
            json!({ "constructor": inner })
        }
    })
}
