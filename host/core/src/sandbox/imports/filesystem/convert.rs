//! Between the host's types for files and those of WASI.

use crate::power::files::{About, FileError, OpenRequest};
use cap_std::fs::FileType;
use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use wasmtime_wasi::p2::bindings::clocks::wall_clock::Datetime;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, NewTimestamp, OpenFlags,
};

/// Returns what a guest is told of a failure: a code, and no words or paths of the machine.
pub(super) fn error_code(error: &FileError) -> ErrorCode {
    match error {
        FileError::Io(error) => match error.kind() {
            io::ErrorKind::ReadOnlyFilesystem => ErrorCode::ReadOnly,
            io::ErrorKind::CrossesDevices => ErrorCode::CrossDevice,
            io::ErrorKind::QuotaExceeded => ErrorCode::Quota,
            io::ErrorKind::ExecutableFileBusy => ErrorCode::TextFileBusy,
            // A language's library would try again without an end.
            io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock => ErrorCode::Io,
            _ => ErrorCode::from(error),
        },
        FileError::Escapes | FileError::Special => ErrorCode::NotPermitted,
        FileError::Name => ErrorCode::IllegalByteSequence,
        FileError::TooLong => ErrorCode::NameTooLong,
        FileError::ReadOnly => ErrorCode::ReadOnly,
        FileError::Quota => ErrorCode::Quota,
        FileError::TooManyOpen => ErrorCode::InsufficientMemory,
        FileError::Cancelled => ErrorCode::NotRecoverable,
        FileError::CrossesFolders => ErrorCode::CrossDevice,
        FileError::IsFolder => ErrorCode::IsDirectory,
        FileError::NotFolder => ErrorCode::NotDirectory,
        FileError::BadHandle => ErrorCode::BadDescriptor,
        FileError::Invalid => ErrorCode::Invalid,
        FileError::Unsupported => ErrorCode::Unsupported,
    }
}

pub(super) fn kind(kind: FileType) -> DescriptorType {
    #[cfg(unix)]
    {
        use cap_std::fs::FileTypeExt as _;
        if kind.is_block_device() {
            return DescriptorType::BlockDevice;
        }
        if kind.is_char_device() {
            return DescriptorType::CharacterDevice;
        }
        if kind.is_fifo() {
            return DescriptorType::Fifo;
        }
        if kind.is_socket() {
            return DescriptorType::Socket;
        }
    }
    match () {
        () if kind.is_dir() => DescriptorType::Directory,
        () if kind.is_file() => DescriptorType::RegularFile,
        () if kind.is_symlink() => DescriptorType::SymbolicLink,
        () => DescriptorType::Unknown,
    }
}

pub(super) fn stat(about: About) -> DescriptorStat {
    DescriptorStat {
        type_: kind(about.kind),
        link_count: about.links,
        size: about.size,
        data_access_timestamp: about.accessed.and_then(datetime),
        data_modification_timestamp: about.modified.and_then(datetime),
        // Nothing needs it, and nobody can set it.
        status_change_timestamp: None,
    }
}

/// Returns no time for one before 1970, which WASI cannot express.
fn datetime(time: SystemTime) -> Option<Datetime> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(Datetime {
        seconds: since.as_secs(),
        nanoseconds: since.subsec_nanos(),
    })
}

/// Returns the time to set, if any.
pub(super) fn new_time(time: NewTimestamp) -> Result<Option<SystemTime>, FileError> {
    match time {
        NewTimestamp::NoChange => Ok(None),
        NewTimestamp::Now => Ok(Some(SystemTime::now())),
        NewTimestamp::Timestamp(time) if time.nanoseconds >= 1_000_000_000 => {
            Err(FileError::Invalid)
        }
        NewTimestamp::Timestamp(time) => {
            let since = Duration::new(time.seconds, time.nanoseconds);
            let time = UNIX_EPOCH.checked_add(since);
            time.map(Some).ok_or(FileError::Invalid)
        }
    }
}

/// Returns what to open a path for, and whether that needs to change something.
pub(super) fn open_request(
    follow: bool,
    open: OpenFlags,
    flags: DescriptorFlags,
) -> Result<(OpenRequest, bool), FileError> {
    let synced = DescriptorFlags::FILE_INTEGRITY_SYNC
        | DescriptorFlags::DATA_INTEGRITY_SYNC
        | DescriptorFlags::REQUESTED_WRITE_SYNC;
    if flags.intersects(synced) {
        return Err(FileError::Unsupported);
    }
    let how = OpenRequest {
        follow,
        read: flags.contains(DescriptorFlags::READ),
        // A file is created or cut in order to be written.
        write: flags.contains(DescriptorFlags::WRITE)
            || open.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE),
        create: open.contains(OpenFlags::CREATE),
        exclusive: open.contains(OpenFlags::EXCLUSIVE),
        truncate: open.contains(OpenFlags::TRUNCATE),
        directory: open.contains(OpenFlags::DIRECTORY),
    };
    let changes = how.write || flags.contains(DescriptorFlags::MUTATE_DIRECTORY);
    Ok((how, changes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasmtime_wasi::p2::bindings::clocks::wall_clock::Datetime;

    #[test]
    fn no_time_of_a_file_or_a_guest_is_too_strange() {
        assert!(datetime(UNIX_EPOCH - Duration::from_secs(1)).is_none());
        let far = datetime(UNIX_EPOCH + Duration::from_secs(1 << 40)).expect("far ahead");
        assert_eq!(far.seconds, 1 << 40);
        for (seconds, nanoseconds) in [(u64::MAX, 0), (0, 1_000_000_000), (u64::MAX, u32::MAX)] {
            let time = Datetime {
                seconds,
                nanoseconds,
            };
            assert!(new_time(NewTimestamp::Timestamp(time)).is_err());
        }
    }

    #[test]
    fn whatever_can_change_something_is_known_to() {
        let read = DescriptorFlags::READ;
        for (open, flags) in [
            (OpenFlags::CREATE, read),
            (OpenFlags::CREATE | OpenFlags::EXCLUSIVE, read),
            (OpenFlags::TRUNCATE, read),
            (OpenFlags::empty(), DescriptorFlags::WRITE),
            (OpenFlags::empty(), read | DescriptorFlags::WRITE),
            (
                OpenFlags::DIRECTORY,
                read | DescriptorFlags::MUTATE_DIRECTORY,
            ),
        ] {
            let (_, changes) = open_request(true, open, flags).expect("supported");
            assert!(changes, "{open:?} {flags:?}");
        }
        let (_, changes) = open_request(true, OpenFlags::DIRECTORY, read).expect("supported");
        assert!(!changes);
    }
}
