//! The parser of `data/FORMAT.md`. Strict: what the format does not name is an error.

use crate::record::{Cipher, Class, Mode, Op, Record, Test, Verdict};
use core::fmt;
use std::collections::HashMap;

/// Where a file departs from the format, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ParseError {}

/// The names that a line may have, in the order of the format's description.
const NAMES: [&str; 26] = [
    "Id", "Source", "Cipher", "Mode", "Test", "Op", "Result", "Flags", "Note", "Class", "Weak",
    "Bits", "Count", "Offset", "CtrBytes", "Key", "IV", "PT", "CT", "AAD", "Tag", "Data", "A0",
    "B0", "A1", "B1",
];

/// `Name = value` at a line of the file.
#[derive(Clone, Copy)]
struct Field<'a> {
    line: usize,
    name: &'static str,
    value: &'a str,
}

/// Parses a file.
///
/// ```
/// let records = vectors::parse(
///     "# source: FIPS 197 Appendix B\n\n@Cipher = AES\n@Mode = ECB\n\nId = appB\n\
///      Key = 2b7e151628aed2a6abf7158809cf4f3c\nPT = 3243f6a8885a308d313198a2e0370734\n\
///      CT = 3925841d02dc09fbdc118597196a0b32\n",
/// )?;
/// assert_eq!(records[0].id, "appB");
/// assert_eq!(vectors::parse("Id = 1\nKy = 00\n").unwrap_err().line, 2);
/// # Ok::<(), vectors::ParseError>(())
/// ```
///
/// # Errors
///
/// [`ParseError`] for the first line that is not of the format: not ASCII, a name or a value
/// that the format does not have, a name twice in a stanza, an `Id` twice in the file, a field
/// that the record's mode or test needs and does not have, or has and does not need.
pub fn parse(text: &str) -> Result<Vec<Record>, ParseError> {
    let mut records = Vec::new();
    let mut ids = HashMap::new();
    let mut defaults: Vec<Field<'_>> = Vec::new();
    let mut stanza = Vec::new();
    let mut of_defaults = false;

    // An empty line at the end closes the last stanza.
    for (index, line) in text.split('\n').chain([""]).enumerate() {
        let number = index + 1;
        if let Some(byte) = line.bytes().find(|byte| !matches!(byte, b' '..=b'~' | b'\t')) {
            return error(number, format!("byte {byte:#04x} is not printable ASCII"));
        }
        if line.trim().is_empty() {
            let fields = core::mem::take(&mut stanza);
            if fields.is_empty() {
                continue;
            }
            if of_defaults {
                defaults = fields;
            } else {
                let record = record(&defaults, &fields)?;
                if let Some(first) = ids.insert(record.id.clone(), record.line) {
                    let what = format!("Id {} is already at line {first}", record.id);
                    return error(record.line, what);
                }
                records.push(record);
            }
        } else if !line.starts_with('#') {
            let is_default = line.starts_with('@');
            let field = field(number, line.strip_prefix('@').unwrap_or(line))?;
            if stanza.is_empty() {
                of_defaults = is_default;
            } else if of_defaults != is_default {
                return error(number, "defaults and fields of a record in one stanza");
            }
            if is_default && field.name == "Id" {
                return error(number, "Id cannot be a default");
            }
            if field.name != "AAD"
                && stanza.iter().any(|other: &Field<'_>| other.name == field.name)
            {
                return error(number, format!("{} twice in a stanza", field.name));
            }
            stanza.push(field);
        }
    }
    Ok(records)
}

fn error<T>(line: usize, what: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError { line, what: what.into() })
}

fn field(line: usize, text: &str) -> Result<Field<'_>, ParseError> {
    let Some((name, value)) = text.split_once('=') else {
        return error(line, "not of the form Name = value");
    };
    let (name, value) = (name.trim(), value.trim());
    match NAMES.iter().find(|known| **known == name) {
        Some(name) => Ok(Field { line, name, value }),
        None => error(line, format!("unknown name {name:?}")),
    }
}

impl Field<'_> {
    fn hex(&self) -> Result<Vec<u8>, ParseError> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let (pairs, rest) = self.value.as_bytes().as_chunks::<2>();
        let bytes = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?));
        match bytes.collect() {
            Some(bytes) if rest.is_empty() => Ok(bytes),
            _ => error(self.line, format!("{} is not whole bytes of lower-case hex", self.name)),
        }
    }

    fn decimal<T: core::str::FromStr>(&self) -> Result<T, ParseError> {
        // `parse` takes a sign, the format does not.
        match self.value.parse() {
            Ok(number) if self.value.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
            _ => error(self.line, format!("{} is not a decimal number in range", self.name)),
        }
    }

    fn known<T>(&self, from_name: impl Fn(&str) -> Option<T>) -> Result<T, ParseError> {
        match from_name(self.value) {
            Some(value) => Ok(value),
            None => error(self.line, format!("unknown {} {:?}", self.name, self.value)),
        }
    }
}

/// The fields of a record over the defaults of its group.
struct Fields<'a> {
    own: &'a [Field<'a>],
    defaults: &'a [Field<'a>],
}

impl<'a> Fields<'a> {
    fn all(&self, name: &str) -> impl Iterator<Item = &'a Field<'a>> {
        let is_own = self.own.iter().any(|field| field.name == name);
        let from = if is_own { self.own } else { self.defaults };
        from.iter().filter(move |field| field.name == name)
    }

    fn one<T>(
        &self,
        name: &str,
        value: impl Fn(&Field<'a>) -> Result<T, ParseError>,
    ) -> Result<Option<T>, ParseError> {
        self.all(name).next().map(value).transpose()
    }

    fn hex(&self, name: &str) -> Result<Option<Vec<u8>>, ParseError> {
        self.one(name, Field::hex)
    }

    fn text(&self, name: &str) -> Option<String> {
        self.all(name).next().map(|field| field.value.to_owned())
    }
}

fn record(defaults: &[Field<'_>], own: &[Field<'_>]) -> Result<Record, ParseError> {
    let first = own.first().map_or(0, |field| field.line);
    let fields = Fields { own, defaults };
    let Some(id) = fields.all("Id").next() else {
        return error(first, "a record without Id");
    };
    if id.value.is_empty() {
        return error(id.line, "an empty Id");
    }
    let Some(cipher) = fields.one("Cipher", |field| field.known(Cipher::from_name))? else {
        return error(id.line, "no Cipher");
    };
    let Some(mode) = fields.one("Mode", |field| field.known(Mode::from_name))? else {
        return error(id.line, "no Mode");
    };
    let yes = |name: &str| match name {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let record = Record {
        line: id.line,
        id: id.value.to_owned(),
        source: fields.text("Source"),
        cipher,
        mode,
        test: fields.one("Test", |field| field.known(Test::from_name))?,
        op: fields.one("Op", |field| field.known(Op::from_name))?,
        verdict: fields
            .one("Result", |field| field.known(Verdict::from_name))?
            .unwrap_or(Verdict::Valid),
        key: fields.hex("Key")?,
        bits: fields.one("Bits", Field::decimal)?,
        iv: fields.hex("IV")?,
        plaintext: fields.hex("PT")?,
        ciphertext: fields.hex("CT")?,
        aad: fields.all("AAD").map(Field::hex).collect::<Result<_, _>>()?,
        tag: fields.hex("Tag")?,
        data: fields.hex("Data")?,
        count: fields.one("Count", Field::decimal)?,
        offset: fields.one("Offset", Field::decimal)?,
        counter_bytes: fields.one("CtrBytes", Field::decimal)?,
        weak: fields.one("Weak", |field| field.known(yes))?,
        class: fields.one("Class", |field| field.known(Class::from_name))?,
        maintenance: [fields.hex("A0")?, fields.hex("B0")?, fields.hex("A1")?, fields.hex("B1")?],
        flags: fields.text("Flags"),
        note: fields.text("Note"),
    };
    match complaint(&record) {
        Some(what) => error(record.line, format!("record {}: {what}", record.id)),
        None => Ok(record),
    }
}

/// What keeps a record from being run: a field missing or out of place.
fn complaint(record: &Record) -> Option<&'static str> {
    let is_chacha20 = matches!(record.cipher, Cipher::CHACHA20 | Cipher::XCHACHA20);
    let is_stream = is_chacha20 || matches!(record.cipher, Cipher::ARC4 | Cipher::SALSA20);
    let iterated = record.test.is_some_and(|test| !matches!(test, Test::DesRivest | Test::Weak));
    let monte_carlo = matches!(record.test, Some(Test::Mct | Test::MctDes | Test::Mct97));

    // A complaint beside what must hold for there to be none.
    let common = [
        ("Modes GHASH and POLY1305 and Cipher none go together", {
            matches!(record.mode, Mode::Ghash | Mode::Poly1305) == (record.cipher == Cipher::NONE)
        }),
        ("Mode STREAM and a stream cipher go together", {
            matches!(record.mode, Mode::Stream | Mode::ChaCha20Poly1305) == is_stream
        }),
        ("Mode CHACHA20-POLY1305 is for ChaCha20 and XChaCha20", {
            record.mode != Mode::ChaCha20Poly1305 || is_chacha20
        }),
        (
            "Bits and Cipher RC2 go together",
            record.bits.is_some() == (record.cipher.name() == "RC2"),
        ),
        ("CtrBytes is for Mode CTR", record.counter_bytes.is_none() || record.mode == Mode::Ctr),
        ("CtrBytes is 1 to 16", record.counter_bytes.is_none_or(|n| (1..=16).contains(&n))),
        ("Offset is for Mode STREAM", record.offset.is_none() || record.mode == Mode::Stream),
        ("several AAD are for Mode SIV", record.aad.len() <= 1 || record.mode == Mode::Siv),
        ("Data and Mode GHASH go together", record.data.is_some() == (record.mode == Mode::Ghash)),
        ("Op is for Tests MCT and ITER", {
            record.op.is_none() || monte_carlo || record.test == Some(Test::Iterated)
        }),
        ("Count and an iterated Test go together", record.count.is_some() == iterated),
        ("Weak and Test WEAK go together", {
            record.weak.is_some() == (record.test == Some(Test::Weak))
        }),
        ("Class is for Test WEAK", record.class.is_none() || record.weak.is_some()),
        ("A0, B0, A1, B1 and Test CAST5-MAINT go together", {
            let all = record.test == Some(Test::Cast5Maintenance);
            record.maintenance.iter().all(|value| value.is_some() == all)
        }),
        ("an iterated Test has no Result", {
            record.test.is_none() || record.verdict == Verdict::Valid
        }),
    ];
    let has_both = record.plaintext.is_some() && record.ciphertext.is_some();
    let of_test = match record.test {
        None => known_answer(record, has_both),
        Some(Test::Iterated) => vec![
            ("Test ITER is for Mode ECB", record.mode == Mode::Ecb),
            ("no Key", record.key.is_some()),
            ("no PT or no CT", has_both),
        ],
        Some(Test::Mct | Test::MctDes | Test::Mct97) => vec![
            ("this Test is for Modes ECB, CBC, CFB, OFB and CFB8", {
                matches!(
                    (record.mode, record.test),
                    (Mode::Ecb | Mode::Cbc | Mode::Cfb, _)
                        | (Mode::Ofb | Mode::Cfb8, Some(Test::Mct | Test::MctDes))
                )
            }),
            ("no Key", record.key.is_some()),
            ("no IV", record.iv.is_some() || !record.mode.has_iv()),
            ("no PT or no CT", has_both),
            ("no Op", record.op.is_some()),
        ],
        Some(Test::Cast5Maintenance) => {
            vec![("Test CAST5-MAINT is for Cipher CAST5", record.cipher.name() == "CAST5")]
        }
        Some(Test::DesRivest) => vec![
            ("Test DES-RIVEST is for Cipher DES", record.cipher.name() == "DES"),
            ("no PT or no CT", has_both),
        ],
        Some(Test::Weak) => vec![("no Key", record.key.is_some())],
    };
    common.into_iter().chain(of_test).find(|(_, holds)| !holds).map(|(what, _)| what)
}

fn known_answer(record: &Record, has_both: bool) -> Vec<(&'static str, bool)> {
    let mut needs = vec![("no Key", record.key.is_some())];
    match record.mode {
        Mode::Ghash => needs.push(("no Tag", record.tag.is_some())),
        Mode::Cmac | Mode::Poly1305 => {
            needs.extend([("no PT", record.plaintext.is_some()), ("no Tag", record.tag.is_some())])
        }
        Mode::Stream => needs.extend([
            ("no CT", record.ciphertext.is_some()),
            ("no IV", record.iv.is_some() || record.cipher == Cipher::ARC4),
        ]),
        mode => {
            let has_one = record.plaintext.is_some() || record.ciphertext.is_some();
            let has_texts = if record.verdict == Verdict::Invalid { has_one } else { has_both };
            needs.extend([
                ("no IV", record.iv.is_some() || !mode.has_iv()),
                ("no PT or no CT", has_texts),
                ("no Tag", record.tag.is_some() || !mode.has_tag()),
            ]);
        }
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# a comment\n\n@Cipher = AES\n@Mode = CBC\n@IV = 00\n\n";

    /// The error of a file that begins with HEAD.
    fn refused(rest: &str) -> (usize, String) {
        let error = parse(&format!("{HEAD}{rest}")).unwrap_err();
        (error.line - HEAD.lines().count(), error.what)
    }

    #[track_caller]
    fn refuses(rest: &str, line: usize, what: &str) {
        let (at, found) = refused(rest);
        assert!(found.contains(what), "{found:?} does not say {what:?}");
        assert_eq!(at, line, "{found}");
    }

    #[test]
    fn defaults_are_replaced_and_a_record_s_own_field_wins() {
        let text = format!(
            "{HEAD}Id = a\nKey = 0a0b\nPT =\nCT = ff\n# between\nIV = 01\n\n\n\
             Id = b\nKey =\nPT = 00\nCT = 00\nNote = x = y\n\n\
             @Cipher = DES\n@Mode = ECB\n\nId = c\nKey = 00\nPT = 00\nCT = 00"
        );
        let [a, b, c] = parse(&text).unwrap().try_into().unwrap();
        assert_eq!((a.id.as_str(), a.line), ("a", 7));
        assert_eq!((a.cipher.name(), a.mode), ("AES", Mode::Cbc));
        assert_eq!(a.iv, Some(vec![1]));
        assert_eq!(a.key, Some(vec![10, 11]));
        assert_eq!(a.plaintext, Some(vec![]));
        assert_eq!(b.iv, Some(vec![0]));
        assert_eq!(b.note.as_deref(), Some("x = y"));
        assert_eq!((c.cipher.name(), c.mode, c.iv), ("DES", Mode::Ecb, None));
        assert_eq!(c.verdict, Verdict::Valid);
    }

    #[test]
    fn an_empty_file_has_no_records() {
        assert_eq!(parse(""), Ok(vec![]));
        assert_eq!(parse("# nothing\n\n\n"), Ok(vec![]));
    }

    #[test]
    fn unknown_names_and_values() {
        refuses("Id = a\nKey = 00\nPlain = 00\n", 3, "unknown name \"Plain\"");
        refuses("Id = a\nkey = 00\n", 2, "unknown name \"key\"");
        refuses("Id = a\n= 00\n", 2, "unknown name \"\"");
        refuses("Id = a\n@Key = 00\n", 2, "in one stanza");
        refuses("@Mode = XYZ\n\nId = a\nCipher = AES\n", 1, "unknown Mode \"XYZ\"");
        refuses("Id = a\nCipher = aes\n", 2, "unknown Cipher");
        refuses("Id = a\nTest = mct\n", 2, "unknown Test");
        refuses("Id = a\nResult = ok\n", 2, "unknown Result");
        refuses("Id = a\nOp = encrypt\n", 2, "unknown Op");
        refuses("Id = a\nClass = strong\n", 2, "unknown Class");
        refuses("Id = a\nWeak = maybe\n", 2, "unknown Weak");
        refuses("Id = a\nnonsense\n", 2, "not of the form");
    }

    #[test]
    fn values_of_the_wrong_kind() {
        refuses("Id = a\nKey = 0\n", 2, "Key is not whole bytes");
        refuses("Id = a\nKey = 0A\n", 2, "lower-case hex");
        refuses("Id = a\nKey = 00 00\n", 2, "lower-case hex");
        refuses("Id = a\nKey = 0x\n", 2, "lower-case hex");
        refuses("Id = a\nCount = +1\n", 2, "Count is not a decimal");
        refuses("Id = a\nCount =\n", 2, "Count is not a decimal");
        refuses("Id = a\nCount = 99999999999\n", 2, "Count is not a decimal");
        refuses("Id = a\nNote = \u{e9}\n", 2, "ASCII");
        refuses("Id = a\r\n", 1, "0x0d");
    }

    #[test]
    fn identity() {
        let record = "Key = 00\nPT = 00\nCT = 00\n";
        refuses(record, 1, "without Id");
        refuses("Id =\n", 1, "empty Id");
        refuses("@Id = a\n", 1, "Id cannot be a default");
        refuses(&format!("Id = a\n{record}\nId = a\n{record}"), 6, "already at line 7");
        refuses("Id = a\nKey = 00\nKey = 00\n", 3, "Key twice");
    }

    #[test]
    fn fields_that_are_missing_or_out_of_place() {
        assert_eq!(parse("Id = a\n").unwrap_err().what, "no Cipher");
        assert_eq!(parse("Id = a\nCipher = AES\n").unwrap_err().what, "no Mode");
        let texts = "PT = 00\nCT = 00\n";
        refuses(&format!("Id = a\n{texts}"), 1, "no Key");
        refuses("Id = a\nKey = 00\nPT = 00\n", 1, "no PT or no CT");
        refuses("Id = a\nKey = 00\nResult = invalid\n", 1, "no PT or no CT");
        refuses("Id = a\nKey = 00\nResult = acceptable\nCT = 00\n", 1, "no PT or no CT");
        refuses(&format!("@Cipher = AES\n@Mode = CBC\n\nId = a\nKey = 00\n{texts}"), 4, "no IV");
        for (field, what) in [
            ("Mode = GCM", "no Tag"),
            ("Mode = GHASH", "GHASH"),
            ("Mode = STREAM", "STREAM"),
            ("Cipher = RC2", "Bits"),
            ("Bits = 40", "Bits"),
            ("CtrBytes = 4", "CtrBytes"),
            ("Mode = CTR\nCtrBytes = 17", "CtrBytes"),
            ("Offset = 0", "Offset"),
            ("Op = enc", "Op"),
            ("Count = 1", "Count"),
            ("Test = MCT\nCount = 1", "no Op"),
            ("Test = MCT\nOp = enc", "Count"),
            ("Test = MCT\nOp = enc\nCount = 1\nMode = CTR", "ECB, CBC, CFB"),
            ("Test = MCT-97\nOp = enc\nCount = 1\nMode = OFB", "ECB, CBC, CFB"),
            ("Test = MCT\nOp = enc\nCount = 1\nResult = invalid", "no Result"),
            ("Test = ITER\nCount = 1", "ITER"),
            ("Test = WEAK", "Weak"),
            ("Class = weak", "Class"),
            ("Test = DES-RIVEST", "DES"),
            ("Data = 00", "Data"),
            ("A0 = 00", "A0"),
        ] {
            refuses(&format!("Id = a\nKey = 00\n{texts}{field}\n"), 1, what);
        }
    }

    #[test]
    fn several_aad_are_for_siv() {
        let text = "Id = a\nCipher = AES\nKey = 00\nPT =\nCT =\nTag = 00\nAAD = 01\nAAD = 02\n";
        let records = parse(&format!("{text}Mode = SIV\n")).unwrap();
        assert_eq!(records[0].aad, [[1], [2]]);
        assert!(parse(&format!("{text}Mode = GCM\nIV = 00\n")).is_err());
    }

    /// Whatever is done to a file, the parser answers.
    #[test]
    fn mutilated_files_do_not_panic() {
        let text = crate::file("aes-cbc-cts.txt").as_bytes();
        let mut state = 1_u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let mut refused = 0;
        for _ in 0..300 {
            let mut text = text[..random(text.len())].to_vec();
            for _ in 0..random(4) {
                let at = random(text.len().max(1));
                if let Some(byte) = text.get_mut(at) {
                    *byte = b"=@#\n ax0\xff"[random(9)];
                }
            }
            if let Err(error) = parse(&String::from_utf8_lossy(&text)) {
                assert!(error.line > 0);
                refused += 1;
            }
        }
        assert!(refused > 100, "{refused}");
    }
}
