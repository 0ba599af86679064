"""Prints aead-long.txt (`aead`) or xts-long.txt (`xts`): messages longer than what kernels do at a time.

    pip install cryptography==50.0.2
    python3 long-messages.py aead > aead-long.txt
    python3 long-messages.py xts > xts-long.txt
"""

import hashlib
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes


def some(name, length):
    """Bytes that a name gives."""
    return hashlib.shake_256(name.encode()).digest(length)


def group(cipher, mode):
    source = "PyPI cryptography 50.0.2 (OpenSSL 4.0.3), by long-messages.py"
    print(f"\n@Source = {source}\n@Cipher = {cipher}\n@Mode = {mode}")


def record(name, **fields):
    print(f"\nId = {name}")
    for field, value in fields.items():
        print(f"{field} = {value.hex()}")


def seal(mode, scheme, key_bytes, nonce_bytes, lengths, cipher="AES"):
    group(cipher, mode)
    for length in lengths:
        name = f"{mode}-{8 * key_bytes}-{length}"
        key, iv = some(name + " key", key_bytes), some(name + " iv", nonce_bytes)
        aad, text = some(name + " aad", length // 2), some(name + " text", length)
        if mode == "SIV":
            sealed = scheme(key).encrypt(text, [aad])
            record(name, Key=key, AAD=aad, PT=text, CT=sealed[16:], Tag=sealed[:16])
        else:
            sealed = scheme(key).encrypt(iv, text, aad)
            record(name, Key=key, IV=iv, AAD=aad, PT=text, CT=sealed[:-16], Tag=sealed[-16:])


print("# source: PyPI cryptography 50.0.2, whose OpenSSL is 4.0.3, by long-messages.py")
if sys.argv[1] == "aead":
    seal("CCM", aead.AESCCM, 16, 12, [600, 1350])
    seal("CCM", aead.AESCCM, 32, 13, [1023])
    seal("OCB", aead.AESOCB3, 16, 12, [511, 512, 528, 1350, 4100])
    seal("OCB", aead.AESOCB3, 32, 15, [1023])
    seal("SIV", aead.AESSIV, 32, 0, [600, 1350])
    seal("GCM-SIV", aead.AESGCMSIV, 16, 12, [600, 1350])
    seal("GCM-SIV", aead.AESGCMSIV, 32, 12, [1023])
    lengths = [192, 193, 448, 511, 512, 1350, 4300]
    seal("CHACHA20-POLY1305", aead.ChaCha20Poly1305, 32, 12, lengths, "ChaCha20")
else:
    group("AES", "XTS")
    for key_bytes, length in [(32, 512), (32, 520), (64, 1023), (64, 4096)]:
        name = f"XTS-{8 * key_bytes}-{length}"
        key, iv = some(name + " key", key_bytes), some(name + " iv", 16)
        text = some(name + " text", length)
        run = Cipher(algorithms.AES(key), modes.XTS(iv)).encryptor()
        record(name, Key=key, IV=iv, PT=text, CT=run.update(text) + run.finalize())
