"""Processes under measurement: start, CPU and memory from /proc, end."""

import os
import signal
import subprocess
import time

TICK = os.sysconf("SC_CLK_TCK")


class Measured:
    """A child process whose CPU time and memory are read from outside."""

    def __init__(self, command, ready=None, timeout=20, namespace=None, **options):
        if namespace:
            command = ["ip", "netns", "exec", namespace] + command
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **options)
        if ready is not None:
            self.wait_for(ready, timeout)

    @property
    def pid(self):
        return self.process.pid

    def wait_for(self, word, timeout=60):
        """Reads lines until one begins with the word; raises with what the process said when it ends first."""
        limit = time.monotonic() + timeout
        while time.monotonic() < limit:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{self.process.args[0]} ended: {self.process.stderr.read()[-2000:]}")
            if line.startswith(word):
                return line.strip()
        raise RuntimeError(f"{self.process.args[0]} said no '{word}'")

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith("Rss:"):
                    return int(line.split()[1]) * 1024
        return 0

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.pid, signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
