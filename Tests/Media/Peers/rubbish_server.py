#!/usr/bin/python3
"""Answers every connection with something that is not RTSP. Prints its port, ends with its parent."""
import os
import socket
import sys
import threading
import time

answer = {
    "noise": bytes(range(128, 256)) * 40,
    "html": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>router</html>",
    "nothing": b"",
    "sdp": b"",
}[sys.argv[1]]
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)


def serve(client):
    try:
        request = client.recv(4096)
        if sys.argv[1] == "sdp":
            while request:
                number = [line for line in request.split(b"\r\n") if line.lower().startswith(b"cseq")][0]
                body = b"v=0\r\nm=video broken\r\na=rtpmap:::\r\nm=audio 0 RTP/AVP 0\r\n" * 50
                head = b"RTSP/1.0 200 OK\r\n" + number + b"\r\nPublic: DESCRIBE, SETUP, PLAY\r\n"
                if request.startswith(b"DESCRIBE"):
                    head += b"Content-Type: application/sdp\r\nContent-Length: %d\r\n\r\n" % len(body) + body
                else:
                    head += b"\r\n"
                client.sendall(head)
                request = client.recv(4096)
        client.sendall(answer)
    except OSError:
        pass
    client.close()


def accept():
    while True:
        client, _ = server.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
parent = os.getppid()
while os.getppid() == parent:
    time.sleep(0.3)
