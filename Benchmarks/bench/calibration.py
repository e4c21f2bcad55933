"""What this machine is and how fast it is today, so that figures from another day can be compared."""

import hashlib
import os
import platform
import socket
import subprocess
import threading
import time


def loopback_echo_microseconds(rounds=5000):
    """Median round trip of a 100-byte UDP echo on loopback."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))

    def echo():
        for _ in range(rounds):
            data, sender = server.recvfrom(200)
            server.sendto(data, sender)

    thread = threading.Thread(target=echo, daemon=True)
    thread.start()
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.settimeout(2)
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        client.sendto(b"x" * 100, server.getsockname())
        client.recvfrom(200)
        times.append(time.perf_counter() - began)
    thread.join()
    return sorted(times)[rounds // 2] * 1e6


def hash_rate_megabytes():
    """SHA-256 of one core, MB a second."""
    block = b"\0" * (1 << 20)
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < 1:
        hashlib.sha256(block).digest()
        count += 1
    return count / (time.perf_counter() - began)


def package(name):
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True).stdout or "-"


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    return {
        "processor": f"{model}, {os.cpu_count()} cores",
        "kernel": platform.release(),
        "Swift": swift,
        "GStreamer": package("libgstreamer1.0-0"),
        "libnice": package("libnice10"),
        "OpenSSL": package("libssl3"),
        "Pion": package("golang-github-pion-webrtc.v3-dev"),
        "Janus": package("janus"),
    }
