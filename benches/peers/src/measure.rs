//! Measuring several tasks side by side: a sample of each in turn, again and again, and the
//! median of each. So what else the machine does hits all alike.

use crate::count::Counter;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The buffer that a task works on, at the start of a cache line.
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    length: usize,
}

impl Buffer {
    const LINE: usize = 64;

    /// A buffer of a pattern.
    pub(crate) fn new(length: usize) -> Self {
        let bytes: Vec<u8> = vec![0; length + Self::LINE];
        let start = bytes.as_ptr().align_offset(Self::LINE);
        let mut buffer = Buffer { bytes, start, length };
        for (i, byte) in buffer.as_mut().iter_mut().enumerate() {
            *byte = (i * 7 + i / 256) as u8;
        }
        buffer
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.length]
    }
}

impl AsMut<[u8]> for Buffer {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.length]
    }
}

type Call = dyn FnMut(&mut [u8]);

/// Something to measure: one call on a buffer.
pub(crate) struct Task {
    buffer: Buffer,
    call: Box<Call>,
}

impl Task {
    /// A call on a buffer of `length` bytes.
    pub(crate) fn new(length: usize, call: impl FnMut(&mut [u8]) + 'static) -> Self {
        Task { buffer: Buffer::new(length), call: Box::new(call) }
    }

    pub(crate) fn run(&mut self) {
        (self.call)(black_box(self.buffer.as_mut()));
    }

    /// What the last call wrote.
    pub(crate) fn output(&self) -> &[u8] {
        self.buffer.as_ref()
    }

    fn sample(&mut self, calls: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..calls {
            self.run();
        }
        start.elapsed()
    }
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The least time of a sample. Short ones: a sample in which the machine did something else is
    /// an outlier that the median drops.
    pub(crate) sample: Duration,
    /// Samples of each task.
    pub(crate) rounds: usize,
}

/// What is measured.
#[derive(Debug)]
pub(crate) enum Measure {
    /// Nanoseconds, by so much patience.
    Time(Plan),
    /// Instructions, under qemu.
    Instructions(Counter),
}

impl Measure {
    /// What a call of each task costs.
    pub(crate) fn each(&self, tasks: &mut [&mut Task]) -> Vec<f64> {
        match self {
            Measure::Time(plan) => plan.medians(tasks),
            Measure::Instructions(counter) => {
                // The first call may find out what the CPU has.
                tasks.iter_mut().for_each(|task| task.run());
                let count = |task: &mut &mut Task| counter.count(|| task.run()) as f64;
                tasks.iter_mut().map(count).collect()
            }
        }
    }
}

impl Plan {
    pub(crate) const FULL: Plan = Plan { sample: Duration::from_micros(200), rounds: 61 };
    pub(crate) const QUICK: Plan = Plan { sample: Duration::from_micros(100), rounds: 7 };

    /// The median nanoseconds of a call of each task.
    fn medians(&self, tasks: &mut [&mut Task]) -> Vec<f64> {
        let calls: Vec<u32> = tasks.iter_mut().map(|task| self.calls(task)).collect();
        let mut samples = vec![Vec::with_capacity(self.rounds); tasks.len()];
        for round in 0..self.rounds {
            for i in 0..tasks.len() {
                // Each round begins with another one: none is always the first after the last.
                let i = (i + round) % tasks.len();
                let time = tasks[i].sample(calls[i]);
                samples[i].push(time.as_nanos() as f64 / f64::from(calls[i]));
            }
        }
        samples.into_iter().map(median).collect()
    }

    /// How many calls fill a sample. Warms up at the same time.
    fn calls(&self, task: &mut Task) -> u32 {
        let mut calls = 1;
        loop {
            // The shortest of three: one that was interrupted looks full although it is not.
            let samples = [(); 3].map(|()| task.sample(calls));
            let time = samples.into_iter().min().unwrap_or_default();
            if time >= self.sample {
                return calls;
            }
            let short = self.sample.as_nanos() as f64 / (time.as_nanos() as f64).max(20.0);
            calls = (f64::from(calls) * short.clamp(1.5, 10.0)).ceil() as u32;
        }
    }
}

pub(crate) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    if samples.len() % 2 == 1 {
        samples[middle]
    } else {
        (samples[middle - 1] + samples[middle]) / 2.0
    }
}
