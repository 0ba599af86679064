//! The files of `data/`, in the binary: a test under an emulator has no file system to ask.

macro_rules! files {
    ($($name:literal,)*) => {
        /// Name and text of each vector file of the project.
        pub const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../data/", $name))),)*];
    };
}

files! {
    "aes-cbc-cts.txt",
    "aes-cbc-pkcs7.txt",
    "aes-cbc.txt",
    "aes-ccm.txt",
    "aes-cfb.txt",
    "aes-ctr-le.txt",
    "aes-ctr.txt",
    "aes-eax.txt",
    "aes-ecb.txt",
    "aes-gcm.txt",
    "aes-kw.txt",
    "aes-ocb.txt",
    "aes-ofb.txt",
    "aes-siv.txt",
    "aes-xts.txt",
    "arc4.txt",
    "blowfish.txt",
    "camellia.txt",
    "cast5.txt",
    "cmac.txt",
    "des.txt",
    "ghash.txt",
    "idea.txt",
    "rc2.txt",
    "salsa20.txt",
    "seed.txt",
    "serpent.txt",
    "tdes-kw.txt",
    "tdes.txt",
    "twofish.txt",
}
