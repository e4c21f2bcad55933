#include "oriel_dtls.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <strings.h>
#include <sys/time.h>

static X509 *self_signed(EVP_PKEY *key) {
  X509 *certificate = X509_new();
  if (certificate == NULL) return NULL;
  BIGNUM *serial = BN_new();
  bool made = serial != NULL && BN_rand(serial, 63, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
              BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate)) != NULL &&
              X509_set_version(certificate, X509_VERSION_3) == 1 &&
              // A day back, for peers whose clock is behind.
              X509_gmtime_adj(X509_getm_notBefore(certificate), -86400) != NULL &&
              X509_gmtime_adj(X509_getm_notAfter(certificate), 365L * 86400) != NULL &&
              X509_set_pubkey(certificate, key) == 1;
  BN_free(serial);
  X509_NAME *name = made ? X509_get_subject_name(certificate) : NULL;
  made = made && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"WebRTC", -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1 && X509_sign(certificate, key, EVP_sha256()) > 0;
  if (made) return certificate;
  X509_free(certificate);
  return NULL;
}

static int accept_for_now(int preverified, X509_STORE_CTX *store) {
  (void)preverified, (void)store;
  return 1;
}

SSL_CTX *oriel_dtls_context_new(void) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = key == NULL ? NULL : self_signed(key);
  SSL_CTX *context = certificate == NULL ? NULL : SSL_CTX_new(DTLS_method());
  if (context != NULL) {
    bool made = SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) == 1 &&
                SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1 &&
                SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES:!aNULL:!eNULL") == 1 &&
                SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1 &&
                // This one gives 0 for success.
                SSL_CTX_set_tlsext_use_srtp(context, "SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80") == 0;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, accept_for_now);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_QUERY_MTU | SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    // Records never exceed a datagram; the default would keep 16 KiB for writing, for ever.
    SSL_CTX_set_max_send_fragment(context, 2048);
    if (!made) {
      SSL_CTX_free(context);
      context = NULL;
    }
  }
  X509_free(certificate);
  EVP_PKEY_free(key);
  ERR_clear_error();
  return context;
}

bool oriel_dtls_context_fingerprint(SSL_CTX *context, uint8_t *digest) {
  unsigned length = 0;
  return X509_digest(SSL_CTX_get0_certificate(context), EVP_sha256(), digest, &length) == 1 && length == 32;
}

// OpenSSL waits a second before the first repeat; a lost flight should not cost the viewer that much.
static unsigned int next_timeout(SSL *ssl, unsigned int microseconds) {
  (void)ssl;
  if (microseconds == 0) return 150000;
  return microseconds >= 2400000 ? 2400000 : microseconds * 2;
}

SSL *oriel_dtls_new(SSL_CTX *context, bool is_client, long mtu) {
  SSL *ssl = SSL_new(context);
  BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
  if (ssl == NULL || in == NULL || out == NULL) {
    SSL_free(ssl);
    BIO_free(in);
    BIO_free(out);
    return NULL;
  }
  BIO_set_mem_eof_return(in, -1);
  BIO_set_mem_eof_return(out, -1);
  SSL_set_bio(ssl, in, out);
  SSL_set_mtu(ssl, mtu);
  DTLS_set_timer_cb(ssl, next_timeout);
  if (is_client)
    SSL_set_connect_state(ssl);
  else
    SSL_set_accept_state(ssl);
  return ssl;
}

bool oriel_dtls_put(SSL *ssl, const void *bytes, size_t length) {
  BIO *in = SSL_get_rbio(ssl);
  // What OpenSSL left of a broken datagram must not run into the next one.
  if (BIO_pending(in) > 0) (void)BIO_reset(in);
  return BIO_write(in, bytes, (int)length) == (int)length;
}

size_t oriel_dtls_pending(SSL *ssl, const uint8_t **bytes) {
  char *start = NULL;
  long length = BIO_get_mem_data(SSL_get_wbio(ssl), &start);
  *bytes = (const uint8_t *)start;
  return length > 0 ? (size_t)length : 0;
}

void oriel_dtls_discard(SSL *ssl) { (void)BIO_reset(SSL_get_wbio(ssl)); }

int64_t oriel_dtls_time_left(SSL *ssl) {
  struct timeval left;
  if (DTLSv1_get_timeout(ssl, &left) != 1) return -1;
  return (int64_t)left.tv_sec * 1000000 + left.tv_usec;
}

bool oriel_dtls_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl) >= 0; }

size_t oriel_dtls_peer_digest(SSL *ssl, const char *algorithm, uint8_t digest[64]) {
  const EVP_MD *method = strcasecmp(algorithm, "sha-256") == 0   ? EVP_sha256()
                         : strcasecmp(algorithm, "sha-384") == 0 ? EVP_sha384()
                         : strcasecmp(algorithm, "sha-512") == 0 ? EVP_sha512()
                                                                 : NULL;
  X509 *certificate = SSL_get1_peer_certificate(ssl);
  unsigned length = 0;
  if (method == NULL || certificate == NULL || X509_digest(certificate, method, digest, &length) != 1) length = 0;
  X509_free(certificate);
  return length;
}
