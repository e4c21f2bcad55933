#pragma once
#include <stddef.h>
#include <stdint.h>

/// HMAC-SHA1 with a fixed key whose two first blocks are hashed once: a MAC without allocation.
typedef struct oriel_hmac_sha1 oriel_hmac_sha1;

/// NULL when there is no memory.
oriel_hmac_sha1 *oriel_hmac_sha1_new(const uint8_t *key, size_t key_length);
void oriel_hmac_sha1_free(oriel_hmac_sha1 *mac);
/// The MAC of both parts, one after the other, 20 bytes.
void oriel_hmac_sha1_digest(
  const oriel_hmac_sha1 *mac, const void *one, size_t one_length, const void *two, size_t two_length,
  uint8_t digest[20]);
