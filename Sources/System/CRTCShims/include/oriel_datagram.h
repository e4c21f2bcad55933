#pragma once
#include <stddef.h>
#include <sys/socket.h>

/// Sends `length` bytes as datagrams of `segment` bytes (the last may be shorter) with one sendmsg and
/// UDP_SEGMENT; with `segment >= length` it is one plain datagram. Never blocks.
/// Returns 0, or the errno of the failure (EIO, EINVAL: the kernel or the device cannot segment).
int oriel_send_segments(int descriptor, const struct sockaddr *address, socklen_t address_length,
                        const void *bytes, size_t length, size_t segment);
