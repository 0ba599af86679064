//! SP 800-38A appendix F and the addendum's ciphertext stealing, through the public API.

use cinder_block::{Aes128, Aes192, Aes256, BlockDecrypt, BlockEncrypt};
use cinder_modes::{Stealing, cbc, cfb, cfb8, ctr::Ctr, ecb, ofb::Ofb};
use testkit::hex::decode as hex;

const PLAINTEXT: &str = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
                         30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
const IV: &str = "000102030405060708090a0b0c0d0e0f";
const COUNTER: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

struct Answers {
    ecb: &'static str,
    cbc: &'static str,
    cfb: &'static str,
    cfb8: &'static str,
    ofb: &'static str,
    ctr: &'static str,
}

trait Both: BlockEncrypt<16> + BlockDecrypt<16> {}
impl<C: BlockEncrypt<16> + BlockDecrypt<16>> Both for C {}

fn check(aes: &dyn Both, answers: &Answers) {
    let plaintext = hex(PLAINTEXT);
    let iv: [u8; 16] = hex(IV).try_into().unwrap();
    let counter: [u8; 16] = hex(COUNTER).try_into().unwrap();

    let mut data = plaintext.clone();
    ecb::Encryptor::new(aes).encrypt(&mut data).unwrap();
    assert_eq!(data, hex(answers.ecb));
    ecb::Decryptor::new(aes).decrypt(&mut data).unwrap();
    assert_eq!(data, plaintext);

    cbc::Encryptor::new(aes, &iv).encrypt(&mut data).unwrap();
    assert_eq!(data, hex(answers.cbc));
    cbc::Decryptor::new(aes, &iv).decrypt(&mut data).unwrap();
    assert_eq!(data, plaintext);

    cfb::Encryptor::new(aes, &iv).encrypt(&mut data);
    assert_eq!(data, hex(answers.cfb));
    cfb::Decryptor::new(aes, &iv).decrypt(&mut data);
    assert_eq!(data, plaintext);

    let mut short = plaintext[..18].to_vec();
    cfb8::Encryptor::new(aes, &iv).encrypt(&mut short);
    assert_eq!(short, hex(answers.cfb8));
    cfb8::Decryptor::new(aes, &iv).decrypt(&mut short);
    assert_eq!(short, plaintext[..18]);

    Ofb::new(aes, &iv).apply_keystream(&mut data);
    assert_eq!(data, hex(answers.ofb));
    Ofb::new(aes, &iv).apply_keystream(&mut data);
    assert_eq!(data, plaintext);

    Ctr::new(aes, &counter).apply_keystream(&mut data).unwrap();
    assert_eq!(data, hex(answers.ctr));
    Ctr::new(aes, &counter).apply_keystream(&mut data).unwrap();
    assert_eq!(data, plaintext);
}

#[test]
fn aes_128() {
    let aes = Aes128::new(&hex("2b7e151628aed2a6abf7158809cf4f3c")).unwrap();
    check(
        &aes,
        &Answers {
            ecb: "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf\
                  43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
            cbc: "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2\
                  73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
            cfb: "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b\
                  26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6",
            cfb8: "3b79424c9c0dd436bace9e0ed4586a4f32b9",
            ofb: "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825\
                  9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e",
            ctr: "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff\
                  5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
        },
    );
}

#[test]
fn aes_192() {
    let aes = Aes192::new(&hex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b")).unwrap();
    check(
        &aes,
        &Answers {
            ecb: "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef\
                  ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
            cbc: "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a\
                  571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
            cfb: "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a\
                  2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff",
            cfb8: "cda2521ef0a905ca44cd057cbf0d47a0678a",
            ofb: "cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401\
                  8d9a9aeac0f6596f559c6d4daf59a5f26d9f200857ca6c3e9cac524bd9acc92a",
            ctr: "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94\
                  1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
        },
    );
}

#[test]
fn aes_256() {
    let key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
    let aes = Aes256::new(&hex(key)).unwrap();
    check(
        &aes,
        &Answers {
            ecb: "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870\
                  b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
            cbc: "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d\
                  39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
            cfb: "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b\
                  df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471",
            cfb8: "dc1f1a8520a64db55fcc8ac554844e889700",
            ofb: "dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d\
                  71ab47a086e86eedf39d1c5bba97c4080126141d67f37be8538f5a8be740e484",
            ctr: "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5\
                  2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
        },
    );
}

/// Key "chicken teriyaki", the text of RFC 3962 appendix B, IV zero unless given.
fn stealing(stealing: Stealing, iv: &str, len: usize, ciphertext: &str) {
    let text = b"I would like the General Gau's Chicken, please, and wonton soup.";
    let aes = Aes128::new(b"chicken teriyaki").unwrap();
    let iv: [u8; 16] = hex(iv).try_into().unwrap();
    let mut data = text[..len].to_vec();
    cbc::Encryptor::new(&aes, &iv).encrypt_stealing(stealing, &mut data).unwrap();
    assert_eq!(data, hex(ciphertext), "{stealing:?}");
    let mut other = vec![0xff; len];
    cbc::Encryptor::new(&aes, &iv).encrypt_stealing_to(stealing, &text[..len], &mut other).unwrap();
    assert_eq!(other, data);
    cbc::Decryptor::new(&aes, &iv).decrypt_stealing_to(stealing, &data, &mut other).unwrap();
    assert_eq!(other, text[..len]);
    cbc::Decryptor::new(&aes, &iv).decrypt_stealing(stealing, &mut data).unwrap();
    assert_eq!(data, text[..len]);
}

const ZERO: &str = "00000000000000000000000000000000";

/// RFC 3962 appendix B is CS3; the other orders are the same blocks.
#[test]
fn ciphertext_stealing() {
    use Stealing::{Cs1, Cs2, Cs3};
    for same in [Cs2, Cs3] {
        stealing(same, ZERO, 17, "c6353568f2bf8cb4d8a580362da7ff7f97");
        stealing(same, ZERO, 31, "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5");
    }
    stealing(Cs1, ZERO, 31, "97687268d6ecccc0c07b25e25ecfe5fc00783e0efdb2c1d445d4c8eff7ed22");
    for same in [Cs1, Cs2] {
        stealing(
            same,
            ZERO,
            32,
            "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8",
        );
    }
    stealing(Cs3, ZERO, 32, "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584");
    stealing(
        Cs1,
        ZERO,
        64,
        "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8\
         9dad8bbb96c4cdc03bc103e1a194bbd84807efe836ee89a526730dbc2f7bc840",
    );
    stealing(
        Cs3,
        ZERO,
        64,
        "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8\
         4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
    );
    stealing(
        Cs2,
        ZERO,
        47,
        "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e\
         39312523a78662d5be7fcbcc98ebf5",
    );
    stealing(
        Cs1,
        IV,
        47,
        "5432a630742dee7beb70f9f1400ee6a0b557cfb581949a4bdf3bb67dedd47242\
         6da5c54a9990f5ae0b7825f51f0060",
    );
}
