"""Watching, recording and pictures through the command line, with cameras and viewers in every number."""

import json
import os
import subprocess
import unittest

from Support.programs import House, wait_until
from Support.watching import Watching


def probe(path):
    """What ffprobe reads in a file."""
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-count_packets", "-of", "json", path],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return json.loads(done.stdout)


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.house.login()
        cls.camera, cls.serial = cls.house.add_camera("camera", "--source", "test", "--source", "test")

    @classmethod
    def tearDownClass(cls):
        cls.house.close()

    def path(self, name):
        return os.path.join(self.house.folder, name)

    def watch(self, *arguments):
        watching = Watching(self.house, *arguments)
        self.addCleanup(watching.stop)
        return watching

    def test_a_clip_opens_in_an_ordinary_player_and_has_sound(self):
        self.house.run("live", self.serial, "--seconds", "4", "--record", self.path("clip.mp4"), "--snapshot",
                       self.path("picture.jpg"))
        found = probe(self.path("clip.mp4"))
        video = next(stream for stream in found["streams"] if stream["codec_type"] == "video")
        sound = next(stream for stream in found["streams"] if stream["codec_type"] == "audio")
        self.assertEqual((video["codec_name"], video["width"], video["height"]), ("h264", 1280, 720))
        self.assertEqual(sound["codec_name"], "opus")
        self.assertGreater(int(video["nb_read_packets"]), 15)
        self.assertAlmostEqual(float(found["format"]["duration"]), 4, delta=3)
        picture = probe(self.path("picture.jpg"))["streams"][0]
        self.assertEqual((picture["codec_name"], picture["width"]), ("mjpeg", 1280))

    def test_both_cameras_of_a_device_and_several_viewers_of_each(self):
        views = [self.watch(f"{self.serial}:{1 + number % 2}", "--seconds", "4") for number in range(4)]
        for view in views:
            code, last = view.end(40)
            self.assertEqual((code, last["event"]), (0, "ended"), last)
            self.assertGreater(last["framesPerSecond"], 5)

    def test_smooth_is_the_smaller_stream(self):
        code, last = self.watch(self.serial, "--quality", "smooth", "--seconds", "2").end(30)
        self.assertEqual(code, 0)
        self.assertEqual(last["statistics"]["width"], 640)

    def test_a_camera_that_does_not_exist_has_its_number(self):
        for number in (3, 99):
            done = self.house.run("live", f"{self.serial}:{number}", "--json", check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(json.loads(done.stdout.strip().split("\n")[-1])["code"], (120001, 395415))

    def test_a_snapshot_alone_ends_by_itself(self):
        self.house.run("live", self.serial, "--snapshot", self.path("alone.jpg"), timeout=20)
        self.assertEqual(probe(self.path("alone.jpg"))["streams"][0]["codec_name"], "mjpeg")

    def test_files_that_cannot_be_written_are_told(self):
        for option in ("--record", "--snapshot"):
            done = self.house.run("live", self.serial, "--seconds", "1", option, "/nonexistent/file", "--json", check=False)
            self.assertEqual(done.returncode, 1, option)
            self.assertEqual(json.loads(done.stderr.strip().split("\n")[-1])["code"], 720002)

    def test_two_agents_cannot_share_an_identity(self):
        second = self.house.start("second", ["camera", "--data", self.path("camera"), "--server", self.house.server])
        wait_until(lambda: not second.is_running(), what="the refusal")
        self.assertIn("730011", second.output())

    def test_a_wrong_code_is_refused_and_counted(self):
        _, serial, _ = self.house.start_camera("other")
        wait_until(lambda: self.house.run("devices", "probe", serial, check=False).returncode == 0, what="the camera")
        code = self.path("wrong.txt")
        with open(code, "w") as file:
            file.write("AAAAAA\n")
        os.chmod(code, 0o600)
        seen = [json.loads(self.house.run("devices", "add", serial, "--code-file", code, "--json", check=False).stderr)["code"]
                for _ in range(8)]
        self.assertEqual(seen[0], 120010)
        self.assertIn(seen[-1], (110006, 110029), "the guesses are slowed down")

    def test_secrets_are_in_no_log_and_no_argument_list(self):
        with open(self.path("camera/label.json")) as file:
            code = json.load(file)["verificationCode"]
        secrets = [self.house.password, code]
        for program in self.house.programs:
            text = program.output() + " ".join(program.arguments)
            for secret in secrets:
                self.assertNotIn(secret, text)


if __name__ == "__main__":
    unittest.main()
