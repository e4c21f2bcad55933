#pragma once
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A DTLS 1.2 context with a fresh self-signed P-256 certificate; NULL on failure.
SSL_CTX *oriel_dtls_context_new(void);
/// Writes the SHA-256 of the context's certificate (32 bytes).
bool oriel_dtls_context_fingerprint(SSL_CTX *context, uint8_t *digest);
/// A connection over two memory BIOs. The peer's certificate is demanded, and judged by its digest later.
SSL *oriel_dtls_new(SSL_CTX *context, bool is_client, long mtu);
/// Hands in one datagram.
bool oriel_dtls_put(SSL *ssl, const void *bytes, size_t length);
/// The bytes that wait to be sent: DTLS records, one after the other. Valid until oriel_dtls_discard.
size_t oriel_dtls_pending(SSL *ssl, const uint8_t **bytes);
void oriel_dtls_discard(SSL *ssl);
/// Microseconds until oriel_dtls_timeout is due; -1: no timer runs.
int64_t oriel_dtls_time_left(SSL *ssl);
/// Sends the last flight again; false: given up.
bool oriel_dtls_timeout(SSL *ssl);
/// The digest of the peer's certificate by name ("sha-256", ...); gives its length, 0 when unknown.
size_t oriel_dtls_peer_digest(SSL *ssl, const char *algorithm, uint8_t digest[64]);
