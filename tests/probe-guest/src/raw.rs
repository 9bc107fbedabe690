//! Operations through WASI itself, with any path.

use crate::Step;
use std::collections::BTreeMap;
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, ErrorCode, NewTimestamp, OpenFlags, PathFlags,
};
use wasip2::io::streams::StreamError;

type Met = Result<String, ErrorCode>;

/// Performs an operation and returns `ok: ` with what it found, or the name of the error.
pub(crate) fn perform(step: &Step) -> String {
    if step.op == "folders" {
        let found = get_directories().into_iter();
        let found: Vec<String> = found.map(|(_, name)| name).collect();
        return found.join(" ");
    }
    let (Some(dir), Some(to_dir)) = (
        folder(&step.dir),
        folder(match step.to_dir.as_str() {
            "" => &step.dir,
            other => other,
        }),
    ) else {
        return format!("there is no folder {:?}", step.dir);
    };
    match answer(step, &dir, &to_dir) {
        Ok(found) => format!("ok: {found}"),
        Err(error) => error.name().to_owned(),
    }
}

fn folder(name: &str) -> Option<Descriptor> {
    let mut folders = get_directories().into_iter();
    folders.find(|(_, found)| found == name).map(|(dir, _)| dir)
}

const FOLLOW: PathFlags = PathFlags::SYMLINK_FOLLOW;

fn open(
    dir: &Descriptor,
    path: &str,
    how: OpenFlags,
    flags: DescriptorFlags,
) -> Result<Descriptor, ErrorCode> {
    dir.open_at(FOLLOW, path, how, flags)
}

fn read(file: &Descriptor) -> Met {
    let (bytes, _) = file.read(1 << 20, 0)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn stream(error: StreamError) -> ErrorCode {
    match error {
        StreamError::Closed => ErrorCode::Pipe,
        StreamError::LastOperationFailed(error) => {
            let code = wasip2::filesystem::types::filesystem_error_code(&error);
            let words = error.to_debug_string();
            assert!(!words.contains('/'), "no path is told: {words}");
            code.unwrap_or(ErrorCode::Io)
        }
    }
}

fn list(dir: &Descriptor) -> Met {
    let entries = dir.read_directory()?;
    let mut names = Vec::new();
    while let Some(entry) = entries.read_directory_entry()? {
        names.push(entry.name);
    }
    names.sort();
    Ok(names.join(" "))
}

fn answer(step: &Step, dir: &Descriptor, to_dir: &Descriptor) -> Met {
    let (none, rw) = (
        OpenFlags::empty(),
        DescriptorFlags::READ | DescriptorFlags::WRITE,
    );
    let (path, to) = (step.path.as_str(), step.to.as_str());
    let done = |(): ()| String::new();
    let now = NewTimestamp::Now;
    match step.op.as_str() {
        "read" => read(&open(dir, path, none, DescriptorFlags::READ)?),
        "read_nofollow" => {
            read(&dir.open_at(PathFlags::empty(), path, none, DescriptorFlags::READ)?)
        }
        "read_stream" => {
            let file = open(dir, path, none, DescriptorFlags::READ)?;
            let bytes = file
                .read_via_stream(0)?
                .blocking_read(100)
                .map_err(stream)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        "read_length" => {
            let file = open(dir, path, none, DescriptorFlags::READ)?;
            Ok(file.read(step.n, 0)?.0.len().to_string())
        }
        "stat" => dir
            .stat_at(FOLLOW, path)
            .map(|about| about.size.to_string()),
        "lstat" => dir.stat_at(PathFlags::empty(), path).map(|_| String::new()),
        "hash" => dir
            .metadata_hash_at(FOLLOW, path)
            .map(|hash| format!("{:x}{:x}", hash.lower, hash.upper)),
        "flags" => open(dir, path, none, DescriptorFlags::READ)?
            .get_flags()
            .map(|flags| format!("{flags:?}")),
        "list" => list(&open(
            dir,
            path,
            OpenFlags::DIRECTORY,
            DescriptorFlags::READ,
        )?),
        "mutable" => open(
            dir,
            path,
            OpenFlags::DIRECTORY,
            DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
        )
        .map(|_| String::new()),
        "write" => {
            let file = open(dir, path, none, rw)?;
            file.write(b"written", step.n)
                .map(|bytes| bytes.to_string())
        }
        "write_stream" => {
            let file = open(dir, path, none, DescriptorFlags::WRITE)?;
            let out = file.write_via_stream(step.n)?;
            out.blocking_write_and_flush(b"written")
                .map_err(stream)
                .map(done)
        }
        "append" => {
            let file = open(dir, path, none, DescriptorFlags::WRITE)?;
            let out = file.append_via_stream()?;
            out.blocking_write_and_flush(b"written")
                .map_err(stream)
                .map(done)
        }
        // With a descriptor that is open for reading.
        "write_read_only" => {
            let file = open(dir, path, none, DescriptorFlags::READ)?;
            let met = [
                file.write(b"written", 0).map(drop),
                file.write_via_stream(0).map(drop),
                file.append_via_stream().map(drop),
                file.set_size(0),
            ];
            match met.into_iter().find(Result::is_ok) {
                Some(_) => Ok("written".to_owned()),
                None => Err(ErrorCode::ReadOnly),
            }
        }
        "create" => open(dir, path, OpenFlags::CREATE, rw)?
            .write(b"created", 0)
            .map(|_| String::new()),
        "create_new" => {
            open(dir, path, OpenFlags::CREATE | OpenFlags::EXCLUSIVE, rw).map(|_| String::new())
        }
        "truncate" => open(dir, path, OpenFlags::TRUNCATE, rw).map(|_| String::new()),
        "set_size" => open(dir, path, none, rw)?.set_size(step.n).map(done),
        "set_times" => dir.set_times_at(FOLLOW, path, now, now).map(done),
        "set_times_open" => open(dir, path, none, DescriptorFlags::READ)?
            .set_times(now, now)
            .map(done),
        "mkdir" => dir.create_directory_at(path).map(done),
        "rmdir" => dir.remove_directory_at(path).map(done),
        "unlink" => dir.unlink_file_at(path).map(done),
        "rename" | "rename_to" => dir.rename_at(path, to_dir, to).map(done),
        "link" | "link_to" => dir.link_at(PathFlags::empty(), path, to_dir, to).map(done),
        "symlink" | "symlink_to" => dir.symlink_at(path, to).map(done),
        "readlink" => dir.readlink_at(path),
        // Opens a path `n` times and returns how often each thing was met.
        "race" => {
            let mut met = BTreeMap::new();
            for n in 0..step.n {
                let found = match n % 8 {
                    0 => open(dir, to, OpenFlags::CREATE | OpenFlags::TRUNCATE, rw)
                        .map(|_| "created".to_owned()),
                    1 => dir
                        .stat_at(FOLLOW, path)
                        .map(|about| about.size.to_string()),
                    _ => open(dir, path, none, DescriptorFlags::READ).and_then(|file| read(&file)),
                };
                let found = found.unwrap_or_else(|error| error.name().to_owned());
                *met.entry(found).or_insert(0_u64) += 1;
            }
            Ok(format!("{met:?}"))
        }
        unknown => Ok(format!("there is no `{unknown}`")),
    }
}
