//! Random sequences of all that a streaming mode can be asked to do, calls that are refused among
//! them, against the model of one message: state that a rare order of calls leaves wrong shows.

mod common;

use cinder_modes::ctr::Ctr;
use cinder_modes::{CounterError, LengthError, cfb, cfb8, ofb::Ofb};
use common::{Toy, model};
use proptest::prelude::*;

/// What to do next. The numbers are cut to what makes sense where they are used.
#[derive(Clone, Debug)]
enum Step {
    /// Encrypt so many bytes in place.
    InPlace(usize),
    /// The same from one buffer to another.
    To(usize),
    /// Give buffers of different lengths: refused.
    Unequal(usize, usize),
    /// Begin another message, whose IV is this byte repeated (and ff at the end).
    Restart(u8),
    /// Go on in a new value, through the readable state.
    Resume,
    /// Ask for a state that cannot be: refused.
    BadResume(usize),
    /// CFB: OpenPGP's step. CTR: seek.
    Jump(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let len = || prop_oneof![0usize..4, 0usize..40, 0usize..700];
    let step = prop_oneof![
        4 => len().prop_map(Step::InPlace),
        3 => len().prop_map(Step::To),
        1 => (len(), len()).prop_map(|(a, b)| Step::Unequal(a, b)),
        1 => any::<u8>().prop_map(Step::Restart),
        2 => Just(Step::Resume),
        1 => (0usize..50).prop_map(Step::BadResume),
        2 => (0usize..3000).prop_map(Step::Jump),
    ];
    prop::collection::vec(step, 1..40)
}

fn iv<const N: usize>(byte: u8) -> [u8; N] {
    let mut iv = [0xff; N];
    iv[..N / 2].fill(byte);
    iv
}

fn message(from: usize, len: usize) -> Vec<u8> {
    (from..from + len).map(|i| (i * 7 + i / 256) as u8).collect()
}

/// The message so far: what went in and what must have come out.
struct History<const N: usize> {
    iv: [u8; N],
    input: Vec<u8>,
    whole: fn(&Toy<N>, &[u8; N], &[u8]) -> Vec<u8>,
}

impl<const N: usize> History<N> {
    fn restart(&mut self, iv: [u8; N]) {
        self.iv = iv;
        self.input.clear();
    }

    fn next(&mut self, toy: &Toy<N>, len: usize) -> (Vec<u8>, Vec<u8>) {
        let at = self.input.len();
        let piece = message(at, len);
        self.input.extend(&piece);
        (piece, (self.whole)(toy, &self.iv, &self.input).split_off(at))
    }
}

fn cfb<const N: usize>(toy: &Toy<N>, steps: &[Step], encrypt: bool) {
    let mut history = History {
        iv: iv(0),
        input: vec![],
        whole: if encrypt {
            |toy, iv, data| model::cfb_encrypt(toy, iv, data)
        } else {
            |toy, iv, data| model::cfb_decrypt(toy, iv, data)
        },
    };
    /// Either direction.
    enum Either<'a, const N: usize> {
        E(cfb::Encryptor<&'a Toy<N>, N>),
        D(cfb::Decryptor<&'a Toy<N>, N>),
    }
    macro_rules! either {
        ($value:expr, $mode:ident => $encrypt:expr, $decrypt:expr) => {
            match &mut $value {
                Either::E($mode) => $encrypt,
                Either::D($mode) => $decrypt,
            }
        };
    }
    let new = |iv: &[u8; N]| {
        if encrypt {
            Either::E(cfb::Encryptor::new(toy, iv))
        } else {
            Either::D(cfb::Decryptor::new(toy, iv))
        }
    };
    let mut mode = new(&history.iv);
    for step in steps {
        match *step {
            Step::InPlace(len) => {
                let (mut data, expected) = history.next(toy, len);
                either!(mode, m => m.encrypt(&mut data), m.decrypt(&mut data));
                assert_eq!(data, expected);
            }
            Step::To(len) => {
                let (data, expected) = history.next(toy, len);
                let mut output = vec![0xee; len];
                either!(mode, m => m.encrypt_to(&data, &mut output), m.decrypt_to(&data, &mut output))
                    .unwrap();
                assert_eq!(output, expected);
            }
            Step::Unequal(a, b) => {
                let mut output = vec![0xee; a + b + 1];
                let data = vec![1; a];
                let result = either!(
                    mode,
                    m => m.encrypt_to(&data, &mut output),
                    m.decrypt_to(&data, &mut output)
                );
                assert_eq!(result, Err(LengthError::Unequal));
                assert!(output.iter().all(|byte| *byte == 0xee));
            }
            Step::Restart(byte) => {
                history.restart(iv(byte));
                either!(mode, m => m.restart(&history.iv), m.restart(&history.iv));
            }
            Step::Resume => {
                let (chain, partial) = either!(
                    mode,
                    m => (*m.chain(), m.partial().to_vec()),
                    (*m.chain(), m.partial().to_vec())
                );
                let mut next = new(&[0x3c; N]);
                either!(next, m => m.encrypt(&mut [9; 3]), m.decrypt(&mut [9; 3]));
                either!(next, m => m.resume(&chain, &partial), m.resume(&chain, &partial)).unwrap();
                mode = next;
            }
            Step::BadResume(len) => {
                let partial = vec![1; N + len];
                let result = either!(
                    mode,
                    m => m.resume(&[1; N], &partial),
                    m.resume(&[1; N], &partial)
                );
                assert_eq!(result, Err(LengthError::Long));
            }
            Step::Jump(_) => {
                either!(mode, m => m.resynchronize(), m.resynchronize());
                let ciphertext = match encrypt {
                    true => model::cfb_encrypt(toy, &history.iv, &history.input),
                    false => history.input.clone(),
                };
                let all = [&history.iv[..], &ciphertext].concat();
                history.restart(*all.last_chunk().unwrap());
            }
        }
    }
}

fn cfb8<const N: usize>(toy: &Toy<N>, steps: &[Step]) {
    let mut there = History {
        iv: iv(0),
        input: vec![],
        whole: |toy, iv, data| model::cfb8_encrypt(toy, iv, data),
    };
    let mut encryptor = cfb8::Encryptor::new(toy, &there.iv);
    let mut decryptor = cfb8::Decryptor::new(toy, &there.iv);
    for step in steps {
        match *step {
            Step::InPlace(len) => {
                let (plaintext, expected) = there.next(toy, len % 100);
                let mut data = plaintext.clone();
                encryptor.encrypt(&mut data);
                assert_eq!(data, expected);
                decryptor.decrypt(&mut data);
                assert_eq!(data, plaintext);
            }
            Step::To(len) => {
                let (plaintext, expected) = there.next(toy, len % 100);
                let (mut data, mut back) = (plaintext.clone(), plaintext.clone());
                encryptor.encrypt_to(&plaintext, &mut data).unwrap();
                assert_eq!(data, expected);
                decryptor.decrypt_to(&data, &mut back).unwrap();
                assert_eq!(back, plaintext);
            }
            Step::Unequal(a, b) => {
                let (data, mut output) = (vec![1; a], vec![0xee; a + b + 1]);
                assert_eq!(encryptor.encrypt_to(&data, &mut output), Err(LengthError::Unequal));
                assert_eq!(decryptor.decrypt_to(&data, &mut output), Err(LengthError::Unequal));
                assert!(output.iter().all(|byte| *byte == 0xee));
            }
            Step::Restart(byte) => {
                there.restart(iv(byte));
                encryptor.restart(&there.iv);
                decryptor.restart(&there.iv);
            }
            Step::Resume => {
                assert_eq!(encryptor.chain(), decryptor.chain());
                encryptor = cfb8::Encryptor::new(toy, decryptor.chain());
                decryptor = cfb8::Decryptor::new(toy, encryptor.chain());
            }
            Step::BadResume(_) | Step::Jump(_) => {}
        }
    }
}

fn ofb<const N: usize>(toy: &Toy<N>, steps: &[Step]) {
    let mut history =
        History { iv: iv(0), input: vec![], whole: |toy, iv, data| model::ofb(toy, iv, data) };
    let mut mode = Ofb::new(toy, &history.iv);
    for step in steps {
        match *step {
            Step::InPlace(len) => {
                let (mut data, expected) = history.next(toy, len);
                mode.apply_keystream(&mut data);
                assert_eq!(data, expected);
            }
            Step::To(len) => {
                let (data, expected) = history.next(toy, len);
                let mut output = vec![0xee; len];
                mode.apply_keystream_to(&data, &mut output).unwrap();
                assert_eq!(output, expected);
            }
            Step::Unequal(a, b) => {
                let mut output = vec![0xee; a + b + 1];
                let result = mode.apply_keystream_to(&vec![1; a], &mut output);
                assert_eq!(result, Err(LengthError::Unequal));
                assert!(output.iter().all(|byte| *byte == 0xee));
            }
            Step::Restart(byte) => {
                history.restart(iv(byte));
                mode.restart(&history.iv);
            }
            Step::Resume => {
                let mut next = Ofb::new(toy, &[0x3c; N]);
                next.apply_keystream(&mut [9; 3]);
                next.resume(mode.chain(), mode.used()).unwrap();
                mode = next;
            }
            Step::BadResume(used) => {
                assert_eq!(mode.resume(&[1; N], N + 1 + used), Err(LengthError::Long));
            }
            Step::Jump(_) => {}
        }
    }
}

fn ctr<const N: usize>(toy: &Toy<N>, steps: &[Step], width: usize) {
    let mut iv = iv::<N>(0);
    // Whatever the steps ask for, or all that a counter of one byte gives.
    let len = if width == 1 { 256 * N } else { 4000 };
    let mut keystream = model::ctr(toy, &iv, width, &vec![0; len]);
    let mut at = 0;
    let mut mode = Ctr::with_width(toy, &iv, width).unwrap();
    for step in steps {
        match *step {
            Step::InPlace(count) | Step::To(count) => {
                let data = message(at, count);
                let mut output = data.clone();
                let result = match step {
                    Step::InPlace(_) => mode.apply_keystream(&mut output),
                    _ => mode.apply_keystream_to(&data, &mut output),
                };
                if at + count > len && width == 1 {
                    assert_eq!(result, Err(CounterError::Exhausted));
                    assert_eq!(output, data);
                } else if at + count > len {
                    // Beyond what the model computed.
                    mode.seek(at as u128).unwrap();
                } else {
                    let expected: Vec<u8> =
                        data.iter().zip(&keystream[at..]).map(|(a, b)| a ^ b).collect();
                    assert_eq!((result, output), (Ok(()), expected));
                    at += count;
                }
            }
            Step::Unequal(a, b) => {
                let mut output = vec![0xee; a + b + 1];
                let result = mode.apply_keystream_to(&vec![1; a], &mut output);
                assert_eq!(result, Err(CounterError::Length(LengthError::Unequal)));
                assert!(output.iter().all(|byte| *byte == 0xee));
            }
            Step::Restart(byte) => {
                iv = self::iv(byte);
                keystream = model::ctr(toy, &iv, width, &vec![0; len]);
                at = 0;
                mode.restart(&iv);
            }
            Step::Resume => {
                let position = mode.position();
                mode = Ctr::with_width(toy, mode.iv(), mode.width()).unwrap();
                mode.seek(position).unwrap();
            }
            Step::BadResume(beyond) => {
                let result = mode.seek((256 * N + 1 + beyond) as u128);
                if width == 1 {
                    assert_eq!(result, Err(CounterError::Exhausted));
                } else {
                    mode.seek(at as u128).unwrap();
                }
            }
            Step::Jump(to) => {
                at = to.min(len);
                mode.seek(at as u128).unwrap();
            }
        }
        assert_eq!(mode.position(), at as u128);
        assert_eq!(mode.iv(), &iv);
        if width == 1 {
            assert_eq!(mode.remaining(), (len - at) as u128);
        }
        let mut counter = iv;
        (0..at.div_ceil(N)).for_each(|_| model::increment(&mut counter, width));
        assert_eq!(mode.counter(), &counter);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_order_of_calls(key: [u8; 16], steps in steps(), width in 1usize..=16) {
        let toy = Toy { key };
        cfb(&toy, &steps, true);
        cfb(&toy, &steps, false);
        cfb8(&toy, &steps);
        ofb(&toy, &steps);
        ctr(&toy, &steps, width);
        ctr(&toy, &steps, 1);
    }

    #[test]
    fn any_order_of_calls_with_blocks_of_8(key: [u8; 8], steps in steps(), width in 1usize..=8) {
        let toy = Toy { key };
        cfb(&toy, &steps, true);
        cfb(&toy, &steps, false);
        cfb8(&toy, &steps);
        ofb(&toy, &steps);
        ctr(&toy, &steps, width);
        ctr(&toy, &steps, 1);
    }
}

/// As far as a position goes, and no panic there.
#[test]
fn ends_of_positions() {
    let toy = Toy { key: [3; 16] };
    for width in 1..=16 {
        let mut mode = Ctr::with_width(&toy, &[0xff; 16], width).unwrap();
        let end = mode.remaining();
        for back in [0, 1, 15, 16, 17, 33] {
            mode.seek(end - back).unwrap();
            assert_eq!((mode.position(), mode.remaining()), (end - back, back));
            let mut data = [0x5a; 34];
            let result = mode.apply_keystream(&mut data[..back as usize + 1]);
            assert_eq!((result, data), (Err(CounterError::Exhausted), [0x5a; 34]));
            mode.apply_keystream(&mut data[..back as usize]).unwrap();
            assert_eq!(mode.remaining(), 0);
        }
        for position in [end.saturating_add(1), u128::MAX - 15, u128::MAX] {
            assert_eq!(mode.seek(position).is_err(), position > end, "{width}");
        }
    }
}
