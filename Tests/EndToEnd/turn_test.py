"""Relays: with Debian's coturn, and with direct paths forbidden, pictures come over TURN, by UDP and by TCP."""

import os
import shutil
import socket
import subprocess
import unittest

from Support.programs import House, free_port, wait_until
from Support.watching import Watching


class Relay(unittest.TestCase):
    def watch_over(self, transport):
        port = free_port()
        turn = subprocess.Popen(
            [shutil.which("turnserver") or "/usr/bin/turnserver", "-n", "--listening-ip", "127.0.0.1", "--relay-ip",
             "127.0.0.1", "--listening-port", str(port), "--use-auth-secret", "--static-auth-secret", "rendezvous",
             "--realm", "oriel", "--allow-loopback-peers", "--no-cli", "--no-tls", "--no-dtls", "--log-file", "stdout",
             "--pidfile", f"/tmp/oriel-turn-{port}.pid"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(turn.wait)
        self.addCleanup(turn.kill)
        wait_until(lambda: socket.create_connection(("127.0.0.1", port), 1), what="coturn")
        secret = f"/tmp/oriel-turn-secret-{os.getpid()}-{transport}"
        with open(os.open(secret, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
            file.write("rendezvous\n")
        self.addCleanup(os.unlink, secret)
        house = House(["--turn", f"turn:127.0.0.1:{port}?transport={transport}", "--turn-secret-file", secret])
        self.addCleanup(house.close)
        house.login()
        _, serial = house.add_camera("camera", "--relay-only")
        watching = Watching(house, serial, "--relay-only", "--seconds", "3")
        self.addCleanup(watching.stop)
        code, last = watching.end(30)
        self.assertEqual((code, last["event"]), (0, "ended"), last)
        self.assertGreater(last["framesPerSecond"], 5)
        self.assertIn("relay", last["statistics"]["path"])

    def test_pictures_come_over_a_relay_by_udp(self):
        self.watch_over("udp")

    def test_pictures_come_over_a_relay_by_tcp(self):
        self.watch_over("tcp")


if __name__ == "__main__":
    unittest.main()
