"""Runs a command on a terminal of its own, as a person would: reads what it shows, types, presses Ctrl-C."""

import fcntl
import os
import pty
import re
import signal
import subprocess
import termios
import threading

from .programs import wait_until


class Terminal:
    def __init__(self, command, environment=None):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), env={**os.environ, **(environment or {})})
        os.close(slave)
        self.shown = ""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                more = os.read(self.master, 4096)
            except OSError:  # the other end is closed
                return
            if not more:
                return
            self.shown += more.decode(errors="replace")

    def wait_for(self, pattern, seconds=20):
        """Returns the match of a regular expression in what is on the terminal."""
        try:
            return wait_until(lambda: re.search(pattern, self.shown), seconds, pattern)
        except AssertionError as error:
            raise AssertionError(f"{error}; shown:\n{self.shown}") from None

    def type(self, text):
        os.write(self.master, text.encode())

    def press_control_c(self, timeout=15):
        """Returns the exit code that it ends with."""
        self.type("\x03")
        code = self.process.wait(timeout)
        self.reader.join(5)
        return code

    def members(self):
        """The processes of this terminal that still run."""
        found = subprocess.run(
            ["ps", "-o", "pid=,args=", "--sid", str(self.process.pid)], capture_output=True, text=True).stdout
        return [line.strip() for line in found.splitlines()]

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.reader.join(5)
        os.close(self.master)
