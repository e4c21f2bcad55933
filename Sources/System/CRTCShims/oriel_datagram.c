#define _GNU_SOURCE
#include "oriel_datagram.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdint.h>
#include <string.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef SOL_UDP
#define SOL_UDP 17
#endif

int oriel_send_segments(int descriptor, const struct sockaddr *address, socklen_t address_length,
                        const void *bytes, size_t length, size_t segment) {
  struct iovec vector = {(void *)bytes, length};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(uint16_t))];
  } control;
  struct msghdr message = {0};
  message.msg_name = (void *)address;
  message.msg_namelen = address_length;
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  if (segment < length) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = sizeof control.room;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_UDP;
    header->cmsg_type = UDP_SEGMENT;
    header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
    uint16_t size = (uint16_t)segment;
    memcpy(CMSG_DATA(header), &size, sizeof size);
  }
  for (;;) {
    if (sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return 0;
    if (errno != EINTR) return errno;
  }
}
