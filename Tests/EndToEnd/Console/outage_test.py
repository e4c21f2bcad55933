"""A camera or a platform that goes away: the view says so, resumes by itself or ends with its sentence."""

import signal
import time

from .case import ConsoleCase

LOST = (
    "The connection to the camera was lost and did not come back. "
    "Check the camera and the network, then start the view again."
)


class Outage(ConsoleCase):
    def setUp(self):
        self.sign_in()
        self.tile = self.watch()

    @property
    def camera(self):
        return self.agents[0][0]

    def start_camera_again(self):
        type(self).agents = [(self.house.start("Camera A", self.camera.arguments), self.serials[0])]

    def test_a_killed_camera_ends_the_view_after_thirty_seconds_and_can_be_watched_again(self):
        gone = time.monotonic()
        self.camera.kill()
        self.tile.wait_for("reconnecting", 10)
        self.assertIn("The connection was lost.", self.tile.sentence)
        self.tile.wait_for("ended", 40)
        self.assertAlmostEqual(time.monotonic() - gone, 30, delta=4)
        self.assertEqual(self.tile.sentence, LOST)
        self.tile.button("Start").click()
        self.browser.wait(lambda: "The device is offline." in self.tile.sentence, 5, "the refusal")
        self.start_camera_again()
        self.browser.wait_for_text("device-row .status", "Online")
        self.tile.run("tile.querySelector('.curtain button').click()")
        self.tile.wait_until_moving()

    def test_a_camera_that_comes_back_is_seen_again_without_asking(self):
        self.camera.kill()
        self.tile.wait_for("reconnecting", 10)
        time.sleep(2)
        self.start_camera_again()
        self.browser.wait_for_text("device-row .status", "Online")
        self.tile.wait_for("live", 5)
        self.tile.wait_until_moving()

    def test_a_platform_that_goes_and_comes_leaves_a_picture(self):
        self.house.platform.kill()
        self.browser.wait_for_text(".trouble", "The platform cannot be reached", 10)
        type(self).house.platform = self.house.start_platform()
        self.browser.wait(
            lambda: self.browser.find("console-frame") and not self.browser.all(".trouble:not([hidden])"),
            10,
            "the link",
        )
        self.tile.wait_until_moving(10)
        self.browser.driver.get_log("browser")  # refused connections, which the browser logs itself

    def test_a_frozen_camera_is_noticed_and_comes_back_in_the_same_session(self):
        self.camera.process.send_signal(signal.SIGSTOP)
        try:
            self.tile.wait_for("reconnecting", 10)
        finally:
            self.camera.process.send_signal(signal.SIGCONT)
        self.tile.wait_for("live", 10)
        self.tile.wait_until_moving()
        self.assertEqual(self.tile.sessions, 1)
