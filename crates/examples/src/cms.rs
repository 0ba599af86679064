//! CMS, the envelope of S/MIME: EncryptedData and, for a holder of a symmetric key, EnvelopedData (RFC
//! 5652) and AuthEnvelopedData (RFC 5083), with AES key wrap, RC2's parameters and AES-GCM (RFC 5084).

use crate::{Encryption, Result, Secret, from_der};
use ::cms::content_info::{CmsVersion, ContentInfo};
use ::cms::encrypted_data::EncryptedData;
use ::cms::enveloped_data::{
    EncryptedContentInfo, EnvelopedData, OriginatorInfo, RecipientInfo, RecipientInfos,
};
use cinder_block::any::{Algorithm, Mode};
use cinder_block::{Aes128, Aes256, InPlace, Slot};
use cinder_gcm::Gcm;
use cinder_modes::Padding;
use cinder_modes::key_wrap::Kw;
use der::asn1::OctetString;
use der::{Encode, Sequence, asn1::SetOfVec};
use x509_cert::attr::Attribute;
use zeroize::Zeroizing;

const ENVELOPED: &str = "1.2.840.113549.1.7.3";
const ENCRYPTED: &str = "1.2.840.113549.1.7.6";
const AUTH_ENVELOPED: &str = "1.2.840.113549.1.9.16.1.23";

/// RFC 5083, section 2.1.
#[derive(Sequence)]
struct AuthEnvelopedData {
    version: CmsVersion,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", constructed = "true", optional = "true")]
    originator: Option<OriginatorInfo>,
    recipients: RecipientInfos,
    content: EncryptedContentInfo,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", constructed = "true", optional = "true")]
    authenticated: Option<SetOfVec<Attribute>>,
    mac: OctetString,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", constructed = "true", optional = "true")]
    unauthenticated: Option<SetOfVec<Attribute>>,
}

/// RFC 5084, section 3.2.
#[derive(Sequence)]
struct GcmParameters {
    nonce: OctetString,
    #[asn1(default = "twelve")]
    tag_len: u8,
}

fn twelve() -> u8 {
    12
}

/// The content, for who has the key: the content's own for EncryptedData, otherwise an AES-128 key that
/// wraps it.
///
/// # Errors
///
/// If the message is no such message, the key is wrong, or the message was changed, where it is
/// authenticated.
pub fn open(message: &[u8], key: &[u8]) -> Result<Secret> {
    let ContentInfo { content_type, content } = from_der(message)?;
    match content_type.to_string().as_str() {
        ENCRYPTED => decrypt(content.decode_as::<EncryptedData>()?.enc_content_info, key),
        ENVELOPED => {
            let message: EnvelopedData = content.decode_as()?;
            let key = unwrap(&message.recip_infos, key)?;
            decrypt(message.encrypted_content, &key)
        }
        AUTH_ENVELOPED => {
            let message: AuthEnvelopedData = content.decode_as()?;
            let key = unwrap(&message.recipients, key)?;
            // The attributes are authenticated as a SET, whatever tag they have in the message.
            let aad =
                message.authenticated.map(|set| set.to_der()).transpose()?.unwrap_or_default();
            open_gcm(message.content, &key, &aad, message.mac.as_bytes())
        }
        _ => Err("another kind of message".into()),
    }
}

/// The key of the content, from the recipient who holds the key-encryption key.
fn unwrap(recipients: &RecipientInfos, kek: &[u8]) -> Result<Secret> {
    for recipient in recipients.0.iter() {
        let RecipientInfo::Kekri(info) = recipient else { continue };
        let named = Algorithm::from_oid(&info.key_enc_alg.oid.to_string()).ok_or("unknown")?;
        if (named.algorithm, named.mode) == (Algorithm::Aes128, Mode::KeyWrap) {
            let kek = Slot::<Aes128>::boxed(kek)?;
            let mut wrapped = Zeroizing::new(info.encrypted_key.as_bytes().to_vec());
            return Ok(Kw::new(kek).unwrap(&mut wrapped)?.to_vec().into());
        }
    }
    Err("nobody with an AES-128 key".into())
}

fn decrypt(content: EncryptedContentInfo, key: &[u8]) -> Result<Secret> {
    let encryption = Encryption::from_identifier(&content.content_enc_alg)?;
    let mut data = Zeroizing::new(content.encrypted_content.ok_or("no content")?.into_bytes());
    encryption.decrypt(key, Padding::Pkcs7, &mut data)?;
    Ok(data)
}

fn open_gcm(content: EncryptedContentInfo, key: &[u8], aad: &[u8], tag: &[u8]) -> Result<Secret> {
    let id = content.content_enc_alg;
    let GcmParameters { nonce, tag_len } = id.parameters.ok_or("no nonce")?.decode_as()?;
    if usize::from(tag_len) != tag.len() {
        return Err("the tag has another length".into());
    }
    let named = Algorithm::from_oid(&id.oid.to_string()).ok_or("unknown cipher")?;
    let mut data = Zeroizing::new(content.encrypted_content.ok_or("no content")?.into_bytes());
    match (named.mode, named.algorithm) {
        (Mode::Gcm, Algorithm::Aes128) => {
            open_with::<Gcm<Aes128>>(key, |gcm| {
                Ok(gcm.open_in_place(nonce.as_bytes(), aad, &mut data, tag.try_into()?)?)
            })?;
        }
        (Mode::Gcm, Algorithm::Aes256) => {
            open_with::<Gcm<Aes256>>(key, |gcm| {
                Ok(gcm.open_in_place(nonce.as_bytes(), aad, &mut data, tag.try_into()?)?)
            })?;
        }
        _ => return Err("another authenticated cipher".into()),
    }
    Ok(data)
}

fn open_with<C: InPlace>(key: &[u8], open: impl FnOnce(&C) -> Result<()>) -> Result<()> {
    open(&*Slot::<C>::boxed(key)?)
}
