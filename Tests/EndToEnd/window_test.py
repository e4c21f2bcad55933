"""What a person sees: the picture in a window, and a line that tells what takes longer than a second."""

import os
import socket
import subprocess
import tempfile
import unittest

from Support.programs import ORIEL, House
from Support.terminal import Terminal
from Support.watching import Watching


class Window(unittest.TestCase):
    def test_a_window_shows_the_picture(self):
        read, write = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        self.addCleanup(screen.wait)
        self.addCleanup(screen.kill)
        os.close(write)
        with os.fdopen(read) as number:
            display = f":{number.readline().strip()}"
        house = House()
        self.addCleanup(house.close)
        house.login()
        _, serial = house.add_camera()
        house.environment["DISPLAY"] = display
        self.assertEqual(self.colours(display), 1, "an empty screen")
        watching = Watching(house, serial, "--window", "--seconds", "4")
        self.addCleanup(watching.stop)
        _, shown = watching.wait_for("statistics")
        self.assertGreater(shown["frames"], 10)
        self.assertGreater(self.colours(display), 100)
        code, last = watching.end(30)
        self.assertEqual((code, last["event"]), (0, "ended"), last)
        self.assertGreater(last["framesPerSecond"], 15)

    def colours(self, display):
        """How many colours are on the screen."""
        shot = subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "x11grab", "-draw_mouse", "0", "-video_size", "1280x720", "-i", display, "-frames:v", "1", "-f",
             "rawvideo", "-pix_fmt", "rgb565le", "-"], capture_output=True, check=True)
        return len(set(memoryview(shot.stdout).cast("H")))

    def test_without_a_screen_the_window_has_its_number(self):
        done = subprocess.run(
            [ORIEL, "live", "O12345678", "--window", "--json"], capture_output=True, text=True, timeout=20,
            env={**os.environ, "ORIEL_ACCESS_TOKEN": "at.none", "ORIEL_SERVER": "http://127.0.0.1:9", "DISPLAY": "",
                 "WAYLAND_DISPLAY": ""})
        self.assertEqual(done.returncode, 1)
        self.assertIn('"code":75', done.stderr)


class Progress(unittest.TestCase):
    def test_what_takes_longer_than_a_second_says_so(self):
        with socket.create_server(("127.0.0.1", 0)) as silent, tempfile.TemporaryDirectory() as home:
            terminal = Terminal([ORIEL, "devices"], {
                "ORIEL_SERVER": "http://127.0.0.1:%d" % silent.getsockname()[1], "ORIEL_ACCESS_TOKEN": "at.none",
                "XDG_CONFIG_HOME": home})
            self.addCleanup(terminal.close)
            terminal.wait_for(r"Asking the platform \.\.\. 2 s", 10)


if __name__ == "__main__":
    unittest.main()
