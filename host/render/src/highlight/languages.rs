//! The syntax of each language, as far as highlighting needs it.
//!
//! To add a language, add a row with the keywords to highlight.

/// The syntax of a language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Language {
    /// Its names and file extensions, separated by spaces.
    names: &'static str,
    pub(super) syntax: Syntax,
    /// The openings of line comments.
    pub(super) comments: &'static [&'static str],
    /// The openings and terminators of block comments.
    pub(super) blocks: &'static [(&'static str, &'static str)],
    /// The quotes of string literals within a line.
    pub(super) quotes: &'static [&'static str],
    /// The quotes of multi-line string literals; these take precedence.
    pub(super) long_quotes: &'static [&'static str],
    /// Whether `'` delimits a single character, and may also have other meanings.
    pub(super) characters: bool,
    /// Its keywords, separated by spaces.
    pub(super) keywords: &'static str,
}

/// The scanning strategy of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Words, numbers, strings and comments.
    Code,
    /// Keys with values, perhaps under section headers.
    Settings,
    /// Elements with attributes.
    Markup,
    /// Added and removed lines.
    Diff,
    /// Prose with headings.
    Prose,
}

/// Finds a language by name or file extension.
pub(super) fn find(name: &str) -> Option<&'static Language> {
    let name = name.to_ascii_lowercase();
    let is = |language: &&Language| language.names.split(' ').any(|known| known == name);
    (!name.is_empty()).then(|| LANGUAGES.iter().find(is))?
}

const C_COMMENTS: &[&str] = &["//"];
const C_BLOCKS: &[(&str, &str)] = &[("/*", "*/")];
const HASH: &[&str] = &["#"];
const DOUBLE: &[&str] = &["\""];
const BOTH: &[&str] = &["\"", "'"];

const CODE: Language = Language {
    names: "",
    syntax: Syntax::Code,
    comments: C_COMMENTS,
    blocks: C_BLOCKS,
    quotes: DOUBLE,
    long_quotes: &[],
    characters: true,
    keywords: "",
};

const SCRIPT: Language = Language {
    comments: HASH,
    blocks: &[],
    quotes: BOTH,
    characters: false,
    ..CODE
};

const LANGUAGES: &[Language] = &[
    Language {
        names: "rust rs",
        long_quotes: DOUBLE,
        keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait type union unsafe use where while",
        ..CODE
    },
    Language {
        names: "c h cpp c++ cc cxx hpp hxx objc ino cuda cu",
        comments: &["//"],
        keywords: "alignas auto bool break case catch char class const consteval constexpr const_cast continue default delete do double dynamic_cast else enum explicit export extern final float for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public register reinterpret_cast return short signed sizeof static static_cast struct switch template this throw try typedef typename union unsigned using virtual void volatile while #define #include #if #ifdef #ifndef #else #endif #pragma",
        ..CODE
    },
    Language {
        names: "java kotlin kt kts scala groovy gradle dart swift cs csharp",
        long_quotes: &["\"\"\""],
        keywords: "abstract actor annotation as assert async await base bool boolean break byte case catch char class companion const continue data decimal def default defer delegate do double else enum event export extends extension external final finally float for foreach fun func get given goto guard if implements implicit import in init inner instanceof int interface internal into is late lazy let lock long match mixin namespace native new object open operator out override package partial private protected protocol public readonly record ref repeat required return sealed set short static string struct super suspend switch synchronized this throw throws trait transient try type typealias typeof using val var virtual void volatile when where while with yield",
        ..CODE
    },
    Language {
        names: "go golang zig v proto thrift graphql gql wit hcl terraform tf",
        comments: &["//", "#"],
        long_quotes: &["`"],
        keywords: "break case chan comptime const continue default defer else enum errdefer export extend fallthrough fn for func go goto if implements import inline input interface locals map message module mutation oneof option optional orelse output package provider pub query range record repeated required reserved resource return rpc scalar schema select service struct subscription switch test try type union use var variable variant while world",
        ..CODE
    },
    Language {
        names: "javascript js mjs cjs jsx typescript ts mts cts tsx",
        quotes: BOTH,
        long_quotes: &["`"],
        characters: false,
        keywords: "abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let module namespace never new number of private protected public readonly return satisfies set static string super switch symbol this throw try type typeof unknown var void while with yield",
        ..CODE
    },
    Language {
        names: "php",
        comments: &["//", "#"],
        quotes: BOTH,
        characters: false,
        keywords: "abstract and array as break callable case catch class clone const continue declare default do echo else elseif enum extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield",
        ..CODE
    },
    Language {
        names: "python py pyi starlark bzl",
        long_quotes: &["\"\"\"", "'''"],
        keywords: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try type while with yield",
        ..SCRIPT
    },
    Language {
        names: "ruby rb elixir ex exs crystal cr",
        keywords: "alias and begin break case class cond def defdelegate defimpl defmacro defmodule defp defprotocol defstruct defined do else elsif end ensure extend fn for if import in include loop module next not or private protected public quote raise receive redo require rescue retry return self super then undef unless until use when while with yield",
        ..SCRIPT
    },
    Language {
        names: "bash sh zsh shell fish console dockerfile containerfile makefile make mk just",
        keywords: "alias break case cd continue do done echo elif else end endif esac eval exec exit export fi for function if ifdef ifeq ifneq in include local read readonly return set shift source then trap unset until while ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM LABEL RUN USER VOLUME WORKDIR",
        ..SCRIPT
    },
    Language {
        names: "perl pl pm r julia jl nix powershell ps1 awk cmake",
        keywords: "and assert begin break catch do else elseif elsif end export finally for foreach from function if import in inherit last let library local macro module mutable my next no not or our package param parameters process rec repeat require return struct sub switch then throw trap try unless until use using where while with",
        ..SCRIPT
    },
    Language {
        names: "lua haskell hs elm sql psql mysql sqlite ada",
        comments: &["--"],
        blocks: &[("--[[", "]]"), ("{-", "-}"), ("/*", "*/")],
        quotes: BOTH,
        characters: false,
        keywords: "add all alter and as asc begin between break by case check class commit constraint create cross data database default delete deriving desc distinct do drop else elseif end exists for foreign from full function goto group having if import in index infix inner insert instance into is join key left let like limit local module newtype not of offset on or order outer primary references repeat return returning right rollback select set table then transaction trigger type union unique until update values view when where while with",
        ..CODE
    },
    Language {
        names: "lisp scheme scm el clojure clj cljs edn wat wast racket rkt",
        comments: &[";"],
        blocks: &[("#|", "|#"), ("(;", ";)")],
        characters: false,
        keywords: "and begin case cond data def defmacro defn defun defvar do elem else export fn func global if import lambda let loop memory module ns or param progn quote require result set start table then type when",
        ..CODE
    },
    Language {
        names: "erlang erl tex latex matlab prolog",
        comments: &["%"],
        blocks: &[],
        characters: false,
        keywords: "after begin case catch else elseif end for fun function if of otherwise receive return switch try when while",
        ..CODE
    },
    Language {
        names: "json jsonc json5 webmanifest geojson",
        syntax: Syntax::Settings,
        characters: false,
        ..CODE
    },
    Language {
        names: "yaml yml toml ini cfg conf properties env editorconfig lock",
        syntax: Syntax::Settings,
        comments: &["#", ";"],
        long_quotes: &["\"\"\"", "'''"],
        ..SCRIPT
    },
    Language {
        names: "css scss sass less",
        syntax: Syntax::Settings,
        quotes: BOTH,
        characters: false,
        keywords: "@apply @charset @container @else @extend @font-face @for @forward @function @if @import @include @keyframes @layer @media @mixin @namespace @property @return @supports @use @while",
        ..CODE
    },
    Language {
        names: "html htm xml svg xhtml vue svelte rss plist xsl",
        syntax: Syntax::Markup,
        comments: &[],
        blocks: &[("<!--", "-->")],
        quotes: BOTH,
        characters: false,
        ..CODE
    },
    Language {
        names: "diff patch",
        syntax: Syntax::Diff,
        ..CODE
    },
    Language {
        names: "markdown md mdx",
        syntax: Syntax::Prose,
        comments: &[],
        blocks: &[("<!--", "-->")],
        quotes: &["`"],
        long_quotes: &["```"],
        characters: false,
        ..CODE
    },
];
