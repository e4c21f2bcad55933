#include "CNetShims.h"
#include <linux/sockios.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

int oriel_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

CURLcode oriel_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode oriel_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode oriel_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode oriel_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode oriel_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode oriel_curl_set_write(CURL *easy, CURLoption option,
                              size_t (*function)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, function);
}

CURLcode oriel_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode oriel_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLMcode oriel_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLMcode oriel_multi_set_socket(CURLM *multi, curl_socket_callback function, void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

CURLMcode oriel_multi_set_timer(CURLM *multi, curl_multi_timer_callback function, void *context) {
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

CURL *oriel_multi_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

void oriel_tls_configure(SSL_CTX *context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // Not SSL_MODE_ENABLE_PARTIAL_WRITE: libevent goes on with its next piece after a partial write.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
}

int oriel_tls_set_server_name(SSL *tls, const char *name) { return SSL_set_tlsext_host_name(tls, name); }

int oriel_unacknowledged(int descriptor) {
  int count = 0;
  return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : 0;
}

EVP_PKEY *oriel_make_key(void) { return EVP_EC_gen("P-256"); }
