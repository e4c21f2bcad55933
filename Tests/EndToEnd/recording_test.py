"""A camera that records: killed at any moment, on a disk that is full, read-only or another one, and H.265 as it came."""

import glob
import json
import os
import random
import subprocess
import time
import unittest
import urllib.request
from datetime import datetime, timezone

from Support.programs import House, wait_until

#: How often an agent is killed: a few times in `make test`, as often as ORIEL_KILLS says in `make soak`.
KILLS = int(os.environ.get("ORIEL_KILLS", "4"))


def film(path, *codec):
    """Ten seconds with a key frame a second and no picture that waits for a later one."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=10", "-pix_fmt", "yuv420p",
         *codec, path], check=True)
    return path


def h264(path):
    return film(
        path, "-c:v", "libx264", "-preset", "ultrafast", "-profile:v", "baseline", "-g", "25", "-bf", "0", "-b:v", "2M",
        "-minrate", "2M", "-maxrate", "2M", "-bufsize", "1M")


def start_of(path):
    """UTC seconds at which a recording begins, as its name says."""
    day, name = path.split("/")[-2:]
    return datetime.strptime(f"{day} {name.split('-')[2]}", "%Y-%m-%d %H%M%S.%fZ.mp4").replace(tzinfo=timezone.utc).timestamp()


def probe(path, *what):
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-of", "json", *what, path], capture_output=True, text=True)
    if done.returncode or done.stderr.strip():
        raise AssertionError(f"{path} does not open: {done.stderr}")
    return json.loads(done.stdout)


def length_of(path):
    """Seconds of pictures; raises when a player would complain."""
    packets = probe(path, "-show_entries", "packet=pts_time,duration_time")["packets"]
    return max(float(packet["pts_time"]) + float(packet.get("duration_time", 0.04)) for packet in packets)


class RecordingCase(unittest.TestCase):
    def setUp(self):
        self.house = House()
        self.addCleanup(self.house.close)
        self.house.login()
        self.film = h264(os.path.join(self.house.folder, "film.mp4"))
        self.folder = os.path.join(self.house.folder, "disk", "recordings")

    def camera(self, *arguments):
        camera, self.serial = self.house.add_camera(
            "camera", "--source", self.film, "--record", "continuous", "--recordings", self.folder, *arguments)
        return camera

    def recordings(self):
        return sorted(glob.glob(os.path.join(self.folder, "20*", "*.mp4")))

    def size(self):
        return sum(os.path.getsize(path) for path in self.recordings())

    def ask(self, path, body=None):
        request = urllib.request.Request(
            f"{self.house.server}/v1/devices/{self.serial}/cameras/1/{path}", json.dumps(body).encode() if body else None,
            {"Authorization": f"Bearer {self.house.access_token()}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def list(self, form="files", kind=None):
        more = f"&kind={kind}" if kind else ""
        return self.ask(f"recordings?from=0&to=9000000000000&store=device&form={form}{more}")["files"]

    def assert_list_is_right(self):
        """The camera does not record now: what it lists is what lies there, nothing over another."""
        files, paths = self.list(), self.recordings()
        self.assertEqual([file["startTime"] for file in files], [round(start_of(path) * 1000) for path in paths])
        for file, path in zip(files, paths):
            self.assertAlmostEqual((file["endTime"] - file["startTime"]) / 1000, length_of(path), delta=0.1, msg=path)
            self.assertEqual(file["size"], os.path.getsize(path))
        for one, following in zip(files, files[1:]):
            self.assertLessEqual(one["endTime"], following["startTime"])


class KilledAgent(RecordingCase):
    def test_a_killed_agent_loses_at_most_a_second_and_lists_what_it_has(self):
        camera = self.camera()
        worst = 0
        for _ in range(KILLS):
            before = len(self.recordings())
            wait_until(lambda: len(self.recordings()) > before - (before and 1) and self.size(), what="a recording")
            newest = self.recordings()[-1]
            wait_until(lambda: os.path.getsize(newest) > 100_000, what="media")
            time.sleep(random.uniform(0, 2))
            camera.kill()
            killed = time.time()
            lost = killed - start_of(newest) - length_of(newest)
            worst = max(worst, lost)
            self.assertLess(lost, 1, "seconds lost")
            known = set(self.recordings())
            camera = self.house.start("camera", camera.arguments)
            wait_until(lambda: set(self.recordings()) - known, what="recording after the start")
        camera.stop()
        # Listed by an agent that does not record over it meanwhile.
        arguments = list(camera.arguments)
        arguments[arguments.index("continuous")] = "events"
        self.house.start("camera", arguments)
        wait_until(lambda: len(self.list()) >= KILLS + 1, 20, "the list")
        self.assert_list_is_right()
        self.assertEqual(len(self.recordings()), KILLS + 1)
        print(f"worst of {KILLS}: {worst:.2f} s")


@unittest.skipUnless(os.geteuid() == 0, "disks are mounted by root")
class Disks(RecordingCase):
    def setUp(self):
        super().setUp()
        self.disk = os.path.join(self.house.folder, "disk")
        os.makedirs(self.disk)

    def mount(self, *options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", self.disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], stderr=subprocess.DEVNULL)

    def remount(self, options):
        subprocess.run(["mount", "-o", "remount," + options, self.disk], check=True)

    def test_a_full_disk_has_its_number_and_what_waited_is_kept(self):
        self.mount("size=1500k")
        camera = self.camera()
        wait_until(lambda: "(error 720001)" in camera.output(), 30, "the number")
        full = self.recordings()
        time.sleep(2)
        self.remount("size=100m")
        wait_until(lambda: camera.output().rstrip().endswith("camera 1 records"), 15, "recording")
        time.sleep(2)
        ended = time.time()
        self.assertEqual(self.recordings(), full, "the same file goes on")
        [stretch] = self.list("stretches")
        self.assertAlmostEqual(stretch["endTime"] / 1000, ended, delta=1.2)
        camera.stop()
        self.assertAlmostEqual(start_of(full[0]) + length_of(full[0]), time.time(), delta=2)

    def test_a_disk_that_is_read_only_has_its_number_and_recording_goes_on_by_itself(self):
        self.mount("size=100m", "ro")
        camera = self.camera()
        wait_until(lambda: "(error 720101)" in camera.output(), 20, "the number")
        self.remount("rw")
        wait_until(lambda: self.size() > 100_000, 15, "recording")
        self.assertTrue(camera.is_running())

    def test_another_disk_mounted_in_its_place_is_left_alone(self):
        self.mount("size=100m")
        camera = self.camera()
        wait_until(lambda: self.size() > 100_000, 15, "recording")
        camera.stop()
        mine = self.recordings()
        self.mount("size=100m")
        self.house.start("camera", camera.arguments)
        wait_until(lambda: "720102" in camera.output() or "720101" in camera.output(), 20, "the number")
        time.sleep(3)
        self.assertEqual([names for _, _, names in os.walk(self.disk) if names], [])
        subprocess.run(["umount", self.disk], check=True)
        wait_until(lambda: len(self.recordings()) > len(mine), 15, "recording")


class Events(RecordingCase):
    def test_an_event_within_continuous_recording_is_found_and_locked(self):
        camera = self.camera()
        wait_until(lambda: self.size() > 1_000_000, 20, "recording")
        happened = time.time()
        self.ask("events", {"name": "bell"})
        [event] = wait_until(lambda: self.list("stretches", "event"), 5, "the event")
        self.assertLess(abs(event["startTime"] / 1000 - max(happened - 5, start_of(self.recordings()[0]))), 1)
        self.ask("recordings/lock", {"from": event["startTime"], "to": event["endTime"], "locked": True})
        self.assertTrue(all(file["isLocked"] for file in self.list()))
        camera.stop()
        [path] = self.recordings()
        self.assertEqual(os.stat(path).st_mode & 0o222, 0, "the file says so too, for when the index is lost")
        for name in glob.glob(self.folder + "/index.sqlite*"):
            os.unlink(name)
        arguments = list(camera.arguments)
        arguments[arguments.index("continuous")] = "events"
        self.house.start("camera", arguments)
        wait_until(lambda: len(self.list()) == 1, 20, "the list, made anew")
        self.assert_list_is_right()
        self.assertTrue(self.list()[0]["isLocked"])
        self.assertEqual(len(self.list("stretches", "event")), 1)

    def test_a_camera_that_records_events_keeps_what_came_before_and_after(self):
        camera, self.serial = self.house.add_camera(
            "camera", "--source", self.film, "--record", "events", "--recordings", self.folder)
        time.sleep(7)
        self.assertEqual(self.recordings(), [])
        happened = time.time()
        self.ask("events", {"name": "motion"})
        [path] = wait_until(self.recordings, 5, "a recording")
        before = happened - start_of(path)
        self.assertTrue(4.5 < before < 7, before)
        wait_until(lambda: time.time() > happened + 12, 15, "the end of it")
        self.assert_list_is_right()
        self.assertEqual([file["kind"] for file in self.list()], ["event"])
        after = length_of(path) - before
        self.assertTrue(9.5 < after < 11.5, after)
        self.assertTrue(camera.is_running())


class Formats(RecordingCase):
    def test_h265_is_recorded_as_it_came(self):
        self.film = film(
            os.path.join(self.house.folder, "film265.mp4"), "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1",
            "-x265-params", "log-level=none:bframes=0:keyint=25:min-keyint=25")
        camera = self.camera("--h265")
        wait_until(lambda: self.size() > 200_000, 20, "recording")
        camera.stop()
        [path] = self.recordings()
        [stream] = probe(path, "-show_entries", "stream=codec_name,width,height")["streams"]
        self.assertEqual((stream["codec_name"], stream["width"], stream["height"]), ("hevc", 640, 360))
        # As it came: the pictures are those of the film, not encoded again.
        sizes = [
            [int(packet["size"]) for packet in probe(name, "-show_entries", "packet=size")["packets"]]
            for name in (self.film, path)]
        middle = sizes[1][26:45]
        self.assertTrue(any(sizes[0][at : at + len(middle)] == middle for at in range(len(sizes[0]))), (sizes[0][:60], middle))

    def test_aac_is_kept_as_it_came_and_heard_from_both_stores(self):
        self.film = os.path.join(self.house.folder, "sound.mp4")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=frequency=440",
             "-t", "10", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-profile:v", "baseline", "-g", "25", "-bf", "0", "-c:a", "aac",
             self.film], check=True)
        camera = self.camera("--upload", "all")
        wait_until(lambda: self.recordings() and length_of(self.recordings()[0]) > 5, 20, "recording")
        camera.stop()
        [path] = self.recordings()
        sound = lambda name: probe(name, "-select_streams", "a", "-show_entries", "stream=codec_name")["streams"][0]["codec_name"]
        self.assertEqual(sound(path), "aac")
        self.house.start("camera", camera.arguments)
        records = lambda: self.house.run("records", self.serial, "--cloud", "--json", check=False)
        wait_until(lambda: records().returncode == 0 and json.loads(records().stdout)["records"], 30, "the cloud")
        start = round(start_of(path) * 1000)
        stretch = ["--from", str(start + 1000), "--to", str(start + 4000)]
        for store in ("--device", "--cloud"):
            clip, fetched = (os.path.join(self.house.folder, name + store + ".mp4") for name in ("clip", "fetched"))
            self.house.run("playback", self.serial, *stretch, store, "--record", clip)
            self.assertEqual(sound(clip), "opus")
            level = subprocess.run(["ffmpeg", "-i", clip, "-af", "volumedetect", "-f", "null", "-"], capture_output=True, text=True)
            self.assertGreater(float(level.stderr.split("mean_volume: ")[1].split()[0]), -40, "a tone is heard")
            self.house.run("download", self.serial, fetched, *stretch, store)
            self.assertEqual(sound(fetched), "aac")
            done = subprocess.run(["ffmpeg", "-v", "error", "-i", fetched, "-f", "null", "-"], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
