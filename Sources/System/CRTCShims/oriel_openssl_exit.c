#include <openssl/crypto.h>

// A program may end while the loops still run. OpenSSL's own clean-up at exit would then pull its locks from under
// them; the system takes the memory back anyway. It counts only before OpenSSL is first used: hence a constructor.
__attribute__((constructor)) static void keep_openssl_until_the_end(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
