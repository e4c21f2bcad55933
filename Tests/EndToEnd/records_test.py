"""What a camera has recorded, on the command line: listed, watched, fetched, checked; from the camera and the cloud."""

import json
import os
import shutil
import signal
import subprocess
import unittest

from Support.programs import House, wait_until


def packets(path):
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets", "-of", "json", path],
        capture_output=True, text=True, check=True)
    return {stream["codec_name"]: int(stream["nb_read_packets"]) for stream in json.loads(done.stdout)["streams"]}


class Records(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.addClassCleanup(cls.house.close)
        cls.house.login()
        cls.camera, cls.serial = cls.house.add_camera(
            "camera", "--source", "test:320x180@25", "--record", "continuous", "--upload", "all")
        wait_until(lambda: cls.length() > 8, what="eight seconds of recording")
        # A first file that is finished, and so uploaded; then a second one.
        cls.camera.stop()
        cls.camera = cls.house.start("camera", cls.camera.arguments)
        wait_until(lambda: len(cls.records("--files")) == 2, 30, "a second file")
        wait_until(lambda: cls.records("--cloud"), 30, "the first file in the cloud")
        cls.first = cls.records("--files")[0]

    @classmethod
    def records(cls, *options):
        done = cls.house.run("records", cls.serial, "--json", *options, check=False)
        return json.loads(done.stdout)["records"] if done.returncode == 0 else []

    @classmethod
    def length(cls):
        return sum(file["endTime"] - file["startTime"] for file in cls.records()) / 1000

    def run_oriel(self, *arguments, code=0):
        done = self.house.run(*arguments, check=False)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def file(self, name):
        return os.path.join(self.house.folder, name)

    def range(self):
        return ["--from", str(self.first["startTime"] + 2000), "--to", str(self.first["startTime"] + 6000)]

    def test_both_stores_are_listed_for_people_and_programs(self):
        cloud = self.records("--cloud", "--files")
        self.assertEqual([cloud[0][key] for key in ("startTime", "endTime", "size")],
                         [self.first[key] for key in ("startTime", "endTime", "size")])
        text = self.run_oriel("records", self.serial).stdout
        self.assertIn("continuous", text)
        self.assertIn(f"oriel playback {self.serial} --from", text)
        days = self.run_oriel("records", self.serial, "--from", "-3d", "--days").stdout.split()
        self.assertIn(len(days), (1, 2))
        self.assertEqual(self.run_oriel("records", self.serial, "--from", "2000-01-01", "--days").stdout.split(), days)
        self.assertEqual(self.run_oriel("records", self.serial, "--from", "2020-01-01", "--to", "2020-01-02").stdout.strip(),
                         "Nothing was recorded then on the camera.")

    def test_a_stretch_is_fetched_whole_from_both_stores(self):
        for store in ("--device", "--cloud"):
            path = self.file(f"stretch{store}.mp4")
            answer = json.loads(self.run_oriel("download", self.serial, path, *self.range(), store, "--json").stdout)
            found = packets(path)
            self.assertEqual(found["h264"], answer["pictures"])
            # From the key frame at or before its start.
            self.assertTrue(100 <= found["h264"] <= 160, found)
            self.assertGreater(found["opus"], 190)
            subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", path, "-f", "null", "-"], check=True)

    def test_it_is_watched_to_its_end_and_written(self):
        for store in ("--device", "--cloud"):
            clip, picture = self.file(f"clip{store}.mp4"), self.file(f"picture{store}.jpg")
            done = self.run_oriel(
                "playback", self.serial, *self.range(), store, "--record", clip, "--snapshot", picture, "--json")
            events = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([event["event"] for event in events if event["event"] in ("started", "end", "ended")],
                             ["started", "end", "ended"])
            self.assertAlmostEqual(events[-1]["frames"], 100, delta=60)
            self.assertGreater(packets(clip)["h264"], 20)
            with open(picture, "rb") as file:
                self.assertEqual(file.read(2), b"\xff\xd8")

    def test_one_picture_of_a_moment_and_four_times_as_fast(self):
        picture = self.file("moment.jpg")
        self.run_oriel("playback", self.serial, "--from", str(self.first["startTime"] + 3000), "--snapshot", picture)
        self.assertTrue(os.path.getsize(picture) > 1000)
        done = self.run_oriel("playback", self.serial, *self.range(), "--rate", "4", "--json")
        self.assertIn('"end"', done.stdout)

    def test_what_cannot_be_has_a_sentence_and_a_number(self):
        start = self.first["startTime"]
        for arguments, code, words in [
            (["playback", self.serial], 2, "--from"),
            (["playback", self.serial, "--from", "yesterday"], 2, "is a time"),
            (["playback", self.serial, "--from", "18:61"], 2, "is a time"),
            (["playback", self.serial, "--from", "-5m", "--rate", "17"], 2, "0.0625 to 16"),
            (["playback", self.serial, "--from", "-5m", "--rate", "nan"], 2, "0.0625 to 16"),
            (["playback", self.serial, "--from", str(start), "--to", str(start)], 1, "720201"),
            (["playback", self.serial, "--from", "2040-01-01"], 1, "720202"),
            (["playback", self.serial, "--from", "2020-01-01", "--to", "2020-01-02"], 1, "395402"),
            (["playback", self.serial, "--from", "2020-01-01", "--to", "2020-01-02", "--cloud"], 1, "395402"),
            (["playback", self.serial + ":2", "--from", "-5m"], 1, "(error "),
            (["records", self.serial, "--from", "-1m", "--to", "-2m"], 2, "later"),
            (["records", self.serial, "--cloud", "--device"], 2, "Either"),
            (["download", self.serial, self.file("x.mp4"), "--from", "-5m"], 2, "--to"),
            (["download", self.serial, "/nowhere/x.mp4", *self.range()], 1, "720002"),
            (["download", self.serial, self.file("x.mp4"), "--from", "2020-01-01", "--to", "2020-01-02"], 1, "395402"),
            (["camera", "check", "--recordings", "/nowhere"], 1, "720101"),
            (["camera", "mend"], 2, "does not know"),
            (["camera", "--record", "sometimes"], 2, "continuous, events or off"),
            (["camera", "--record", "continuous", "--record-limit", "1MB"], 2, "64MB"),
            (["camera", "--upload", "all"], 2, "--record"),
            (["camera", "--record", "continuous", "--recordings", ""], 2, "needs a value"),
        ]:
            with self.subTest(arguments=arguments):
                done = self.run_oriel(*arguments, code=code)
                self.assertIn(words, done.stderr)
        self.assertFalse(os.path.exists(self.file("x.mp4")))


class Check(unittest.TestCase):
    def test_a_folder_is_checked_while_it_is_used_and_mended_afterwards(self):
        house = House()
        self.addCleanup(house.close)
        house.login()
        folder = os.path.join(house.folder, "recordings")
        camera, serial = house.add_camera(
            "camera", "--source", "test:320x180@25", "--record", "continuous", "--recordings", folder)
        data = camera.arguments[camera.arguments.index("--data") + 1]
        check = lambda *more: house.run("camera", "check", "--data", data, "--recordings", folder, *more, check=False)
        listed = lambda: json.loads(house.run("records", serial, "--json", check=False).stdout or '{"records": []}')["records"]
        wait_until(lambda: listed(), what="a recording")
        self.assertEqual(check().returncode, 0)
        # A name that a terminal would obey is shown, not obeyed.
        day = next(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("20"))
        with open(os.path.join(day, "1-main-\x1b[2J\nall is well-Z.mp4"), "w") as file:
            file.write("no film")
        done = check()
        self.assertIn("1-main-\ufffd[2J\ufffdall is well-Z.mp4: no recording", done.stdout)
        os.unlink(file.name)
        refused = check("--mend")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("720106", refused.stderr)
        camera.stop(signal.SIGINT)
        day = next(name for name in os.listdir(folder) if name.startswith("20"))
        with open(os.path.join(folder, day, "1-main-000000.000Z.mp4"), "wb") as file:
            file.write(b"this is no film")
        os.remove(os.path.join(folder, "index.sqlite"))
        found = json.loads(check("--json", "--mend").stdout)
        self.assertEqual({finding["kind"] for finding in found["findings"]},
                         {"indexLost", "fileWithoutEntry", "notARecording"})
        self.assertTrue(all(finding["isMended"] for finding in found["findings"]))
        again = check()
        self.assertEqual((again.returncode, "nothing to mend" in again.stdout), (0, True), again.stdout)
        # A folder that was deleted and made again is told of, and taken over by the words that the error says.
        shutil.rmtree(folder)
        os.mkdir(folder)
        camera = house.start("camera", camera.arguments)
        wait_until(lambda: "720102" in camera.output(), what="the number")
        camera.stop()
        self.assertEqual(check("--mend").returncode, 0)
        house.start("camera", camera.arguments)
        wait_until(listed, what="a recording in the new folder")


if __name__ == "__main__":
    unittest.main()
