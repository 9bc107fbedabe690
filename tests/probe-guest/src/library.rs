//! Operations through the standard library.

use crate::Step;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

/// Performs an operation and returns `ok: ` with what it found, or the kind of the error.
pub(crate) fn perform(step: &Step) -> String {
    match answer(step) {
        Ok(found) => format!("ok: {found}"),
        Err(error) => format!("{:?}: {error}", error.kind()),
    }
}

fn answer(step: &Step) -> io::Result<String> {
    let done = |(): ()| String::new();
    let Step { path, to, .. } = step;
    let n = usize::try_from(step.n).unwrap_or(usize::MAX);
    match step.op.as_str() {
        "std.read" => fs::read_to_string(path),
        "std.write" => fs::write(path, &step.text).map(done),
        "std.append" => {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            file.write_all(step.text.as_bytes()).map(done)
        }
        "std.list" => {
            let mut names = Vec::new();
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                let kind = if entry.file_type()?.is_dir() { "/" } else { "" };
                names.push(format!("{}{kind}", entry.file_name().display()));
            }
            names.sort();
            Ok(names.join(" "))
        }
        "std.count" => Ok(fs::read_dir(path)?.count().to_string()),
        "std.size" => Ok(fs::metadata(path)?.len().to_string()),
        "std.modified" => {
            let modified = fs::metadata(path)?.modified()?;
            Ok((modified > std::time::UNIX_EPOCH).to_string())
        }
        "std.mkdir" => fs::create_dir_all(path).map(done),
        "std.remove" => fs::remove_file(path).map(done),
        "std.remove_all" => fs::remove_dir_all(path).map(done),
        "std.rename" => fs::rename(path, to).map(done),
        "std.copy" => fs::copy(path, to).map(|bytes| bytes.to_string()),
        "std.set_len" => {
            let file = OpenOptions::new().write(true).open(path)?;
            file.set_len(step.n).map(done)
        }
        "std.seek" => {
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            file.seek(SeekFrom::Start(step.n))?;
            file.write_all(step.text.as_bytes())?;
            file.sync_all()?;
            file.rewind()?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            Ok(text)
        }
        // Reads in pieces of `n` bytes, or all at once.
        "std.sum" => {
            let bytes = match n {
                0 => fs::read(path)?,
                _ => {
                    let (mut file, mut piece, mut all) = (File::open(path)?, vec![0; n], vec![]);
                    loop {
                        match file.read(&mut piece)? {
                            0 => break all,
                            read => all.extend_from_slice(&piece[..read]),
                        }
                    }
                }
            };
            let sum = bytes.iter().fold(0_u64, |sum, byte| sum + u64::from(*byte));
            Ok(format!("{} {sum}", bytes.len()))
        }
        // Reads in pieces of `n` bytes, or all at once, and keeps nothing.
        "std.length" if n == 0 => Ok(fs::read(path)?.len().to_string()),
        "std.length" => {
            let (mut file, mut piece, mut length) = (File::open(path)?, vec![0; n], 0);
            loop {
                match file.read(&mut piece)? {
                    0 => return Ok(length.to_string()),
                    read => length += read,
                }
            }
        }
        // Writes until it has written `n` bytes or is stopped.
        "std.fill" => {
            let (mut file, piece) = (File::create(path)?, vec![b'x'; 64 << 10]);
            let mut written = 0;
            while written < n {
                match file.write(&piece[..piece.len().min(n - written)]) {
                    Ok(more) => written += more,
                    Err(error) => return Ok(format!("{written} {:?}", error.kind())),
                }
            }
            Ok(written.to_string())
        }
        // Creates `n` files or is stopped.
        "std.litter" => {
            for made in 0..n {
                if let Err(error) = File::create(format!("{path}/{made}")) {
                    return Ok(format!("{made} {:?}", error.kind()));
                }
            }
            Ok(n.to_string())
        }
        // Opens a file `n` times or is stopped.
        "std.hoard" => {
            let mut open = Vec::new();
            for made in 0..n {
                match File::open(path) {
                    Ok(file) => open.push(file),
                    Err(error) => return Ok(format!("{made} {:?}", error.kind())),
                }
            }
            Ok(n.to_string())
        }
        // Opens a file `n` times or is stopped, and keeps them open until the call ends.
        "std.keep" => {
            for made in 0..n {
                match File::open(path) {
                    Ok(file) => std::mem::forget(file),
                    Err(error) => return Ok(format!("{made} {:?}", error.kind())),
                }
            }
            Ok(n.to_string())
        }
        unknown => Err(io::Error::other(format!("there is no `{unknown}`"))),
    }
}
