//! Random sequences of host calls by one guest, compared with a model of the host.
//!
//! `FOOTLIGHT_SEQUENCES` sets the number of sequences, `FOOTLIGHT_SEED` repeats a run.

use footlight_tests::op_sequences::check;
use footlight_tests::random::Random;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_sequence_of_host_calls_is_answered_as_the_contract_says() {
    let sequences = std::env::var("FOOTLIGHT_SEQUENCES");
    let sequences: u64 = sequences.map_or(300, |number| number.parse().expect("a number"));
    let mut random = Random::seeded();
    for _ in 0..sequences {
        check(&mut random).await;
    }
}

/// As the fuzz target does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_bytes_are_a_sequence_of_host_calls() {
    let mut random = Random::seeded();
    for length in [0, 1, 10, 100, 1_000] {
        let bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
        check(&mut Random::from_bytes(bytes)).await;
    }
}
