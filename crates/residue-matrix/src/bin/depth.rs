//! Prints how deep each function of this build goes, what it says, and what a burn would clear:
//! `depth [--quick] [--profile NAME] [--target NAME] [FILTER…]`. A filter is a part of
//! "cipher/mode/kernel"; a function that is no mode's has an empty one. Exits with 1 if a depth is
//! short or excessive, see [`residue_matrix::depths`]; in the profiles `dev1` and `mixed` only if it
//! is short.

use residue_matrix::depths::{EXCESS, HEAD, SLACK, run};
use residue_matrix::matrix::Extent;
use std::error::Error;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    use lexopt::prelude::*;
    let mut extent = Extent::Full;
    let mut filters = vec![];
    let mut profile = if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned();
    let mut target = std::env::consts::ARCH.to_owned();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("quick") => extent = Extent::Quick,
            Long("profile") => profile = arguments.value()?.string()?,
            Long("target") => target = arguments.value()?.string()?,
            Value(filter) => filters.push(filter.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    if cinder_burn::probe::depth_of(|| ()).is_none() {
        println!("depth: no probe for {target}");
        return Ok(ExitCode::SUCCESS);
    }

    // There some frames have an unoptimised one's margin, which this program, optimised, would take
    // for excess: the ciphers of `mixed`, and at level 1 where a call by a pointer is not inlined.
    let judges_excess = !matches!(profile.as_str(), "dev1" | "mixed");
    println!("{target}, {profile}: bytes of stack below the caller");
    println!("{HEAD}");
    let (mut rows, mut short, mut excessive) = (0, 0, 0);
    let (mut slack, mut overshoot) = (isize::MAX, 0);
    let selected = |cipher: &str, mode: &str, kernel: &str| {
        let name = format!("{cipher}/{mode}/{kernel}");
        filters.is_empty() || filters.iter().any(|filter| name.contains(filter))
    };
    run(extent, selected, |row| {
        println!("{row}");
        rows += 1;
        short += usize::from(row.is_short());
        excessive += usize::from(judges_excess && row.is_excessive());
        slack = slack.min(row.slack());
        overshoot = overshoot.max(row.overshoot());
    });
    if !judges_excess {
        println!("a depth that is excessive is marked, but does not count in this profile");
    }
    if !cfg!(burn_observed) {
        println!("not built with --cfg burn_observed: the public entries were not looked at");
    }
    println!(
        "{target}, {profile}: {rows} functions, {short} short of {SLACK} bytes of slack, {excessive} \
         more than {EXCESS} times too deep; at most {overshoot} bytes below what a function says, at \
         least {slack} of slack"
    );
    Ok(if short + excessive == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
