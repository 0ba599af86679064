//! Gate networks for the S-boxes of DES, by search: a tool for whoever works on DES, no example of
//! how to use this crate.
//!
//! ```text
//! cargo run --release -p cinder-block --features des --example des_sboxes -- SEED STEPS
//! ```
//!
//! Prints the functions of `src/des/networks.rs`, whose head tells seed and steps. The method follows M. Kwan, "Reducing the
//! Gate Count of Bitslice DES" (2000), and adds a local search:
//!
//! 1. An output is a map of 64 bits, one for each input, and a mask of those that matter. If a
//!    gate has that map already, take it; else try one gate on two that are there, else two gates
//!    on three. Else split on an input: build the map where the input is 0, then what is to be
//!    XORed into it where the input is 1 (or the other way round), both with half the mask.
//! 2. With all four outputs built, rip up: take any gate with the gates that serve it alone, work
//!    out on which inputs its value reaches an output at all, and build it anew from the rest. A
//!    network that is no larger replaces the former, and now and then one that is larger by one.
//!
//! A run is determined by its seed and its number of steps.

use std::fmt::Write as _;

#[expect(dead_code, reason = "the S-boxes alone are used")]
#[path = "../src/des/tables.rs"]
mod tables;

/// The inputs a1 to a6, a1 the most significant bit of the six, as maps: bit x of `INPUTS[i]` is
/// the value of that input for the six bits x.
const INPUTS: [u64; 6] = [
    0xffff_ffff_0000_0000,
    0xffff_0000_ffff_0000,
    0xff00_ff00_ff00_ff00,
    0xf0f0_f0f0_f0f0_f0f0,
    0xcccc_cccc_cccc_cccc,
    0xaaaa_aaaa_aaaa_aaaa,
];

fn main() {
    let numbers: Result<Vec<u64>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let Ok([seed, steps]) = numbers.as_deref() else { panic!("usage: des_sboxes SEED STEPS") };
    for (rows, number) in tables::S.iter().zip(1..) {
        let network = search(&outputs(rows), seed + number - 1, *steps);
        println!("{}", network.function(number));
        eprintln!("S{number}: {} gates", network.gates.len() - 6);
    }
}

/// The four outputs of a box as maps, the most significant first. The row of an entry is a1 a6,
/// its column a2 a3 a4 a5.
fn outputs(rows: &[u8; 64]) -> [u64; 4] {
    let mut maps = [0; 4];
    for x in 0..64 {
        let (row, column) = (x >> 4 & 2 | x & 1, x >> 1 & 15);
        for (i, map) in maps.iter_mut().enumerate() {
            *map |= u64::from(rows[16 * row + column] >> (3 - i) & 1) << x;
        }
    }
    maps
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Input,
    And,
    Or,
    Xor,
    /// x & !y
    AndNot,
    /// !x
    Not,
}

impl Op {
    /// The map of a gate on two others.
    fn of(self, a: u64, b: u64) -> u64 {
        match self {
            Op::Input => a,
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::AndNot => a & !b,
            Op::Not => !a,
        }
    }
}

/// A gate on two earlier ones, and its map.
#[derive(Clone, Copy, Debug)]
struct Gate {
    op: Op,
    x: usize,
    y: usize,
    map: u64,
}

/// Gates in an order in which each stands after those it uses; the inputs are the first six.
#[derive(Clone, Debug)]
struct Network {
    gates: Vec<Gate>,
    outputs: [usize; 4],
}

/// xorshift64*, by G. Marsaglia and S. Vigna.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i + 1);
            items.swap(i, j);
        }
    }
}

/// What is wanted of a gate: its map where the mask is 1.
#[derive(Clone, Copy)]
struct Want {
    map: u64,
    mask: u64,
}

impl Want {
    fn is(self, map: u64) -> bool {
        (map ^ self.map) & self.mask == 0
    }

    /// Ones that must be ones, and zeros that must be zeros.
    fn ones(self) -> u64 {
        self.map & self.mask
    }

    fn zeros(self) -> u64 {
        !self.map & self.mask
    }
}

impl Network {
    fn new() -> Self {
        let input = |&map| Gate { op: Op::Input, x: 0, y: 0, map };
        Network { gates: INPUTS.iter().map(input).collect(), outputs: [0; 4] }
    }

    fn map(&self, i: usize) -> u64 {
        self.gates[i].map
    }

    fn push(&mut self, op: Op, x: usize, y: usize) -> usize {
        let map = op.of(self.map(x), self.map(y));
        self.gates.push(Gate { op, x, y, map });
        self.gates.len() - 1
    }

    /// A gate that is there.
    fn find0(&self, want: Want, order: &[usize]) -> Option<usize> {
        order.iter().copied().find(|&i| want.is(self.map(i)))
    }

    /// At most one new gate.
    fn find1(&mut self, want: Want, order: &[usize]) -> Option<usize> {
        if let Some(found) = self.find0(want, order) {
            return Some(found);
        }
        let (ones, zeros) = (want.ones(), want.zeros());
        for (at, &x) in order.iter().enumerate() {
            let a = self.map(x);
            if want.is(!a) {
                return Some(self.push(Op::Not, x, x));
            }
            let (above, below) = (ones & !a == 0, zeros & a == 0);
            let rest = &order[at + 1..];
            if let Some(&y) = rest.iter().find(|&&y| want.is(a ^ self.map(y))) {
                return Some(self.push(Op::Xor, x, y));
            }
            if above {
                if let Some(&y) = rest.iter().find(|&&y| want.is(a & self.map(y))) {
                    return Some(self.push(Op::And, x, y));
                }
                if let Some(&y) = order.iter().find(|&&y| want.is(a & !self.map(y))) {
                    return Some(self.push(Op::AndNot, x, y));
                }
            }
            if below && let Some(&y) = rest.iter().find(|&&y| want.is(a | self.map(y))) {
                return Some(self.push(Op::Or, x, y));
            }
        }
        None
    }

    /// At most `depth` + 1 new gates, each on top of the one before.
    fn find(&mut self, want: Want, depth: usize, order: &[usize]) -> Option<usize> {
        if depth == 0 {
            return self.find1(want, order);
        }
        for &x in order {
            let a = self.map(x);
            let with = |map, mask| Want { map, mask };
            let (ones, zeros) = (want.ones(), want.zeros());
            if let Some(y) = self.find(with(want.map ^ a, want.mask), depth - 1, order) {
                return Some(self.push(Op::Xor, x, y));
            }
            // Where one operand decides, the other is free.
            if ones & !a == 0 {
                if let Some(y) = self.find(with(want.map, want.mask & a), depth - 1, order) {
                    return Some(self.push(Op::And, x, y));
                }
                if let Some(y) = self.find(with(!want.map, want.mask & a), depth - 1, order) {
                    return Some(self.push(Op::AndNot, x, y));
                }
            }
            if ones & a == 0
                && let Some(y) = self.find(with(want.map, want.mask & !a), depth - 1, order)
            {
                return Some(self.push(Op::AndNot, y, x));
            }
            if zeros & a == 0
                && let Some(y) = self.find(with(want.map, want.mask & !a), depth - 1, order)
            {
                return Some(self.push(Op::Or, x, y));
            }
        }
        None
    }

    /// Builds what is wanted with at most `budget` new gates. `free` are the inputs that it has
    /// not been split on, `tries` how many of them to try.
    fn build(
        &mut self,
        want: Want,
        budget: usize,
        free: &[usize],
        tries: usize,
        random: &mut Random,
    ) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.gates.len()).collect();
        random.shuffle(&mut order);
        if budget == 0 {
            return self.find0(want, &order);
        }
        if let Some(found) = self.find1(want, &order) {
            return Some(found);
        }
        if budget >= 2
            && let Some(found) = self.find(want, 1, &order)
        {
            return Some(found);
        }
        if budget < 3 {
            return None;
        }
        // Three gates cost a hundred times the time of two.
        if random.below(40) == 0
            && let Some(found) = self.find(want, 2, &order)
        {
            return Some(found);
        }

        let length = self.gates.len();
        let mut budget = budget;
        let mut best: Option<(Vec<Gate>, usize)> = None;
        let mut free = free.to_vec();
        random.shuffle(&mut free);
        for (at, &input) in free.iter().enumerate().take(tries) {
            let mut rest = free.clone();
            rest.remove(at);
            let first_on = random.below(2) == 0;
            for on in [first_on, !first_on] {
                if budget < 3 {
                    break;
                }
                let half = if on { INPUTS[input] } else { !INPUTS[input] };
                let fewer = if tries > 2 { tries - 1 } else { 1 };
                let found = self.split(want, half, on, input, budget, &rest, fewer, random);
                if let Some(found) = found {
                    let used = self.gates.len() - length;
                    best = Some((self.gates[length..].to_vec(), found));
                    budget = used - 1;
                }
                self.gates.truncate(length);
            }
        }
        let (gates, found) = best?;
        self.gates.extend(gates);
        Some(found)
    }

    #[expect(clippy::too_many_arguments, reason = "they are the state of the recursion")]
    fn split(
        &mut self,
        want: Want,
        half: u64,
        on: bool,
        input: usize,
        budget: usize,
        free: &[usize],
        tries: usize,
        random: &mut Random,
    ) -> Option<usize> {
        let length = self.gates.len();
        let here = Want { map: want.map, mask: want.mask & half };
        let x = self.build(here, budget - 2, free, tries, random)?;
        let left = (budget - 2).checked_sub(self.gates.len() - length)?;
        let there = Want { map: want.map ^ self.map(x), mask: want.mask & !half };
        let y = self.build(there, left, free, tries, random)?;
        let op = if on { Op::AndNot } else { Op::And };
        let only = self.push(op, y, input);
        Some(self.push(Op::Xor, x, only))
    }

    /// Which gates an output needs.
    fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.gates.len()];
        for output in self.outputs {
            live[output] = true;
        }
        for i in (6..self.gates.len()).rev() {
            if live[i] {
                live[self.gates[i].x] = true;
                live[self.gates[i].y] = true;
            }
        }
        live[..6].fill(true);
        live
    }

    /// Copies the gates that `keep` names into `to`; `place` says where each gate stands there.
    fn copy(&self, keep: impl Fn(usize) -> bool, to: &mut Network, place: &mut [usize]) {
        for (i, gate) in self.gates.iter().enumerate().skip(6) {
            if keep(i) {
                place[i] = to.push(gate.op, place[gate.x], place[gate.y]);
            }
        }
    }

    /// Without the gates that no output needs.
    fn pruned(&self) -> Network {
        let live = self.live();
        let mut pruned = Network::new();
        let mut place: Vec<usize> = (0..self.gates.len()).collect();
        self.copy(|i| live[i], &mut pruned, &mut place);
        pruned.outputs = self.outputs.map(|output| place[output]);
        pruned
    }

    /// Rips up one gate and builds it anew, with at most `spare` gates more than before.
    fn rebuilt(&self, wanted: &[u64; 4], spare: usize, random: &mut Random) -> Option<Network> {
        let count = self.gates.len();
        let chosen = if random.below(8) == 0 {
            self.outputs[random.below(4)]
        } else {
            6 + random.below(count - 6)
        };
        if chosen < 6 {
            return None;
        }
        // Gates that hear of it, and the inputs on which an output does.
        let mut above = vec![false; count];
        above[chosen] = true;
        let mut flipped: Vec<u64> = self.gates.iter().map(|gate| gate.map).collect();
        flipped[chosen] = !flipped[chosen];
        for i in chosen + 1..count {
            let gate = self.gates[i];
            above[i] = above[gate.x] || above[gate.y];
            flipped[i] = gate.op.of(flipped[gate.x], flipped[gate.y]);
        }
        let mask = self.outputs.iter().fold(0, |mask, &i| mask | (flipped[i] ^ self.map(i)));

        // Gates that serve it alone: not alive once it is an input.
        let mut without = self.clone();
        without.gates[chosen] = Gate { op: Op::Input, x: 0, y: 0, map: 0 };
        let live = without.live();
        let ripped = (6..count).filter(|&i| i == chosen || !live[i]).count();

        let mut new = Network::new();
        let mut place: Vec<usize> = (0..count).collect();
        self.copy(|i| live[i] && !above[i], &mut new, &mut place);
        let want = Want { map: self.map(chosen), mask };
        let mut free: Vec<usize> = (0..6).collect();
        random.shuffle(&mut free);
        let tries = if random.below(8) == 0 { 6 } else { 2 };
        place[chosen] = new.build(want, ripped + spare, &free, tries, random)?;
        self.copy(|i| live[i] && above[i] && i != chosen, &mut new, &mut place);
        new.outputs = self.outputs.map(|output| place[output]);
        let right = new.outputs.iter().zip(wanted).all(|(&i, &map)| new.map(i) == map);
        right.then(|| new.pruned())
    }

    /// As a function of the bitsliced kernel.
    fn function(&self, number: u64) -> String {
        let name = |i: usize| match i {
            0..6 => format!("a{}", i + 1),
            _ => format!("x{}", i - 5),
        };
        let mut text = format!(
            "/// S{number}: {} gates.\n#[inline(always)]\n\
             pub(super) fn s{number}<W: Word>([a1, a2, a3, a4, a5, a6]: &[W; 6]) -> [W; 4] {{\n",
            self.gates.len() - 6
        );
        for (i, gate) in self.gates.iter().enumerate().skip(6) {
            // The inputs are references.
            let reference = if gate.y < 6 { "" } else { "&" };
            let (x, y) = (name(gate.x), name(gate.y));
            let value = match gate.op {
                Op::Input => x,
                Op::And => format!("{x}.and({reference}{y})"),
                Op::Or => format!("{x}.or({reference}{y})"),
                Op::Xor => format!("{x}.xor({reference}{y})"),
                Op::AndNot => format!("{x}.and_not({reference}{y})"),
                Op::Not => format!("{x}.not()"),
            };
            let _ = writeln!(text, "    let {} = {value};", name(i));
        }
        let _ = writeln!(text, "    [{}]\n}}", self.outputs.map(name).join(", "));
        text
    }
}

/// A network for one box: several starts, and from the best of them `steps` steps.
fn search(wanted: &[u64; 4], seed: u64, steps: u64) -> Network {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut best = start(wanted, &mut random);
    for _ in 0..20 {
        let mut other = start(wanted, &mut random);
        for _ in 0..steps / 40 {
            step(&mut other, wanted, 0, &mut random);
        }
        if other.gates.len() < best.gates.len() {
            best = other;
        }
    }
    let mut current = best.clone();
    for _ in 0..steps / 2 {
        let spare = usize::from(current.gates.len() <= best.gates.len() && random.below(50) == 0);
        step(&mut current, wanted, spare, &mut random);
        if current.gates.len() <= best.gates.len() {
            best = current.clone();
        } else if random.below(400) == 0 {
            current = best.clone();
        }
    }
    best
}

fn step(network: &mut Network, wanted: &[u64; 4], spare: usize, random: &mut Random) {
    if let Some(new) = network.rebuilt(wanted, spare, random) {
        *network = new;
    }
}

/// The four outputs one after the other, in a random order.
fn start(wanted: &[u64; 4], random: &mut Random) -> Network {
    let mut network = Network::new();
    let mut order = [0, 1, 2, 3];
    random.shuffle(&mut order);
    for output in order {
        let want = Want { map: wanted[output], mask: u64::MAX };
        let free = [0, 1, 2, 3, 4, 5];
        // Splitting all the way down to constants needs far fewer.
        let found = network.build(want, 200, &free, 2, random);
        network.outputs[output] = found.expect("a split on six inputs leaves one bit");
    }
    network.pruned()
}
