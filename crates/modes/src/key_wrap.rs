//! AES key wrap, RFC 3394 and RFC 5649. Not written yet.
