"""The recordings view: a camera that records, a cloud with hours in it, and what a person does with both."""

import glob
import os
import random
import subprocess
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from Support.cloud_seed import MINUTE, CloudSeed, clock_film

from .case import ConsoleCase

HOUR = 60 * MINUTE

SEEK = """
const view = document.querySelector('time-line'), { player } = document.querySelector('playback-stage');
const began = performance.now();
const shown = new Promise((done) => {
  const heard = () => {
    if (player.phase !== 'playing' && player.phase !== 'paused') return;
    player.removeEventListener('time', heard);
    done(performance.now() - began);
  };
  player.addEventListener('time', heard);
});
view.dispatchEvent(new CustomEvent('seek', { detail: given[0] }));
return await shown;
"""

GREYS = """
const stage = document.querySelector('playback-stage');
const context = new OffscreenCanvas(64, 36).getContext('2d');
context.drawImage(stage.video, 0, 0, 64, 36);
const grey = (x) => context.getImageData(x, 20, 1, 1).data[0];
return [grey(16), grey(48), stage.player.time];
"""


class RecordingsCase(ConsoleCase):
    cameras = 0
    record = []

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.film = clock_film(os.path.join(cls.house.folder, "clock.mp4"))
        cls.camera, cls.serial = cls.house.add_camera("Porch", "--source", cls.film, *cls.record)

    def setUp(self):
        self.sign_in()

    def open(self, store):
        self.browser.cover(self.serial)
        self.browser.button("Recordings of Porch").click()
        if store == "cloud":
            self.browser.find(".store-choice [value=cloud]").send_keys(Keys.SPACE)
        self.browser.button("Play", ".curtain")

    @property
    def phase(self):
        return self.browser.run("return document.querySelector('playback-stage').dataset.phase")

    @property
    def time(self):
        return self.browser.run("return document.querySelector('playback-stage').player?.time")

    def wait_for(self, phase, seconds=10):
        self.browser.wait(lambda: self.phase == phase, seconds, f"the phase {phase}")

    def seek(self, time):
        """Seeks and gives how long it took to the picture, in milliseconds."""
        return self.browser.run_async(SEEK, time)

    def film_time(self):
        """What second of the film the picture shows, and what time the view says that it was taken."""
        second, tenth, time = self.browser.run(GREYS)
        luma = lambda grey: grey * 219 / 255  # noqa: E731
        return round(luma(second) / 3.5) + round(luma(tenth) / 20) / 10, time

    def assert_pictures_have_their_time(self, offset):
        film, time = self.film_time()
        self.assertAlmostEqual((film - time / 1000 - offset + 30) % 60 - 30, 0, delta=0.15)


class CloudRecordings(RecordingsCase):
    """Ten hours of yesterday in the cloud, an event, and a gap of an hour."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        midnight = time.localtime()
        cls.day = int(time.mktime((midnight.tm_year, midnight.tm_mon, midnight.tm_mday - 1, 0, 0, 0, 0, 0, -1))) * 1000
        cls.seed = CloudSeed(cls.house, cls.serial, cls.film)
        cls.seed.stretch(cls.day + 2 * HOUR, 240)
        cls.seed.stretch(cls.day + 7 * HOUR, 240)
        cls.seed.stretch(cls.day + 12 * HOUR, 2, kind="event")

    def setUp(self):
        super().setUp()
        self.browser.cover(self.serial)
        self.browser.button("Recordings of Porch").click()
        self.browser.find(".store-choice [value=cloud]").send_keys(Keys.SPACE)
        self.browser.wait_for_text(".curtain", "nothing of this day")
        self.browser.button("Day before").click()
        self.browser.button("Play", ".curtain")

    def test_the_day_is_summed_up_and_played_from_its_start(self):
        self.browser.wait_for_text(".summary", "8 h 2 min in the cloud, 1 event")
        self.assertEqual(self.browser.text(".store-badge"), "From the cloud")
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing")
        self.browser.wait(lambda: self.time > self.day + 2 * HOUR + 1000, what="pictures that move")
        self.assert_pictures_have_their_time(-(self.day / 1000 % 60))
        self.assertRegex(self.browser.text(".osd"), r"^02:00:0\d$")

    def test_seeks_show_the_right_picture_soon(self):
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing")
        chance, taken = random.Random(7), []
        for _ in range(30):
            target = self.day + 2 * HOUR + chance.randrange(240 * MINUTE - 5_000)
            taken.append(self.seek(target))
            self.assertAlmostEqual(self.time, target, delta=900)
            self.assert_pictures_have_their_time(-(self.day / 1000 % 60))
        taken.sort()
        print(f"seeks in the cloud: p50 {taken[15]:.0f} ms, p95 {taken[28]:.0f} ms")
        self.assertLess(taken[28], 300)

    def test_pause_steps_and_speeds(self):
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing")
        self.browser.button("Pause", ".controls").click()
        self.wait_for("paused")
        for label, by in (("Next picture", 100), ("Next picture", 100), ("Picture before", -100)):
            before = self.time
            self.browser.button(label).click()
            self.browser.wait(lambda: self.time != before, 3, "another picture")
            self.assertAlmostEqual(self.time - before, by, delta=20)
            self.assert_pictures_have_their_time(-(self.day / 1000 % 60))
        self.browser.button("Play", ".controls").click()
        for rate in (16, 4, 0.25):
            self.browser.run("document.querySelector('playback-stage').setRate(arguments[0])", rate)
            time.sleep(0.4)
            before, began = self.time, time.monotonic()
            time.sleep(2)
            passed = (self.time - before) / 1000 / (time.monotonic() - began)
            self.assertAlmostEqual(passed / rate, 1, delta=0.3)
        self.assertTrue(self.browser.run("return document.querySelector('playback-stage sound-control button').disabled"))

    def test_a_gap_is_said_and_jumped(self):
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing")
        self.seek(self.day + 6 * HOUR - 2_000)
        self.browser.wait_for_text(".gap-note", "Nothing was recorded for 1 h: on at 07:00:00.")
        self.browser.wait(lambda: self.time >= self.day + 7 * HOUR, what="the picture after the gap")
        self.seek(self.day + 6 * HOUR + 20 * MINUTE)
        self.assertAlmostEqual(self.time, self.day + 7 * HOUR, delta=900)

    def test_it_ends_once_and_plays_again(self):
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing")
        target = self.day + 12 * HOUR + 2 * MINUTE - 2_000
        self.seek(target)
        self.wait_for("ended")
        self.assertIn("That was all.", self.browser.text(".curtain"))
        self.browser.button("Play again").click()
        self.wait_for("playing")
        self.assertLess(self.time, target + 1_500)

    def test_by_keyboard_alone(self):
        timeline = self.browser.find(".time-slider")
        self.browser.run("arguments[0].focus()", timeline)
        self.browser.press(Keys.HOME)
        self.wait_for("playing")
        self.browser.press(Keys.SPACE)
        self.wait_for("paused")
        before = self.time
        self.browser.press(Keys.ARROW_RIGHT)
        self.browser.wait(lambda: abs(self.time - before - 15 * MINUTE) < 200, what="fifteen minutes on")
        self.wait_for("paused")
        for _ in range(8):
            self.browser.press("+")
        before = self.time
        self.browser.press(Keys.ARROW_LEFT)
        self.browser.wait(lambda: self.phase == "paused" and 0 < before - self.time < MINUTE, what="a smaller step")
        before = self.time
        self.browser.press(".")
        self.browser.wait(lambda: self.time > before, what="the next picture")
        self.browser.press(Keys.PAGE_DOWN)
        self.browser.wait(lambda: abs(self.time - self.day - 12 * HOUR) < 500 and self.phase == "paused", what="the event")
        self.assertIn("12:00:00", timeline.get_attribute("aria-valuetext"))
        self.browser.press(">", "k")
        self.wait_for("playing")
        self.assertEqual(self.browser.find(".controls select").get_attribute("value"), "2")

    def test_pointing_shows_the_picture_of_the_moment(self):
        timeline = self.browser.find(".time-slider")
        width = timeline.size["width"]
        ActionChains(self.browser.driver).move_to_element_with_offset(timeline, int(width * (3 / 24 - 0.5)), 0).perform()
        self.browser.wait(
            lambda: self.browser.run("const picture = document.querySelector('.preview img'); return !picture.hidden && picture.naturalWidth"),
            what="a thumbnail")
        self.assertRegex(self.browser.text(".preview"), r"^0[23]:\d\d:\d\d$")
        ActionChains(self.browser.driver).move_to_element_with_offset(timeline, int(width * (20 / 24 - 0.5)), 0).perform()
        self.browser.wait_for_text(".preview", "not recorded")
        ActionChains(self.browser.driver).move_to_element_with_offset(timeline, int(width * (3 / 24 - 0.5)), 0).click().perform()
        self.wait_for("playing")
        self.assertAlmostEqual(self.time, self.day + 3 * HOUR, delta=3 * MINUTE)

    def test_the_month_shows_which_days_have_something(self):
        self.browser.find(".day-button").click()
        self.browser.wait(lambda: self.browser.all("button.day.recorded"), what="a day with something")
        marked = [day.get_attribute("aria-label") for day in self.browser.all("button.day.recorded")]
        self.assertEqual(len(marked), 1)
        self.assertIn("has recordings", marked[0])
        self.browser.press(Keys.ESCAPE)
        self.browser.wait(lambda: not self.browser.find("month-view").is_displayed(), what="the end of the month")

    def test_a_stretch_over_several_files_is_downloaded_as_one(self):
        self.browser.button("Select a stretch").click()
        for field, text in zip(self.browser.all("stretch-panel input"), ("02:00:50", "02:02:10")):
            self.browser.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", field, text)
        self.browser.wait_for_text("stretch-panel", "1 min 20 s")
        self.browser.button("Download").click()
        path = self.browser.wait(
            lambda: glob.glob(os.path.join(self.browser.downloads.name, "Porch*.mp4")), what="the file")[0]
        shown = subprocess.run(
            ["ffprobe", "-v", "error", "-count_packets", "-show_entries", "format=duration:stream=codec_name,nb_read_packets",
             "-of", "csv=p=0", path], capture_output=True, text=True)
        self.assertEqual(shown.stderr, "")
        self.assertIn("h264", shown.stdout)
        self.assertIn("opus", shown.stdout)
        self.assertAlmostEqual(float(shown.stdout.split()[-1]), 86, delta=8)
        decoded = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"], capture_output=True, text=True)
        self.assertEqual(decoded.stderr, "")

    def test_a_snapshot_has_the_time_of_the_picture(self):
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing")
        self.browser.button("Take a snapshot").click()
        path = self.browser.wait(
            lambda: glob.glob(os.path.join(self.browser.downloads.name, "Porch*02.00.0*.jpg")), what="the snapshot")[0]
        self.assertGreater(os.path.getsize(path), 500)


class DeviceRecordings(RecordingsCase):
    """A camera that records, watched while it does."""

    record = ["--record", "continuous", "--upload", "all"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.began = time.monotonic()

    def setUp(self):
        super().setUp()
        time.sleep(max(0, self.began + 12 - time.monotonic()))
        self.open("device")

    def play(self):
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing", 15)
        film, taken = self.film_time()
        return film - taken / 1000

    def test_1_seeks_pause_steps_and_speeds_show_the_pictures_of_the_time_they_say(self):
        offset = self.play()
        self.assertEqual(self.browser.text(".store-badge"), "From the camera")
        first = self.time
        taken = []
        time.sleep(2)
        for place in (7, 2, 5, 1, 8, 3, 6, 4, 9, 2, 7, 1):
            target = first + place * 1_000
            taken.append(self.seek(target))
            self.assertAlmostEqual(self.time, target, delta=900)
            self.assert_pictures_have_their_time(offset)
        taken.sort()
        print(f"seeks on the camera: p50 {taken[6]:.0f} ms, slowest {taken[-1]:.0f} ms")
        self.assertLess(taken[-1], 1000)
        self.browser.button("Pause", ".controls").click()
        self.wait_for("paused")
        time.sleep(0.5)
        for _ in range(3):
            before = self.time
            self.browser.button("Next picture").click()
            self.browser.wait(lambda: self.time > before, 3, "the next picture")
            self.assertAlmostEqual(self.time - before, 100, delta=12)
            self.assert_pictures_have_their_time(offset)
        # A seek while pausing shows its picture and stays there.
        self.seek(first)
        self.wait_for("paused")
        self.assertAlmostEqual(self.time, first, delta=200)
        self.browser.press("k")
        self.wait_for("playing")
        self.browser.run("document.querySelector('playback-stage').setRate(2)")
        time.sleep(0.3)
        before, began = self.time, time.monotonic()
        time.sleep(1.5)
        self.assertAlmostEqual((self.time - before) / 1000 / (time.monotonic() - began), 2, delta=0.5)
        self.assert_pictures_have_their_time(offset)

    def test_2_the_camera_gives_thumbnails(self):
        shown = self.browser.run(
            "const view = document.querySelector('time-line'); const now = Date.now();"
            "view.showPart(now - 60000, now); return view.querySelector('.time-slider').clientWidth")
        timeline = self.browser.find(".time-slider")
        ActionChains(self.browser.driver).move_to_element_with_offset(timeline, shown // 2 - shown // 8, 0).perform()
        self.browser.wait(
            lambda: self.browser.run("const picture = document.querySelector('.preview img'); return !picture.hidden && picture.naturalWidth"),
            15, "a thumbnail")

    def test_3_a_stretch_is_locked_and_unlocked(self):
        self.browser.button("Select a stretch").click()
        self.browser.button("Lock").click()
        self.browser.wait_for_text(".lock-state", "locked")
        self.browser.wait(lambda: self.browser.button("Unlock").is_enabled(), what="the way back")
        self.browser.button("Unlock").click()
        self.browser.wait(lambda: self.browser.text(".lock-state") == "", what="nothing locked")

    def test_3a_a_stretch_of_the_camera_is_downloaded(self):
        self.browser.button("Select a stretch").click()
        self.browser.wait(lambda: self.browser.button("Download").is_enabled(), what="something to fetch")
        self.browser.button("Download").click()
        path = self.browser.wait(
            lambda: glob.glob(os.path.join(self.browser.downloads.name, "*.mp4")), 30, "the file")[0]
        shown = subprocess.run(
            ["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=codec_name,nb_read_packets",
             "-of", "csv=p=0", path], capture_output=True, text=True)
        self.assertEqual(shown.stderr, "")
        codec, pictures = shown.stdout.strip().split(",")
        self.assertEqual(codec, "h264")
        self.assertGreater(int(pictures), 20)
        decoded = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"], capture_output=True, text=True)
        self.assertEqual(decoded.stderr, "")

    def test_3b_an_event_is_marked_by_hand_and_listed(self):
        self.browser.button("Mark an event now").click()
        self.browser.wait_for_text(".notice", "The camera records an event.")
        self.browser.wait(lambda: self.browser.all("button.event"), 30, "the event")
        self.browser.wait_for_text(".summary", "1 event")

    def test_4_what_the_camera_uploads_is_played_from_the_cloud_when_it_is_offline(self):
        offset = self.play()
        self.browser.find(".store-choice [value=cloud]").send_keys(Keys.SPACE)
        # A recording is uploaded when its minute is over.
        self.browser.wait(
            lambda: any(button.text == "Play" and button.is_displayed() for button in self.browser.all(".curtain button")), 90,
            "the upload")
        self.browser.find(".store-choice [value=device]").send_keys(Keys.SPACE)
        self.camera.stop()
        self.browser.button("Day before").click()
        self.browser.wait_for_text(".curtain", "What it has stored in the cloud can still be seen.")
        self.browser.button("Day after").click()
        self.browser.button("Look in the cloud").click()
        self.browser.button("Play", ".curtain").click()
        self.wait_for("playing")
        self.assertEqual(self.browser.text(".store-badge"), "From the cloud")
        self.assert_pictures_have_their_time(offset)
