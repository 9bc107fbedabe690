//! The host's side: starts the program, bounds its time and its answer, and says why it failed.

use super::child::ChildExit;
use super::{CompilerError, MAX_ARTIFACT, MAX_WALL_TIME};
use crate::host::LoadError;
use crate::plugin::survey::{self, InvalidPluginError};
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How often the host looks whether a program that closed its output has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// A program that compiles: it calls [`compile_child`](super::compile_child).
#[derive(Debug, Clone)]
pub(crate) struct CompilerProgram {
    program: PathBuf,
    arguments: Vec<OsString>,
    wall_time: Duration,
}

impl CompilerProgram {
    pub(crate) fn new(program: PathBuf, arguments: Vec<OsString>) -> Self {
        Self {
            program,
            arguments,
            wall_time: MAX_WALL_TIME,
        }
    }

    /// Compiles a component in a new process, and returns it in serialized form.
    pub(super) fn compile(&self, bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
        let deadline = Instant::now() + self.wall_time;
        let mut child = self.start().map_err(|error| self.no_start(error))?;
        let answer = exchange(&mut child.0, bytes).map_err(|error| self.no_start(error))?;
        let Ok(answer) = answer.recv_timeout(self.wall_time) else {
            return Err(CompilerError::WallTime.into());
        };
        if answer.len() > MAX_ARTIFACT {
            return Err(CompilerError::TooLarge.into());
        }
        let ended = child.wait(deadline).map_err(|error| self.no_start(error))?;
        let status = ended.ok_or(CompilerError::WallTime)?;
        match status.code().and_then(ChildExit::of) {
            Some(ChildExit::Compiled) => Ok(answer),
            Some(ChildExit::Refused) => {
                let why = survey::shown(&String::from_utf8_lossy(&answer));
                Err(InvalidPluginError::Compile(why).into())
            }
            Some(ChildExit::NoLimits) => Err(CompilerError::Limits.into()),
            Some(ChildExit::OutOfMemory) => Err(CompilerError::Memory.into()),
            _ if exceeded_cpu_time(status) => Err(CompilerError::CpuTime.into()),
            _ => Err(CompilerError::Crashed { status }.into()),
        }
    }

    /// Starts the program without environment: nothing that the host knows is for it.
    fn start(&self) -> io::Result<Running> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command.spawn().map(Running)
    }

    fn no_start(&self, error: io::Error) -> CompilerError {
        CompilerError::Start {
            program: self.program.clone(),
            error,
        }
    }

    pub(super) fn unusable(&self) -> CompilerError {
        CompilerError::Unusable {
            program: self.program.clone(),
        }
    }
}

/// Sends the component and receives the answer on a thread of its own, so that the host can stop
/// waiting.
fn exchange(child: &mut Child, bytes: Vec<u8>) -> io::Result<mpsc::Receiver<Vec<u8>>> {
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (send, receive) = mpsc::sync_channel(1);
    thread::Builder::new()
        .name("footlight-compile".to_owned())
        .spawn(move || {
            // A program that stops early says why with its exit code.
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(&bytes);
            }
            drop(bytes);
            let mut answer = Vec::new();
            if let Some(stdout) = stdout {
                let _ = stdout
                    .take(MAX_ARTIFACT as u64 + 1)
                    .read_to_end(&mut answer);
            }
            let _ = send.send(answer);
        })?;
    Ok(receive)
}

/// A running program, which is killed when the host no longer waits for it.
struct Running(Child);

impl Running {
    /// Waits for the end of the program; `None` if it runs beyond the deadline.
    fn wait(&mut self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        loop {
            let ended = self.0.try_wait()?;
            if ended.is_some() || Instant::now() >= deadline {
                return Ok(ended);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if the program has ended, which is as good.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
fn exceeded_cpu_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

#[cfg(not(unix))]
fn exceeded_cpu_time(_: ExitStatus) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Runs a shell script as the compiler of a component of this size, for so many seconds at most.
    fn compile(script: &str, bytes: usize, seconds: u64) -> Result<Vec<u8>, LoadError> {
        let arguments = vec!["-c".into(), script.into()];
        let mut program = CompilerProgram::new("/bin/sh".into(), arguments);
        program.wall_time = Duration::from_secs(seconds);
        program.compile(vec![0; bytes])
    }

    #[test]
    fn every_way_in_which_a_compiler_fails_has_its_own_error() {
        let missing = CompilerProgram::new("/no/compiler".into(), Vec::new());
        let error = missing.compile(Vec::new()).expect_err("no such program");
        let error = error.to_string();
        assert_eq!(error, "the compiler `/no/compiler` cannot be run");
        // Also with more than fits into a pipe, so that a program that does not read blocks the host.
        for bytes in [0, 1 << 20] {
            let failed = |script: &str, seconds: u64| match compile(script, bytes, seconds) {
                Err(LoadError::Compiler(error)) => error,
                other => panic!("`{script}`: {other:?}"),
            };
            for script in [
                "exit 1",
                "exit 12",
                "exit 255",
                "kill -SEGV $$",
                "kill -ABRT $$",
                "kill -KILL $$",
            ] {
                let error = failed(script, 60);
                let crashed = matches!(error, CompilerError::Crashed { .. });
                assert!(crashed, "`{script}`: {error:?}");
            }
            assert!(matches!(
                failed("kill -XCPU $$", 60),
                CompilerError::CpuTime
            ));
            assert!(matches!(failed("exit 11", 60), CompilerError::Limits));
            assert!(matches!(failed("exit 13", 60), CompilerError::Memory));
            for script in ["exec sleep 600", "exec >&-; exec sleep 600"] {
                assert!(matches!(failed(script, 1), CompilerError::WallTime));
            }
            let endless = "exec <&-; exec cat /dev/zero";
            assert!(matches!(failed(endless, 60), CompilerError::TooLarge));
        }
    }

    #[test]
    fn a_reason_is_shown_without_control_characters() {
        let error =
            compile(r"cat > /dev/null; printf 'no \033[2J'; exit 10", 9, 60).expect_err("refused");
        let LoadError::Invalid(InvalidPluginError::Compile(why)) = error else {
            panic!("{error:?}");
        };
        assert_eq!(why, r"no \u{1b}[2J");
    }

    #[test]
    fn the_program_gets_the_component_and_no_environment() {
        let answer = compile("exec cat", 50_000, 60).expect("echoes");
        assert_eq!(answer, vec![0; 50_000]);
        // Prints the environment, and a shell would add to it.
        let program = CompilerProgram::new("/usr/bin/env".into(), Vec::new());
        assert_eq!(program.compile(Vec::new()).expect("prints"), b"");
    }
}
