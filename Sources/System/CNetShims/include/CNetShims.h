#pragma once
// What Swift cannot import: eventfd (not in Glibc's overlay) and curl's variadic calls.
#include <curl/curl.h>

int oriel_eventfd(void);

CURLcode oriel_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode oriel_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode oriel_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode oriel_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode oriel_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode oriel_curl_set_write(CURL *easy, CURLoption option,
                              size_t (*function)(char *bytes, size_t size, size_t count, void *context));
CURLcode oriel_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode oriel_curl_get_pointer(CURL *easy, CURLINFO info, void **value);

CURLMcode oriel_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode oriel_multi_set_socket(CURLM *multi, curl_socket_callback function, void *context);
CURLMcode oriel_multi_set_timer(CURLM *multi, curl_multi_timer_callback function, void *context);
/// The next transfer that is over: its handle and result; NULL when there is none.
CURL *oriel_multi_next_done(CURLM *multi, CURLcode *result);

#include <openssl/ssl.h>

/// TLS 1.2 or later, buffers given back while idle, no renegotiation, no server-side session cache.
void oriel_tls_configure(SSL_CTX *context);
/// Names the server in the handshake (SNI).
int oriel_tls_set_server_name(SSL *tls, const char *name);
/// The bytes that a socket has sent and its peer has not yet acknowledged; 0 when unknown.
int oriel_unacknowledged(int descriptor);
/// A new ECDSA key on P-256.
EVP_PKEY *oriel_make_key(void);
