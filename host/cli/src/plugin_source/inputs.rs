//! What a build of a folder runs or obeys, and whether somebody else can change any of it.
//!
//! A build reads every file of the folder, whatever its name, and further ones: settings of the folders above, local
//! packages that a manifest names by path, and what installed packages refer to. All of that is looked through, up to
//! a limit. Where the limit is reached nobody knows, and the person is asked.
//!
//! Not read: the language's own tools and caches outside of the folder, which are the person's or the administrator's
//! whatever is built.

use super::toolchain::Toolchain;
use crate::consent::CrateFolder;
use crate::ownership::Ownership;
use footlight::bounded_file;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Value;

/// The most files and folders that are looked at.
const MAX_ENTRIES: usize = 300_000;

/// The most bytes of a file that names further ones.
const MAX_BYTES: usize = 1 << 20;

/// The most folders that files name, each with everything in it.
const MAX_FOLDERS: usize = 10_000;

/// A file that a build obeys although somebody else can change it, and how.
pub(super) type Foreign = (PathBuf, &'static str);

/// Returns a file that a build would obey although somebody else can change it. The owner of the folder is whom the
/// person trusts; others are not.
pub(super) fn foreign_input(folder: &CrateFolder, toolchain: Toolchain) -> Option<Foreign> {
    let mut search = Search {
        folder,
        entries: 0,
        seen: BTreeSet::new(),
        manifests: BTreeSet::new(),
        waiting: vec![folder.path.clone()],
    };
    search.run(toolchain).err()
}

/// A look at everything that a build reads.
struct Search<'a> {
    folder: &'a CrateFolder,
    /// How many files and folders were looked at.
    entries: usize,
    /// The folders that were looked through.
    seen: BTreeSet<PathBuf>,
    /// The manifests that were read.
    manifests: BTreeSet<PathBuf>,
    /// The folders and files that are still to be looked through.
    waiting: Vec<PathBuf>,
}

impl Search<'_> {
    fn run(&mut self, toolchain: Toolchain) -> Result<(), Foreign> {
        // Other systems do not tell whose a file is.
        if cfg!(not(unix)) {
            return Ok(());
        }
        let folder = self.folder.path.clone();
        for above in folder.ancestors() {
            for input in toolchain.inputs() {
                self.check(&above.join(input))?;
            }
            match toolchain {
                Toolchain::Cargo => {
                    self.manifest(above);
                    for settings in [".cargo/config", ".cargo/config.toml"] {
                        self.settings(above, settings);
                    }
                    self.settings(above, "rust-toolchain.toml");
                }
                // A package is looked for in the folders above as well.
                Toolchain::JavaScript => self.waiting.push(above.join("node_modules")),
                Toolchain::Python => {}
            }
        }
        while let Some(next) = self.waiting.pop() {
            // What is not there is read by nobody.
            let Ok(next) = next.canonicalize() else {
                continue;
            };
            match next.is_dir() {
                true if toolchain == Toolchain::Cargo => {
                    self.manifest(&next);
                    self.everything_in(next)?;
                }
                true => self.everything_in(next)?,
                false => self.check(&next)?,
            }
        }
        Ok(())
    }

    /// Fails if somebody else can change a file or a folder.
    fn check(&mut self, path: &Path) -> Result<(), Foreign> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES || self.waiting.len() > MAX_FOLDERS {
            let folder = self.folder.path.clone();
            return Err((folder, "has more files than can be checked"));
        }
        let Ok(ownership) = Ownership::of_path(path) else {
            return Ok(());
        };
        let by_owner = ownership.owner == self.folder.owner && !ownership.is_writable_by_all;
        match ownership.is_trusted() || by_owner {
            true => Ok(()),
            false => Err((path.to_owned(), ownership.problem())),
        }
    }

    /// Looks through a folder, which must be canonical. Links are followed.
    fn everything_in(&mut self, folder: PathBuf) -> Result<(), Foreign> {
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            if !self.seen.insert(folder.clone()) {
                continue;
            }
            self.check(&folder)?;
            // A folder that this person cannot read is not read by their build either.
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries.flatten() {
                let path = entry.path();
                self.check(&path)?;
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_symlink() {
                    self.waiting.push(path);
                } else if kind.is_dir() && entry.file_name() != ".git" {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "pth") {
                    self.python_paths(&path);
                }
            }
        }
        Ok(())
    }

    /// Reads the manifest of a package for the local packages and build scripts that it names.
    fn manifest(&mut self, package: &Path) {
        let path = package.join("Cargo.toml");
        if !self.manifests.insert(path.clone()) {
            return;
        }
        let Some(manifest) = table(&path) else { return };
        let own = manifest.get("package").and_then(Value::as_table);
        if let Some(script) = own.and_then(|own| own.get("build")).and_then(Value::as_str) {
            self.waiting.push(package.join(script));
        }
        // The root of the workspace may be elsewhere. Its members are not built unless a package depends on them.
        if let Some(root) = own
            .and_then(|own| own.get("workspace"))
            .and_then(Value::as_str)
        {
            self.waiting.push(package.join(root).join("Cargo.toml"));
            self.manifest(&package.join(root));
        }
        let mut paths = Vec::new();
        strings(&Value::Table(manifest), &mut |key, text| {
            if key == "path" {
                paths.push(package.join(text));
            }
        });
        self.waiting.append(&mut paths);
    }

    /// Reads settings of cargo for the programs and folders that they name.
    fn settings(&mut self, above: &Path, name: &str) {
        let Some(settings) = table(&above.join(name)) else {
            return;
        };
        let mut paths = Vec::new();
        strings(&Value::Table(settings), &mut |key, text| {
            let is_folder =
                ["path", "paths", "directory", "local-registry", "include"].contains(&key);
            // A command may have arguments.
            for word in [Some(text), text.split_whitespace().next()]
                .into_iter()
                .flatten()
            {
                if is_folder || word.contains('/') {
                    paths.push(above.join(word));
                    paths.push(above.join(".cargo").join(word));
                }
            }
        });
        // A path that is everything says nothing about the build.
        paths.retain(|path| {
            path.canonicalize()
                .is_ok_and(|path| path.parent().is_some())
        });
        self.waiting.append(&mut paths);
    }

    /// Reads the folders of Python modules that an installed package names.
    fn python_paths(&mut self, path: &Path) {
        let text = bounded_file::read_to_string(path, MAX_BYTES).unwrap_or_default();
        let folder = path.parent().unwrap_or(path);
        let paths = text.lines().filter(|line| !line.starts_with("import"));
        let paths = paths.map(|line| folder.join(line.trim()));
        let found = paths.filter(|path| path.parent().is_some() && path.exists());
        let mut found: Vec<PathBuf> = found.collect();
        self.waiting.append(&mut found);
    }
}

/// Reads a file as TOML; none if it is not there, or cannot be read, which fails the build as well.
fn table(path: &Path) -> Option<toml::Table> {
    let text = bounded_file::read_to_string(path, MAX_BYTES).ok()?;
    text.parse().ok()
}

/// Calls a function for each string with its key, or that of the list it is in.
fn strings<'v>(value: &'v Value, found: &mut impl FnMut(&'v str, &'v str)) {
    fn below<'v>(key: &'v str, value: &'v Value, found: &mut impl FnMut(&'v str, &'v str)) {
        match value {
            Value::String(text) => found(key, text),
            Value::Array(values) => values.iter().for_each(|value| below(key, value, found)),
            Value::Table(table) => {
                table
                    .iter()
                    .for_each(|(key, value)| below(key, value, found));
            }
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
        }
    }
    below("", value, found);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// A project of a package with every kind of reference, and an empty `.git` that no build reads.
    fn project() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().expect("a folder for the test");
        let path = root.path().canonicalize().expect("is there");
        let manifest = "[package]\nname = \"a\"\nbuild = \"tools/custom.rs\"\nworkspace = \"../space\"\n\
            [dependencies]\nb = { path = \"../b\" }\n[target.'cfg(unix)'.dependencies]\nc = { path = \"../c\" }\n\
            [build-dependencies.d]\npath = \"../d\"\n[patch.crates-io]\ne = { path = \"../e\" }\n[lib]\npath = \"../lib.rs\"\n";
        for (file, text) in [
            ("p/a/Cargo.toml", manifest),
            ("p/a/tools/custom.rs", ""),
            ("p/a/src/deep/er/mod.rs", ""),
            ("p/a/target/debug/build/x/build-script-build", ""),
            ("p/a/.git/objects/x", ""),
            ("p/lib.rs", ""),
            ("p/b/build.rs", ""),
            (
                "p/b/Cargo.toml",
                "[dependencies]\nf = { path = \"../f\" }\n",
            ),
            ("p/c/build.rs", ""),
            ("p/d/src/lib.rs", ""),
            ("p/e/src/lib.rs", ""),
            ("p/f/nested/build.rs", ""),
            ("p/g/src/lib.rs", ""),
            (
                "p/space/Cargo.toml",
                "[workspace.dependencies]\ng = { path = \"../g\" }\n",
            ),
            ("p/linked/inner.rs", ""),
            (
                "p/.cargo/config.toml",
                "[build]\nrustc-wrapper = \"tools/wrap\"\n[target.x]\nrunner = [\"bin/run\", \"-v\"]\n[source.v]\ndirectory = \"vendor\"\n",
            ),
            ("p/tools/wrap", ""),
            ("p/bin/run", ""),
            ("p/vendor/v/build.rs", ""),
            ("p/a/plugin.py", ""),
            ("p/a/.venv/lib/python3/site-packages/native.so", ""),
            (
                "p/a/.venv/lib/python3/site-packages/x.pth",
                "import x\n../../../../../editable\n",
            ),
            ("p/editable/x.py", ""),
            ("p/a/plugin.js", ""),
            ("p/a/node_modules/@x/y/lib/index.js", ""),
            ("p/node_modules/z/index.js", ""),
            ("p/unrelated/x", ""),
        ] {
            let file = path.join(file);
            fs::create_dir_all(file.parent().expect("has one")).expect("is made");
            fs::write(file, text).expect("is written");
        }
        symlink("../linked", path.join("p/a/link")).expect("is made");
        (root, path)
    }

    fn found(folder: &Path, toolchain: Toolchain) -> Option<Foreign> {
        let ownership = Ownership::of_path(folder).expect("is there");
        let folder = CrateFolder {
            path: folder.to_owned(),
            owner: ownership.owner,
        };
        foreign_input(&folder, toolchain)
    }

    #[test]
    fn whatever_a_build_reads_is_foreign_if_every_user_can_change_it() {
        use Toolchain::{Cargo, JavaScript, Python};
        const ALL: &[Toolchain] = &[Cargo, Python, JavaScript];
        let (_root, root) = project();
        let a = root.join("p/a");
        for toolchain in ALL {
            assert_eq!(found(&a, *toolchain), None, "{toolchain:?}");
        }
        for (path, by) in [
            ("p/a", ALL),
            ("p/a/Cargo.toml", ALL),
            ("p/a/tools", ALL),
            ("p/a/tools/custom.rs", ALL),
            ("p/a/src/deep/er", ALL),
            ("p/a/src/deep/er/mod.rs", ALL),
            ("p/a/target/debug/build/x/build-script-build", ALL),
            ("p/linked", ALL),
            ("p/linked/inner.rs", ALL),
            ("p/a/.venv/lib/python3/site-packages/native.so", ALL),
            ("p/a/.venv/lib/python3", ALL),
            ("p/a/node_modules/@x/y/lib/index.js", ALL),
            ("p/editable", ALL),
            ("p/editable/x.py", ALL),
            ("p/lib.rs", &[Cargo]),
            ("p/b", &[Cargo]),
            ("p/b/build.rs", &[Cargo]),
            ("p/c/build.rs", &[Cargo]),
            ("p/d/src/lib.rs", &[Cargo]),
            ("p/e/src/lib.rs", &[Cargo]),
            ("p/f/nested/build.rs", &[Cargo]),
            ("p/g/src/lib.rs", &[Cargo]),
            ("p/space/Cargo.toml", &[Cargo]),
            ("p/.cargo/config.toml", &[Cargo]),
            ("p/tools/wrap", &[Cargo]),
            ("p/bin/run", &[Cargo]),
            ("p/vendor/v/build.rs", &[Cargo]),
            ("p/node_modules", &[JavaScript]),
            ("p/node_modules/z/index.js", &[JavaScript]),
            ("p/a/.git/objects/x", &[]),
            ("p/unrelated", &[]),
            ("p/unrelated/x", &[]),
        ] {
            let changed = root.join(path);
            let mode = fs::metadata(&changed)
                .expect("is there")
                .permissions()
                .mode();
            let set = |mode| {
                fs::set_permissions(&changed, fs::Permissions::from_mode(mode)).expect("is set");
            };
            set(mode | 0o002);
            for toolchain in ALL {
                let expected = by.contains(toolchain);
                let found = found(&a, *toolchain);
                assert_eq!(
                    found.is_some(),
                    expected,
                    "{path} by {toolchain:?}: {found:?}"
                );
                if let Some((_, problem)) = found {
                    assert_eq!(problem, "can be changed by every user", "{path}");
                }
            }
            set(mode);
        }
    }

    #[test]
    fn a_folder_with_links_in_circles_and_one_that_is_too_large_come_to_an_end() {
        let (_root, root) = project();
        let a = root.join("p/a");
        symlink(&a, a.join("circle")).expect("is made");
        symlink("..", a.join("src/up")).expect("is made");
        symlink("nowhere", a.join("dangling")).expect("is made");
        assert_eq!(found(&a, Toolchain::Cargo), None);
        let folder = CrateFolder {
            path: a.clone(),
            owner: Ownership::of_path(&a).expect("is there").owner,
        };
        let mut search = Search {
            folder: &folder,
            entries: MAX_ENTRIES - 5,
            seen: BTreeSet::new(),
            manifests: BTreeSet::new(),
            waiting: vec![a.clone()],
        };
        let error = search.run(Toolchain::Cargo).expect_err("is too large");
        assert_eq!(error, (a, "has more files than can be checked"));
    }
}
