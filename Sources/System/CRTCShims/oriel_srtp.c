// The one-shot interfaces of OpenSSL 3 allocate per message; SHA1_* does not, and is kept there for good.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "oriel_srtp.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

struct oriel_hmac_sha1 {
  SHA_CTX inner;
  SHA_CTX outer;
};

oriel_hmac_sha1 *oriel_hmac_sha1_new(const uint8_t *key, size_t key_length) {
  uint8_t block[SHA_CBLOCK] = {0};
  oriel_hmac_sha1 *mac = malloc(sizeof *mac);
  if (!mac) return NULL;
  if (key_length > sizeof block) {
    SHA_CTX context;
    SHA1_Init(&context);
    SHA1_Update(&context, key, key_length);
    SHA1_Final(block, &context);
  } else {
    memcpy(block, key, key_length);
  }
  for (size_t i = 0; i < sizeof block; i++) block[i] ^= 0x36;
  SHA1_Init(&mac->inner);
  SHA1_Update(&mac->inner, block, sizeof block);
  for (size_t i = 0; i < sizeof block; i++) block[i] ^= 0x36 ^ 0x5c;
  SHA1_Init(&mac->outer);
  SHA1_Update(&mac->outer, block, sizeof block);
  OPENSSL_cleanse(block, sizeof block);
  return mac;
}

void oriel_hmac_sha1_free(oriel_hmac_sha1 *mac) {
  if (!mac) return;
  OPENSSL_cleanse(mac, sizeof *mac);
  free(mac);
}

void oriel_hmac_sha1_digest(
  const oriel_hmac_sha1 *mac, const void *one, size_t one_length, const void *two, size_t two_length,
  uint8_t digest[20]) {
  SHA_CTX context = mac->inner;
  SHA1_Update(&context, one, one_length);
  SHA1_Update(&context, two, two_length);
  SHA1_Final(digest, &context);
  context = mac->outer;
  SHA1_Update(&context, digest, SHA_DIGEST_LENGTH);
  SHA1_Final(digest, &context);
}
