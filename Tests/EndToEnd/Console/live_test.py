"""Live views: moving pictures, sound, quality, snapshots, several side by side."""

import glob
import os
import struct

from .case import ConsoleCase


class LiveView(ConsoleCase):
    cameras = 2

    def setUp(self):
        self.sign_in()

    def test_pictures_move_soon_after_asking(self):
        tile = self.watch()
        self.assertGreater(tile.size[0], 0)
        self.assertLess(tile.run("return tile.session.firstPicture"), 1500)
        self.assertEqual(self.browser.text("live-tile .state"), "Live")

    def test_quality_changes_in_the_running_session(self):
        tile = self.watch()
        hd = tile.size
        self.browser.all("live-tile .segments label")[1].click()
        self.browser.wait(lambda: 0 < tile.size[0] < hd[0], 8, "the smaller picture")
        self.browser.all("live-tile .segments label")[0].click()
        self.browser.wait(lambda: tile.size == hd, 8, "the larger picture")
        tile.wait_until_moving()
        self.assertEqual(tile.sessions, 1)

    def test_sound_comes_along_and_is_switched_here(self):
        tile = self.watch()
        self.assertEqual(tile.run("return tile.querySelector('video').srcObject.getAudioTracks().length"), 1)
        self.assertTrue(tile.run("return tile.querySelector('video').muted"), "a view starts silent")
        tile.button("Sound on").click()
        self.browser.wait(lambda: not tile.run("return tile.querySelector('video').muted"), what="sound")
        before = self.browser.wait(lambda: tile.figures, what="figures")["soundEnergy"]
        self.browser.wait(lambda: tile.figures["soundEnergy"] > before, 5, "sound that is not silence")
        tile.run(
            "const slider = tile.querySelector('[type=range]'); slider.value = 30; slider.dispatchEvent(new Event('input'))"
        )
        self.assertAlmostEqual(tile.run("return tile.querySelector('video').volume"), 0.3)
        tile.button("Sound off").click()
        self.assertTrue(tile.run("return tile.querySelector('video').muted"))

    def test_snapshots_are_saved_in_full_size_as_jpeg_and_png(self):
        tile = self.watch()
        for label, pattern, size in (("JPEG", "*.jpg", jpeg_size), ("PNG", "*.png", png_size)):
            self.browser.run(
                "const choice = document.querySelector('.tools select'); choice.value = arguments[0];"
                "choice.dispatchEvent(new Event('change'))",
                label.lower(),
            )
            tile.button("Take a snapshot").click()
            path = self.browser.wait(
                lambda: glob.glob(os.path.join(self.browser.downloads.name, pattern)), 10, label
            )[0]
            self.assertTrue(os.path.basename(path).startswith("Camera A "), path)
            with open(path, "rb") as file:
                self.assertEqual(size(file.read()), tile.size)
            self.browser.wait_for_text(".notice", "was saved")

    def test_two_cameras_play_side_by_side(self):
        one = self.watch(0)
        self.watch(1)
        one.wait_until_moving()
        boxes = self.browser.run(
            "return [...document.querySelectorAll('live-tile')].map((tile) => tile.getBoundingClientRect().toJSON())"
        )
        self.assertAlmostEqual(boxes[0]["top"], boxes[1]["top"], delta=1)
        self.assertGreater(boxes[1]["left"], boxes[0]["right"])
        one.button("Enlarge").click()
        self.assertGreater(
            self.browser.run("return document.querySelector('live-tile.large').clientWidth"),
            boxes[0]["width"] * 1.8,
        )
        one.button("Close this view").click()
        self.browser.wait(lambda: len(self.browser.all("live-tile")) == 1, what="one view")
        self.browser.tile(0).wait_until_moving()

    def test_stop_and_start_again(self):
        tile = self.watch()
        for _ in range(2):
            tile.button("Stop").click()
            tile.wait_for("idle", 1)
            self.assertFalse(tile.run("return tile.querySelector('video').srcObject !== null"))
            tile.run("tile.querySelector('.controls button').click()")
            tile.wait_until_moving()

    def test_statistics_are_shown_on_demand(self):
        tile = self.watch()
        tile.button("Statistics").click()
        self.browser.wait(lambda: "bit/s" in self.browser.text("[data-figure=rate]"), 5, "the bit rate")
        shown = {
            name: self.browser.text(f"[data-figure={name}]")
            for name in ("rate", "size", "codec", "frames", "loss", "trip", "first", "path")
        }
        self.assertNotIn("–", "".join(shown.values()), shown)
        self.assertEqual(shown["size"], "{} × {}".format(*tile.size))
        self.assertEqual(shown["path"], "Direct")

    def test_full_screen_and_back(self):
        tile = self.watch()
        tile.button("Full screen").click()
        self.browser.wait(
            lambda: self.browser.run("return document.fullscreenElement?.className === 'tile'"),
            what="full screen",
        )
        tile.button("Leave full screen").click()
        self.browser.wait(
            lambda: self.browser.run("return document.fullscreenElement === null"), what="the page"
        )
        tile.wait_until_moving()

    def test_signing_out_ends_the_views(self):
        self.watch()
        self.browser.button("Sign out").click()
        self.browser.find("#password")
        self.assertEqual(self.browser.all("live-tile"), [])


class TwoCamerasInOneDevice(ConsoleCase):
    cameras = 0

    def test_each_is_watched_by_its_number(self):
        _, serial = self.house.add_camera("House", "--source", "test", "--source", "test:640x360@15")
        self.sign_in()
        self.assertIn("Camera 2", self.browser.cover(serial, 2).text)
        for place, (camera, size) in enumerate(((2, (640, 360)), (1, (1280, 720)))):
            self.browser.cover(serial, camera).click()
            tile = self.browser.tile(place)
            tile.wait_until_moving()
            self.assertEqual(tile.size, size)
        self.assertEqual(
            [title.text for title in self.browser.all("live-tile h3")],
            ["House · Camera 2", "House · Camera 1"],
        )


def png_size(data):
    return struct.unpack(">II", data[16:24]) if data[:8] == b"\x89PNG\r\n\x1a\n" else None


def jpeg_size(data):
    """Width and height out of the frame header (ITU-T T.81 B.2.2)."""
    place = 2
    while data[place] == 0xFF:
        if data[place + 1] in (0xC0, 0xC2):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + struct.unpack(">H", data[place + 2 : place + 4])[0]
    return None
