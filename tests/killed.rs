//! Kills whole sessions with `kill -9`: nothing that was shown is lost, nothing runs twice, and what waits for a person
//! still waits after the restart.
//!
//! `play` is a session that uses a bit of everything. `child` runs it in a process of its own, on a store that counts its
//! writes (`counting_store`), and reports each event. The child dies at a given write, or is killed from outside. After each
//! death `invariants` compares what was reported with what the store holds, and another child resumes, until the whole play
//! has happened (`final_state`).
//!
//! `FOOTLIGHT_KILLS` is the minimum number of kills; a large one kills before and after every write. `FOOTLIGHT_SEED`
//! repeats a random run.

mod child;
mod counting_store;
mod final_state;
mod invariants;
mod play;

use child::{Line, Orders, said, start};
use counting_store::{Accepted, Moment, Point};
use final_state::{answers_of, check_final_state, reported_as_unused};
use footlight::session::{self, SettleError};
use footlight::store::{CallState, RequestKind, SqliteStore, Store};
use footlight::vocabulary::item::Verdict;
use footlight_tests::random::Random;
use invariants::{Reported, check_invariants};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Child;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Kills where `FOOTLIGHT_KILLS` is not set: enough to see that this works.
const FEW: usize = 12;

/// At least one random run for this many kills.
const BY_CHANCE: usize = 5;

/// Sessions that run at once. Most of their time is spent waiting for the disk.
const AT_ONCE: usize = 3;

/// Write numbers to try beyond those of one run: writes can be batched differently,
/// so another run can have a few more.
const BEYOND: u32 = 3;

/// A child that reports nothing for this long is stuck.
const TIMEOUT: Duration = Duration::from_secs(60);

const SIGKILL: i32 = 9;

/// How a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Death {
    /// Kills itself at this write.
    At(Point),
    /// Killed from outside after this many lines and microseconds.
    After(u64, u64),
    /// Killed as soon as an approval is pending.
    Waiting,
    /// Kills itself as soon as such a reply is stored.
    Replied(Accepted),
}

/// The end of one process, and what happens before the next one starts.
#[derive(Debug, Clone, Copy)]
struct Dies {
    death: Death,
    /// Whether a pending approval is given in between.
    approves: bool,
}

/// How a process ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Killed,
    /// It finished the play before it was killed.
    Over,
}

/// Runs one process until it dies or finishes.
fn process(folder: &Path, death: Option<Death>, reported: &mut Reported) -> Ended {
    let mut child = start(&Orders {
        folder: folder.to_owned(),
        dies_at: match death {
            Some(Death::At(point)) => Some(point),
            _ => None,
        },
        dies_after: match death {
            Some(Death::Replied(accepted)) => Some(accepted),
            _ => None,
        },
        decides: death != Some(Death::Waiting),
    });
    reported.begin();
    let lines = lines_of(&mut child);
    loop {
        if let Some(Death::After(lines, micros)) = death
            && reported.heard == lines
        {
            // A sleep and not an event: the moment is meant to be random.
            std::thread::sleep(Duration::from_micros(micros));
            child.kill().expect("killed");
        }
        let line = match lines.recv_timeout(TIMEOUT) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                child.kill().expect("killed");
                panic!("it hangs");
            }
        };
        let is_approval =
            matches!(&line, Line::Waits(request) if request.kind == RequestKind::Approval);
        if death == Some(Death::Waiting) && is_approval {
            child.kill().expect("killed");
        }
        reported.hear(line);
    }
    let status = child.wait().expect("ended");
    match status.signal() {
        Some(SIGKILL) => Ended::Killed,
        None if status.success() && reported.over.is_some() => Ended::Over,
        _ => panic!("it ended by itself: {status}"),
    }
}

/// Reads the lines of a child as they arrive.
fn lines_of(child: &mut Child) -> Receiver<Line> {
    let out = BufReader::new(child.stdout.take().expect("piped"));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = out.lines().map_while(Result::ok);
        for line in lines.filter_map(|line| said(&line)) {
            // The receiver is dropped where the test has failed.
            let _ = sender.send(line);
        }
    });
    receiver
}

/// Approves everything pending while no session runs, and returns how many there were.
async fn approve_pending(folder: &Path, reported: &mut Reported) -> usize {
    let store = SqliteStore::open(folder).expect("opens");
    let mut waiting = store.pending().await.expect("read");
    waiting.retain(|request| request.kind == RequestKind::Approval);
    for request in &waiting {
        let by = Some("Ada".to_owned());
        let given = session::decide(&store, &request.id, Verdict::Once, None, by).await;
        let calls = store.open(&request.session).await.expect("read").calls;
        let call = calls.iter().find(|row| row.id == request.call);
        let has_begun = call.expect("it asked").state == CallState::Running;
        match &given {
            Ok(()) => reported.given(request.id.clone(), "Ada"),
            // A guest that had begun asked, and ended with its process.
            Err(SettleError::Interrupted(_)) => {}
            Err(error) => panic!("nobody else has decided: {error}"),
        }
        assert_eq!(given.is_err(), has_begun, "{request:?}");
    }
    waiting.len()
}

fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime")
}

/// Runs a session whose processes die as given and which then finishes. Returns the number of deaths and
/// the calls that were interrupted.
fn run_session(deaths: &[Dies]) -> (usize, Vec<&'static str>) {
    let folder = tempfile::tempdir().expect("a folder");
    run_session_in(folder.path(), deaths)
}

fn run_session_in(folder: &Path, deaths: &[Dies]) -> (usize, Vec<&'static str>) {
    let (mut reported, runtime) = (Reported::default(), runtime());
    let mut died = 0;
    for Dies { death, approves } in deaths {
        if process(folder, Some(*death), &mut reported) == Ended::Over {
            if let Death::At((n, _)) = death {
                assert!(
                    reported.over < Some(*n),
                    "it did not die at {n}: {:?}",
                    reported.over
                );
            }
            break;
        }
        died += 1;
        runtime.block_on(check_invariants(folder, &reported));
        if *approves {
            let given = runtime.block_on(approve_pending(folder, &mut reported));
            assert!(
                given == 1 || *death != Death::Waiting,
                "the approval was pending"
            );
        }
    }
    if reported.over.is_none() {
        assert_eq!(process(folder, None, &mut reported), Ended::Over);
    }
    (
        died,
        runtime.block_on(check_final_state(folder, &reported, died)),
    )
}

/// Returns the numbers of writes and of lines in an undisturbed run.
fn undisturbed() -> (u32, u64) {
    let (folder, mut reported) = (tempfile::tempdir().expect("a folder"), Reported::default());
    assert_eq!(process(folder.path(), None, &mut reported), Ended::Over);
    let interrupted = runtime().block_on(check_final_state(folder.path(), &reported, 0));
    assert!(interrupted.is_empty(), "{interrupted:?}");
    (reported.over.expect("it is over"), reported.heard)
}

/// Returns a run for each write, killed before it and after it, in random order.
fn at_every_write(writes: u32, random: &mut Random) -> Vec<Vec<Dies>> {
    let points = (1..=writes + BEYOND).flat_map(|n| [(n, Moment::Before), (n, Moment::After)]);
    let mut runs = Vec::new();
    for (n, moment) in points {
        let mut run = vec![dies(Death::At((n, moment)), random)];
        // The next process first recovers what it finds and may be killed while doing so.
        if moment == Moment::After {
            run.push(early(random));
        }
        runs.push(run);
    }
    random.shuffle(&mut runs);
    runs
}

/// Returns a run in which up to three processes die at random moments.
fn at_random(lines: u64, random: &mut Random) -> Vec<Dies> {
    let times = 1 + random.below(3);
    let die = |_| match random.below(5) {
        0 => dies(Death::Waiting, random),
        1 => early(random),
        _ => {
            let death = Death::After(random.below(lines), random.below(4_000));
            dies(death, random)
        }
    };
    (0..times).map(die).collect()
}

/// Kills a process at one of its first writes.
fn early(random: &mut Random) -> Dies {
    let moments = [Moment::Before, Moment::During, Moment::After];
    let moment = moments[random.below(3) as usize];
    dies(Death::At((1 + random.below(4) as u32, moment)), random)
}

fn dies(death: Death, random: &mut Random) -> Dies {
    let approves = random.below(2) == 0;
    Dies { death, approves }
}

/// Executes all runs, several at a time, and returns their results.
fn run_all(runs: Vec<Vec<Dies>>) -> Vec<(usize, Vec<&'static str>)> {
    let (runs, finished) = (Mutex::new(runs.into_iter()), Mutex::new(Vec::new()));
    let next = || runs.lock().expect("nothing panics here").next();
    let run_some = || {
        while let Some(deaths) = next() {
            // Names the run if it panics.
            let name = format!("{deaths:?}");
            let thread = std::thread::Builder::new().name(name.clone());
            let run = thread
                .spawn(move || run_session(&deaths))
                .expect("a thread");
            let run = run.join().map_err(|_| name);
            finished.lock().expect("nothing panics here").push(run);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(run_some);
        }
    });
    let finished = finished.into_inner().expect("nothing panics here");
    let (finished, wrong): (Vec<_>, Vec<_>) = finished.into_iter().partition(Result::is_ok);
    assert!(wrong.is_empty(), "{} went wrong: {wrong:#?}", wrong.len());
    finished.into_iter().flatten().collect()
}

#[test]
fn a_session_killed_at_any_write_loses_nothing_and_does_nothing_twice() {
    let kills = std::env::var("FOOTLIGHT_KILLS").map_or(Ok(FEW), |kills| kills.parse());
    let kills: usize = kills.expect("a number");
    let mut random = Random::seeded();
    let (writes, lines) = undisturbed();
    let mut runs = at_every_write(writes, &mut random);
    let is_all = runs.len() <= kills;
    if !is_all {
        let in_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
        assert!(!in_ci, "{kills} are too few for {} points", runs.len());
        runs.truncate(kills - kills / BY_CHANCE);
    }
    let by_chance = (kills / BY_CHANCE).max(1);
    runs.extend((0..by_chance).map(|_| at_random(lines, &mut random)));
    let mut finished = run_all(runs);
    // Some processes finished before they were to be killed.
    while finished.iter().map(|(died, _)| died).sum::<usize>() < kills {
        let more = (0..AT_ONCE).map(|_| at_random(lines, &mut random));
        finished.extend(run_all(more.collect()));
    }
    if is_all {
        // Each call that is not read-only was interrupted in one of the runs and reported it.
        let interrupted: BTreeSet<_> = finished.iter().flat_map(|(_, calls)| calls).collect();
        let could = play::CALLS.iter().filter(|made| !made.reads);
        let could: BTreeSet<_> = could.map(|made| &made.function).collect();
        assert_eq!(interrupted, could);
    }
}

#[test]
fn a_pending_approval_survives_the_kill_and_can_be_given_meanwhile() {
    let waiting = |approves| Dies {
        death: Death::Waiting,
        approves,
    };
    // Given while no process runs; requested again under the same id.
    assert_eq!(run_session(&[waiting(true)]), (1, Vec::new()));
    assert_eq!(run_session(&[waiting(false)]), (1, Vec::new()));
    assert_eq!(
        run_session(&[waiting(false), waiting(true)]),
        (2, Vec::new())
    );
    // The second approval is requested by a running guest, which is interrupted.
    let twice = run_session(&[waiting(true), waiting(true)]);
    assert_eq!(twice, (2, vec!["todo.clear"]));
}

#[test]
fn an_answer_that_was_accepted_before_the_kill_is_used_or_reported_as_unused() {
    let folder = tempfile::tempdir().expect("a folder");
    let answered = Dies {
        death: Death::Replied(Accepted::Answer),
        approves: false,
    };
    let (died, interrupted) = run_session_in(folder.path(), &[answered; 3]);
    assert_eq!(
        (died, &interrupted[..]),
        (3, &["gallery.prompt", play::LIAR][..])
    );
    let runtime = runtime();
    // A call that only reads runs again, and is given the answer that was accepted.
    let answers = runtime.block_on(answers_of(folder.path(), "weather.forecast"));
    assert_eq!(answers.len(), 2, "of both runs: {answers:?}");
    assert_eq!(answers[0], answers[1]);
    // Of the others, model and person are told.
    let unused = runtime.block_on(reported_as_unused(folder.path(), "unusedAnswers"));
    assert_eq!(unused, interrupted);
}

#[test]
fn a_verdict_that_was_accepted_before_the_kill_is_used_or_reported_as_unused() {
    let folder = tempfile::tempdir().expect("a folder");
    let decided = Dies {
        death: Death::Replied(Accepted::Verdict),
        approves: false,
    };
    // Before a call runs, in a call that runs, and in one that says that it only reads. Nobody is asked
    // again for the first and the last: `Reported` would notice.
    let (died, interrupted) = run_session_in(folder.path(), &[decided; 3]);
    assert_eq!((died, &interrupted[..]), (3, &["todo.clear"][..]));
    let unused = runtime().block_on(reported_as_unused(folder.path(), "unusedVerdicts"));
    assert_eq!(unused, interrupted);
}
