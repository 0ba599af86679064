#!/bin/sh
# Makes the files in this folder again, with openssl 3.0, OpenSSH, 7-Zip, GnuPG, keytool and KeePassXC.
# All keys are throw-away keys, made here. The password is "correct horse".
set -eu
cd "$(dirname "$0")"
password='correct horse'
key128=000102030405060708090a0b0c0d0e0f
printf 'The text that every file in this folder hides.\n' > text

openssl genrsa -out key.pem 1024
openssl req -x509 -new -key key.pem -subj /CN=cinder -days 36500 -out cert.pem
openssl pkcs8 -topk8 -nocrypt -in key.pem -outform DER -out key.p8
openssl rsa -in key.pem -traditional -outform DER -out key.der

for cipher in aes-128-cbc aes-256-cbc camellia-192-cbc seed-cbc des-cbc des-ede3-cbc des-ede3-cfb; do
    openssl rsa -provider default -provider legacy -in key.pem -traditional "-$cipher" \
        -passout "pass:$password" -out "dek-$cipher.pem"
done

for pbe in PBE-SHA1-RC2-40 PBE-SHA1-RC2-128 PBE-SHA1-3DES PBE-SHA1-2DES PBE-SHA1-RC4-40 PBE-SHA1-RC4-128 \
    AES-128-CBC AES-256-CBC CAMELLIA-256-CBC DES-EDE3-CBC SEED-CBC RC2-CBC RC2-40-CBC; do
    openssl pkcs12 -export -legacy -inkey key.pem -in cert.pem -certpbe "$pbe" -keypbe "$pbe" \
        -passout "pass:$password" -out "openssl-$pbe.p12"
done
rm -f keytool.p12
keytool -importkeystore -noprompt -srckeystore openssl-AES-256-CBC.p12 -srcstoretype PKCS12 \
    -srcstorepass "$password" -destkeystore keytool.p12 -deststoretype PKCS12 -deststorepass "$password"
rm -f keytool-legacy.p12
keytool -J-Dkeystore.pkcs12.legacy -importkeystore -noprompt -srckeystore openssl-AES-256-CBC.p12 \
    -srcstoretype PKCS12 -srcstorepass "$password" -destkeystore keytool-legacy.p12 \
    -deststoretype PKCS12 -deststorepass "$password"

for cipher in rc2-40 rc2-64 rc2 des3 aes-256-cbc camellia-128-cbc; do
    case $cipher in
        rc2-40) key=0001020304 ;; rc2-64) key=0001020304050607 ;;
        des3) key=000102030405060708090a0b0c0d0e0f1011121314151617 ;;
        aes-256*) key=$key128$key128 ;; *) key=$key128 ;;
    esac
    openssl cms -provider default -provider legacy -EncryptedData_encrypt "-$cipher" -secretkey "$key" \
        -binary -in text -outform DER -out "encrypted-$cipher.cms" || echo "no $cipher"
done
for cipher in aes-128-gcm aes-256-gcm aes-128-cbc camellia-256-cbc; do
    openssl cms -encrypt "-$cipher" -secretkey $key128 -secretkeyid 01 -binary -in text -outform DER \
        -out "kek-$cipher.cms"
done

for cipher in aes256-ctr aes128-cbc 3des-cbc aes256-gcm@openssh.com chacha20-poly1305@openssh.com; do
    rm -f "openssh-${cipher%@*}" "openssh-${cipher%@*}.pub"
    ssh-keygen -q -t ed25519 -C cinder -N "$password" -a 4 -Z "$cipher" -f "openssh-${cipher%@*}"
done

for bits in 128 192 256; do
    rm -f "aes$bits.zip"
    7z a -bso0 -tzip -mx0 -mem=AES$bits "-p$password" "aes$bits.zip" text
done

# KeePassXC asks for passwords on its standard input. It derives the key for so long as -t says; under
# valgrind those are few rounds, which a test can afford.
rm -f keepassxc.kdbx
printf '%s\n%s\n' "$password" "$password" |
    valgrind -q --tool=none keepassxc-cli db-create -q -p -t 100 keepassxc.kdbx
printf '%s\n%s\n' "$password" 'hidden in the file' |
    keepassxc-cli add -q -p -u alice keepassxc.kdbx example
# KeePassXC goes over to version 4 when an entry remembers the group from which it was thrown away.
cp keepassxc.kdbx keepassxc-4.kdbx
printf '%s\n' "$password" | keepassxc-cli add -q keepassxc-4.kdbx gone
printf '%s\n' "$password" | keepassxc-cli rm -q keepassxc-4.kdbx gone

# A packet of SSH, number 7, that holds the first 40 bytes of the text, put together by openssl: the keys
# are the bytes 0 to 31 and 32 to 63; its IV is the block's number in four bytes, then twelve of nonce.
bytes() { i=$1; while [ "$i" -lt $(($1 + 32)) ]; do printf '%02x' "$i"; i=$((i + 1)); done; }
chacha20() { openssl enc -chacha20 -K "$(bytes "$1")" -iv "0${2}000000000000000000000000000007"; }
{
    printf '\0\0\0\050' | chacha20 32 0
    head -c 40 text | chacha20 0 1
} > ssh-packet
poly1305=$(head -c 32 /dev/zero | chacha20 0 0 | od -An -v -tx1 | tr -d ' \n')
openssl mac -binary -macopt "hexkey:$poly1305" -in ssh-packet Poly1305 > tag
cat tag >> ssh-packet
rm -f tag ./*.pub
