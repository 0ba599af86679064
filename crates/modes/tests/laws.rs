//! Laws of every mode: it equals the model, any cutting equals one shot, buffer to buffer equals in
//! place, decryption inverts. With blocks of 8 and 16 bytes, through `dyn`.

mod common;

use cinder_block::{Aes128, BlockDecrypt, BlockEncrypt};
use cinder_modes::{LengthError, cbc, cfb, cfb8, ctr::Ctr, ecb, ofb::Ofb};
use common::{Toy, model};
use proptest::prelude::*;

trait Both<const N: usize>: BlockEncrypt<N> + BlockDecrypt<N> {}
impl<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize> Both<N> for C {}

type InPlace<'a> = Box<dyn FnMut(&mut [u8]) + 'a>;
type To<'a> = Box<dyn FnMut(&[u8], &mut [u8]) -> Result<(), LengthError> + 'a>;

/// One direction of one mode.
struct Subject<'a> {
    name: &'static str,
    /// Pieces are multiples of this.
    unit: usize,
    in_place: InPlace<'a>,
    to: To<'a>,
    expected: Vec<u8>,
}

fn subjects<'a, const N: usize>(
    cipher: &'a dyn Both<N>,
    iv: &'a [u8; N],
    data: &[u8],
) -> Vec<Subject<'a>> {
    let blocks = &data[..data.len() / N * N];
    let mut subjects = vec![];
    let mut add = |name, unit, in_place, to, expected| {
        subjects.push(Subject { name, unit, in_place, to, expected });
    };

    let mut one = ecb::Encryptor::new(cipher);
    let mut two = ecb::Encryptor::new(cipher);
    add(
        "ECB encryption",
        N,
        Box::new(move |data: &mut [u8]| one.encrypt(data).unwrap()) as InPlace<'a>,
        Box::new(move |from: &[u8], to: &mut [u8]| two.encrypt_to(from, to)) as To<'a>,
        model::ecb_encrypt(&cipher, blocks),
    );
    let mut one = ecb::Decryptor::new(cipher);
    let mut two = ecb::Decryptor::new(cipher);
    add(
        "ECB decryption",
        N,
        Box::new(move |data: &mut [u8]| one.decrypt(data).unwrap()),
        Box::new(move |from: &[u8], to: &mut [u8]| two.decrypt_to(from, to)),
        model::ecb_decrypt(&cipher, blocks),
    );
    let mut one = cbc::Encryptor::new(cipher, iv);
    let mut two = cbc::Encryptor::new(cipher, iv);
    add(
        "CBC encryption",
        N,
        Box::new(move |data: &mut [u8]| one.encrypt(data).unwrap()),
        Box::new(move |from: &[u8], to: &mut [u8]| two.encrypt_to(from, to)),
        model::cbc_encrypt(&cipher, iv, blocks),
    );
    let mut one = cbc::Decryptor::new(cipher, iv);
    let mut two = cbc::Decryptor::new(cipher, iv);
    add(
        "CBC decryption",
        N,
        Box::new(move |data: &mut [u8]| one.decrypt(data).unwrap()),
        Box::new(move |from: &[u8], to: &mut [u8]| two.decrypt_to(from, to)),
        model::cbc_decrypt(&cipher, iv, blocks),
    );
    let mut one = cfb::Encryptor::new(cipher, iv);
    let mut two = cfb::Encryptor::new(cipher, iv);
    add(
        "CFB encryption",
        1,
        Box::new(move |data: &mut [u8]| one.encrypt(data)),
        Box::new(move |from: &[u8], to: &mut [u8]| two.encrypt_to(from, to)),
        model::cfb_encrypt(&cipher, iv, data),
    );
    let mut one = cfb::Decryptor::new(cipher, iv);
    let mut two = cfb::Decryptor::new(cipher, iv);
    add(
        "CFB decryption",
        1,
        Box::new(move |data: &mut [u8]| one.decrypt(data)),
        Box::new(move |from: &[u8], to: &mut [u8]| two.decrypt_to(from, to)),
        model::cfb_decrypt(&cipher, iv, data),
    );
    let mut one = cfb8::Encryptor::new(cipher, iv);
    let mut two = cfb8::Encryptor::new(cipher, iv);
    add(
        "CFB8 encryption",
        1,
        Box::new(move |data: &mut [u8]| one.encrypt(data)),
        Box::new(move |from: &[u8], to: &mut [u8]| two.encrypt_to(from, to)),
        model::cfb8_encrypt(&cipher, iv, data),
    );
    let mut one = cfb8::Decryptor::new(cipher, iv);
    let mut two = cfb8::Decryptor::new(cipher, iv);
    add(
        "CFB8 decryption",
        1,
        Box::new(move |data: &mut [u8]| one.decrypt(data)),
        Box::new(move |from: &[u8], to: &mut [u8]| two.decrypt_to(from, to)),
        model::cfb8_decrypt(&cipher, iv, data),
    );
    let mut one = Ofb::new(cipher, iv);
    let mut two = Ofb::new(cipher, iv);
    add(
        "OFB",
        1,
        Box::new(move |data: &mut [u8]| one.apply_keystream(data)),
        Box::new(move |from: &[u8], to: &mut [u8]| two.apply_keystream_to(from, to)),
        model::ofb(&cipher, iv, data),
    );
    let mut one = Ctr::new(cipher, iv);
    let mut two = Ctr::new(cipher, iv);
    add(
        "CTR",
        1,
        Box::new(move |data: &mut [u8]| one.apply_keystream(data).unwrap()),
        Box::new(move |from: &[u8], to: &mut [u8]| match two.apply_keystream_to(from, to) {
            Err(cinder_modes::CounterError::Length(error)) => Err(error),
            other => {
                other.unwrap();
                Ok(())
            }
        }),
        model::ctr(&cipher, iv, N, data),
    );
    subjects
}

/// Lengths that add up to `len`, each a multiple of `unit`, some zero.
fn pieces(cuts: &[usize], unit: usize, len: usize) -> Vec<usize> {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (len + 1) / unit * unit).collect();
    cuts.extend([0, len]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

fn check<const N: usize>(cipher: &dyn Both<N>, iv: &[u8; N], data: &[u8], cuts: &[usize]) {
    for mut subject in subjects(cipher, iv, data) {
        let len = subject.expected.len();
        let (mut ours, mut theirs) = (data[..len].to_vec(), vec![0xa5; len]);
        let mut at = 0;
        for piece in pieces(cuts, subject.unit, len) {
            let range = at..at + piece;
            (subject.in_place)(&mut ours[range.clone()]);
            (subject.to)(&data[range.clone()], &mut theirs[range]).unwrap();
            at += piece;
        }
        assert_eq!(ours, subject.expected, "{}, in place", subject.name);
        assert_eq!(theirs, subject.expected, "{}, buffer to buffer", subject.name);
    }
}

/// Up to twelve cuts, often close to each other.
fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![0usize..5000, 0usize..40], 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// 1200 bytes: past the scratch of 32 blocks twice.
    #[test]
    fn every_mode_with_8_byte_blocks(
        key: [u8; 8], iv: [u8; 8], data in prop::collection::vec(any::<u8>(), 0..1200), cuts in cuts(),
    ) {
        check(&Toy { key }, &iv, &data, &cuts);
    }

    #[test]
    fn every_mode_with_16_byte_blocks(
        key: [u8; 16], iv: [u8; 16], data in prop::collection::vec(any::<u8>(), 0..1200), cuts in cuts(),
    ) {
        check(&Toy { key }, &iv, &data, &cuts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Where a cipher overrides the provided methods.
    #[test]
    fn every_mode_with_aes(
        key: [u8; 16], iv: [u8; 16], data in prop::collection::vec(any::<u8>(), 0..700), cuts in cuts(),
    ) {
        check(&Aes128::new(&key).unwrap(), &iv, &data, &cuts);
    }
}

/// Buffer to buffer goes in pieces: past one of them, not at its end.
#[test]
fn long_buffer_to_buffer() {
    let data: Vec<u8> = (0..9001u32).map(|i| (i * i / 8) as u8).collect();
    check(&Toy { key: *b"long key" }, b"an IV...", &data, &[]);
    check(&Toy { key: *b"long key" }, b"an IV...", &data, &[4095, 4097, 8192]);
}

#[test]
fn unequal_or_partial_lengths_change_nothing() {
    let toy = Toy { key: [7; 8] };
    for mut subject in subjects(&toy, &[1; 8], &[0; 32]) {
        for (from, to) in [(32, 31), (32, 33), (0, 8), (8, 0), (24, 32)] {
            let mut output = vec![0x5a; to];
            let result = (subject.to)(&vec![3; from], &mut output);
            assert_eq!(result, Err(LengthError::Unequal), "{}", subject.name);
            assert_eq!(output, vec![0x5a; to]);
        }
        // The state has not moved either.
        let mut output = vec![0; subject.expected.len()];
        if subject.unit > 1 {
            let result = (subject.to)(&[0; 9], &mut output[..9]);
            assert_eq!(result, Err(LengthError::Partial), "{}", subject.name);
            assert_eq!(output, [0; 32]);
        }
        (subject.to)(&[0; 32], &mut output).unwrap();
        assert_eq!(output, subject.expected, "{}", subject.name);
    }

    let mut data = [0x5a; 9];
    let partial = Err(LengthError::Partial);
    assert_eq!(ecb::Encryptor::<_, 8>::new(&toy).encrypt(&mut data), partial);
    assert_eq!(ecb::Decryptor::<_, 8>::new(&toy).decrypt(&mut data), partial);
    assert_eq!(cbc::Encryptor::new(&toy, &[0; 8]).encrypt(&mut data), partial);
    assert_eq!(cbc::Decryptor::new(&toy, &[0; 8]).decrypt(&mut data), partial);
    assert_eq!(data, [0x5a; 9]);
}

/// The readable state resumes the message in another value, at every byte.
#[test]
fn state_resumes() {
    let toy = Toy { key: *b"some key" };
    let iv = *b"IV here.";
    let plaintext: Vec<u8> = (0..40).collect();
    let other = [0xcc; 8];
    for at in 0..=40 {
        let mut data = plaintext.clone();
        let (first, second) = data.split_at_mut(at);
        let mut from = cfb::Encryptor::new(&toy, &iv);
        from.encrypt(first);
        let mut to = cfb::Encryptor::new(&toy, &other);
        to.resume(from.chain(), from.partial()).unwrap();
        to.encrypt(second);
        assert_eq!(data, model::cfb_encrypt(&toy, &iv, &plaintext));

        let (first, second) = data.split_at_mut(at);
        let mut from = cfb::Decryptor::new(&toy, &iv);
        from.decrypt(first);
        let mut to = cfb::Decryptor::new(&toy, &other);
        to.resume(from.chain(), from.partial()).unwrap();
        to.decrypt(second);
        assert_eq!(data, plaintext);

        let (first, second) = data.split_at_mut(at);
        let mut from = cfb8::Encryptor::new(&toy, &iv);
        from.encrypt(first);
        cfb8::Encryptor::new(&toy, from.chain()).encrypt(second);
        assert_eq!(data, model::cfb8_encrypt(&toy, &iv, &plaintext));

        let (first, second) = data.split_at_mut(at);
        let mut from = cfb8::Decryptor::new(&toy, &iv);
        from.decrypt(first);
        cfb8::Decryptor::new(&toy, from.chain()).decrypt(second);
        assert_eq!(data, plaintext);

        let (first, second) = data.split_at_mut(at);
        let mut from = Ofb::new(&toy, &iv);
        from.apply_keystream(first);
        let mut to = Ofb::new(&toy, &other);
        to.resume(from.chain(), from.used()).unwrap();
        to.apply_keystream(second);
        assert_eq!(data, model::ofb(&toy, &iv, &plaintext));
    }

    let mut data = plaintext.clone();
    let (first, second) = data.split_at_mut(16);
    let mut from = cbc::Encryptor::new(&toy, &iv);
    from.encrypt(first).unwrap();
    cbc::Encryptor::new(&toy, from.chain()).encrypt(second).unwrap();
    assert_eq!(data, model::cbc_encrypt(&toy, &iv, &plaintext));
    let (first, second) = data.split_at_mut(16);
    let mut from = cbc::Decryptor::new(&toy, &iv);
    from.decrypt(first).unwrap();
    cbc::Decryptor::new(&toy, from.chain()).decrypt(second).unwrap();
    assert_eq!(data, plaintext);

    // What is no state is refused, and the state stays.
    let mut cfb = cfb::Encryptor::new(&toy, &iv);
    assert_eq!(cfb.resume(&other, &[0; 8]), Err(LengthError::Long));
    assert_eq!(cfb.chain(), &iv);
    let mut ofb = Ofb::new(&toy, &iv);
    assert_eq!(ofb.resume(&other, 9), Err(LengthError::Long));
    assert_eq!((ofb.chain(), ofb.used()), (&iv, 8));
}

/// A restarted value is a new one, also from inside a block.
#[test]
fn restart() {
    let toy = Toy { key: *b"some key" };
    let (first, iv) = (*b"first IV", *b"next IV.");
    let data: Vec<u8> = (0..29).collect();
    let mut ours = [0; 29];

    let mut cfb = cfb::Encryptor::new(&toy, &first);
    cfb.encrypt(&mut [0; 11]);
    cfb.restart(&iv);
    cfb.encrypt_to(&data, &mut ours).unwrap();
    assert_eq!(ours, *model::cfb_encrypt(&toy, &iv, &data));
    let mut ofb = Ofb::new(&toy, &first);
    ofb.apply_keystream(&mut [0; 11]);
    ofb.restart(&iv);
    ofb.apply_keystream_to(&data, &mut ours).unwrap();
    assert_eq!(ours, *model::ofb(&toy, &iv, &data));
    let mut ctr = Ctr::new(&toy, &first);
    ctr.apply_keystream(&mut [0; 11]).unwrap();
    ctr.restart(&iv);
    ctr.apply_keystream_to(&data, &mut ours).unwrap();
    assert_eq!(ours, *model::ctr(&toy, &iv, 8, &data));
}

/// RFC 4880 section 13.9: after the prefix of N + 2 bytes the last N bytes of ciphertext are the
/// chain. At every other length too, where the same rule holds.
#[test]
fn openpgp_resynchronization() {
    let toy = Toy { key: *b"some key" };
    for prefix_len in 0..20 {
        let plaintext: Vec<u8> = (0..60).map(|i| i * 3).collect();
        let (prefix, body) = plaintext.split_at(prefix_len);
        let mut expected = model::cfb_encrypt(&toy, &[0; 8], prefix);
        let before = [&[0; 8][..], &expected].concat();
        expected.extend(model::cfb_encrypt(&toy, &before[before.len() - 8..], body));

        let mut data = plaintext.clone();
        let mut encryptor = cfb::Encryptor::new(&toy, &[0; 8]);
        encryptor.encrypt(&mut data[..prefix_len]);
        encryptor.resynchronize();
        encryptor.encrypt(&mut data[prefix_len..]);
        assert_eq!(data, expected, "{prefix_len}");

        let mut decryptor = cfb::Decryptor::new(&toy, &[0; 8]);
        decryptor.decrypt(&mut data[..prefix_len]);
        decryptor.resynchronize();
        decryptor.decrypt(&mut data[prefix_len..]);
        assert_eq!(data, plaintext, "{prefix_len}");
    }
}
