//! The modes written from their definitions, one block at a time, on `encrypt_block` and
//! `decrypt_block` alone. Slow and plain: what everything else is compared with.

use crate::Mode;
use crate::registry::{BlockCipher, Cipher8, Cipher16};
use crate::run::{Direction, Job, Outcome};

/// Runs `job` by its definition; `Unsupported` for the modes that this project does not have.
pub(crate) fn run<const N: usize>(cipher: &dyn BlockCipher<N>, job: &Job<'_>) -> Outcome {
    let encrypts = job.direction == Direction::Encrypt;
    let result = match job.mode {
        Mode::Ecb => ecb(cipher, encrypts, job.text),
        Mode::Cbc => iv(job).and_then(|iv| cbc(cipher, encrypts, iv, job.text)),
        Mode::CbcPkcs7 => iv(job).and_then(|iv| cbc_pkcs7(cipher, encrypts, iv, job.text)),
        Mode::CbcCs1 | Mode::CbcCs2 | Mode::CbcCs3 => iv(job).and_then(|iv| {
            if encrypts {
                cbc_stealing_encrypt(cipher, job.mode, iv, job.text)
            } else {
                cbc_stealing_decrypt(cipher, job.mode, iv, job.text)
            }
        }),
        Mode::Cfb => iv(job).map(|iv| cfb(cipher, encrypts, iv, job.text)),
        Mode::Cfb8 => iv(job).map(|iv| cfb8(cipher, encrypts, iv, job.text)),
        Mode::Ofb => iv(job).map(|iv| ofb(cipher, iv, job.text)),
        Mode::Ctr => {
            iv(job).and_then(|iv| ctr(cipher, job.counter_bytes.unwrap_or(N), iv, job.text))
        }
        Mode::CtrLittleEndian => iv(job).map(|iv| ctr_little_endian(cipher, iv, job.text)),
        _ => return Outcome::Unsupported,
    };
    result.into()
}

/// [`run`], and the modes that are for 128-bit ciphers alone.
pub(crate) fn run_wide(cipher: &Cipher16, job: &Job<'_>) -> Outcome {
    match (job.mode, job.direction) {
        (Mode::Gcm, Direction::Encrypt) => match gcm(cipher, job, None) {
            Ok((text, tag)) => Outcome::Sealed(text, tag),
            Err(refusal) => Outcome::refused(refusal),
        },
        (Mode::Gcm, Direction::Decrypt) => {
            gcm(cipher, job, Some(job.tag)).map(|(text, _)| text).into()
        }
        (Mode::KeyWrap, Direction::Encrypt) => wrap::<16, 8>(cipher, job.text).into(),
        (Mode::KeyWrap, Direction::Decrypt) => unwrap::<16, 8>(cipher, job.text).into(),
        (Mode::KeyWrapPadded, Direction::Encrypt) => wrap_padded(cipher, job.text).into(),
        (Mode::KeyWrapPadded, Direction::Decrypt) => unwrap_padded(cipher, job.text).into(),
        _ => run(cipher, job),
    }
}

/// [`run`], and key wrap for 64-bit ciphers.
pub(crate) fn run_narrow(cipher: &Cipher8, job: &Job<'_>) -> Outcome {
    match (job.mode, job.direction) {
        (Mode::TripleDesKeyWrap, Direction::Encrypt) => wrap::<8, 4>(cipher, job.text).into(),
        (Mode::TripleDesKeyWrap, Direction::Decrypt) => unwrap::<8, 4>(cipher, job.text).into(),
        _ => run(cipher, job),
    }
}

type Text = Result<Vec<u8>, &'static str>;

const NOT_WHOLE: &str = "not whole blocks";

fn iv<const N: usize>(job: &Job<'_>) -> Result<[u8; N], &'static str> {
    job.iv.try_into().map_err(|_| "IV is not one block")
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

fn whole<const N: usize>(text: &[u8]) -> Result<&[[u8; N]], &'static str> {
    match text.as_chunks() {
        (blocks, []) => Ok(blocks),
        _ => Err(NOT_WHOLE),
    }
}

/// The first bytes of `block`, with zeros up to N.
fn padded<const N: usize>(text: &[u8]) -> [u8; N] {
    core::array::from_fn(|i| text.get(i).copied().unwrap_or(0))
}

/// SP 800-38A 6.1: C_j = E(P_j).
fn ecb<const N: usize>(cipher: &dyn BlockCipher<N>, encrypts: bool, text: &[u8]) -> Text {
    let step = if encrypts { e } else { d };
    Ok(whole(text)?.iter().flat_map(|block| step(cipher, *block)).collect())
}

/// SP 800-38A 6.2: C_j = E(P_j ⊕ C_{j-1}).
fn cbc<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    encrypts: bool,
    mut chain: [u8; N],
    text: &[u8],
) -> Text {
    let mut out = Vec::new();
    for block in whole(text)? {
        if encrypts {
            chain = e(cipher, xor(*block, chain));
            out.extend(chain);
        } else {
            out.extend(xor(d(cipher, *block), chain));
            chain = *block;
        }
    }
    Ok(out)
}

/// RFC 5652 6.3: n bytes of value n, 1 to N of them.
fn cbc_pkcs7<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    encrypts: bool,
    iv: [u8; N],
    text: &[u8],
) -> Text {
    if encrypts {
        let padding = N - text.len() % N;
        let mut text = text.to_vec();
        text.resize(text.len() + padding, padding as u8);
        return cbc(cipher, true, iv, &text);
    }
    let mut text = cbc(cipher, false, iv, text)?;
    let padding = usize::from(*text.last().ok_or("no padding")?);
    let length = text.len().checked_sub(padding).ok_or("bad padding")?;
    let is_good = (1..=N).contains(&padding)
        && text[length..].iter().all(|byte| usize::from(*byte) == padding);
    text.truncate(length);
    if is_good { Ok(text) } else { Err("bad padding") }
}

/// SP 800-38A addendum: the last plaintext block P_n* has d bytes, 1 to N. C_1 … C_n are the CBC
/// of the text padded with zeros, C_{n-1}* is the first d bytes of C_{n-1}, and the ciphertext
/// ends in C_{n-1}* C_n (CS1; CS2 if d = N) or C_n C_{n-1}* (CS3; CS2 if d < N).
fn cbc_stealing_encrypt<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    mode: Mode,
    iv: [u8; N],
    text: &[u8],
) -> Text {
    if text.len() < N {
        return Err("less than a block");
    }
    let n = text.len().div_ceil(N);
    let d = text.len() - (n - 1) * N;
    let mut zero_padded = text.to_vec();
    zero_padded.resize(n * N, 0);
    let mut out = cbc(cipher, true, iv, &zero_padded)?;
    if n == 1 {
        return Ok(out);
    }
    let last = out.split_off((n - 1) * N);
    let stolen = out.split_off((n - 2) * N);
    let parts = if swaps(mode, d == N) { [&last, &stolen[..d]] } else { [&stolen[..d], &last] };
    out.extend(parts.concat());
    Ok(out)
}

fn swaps(mode: Mode, is_whole: bool) -> bool {
    mode == Mode::CbcCs3 || mode == Mode::CbcCs2 && !is_whole
}

fn cbc_stealing_decrypt<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    mode: Mode,
    iv: [u8; N],
    text: &[u8],
) -> Text {
    if text.len() < N {
        return Err("less than a block");
    }
    let n = text.len().div_ceil(N);
    if n == 1 {
        return cbc(cipher, false, iv, text);
    }
    let size = text.len() - (n - 1) * N;
    let (head, tail) = text.split_at((n - 2) * N);
    let (stolen, last) = if swaps(mode, size == N) {
        let (last, stolen) = tail.split_at(N);
        (stolen, last)
    } else {
        tail.split_at(size)
    };
    // D(C_n) = (P_n* || 0…) ⊕ C_{n-1}: its end is the part of C_{n-1} that was cut off.
    let z: [u8; N] = d(cipher, padded(last));
    let mut before: [u8; N] = z;
    before[..size].copy_from_slice(stolen);
    let mut out = cbc(cipher, false, iv, &[head, &before].concat())?;
    out.extend_from_slice(&xor(z, before)[..size]);
    Ok(out)
}

/// SP 800-38A 6.3 with s = b: C_j = P_j ⊕ E(C_{j-1}); the last block may be short.
fn cfb<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    encrypts: bool,
    mut chain: [u8; N],
    text: &[u8],
) -> Vec<u8> {
    let mut out = Vec::new();
    for part in text.chunks(N) {
        let block = padded(part);
        let result = xor(block, e(cipher, chain));
        out.extend_from_slice(&result[..part.len()]);
        chain = if encrypts { result } else { block };
    }
    out
}

/// SP 800-38A 6.3 with s = 8.
fn cfb8<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    encrypts: bool,
    mut register: [u8; N],
    text: &[u8],
) -> Vec<u8> {
    let step = |byte: &u8| {
        let result = byte ^ e(cipher, register)[0];
        register.rotate_left(1);
        register[N - 1] = if encrypts { result } else { *byte };
        result
    };
    text.iter().map(step).collect()
}

/// SP 800-38A 6.4: O_j = E(O_{j-1}).
fn ofb<const N: usize>(cipher: &dyn BlockCipher<N>, mut o: [u8; N], text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in text.chunks(N) {
        o = e(cipher, o);
        out.extend_from_slice(&xor(padded(part), o)[..part.len()]);
    }
    out
}

/// SP 800-38A 6.5, with the counter in the low `bytes` bytes of the block, modulo 2^(8·bytes).
fn ctr<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    bytes: usize,
    mut counter: [u8; N],
    text: &[u8],
) -> Text {
    if bytes > N {
        return Err("the counter is wider than the block");
    }
    if bytes < 8 && text.len().div_ceil(N) as u64 > 1 << (8 * bytes) {
        return Err("the counter is exhausted");
    }
    let mut out = Vec::new();
    for part in text.chunks(N) {
        out.extend_from_slice(&xor(padded(part), e(cipher, counter))[..part.len()]);
        for byte in counter[N - bytes..].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
    Ok(out)
}

/// The same with the whole block for a counter, its first byte the lowest.
fn ctr_little_endian<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    mut counter: [u8; N],
    text: &[u8],
) -> Vec<u8> {
    let mut out = Vec::new();
    for part in text.chunks(N) {
        out.extend_from_slice(&xor(padded(part), e(cipher, counter))[..part.len()]);
        let mut carry = true;
        for byte in &mut counter {
            (*byte, carry) = byte.overflowing_add(carry.into());
        }
    }
    out
}

/// SP 800-38D 6.4: GHASH_H of whole blocks.
pub(crate) fn ghash(h: [u8; 16], data: &[u8]) -> Result<[u8; 16], &'static str> {
    Ok(testkit::ghash::update(&h, [0; 16], whole(data)?))
}

/// SP 800-38D 7.1 and 7.2. Decrypts if there is a tag to check, encrypts if not.
fn gcm(
    cipher: &Cipher16,
    job: &Job<'_>,
    check: Option<&[u8]>,
) -> Result<(Vec<u8>, Vec<u8>), &'static str> {
    // A tag is the leftmost bytes of the whole one, however many: that SP 800-38D allows seven
    // lengths is for implementations to check.
    if !(1..=16).contains(&job.tag.len()) {
        return Err("tag length");
    }
    if job.iv.is_empty() {
        return Err("empty IV");
    }
    let zeros_to_block = |length: usize| vec![0; length.next_multiple_of(16) - length];
    let bits = |bytes: &[u8]| (bytes.len() as u64 * 8).to_be_bytes();
    let h = e(cipher, [0; 16]);
    let j0 = if job.iv.len() == 12 {
        padded(&[job.iv, &[0, 0, 0, 1]].concat())
    } else {
        ghash(h, &[job.iv, &zeros_to_block(job.iv.len()), &[0; 8], &bits(job.iv)].concat())?
    };
    // The first counter block is inc32(J0); E(J0) masks the tag.
    let mut stream = ctr(cipher, 4, j0, &[&[0; 16], job.text].concat())?;
    let text = stream.split_off(16);
    let ciphertext = if check.is_some() { job.text } else { &text };
    let hashed = [
        job.aad,
        &zeros_to_block(job.aad.len()),
        ciphertext,
        &zeros_to_block(ciphertext.len()),
        &bits(job.aad),
        &bits(ciphertext),
    ];
    let tag = xor(ghash(h, &hashed.concat())?, padded(&stream));
    let tag = tag[..job.tag.len()].to_vec();
    match check {
        Some(expected) if expected != tag => Err("tag"),
        _ => Ok((text, tag)),
    }
}

/// RFC 3394 2.2.1 with the given A, for n of 2 and more: A, R_1 … R_n.
fn w<const N: usize, const H: usize>(
    cipher: &dyn BlockCipher<N>,
    mut a: [u8; H],
    text: &[u8],
) -> Text {
    let mut r = whole::<H>(text)?.to_vec();
    let n = r.len();
    for j in 0..6 {
        for i in 1..=n {
            let b = e(cipher, padded(&[a, r[i - 1]].concat()));
            a = xor(padded(&b[..H]), padded(&((n * j + i) as u64).to_be_bytes()[8 - H..]));
            r[i - 1] = padded(&b[H..]);
        }
    }
    Ok([a.as_slice(), r.as_flattened()].concat())
}

/// RFC 3394 2.2.2: A and P_1 … P_n.
fn w_inverse<const N: usize, const H: usize>(
    cipher: &dyn BlockCipher<N>,
    text: &[u8],
) -> Result<([u8; H], Vec<u8>), &'static str> {
    let (a, r) = whole::<H>(text)?.split_first().ok_or("empty")?;
    let (mut a, mut r) = (*a, r.to_vec());
    let n = r.len();
    for j in (0..6).rev() {
        for i in (1..=n).rev() {
            let a_t = xor(a, padded(&((n * j + i) as u64).to_be_bytes()[8 - H..]));
            let b = d(cipher, padded(&[a_t, r[i - 1]].concat()));
            a = padded(&b[..H]);
            r[i - 1] = padded(&b[H..]);
        }
    }
    Ok((a, r.as_flattened().to_vec()))
}

/// RFC 3394, and SP 800-38F's TKW: n of 2 and more.
fn wrap<const N: usize, const H: usize>(cipher: &dyn BlockCipher<N>, text: &[u8]) -> Text {
    if text.len() < 2 * H {
        return Err("less than two semiblocks");
    }
    w(cipher, [0xa6; H], text)
}

fn unwrap<const N: usize, const H: usize>(cipher: &dyn BlockCipher<N>, text: &[u8]) -> Text {
    if text.len() < 3 * H {
        return Err("less than three semiblocks");
    }
    let (a, text) = w_inverse(cipher, text)?;
    if a == [0xa6; H] { Ok(text) } else { Err("integrity check value") }
}

/// RFC 5649 section 4.1: A = A65959A6 || length; one semiblock is one block of ECB.
fn wrap_padded(cipher: &Cipher16, text: &[u8]) -> Text {
    let length = u32::try_from(text.len()).map_err(|_| "too long")?;
    if length == 0 {
        return Err("empty");
    }
    let a: [u8; 8] = padded(&[[0xa6, 0x59, 0x59, 0xa6], length.to_be_bytes()].concat());
    let mut zero_padded = text.to_vec();
    zero_padded.resize(text.len().next_multiple_of(8), 0);
    if zero_padded.len() == 8 {
        return Ok(e(cipher, padded(&[a.as_slice(), &zero_padded].concat())).to_vec());
    }
    w(cipher, a, &zero_padded)
}

fn unwrap_padded(cipher: &Cipher16, text: &[u8]) -> Text {
    let (a, mut text): ([u8; 8], _) = match text.len() {
        16 => {
            let block = d(cipher, padded(text));
            (padded(&block[..8]), block[8..].to_vec())
        }
        24.. => w_inverse(cipher, text)?,
        _ => return Err("less than two semiblocks"),
    };
    let length = u32::from_be_bytes(padded(&a[4..])) as usize;
    let is_good = a[..4] == [0xa6, 0x59, 0x59, 0xa6]
        && length.checked_next_multiple_of(8) == Some(text.len())
        && text[length.min(text.len())..].iter().all(|byte| *byte == 0);
    text.truncate(length);
    if is_good { Ok(text) } else { Err("integrity check value") }
}
