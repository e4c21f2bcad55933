"""`oriel live --json --stats` as a stream of events with the time they were read."""

import json
import os
import subprocess
import threading
import time

from .programs import ORIEL


class Watching:
    """A running live view. Events are JSON lines: started, statistics, reconnecting, reconnected, failed, ended."""

    def __init__(self, house, *arguments, server=None):
        environment = {**os.environ, **house.environment}
        if server:
            environment.update(ORIEL_SERVER=server, ORIEL_ACCESS_TOKEN=house.access_token())
        self.process = subprocess.Popen(
            [ORIEL, "live", *arguments, "--json", "--stats"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            stdin=subprocess.DEVNULL, env=environment)
        self.events = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            with self.changed:
                self.events.append((time.monotonic(), event))
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def wait_for(self, name, seconds=15, since=0.0):
        """The time and body of the first event of this name read after `since`."""
        limit = time.monotonic() + seconds
        with self.changed:
            while True:
                for moment, event in self.events:
                    if event["event"] == name and moment > since:
                        return moment, event
                left = limit - time.monotonic()
                if left <= 0 or (self.process.poll() is not None and not self.reader.is_alive()):
                    raise AssertionError(f"no '{name}' event; read: {[event for _, event in self.events][-5:]}")
                self.changed.wait(min(left, 0.2))

    def wait_for_pictures(self, seconds=15, since=0.0):
        """The moment at which a statistics line tells of new pictures, counted from `since`."""
        moment, event = self.wait_for("statistics", seconds, since)
        while True:
            later, next_event = self.wait_for("statistics", seconds, moment)
            if next_event["frames"] > event["frames"]:
                return later
            moment, event = later, next_event

    def end(self, timeout=15):
        """Waits for the end and returns (exit code, last event)."""
        code = self.process.wait(timeout)
        self.reader.join(5)
        return code, self.events[-1][1] if self.events else None

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(10)
        self.reader.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
