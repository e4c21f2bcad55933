"""A clock that jumps, forward by a day or back by an hour, on the platform, the camera or the viewer."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest

from Support.programs import ROOT, House
from Support.watching import Watching

DAY = 86_400


class Clock(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.library = os.path.join(cls.folder, "false_clock.so")
        subprocess.run(
            ["clang", "-shared", "-fPIC", "-O", "-o", cls.library, os.path.join(ROOT, "Tests/EndToEnd/Support/false_clock.c")],
            check=True)

    def setUp(self):
        self.house = House()
        self.addCleanup(self.house.close)
        self.path = os.path.join(self.folder, "offset")
        self.set(0)

    def set(self, seconds):
        """What is added to the wall clock of whatever was started with `false_clock`."""
        with open(self.path + ".new", "w") as file:
            file.write(f"{seconds}\n")
        os.rename(self.path + ".new", self.path)

    @property
    def false_clock(self):
        return {"LD_PRELOAD": self.library, "FALSE_CLOCK": self.path}

    def watch_while_it_jumps(self, serial):
        watching = Watching(self.house, serial)
        self.addCleanup(watching.stop)
        moment, _ = watching.wait_for("started")
        for offset in (DAY, -3600, 0):
            self.set(offset)
            moment = watching.wait_for_pictures(10, since=moment)
        self.assertEqual([event for _, event in watching.events if event["event"] in ("reconnecting", "failed")], [])
        figures = [event for _, event in watching.events if event["event"] == "statistics"]
        self.assertGreater(figures[-1]["frames"], 15 * (len(figures) - 2), figures[-1])

    def test_of_the_camera(self):
        self.house.environment.update(self.false_clock)
        self.house.login()
        _, serial = self.house.add_camera()
        for name in self.false_clock:
            del self.house.environment[name]
        self.watch_while_it_jumps(serial)

    def test_of_the_viewer(self):
        self.house.login()
        _, serial = self.house.add_camera()
        self.house.environment.update(self.false_clock)
        self.watch_while_it_jumps(serial)

    def test_of_the_platform(self):
        self.house.platform.kill()
        self.house.environment.update(self.false_clock)
        self.house.start_platform()
        for name in self.false_clock:
            del self.house.environment[name]
        self.house.login()
        _, serial = self.house.add_camera()
        self.watch_while_it_jumps(serial)
        self.set(DAY)
        password = os.path.join(self.house.folder, "password.txt")
        ends = self.house.json("login", "--password-file", password)["expireTime"] / 1000 - time.time()
        self.assertAlmostEqual(ends, 8 * DAY, delta=60, msg="a day ahead, and a week for the token")
        for offset in (DAY, -3600, 0):
            self.set(offset)
            self.assertEqual(self.house.run("live", serial, "--seconds", "1").returncode, 0, offset)


if __name__ == "__main__":
    unittest.main()
