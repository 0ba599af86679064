//! The tests of many steps: `ITER`, the Monte Carlo tests, and two of single ciphers.

use crate::record::{Mode, Op, Record, Test};
use crate::registry::{BlockCipher, BlockEntry, Cipher8, Keyed, Params};

/// What went wrong with a record.
pub(crate) type Complaint = String;

/// Steps after which a record is too long for a debug build.
const LONG: u32 = 100_000;

/// Steps after which it is too long for each kernel.
const SLOW: u32 = 5_000;

/// Whether the record runs for minutes in a debug build.
pub(crate) fn is_long(record: &Record) -> bool {
    record.count.is_some_and(|count| count > LONG)
}

/// Whether a kernel that is not the cipher's best may take minutes for the record in a debug
/// build.
pub(crate) fn is_slow(record: &Record) -> bool {
    record.count.is_some_and(|count| count >= SLOW)
}

/// Runs a record that has a `Test` other than `WEAK`.
pub(crate) fn run(record: &Record, entry: &BlockEntry, kernel: usize) -> Result<(), Complaint> {
    let key = |key: &[u8]| {
        let params = Params { key, bits: record.bits, allow_weak: true };
        entry.build(&params, kernel).map_err(|error| format!("key refused: {error}"))
    };
    match record.test {
        Some(Test::Cast5Maintenance) => maintenance(record, &key),
        Some(Test::DesRivest) => rivest(record, &key),
        _ => match key(bytes(&record.key))? {
            Keyed::Narrow(cipher) => steps(&*cipher, record),
            Keyed::Wide(cipher) => steps(&*cipher, record),
        },
    }
}

fn bytes(field: &Option<Vec<u8>>) -> &[u8] {
    field.as_deref().unwrap_or_default()
}

fn block<const N: usize>(name: &str, field: &Option<Vec<u8>>) -> Result<[u8; N], Complaint> {
    bytes(field).try_into().map_err(|_| format!("{name} is not {N} bytes"))
}

fn expect(name: &str, expected: &[u8], found: &[u8]) -> Result<(), Complaint> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{name} is {}, not {}", crate::hex(found), crate::hex(expected)))
}

fn steps<const N: usize>(cipher: &dyn BlockCipher<N>, record: &Record) -> Result<(), Complaint> {
    let encrypts = record.op != Some(Op::Decrypt);
    let (from, to, name) = if encrypts {
        (&record.plaintext, &record.ciphertext, "CT")
    } else {
        (&record.ciphertext, &record.plaintext, "PT")
    };
    let count = record.count.unwrap_or(0);
    if record.test == Some(Test::Iterated) {
        // Both ways, whatever Op says: they are each other's inverse.
        let (plaintext, ciphertext) =
            (block::<N>("PT", &record.plaintext)?, block("CT", &record.ciphertext)?);
        let (mut x, mut y) = (plaintext, ciphertext);
        for _ in 0..count {
            let _ = cipher.encrypt_block(&mut x);
            let _ = cipher.decrypt_block(&mut y);
        }
        expect("CT", &ciphertext, &x)?;
        return expect("PT", &plaintext, &y);
    }
    let is_old = record.test != Some(Test::Mct);
    let iv = if record.mode == Mode::Ecb { [0; N] } else { block("IV", &record.iv)? };
    if record.mode == Mode::Cfb8 {
        let found = cfb8(cipher, count, encrypts, is_old, iv, block::<1>("text", from)?[0]);
        return expect(name, bytes(to), &[found]);
    }
    let found = monte_carlo(cipher, record.mode, count, encrypts, is_old, iv, block("text", from)?);
    expect(name, bytes(to), &found)
}

fn e<const N: usize>(cipher: &dyn BlockCipher<N>, mut block: [u8; N]) -> [u8; N] {
    let _ = cipher.encrypt_block(&mut block);
    block
}

fn d<const N: usize>(cipher: &dyn BlockCipher<N>, mut block: [u8; N]) -> [u8; N] {
    let _ = cipher.decrypt_block(&mut block);
    block
}

fn xor<const N: usize>(a: [u8; N], b: [u8; N]) -> [u8; N] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// The inner loop of FORMAT.md's Monte Carlo tests; `is_old` is any but AESAVS's.
fn monte_carlo<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    mode: Mode,
    count: u32,
    encrypts: bool,
    is_old: bool,
    iv: [u8; N],
    text: [u8; N],
) -> [u8; N] {
    // cv is i in OFB; `before` is the output of the step before.
    let (mut input, mut cv, mut before, mut y) = (text, iv, iv, text);
    for _ in 0..count {
        let next;
        match (mode, encrypts) {
            (Mode::Cbc, true) => {
                y = e(cipher, xor(input, cv));
                cv = y;
                next = before;
            }
            (Mode::Cbc, false) => {
                y = xor(d(cipher, input), cv);
                cv = input;
                next = if is_old { y } else { before };
            }
            (Mode::Cfb, _) => {
                let o = e(cipher, cv);
                y = xor(input, o);
                cv = if encrypts { y } else { input };
                next = if is_old && !encrypts { o } else { before };
            }
            (Mode::Ofb, _) => {
                let o = e(cipher, cv);
                y = xor(input, o);
                next = if is_old { cv } else { before };
                cv = o;
            }
            _ => {
                y = if encrypts { e(cipher, input) } else { d(cipher, input) };
                next = y;
            }
        }
        (input, before) = (next, y);
    }
    y
}

fn cfb8<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    count: u32,
    encrypts: bool,
    is_old: bool,
    iv: [u8; N],
    text: u8,
) -> u8 {
    // `history` is IV and then every output, of which the last N are kept.
    let (mut input, mut i, mut history, mut y) = (text, iv, iv, text);
    for _ in 0..count {
        let o = e(cipher, i)[0];
        y = input ^ o;
        let ciphertext = if encrypts { y } else { input };
        input = match (is_old, encrypts) {
            (false, _) => history[0],
            (true, true) => i[0],
            (true, false) => o,
        };
        i.rotate_left(1);
        i[N - 1] = ciphertext;
        history.rotate_left(1);
        history[N - 1] = y;
    }
    y
}

/// RFC 2144 B.2.
fn maintenance(
    record: &Record,
    key: &dyn Fn(&[u8]) -> Result<Keyed, Complaint>,
) -> Result<(), Complaint> {
    let [a, b, a_end, b_end] = &record.maintenance;
    let (mut a, mut b) = (block::<16>("A0", a)?, block::<16>("B0", b)?);
    for _ in 0..record.count.unwrap_or(0) {
        halves(&*narrow(key(&b)?)?, &mut a);
        halves(&*narrow(key(&a)?)?, &mut b);
    }
    expect("A1", bytes(a_end), &a)?;
    expect("B1", bytes(b_end), &b)
}

fn halves(cipher: &Cipher8, text: &mut [u8; 16]) {
    let _ = cipher.encrypt_blocks(text.as_chunks_mut().0);
}

fn narrow(cipher: Keyed) -> Result<Box<Cipher8>, Complaint> {
    match cipher {
        Keyed::Narrow(cipher) => Ok(cipher),
        Keyed::Wide(_) => Err("not a cipher of 8-byte blocks".into()),
    }
}

/// Rivest's test of DES: sixteen steps, each keyed with its own input.
fn rivest(
    record: &Record,
    key: &dyn Fn(&[u8]) -> Result<Keyed, Complaint>,
) -> Result<(), Complaint> {
    let mut x = block::<8>("PT", &record.plaintext)?;
    for i in 0..16 {
        let cipher = narrow(key(&x)?)?;
        x = if i % 2 == 0 { e(&*cipher, x) } else { d(&*cipher, x) };
    }
    expect("CT", bytes(&record.ciphertext), &x)
}
