//! Depths in the profile that the tests run in, and the check's own controls: a depth that is too
//! short and one that is too deep must fail.

use cinder_burn::Depth;
use cinder_burn::probe::{ProbeError, Report, verify};
use residue_matrix::depths::{EXCESS, Row, SHALLOW, SLACK, run};
use residue_matrix::matrix::Extent;
use std::hint::black_box;

fn is_probed() -> bool {
    cinder_burn::probe::depth_of(|| ()).is_some()
}

#[test]
fn depths_are_honest() {
    if !is_probed() {
        return;
    }
    let mut functions = 0;
    let all = |_: &str, _: &str, _: &str| true;
    // A function that returns early has the frame of all of it, which is larger with wider vectors.
    let wide_frames = cfg!(all(target_arch = "x86_64", target_feature = "avx2"));
    run(Extent::Full, all, |row| {
        functions += 1;
        assert!(!row.is_short(), "{row}");
        assert!(row.is_fine() || wide_frames, "{row}");
    });
    assert!(functions > 200, "{functions}");
}

fn row(f: impl FnOnce() -> Depth) -> Row {
    match verify(f) {
        Ok(report) | Err(ProbeError::Short(report)) => Row::new("", "", "", &[report]),
        Err(error) => panic!("{error}"),
    }
}

#[inline(never)]
fn soil<const LEN: usize>() -> Depth {
    let mut frame = [7u8; LEN];
    black_box(&mut frame);
    Depth::here()
}

/// Says that it did nothing, and half of what it did, and all.
#[test]
fn short_depths_fail() {
    if !is_probed() {
        return;
    }
    let short = row(|| {
        let _ = soil::<9000>();
        Depth::NONE
    });
    assert!(short.is_short() && !short.is_fine() && short.slack() < -4000, "{short}");
    assert!(short.to_string().ends_with("  SHORT"), "{short}");
    let half = row(|| {
        let here = Depth::here();
        here.deeper(soil::<20000>().bytes() / 2)
    });
    assert!(half.is_short() && !half.is_excessive(), "{half}");
    let whole = row(soil::<9000>);
    assert!(whole.is_fine() && whole.slack() >= SLACK, "{whole}");
}

#[test]
fn excessive_depths_fail() {
    if !is_probed() {
        return;
    }
    let deep = row(|| soil::<3000>().deeper(40_000));
    assert!(deep.is_excessive() && !deep.is_short() && !deep.is_fine(), "{deep}");
    assert!(deep.to_string().contains("EXCESSIVE"), "{deep}");
    let twice = row(|| soil::<3000>().deeper(3000));
    assert!(twice.is_fine(), "{twice}");
}

/// To the byte.
#[test]
fn limits() {
    let row =
        |dirtied, declared, burnt| Row::new("", "", "", &[Report { dirtied, declared, burnt }]);
    let slack = SLACK as usize;
    assert!(row(1000, 900, 1000 + slack).is_fine());
    assert!(row(1000, 900, 1000 + slack - 1).is_short());
    assert!(row(100, 100 * EXCESS, 5000).is_fine());
    assert!(row(100, 101 * EXCESS, 5000).is_excessive());
    assert!(row(1, SHALLOW, 5000).is_fine());
    assert!(row(1, SHALLOW + 1, 5000).is_excessive());
    // The worst of several calls, each in its own way.
    let fine = Report { dirtied: 500, declared: 500, burnt: 700 };
    let short = Report { burnt: 400, ..fine };
    let deep = Report { declared: 5000, burnt: 5200, ..fine };
    let all = Row::new("", "", "", &[fine, short, deep, fine]);
    assert_eq!((all.tightest, all.loosest), (short, deep));
}
