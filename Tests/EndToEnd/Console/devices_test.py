"""The list of devices: adding, covers, status, renaming, removing."""

import signal

from selenium.webdriver.common.keys import Keys

from .case import ConsoleCase


class Devices(ConsoleCase):
    cameras = 0

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.camera, cls.serial, code = cls.house.start_camera("Porch")
        with open(code) as file:
            cls.code = file.read().strip()
        cls.browser.wait(
            lambda: cls.house.run("devices", "probe", cls.serial, check=False).returncode == 0,
            what="the camera",
        )

    def setUp(self):
        self.sign_in()

    def status(self):
        return self.browser.run("return document.querySelector('device-row .status')?.textContent")

    def test_1_wrong_entries_get_a_sentence_and_the_right_ones_add_the_device(self):
        wrong = "ABCDEF" if self.code != "ABCDEF" else "GHIJKL"
        for serial, code, sentence in (
            ("12345", self.code, "This is not a device serial. A serial has nine characters"),
            (self.serial, "ABC", "A verification code has six letters."),
            (self.serial, wrong, "The verification code is wrong. Use the six letters"),
            ("O00000001", self.code, "No device with this serial has ever connected here."),
        ):
            self.browser.add_device(serial, code)
            self.assertIn(sentence, self.browser.wait_for_text("dialog .failure", sentence[:20]))
            self.browser.press(Keys.ESCAPE)
            self.browser.wait(lambda: not self.browser.all("dialog"), what="the end of the dialog")
        # As a person types it: blanks and small letters are forgiven.
        self.browser.add_device(f" {self.serial.lower()} ", self.code.lower(), "Front door")
        self.browser.wait_for_text("device-row h3", "Front door")
        self.browser.wait_for_text(".notice", "Front door was added.")
        self.browser.wait(lambda: self.status() == "Online", what="online")

    def test_2_the_cover_picture_is_shown(self):
        self.browser.wait(
            lambda: self.browser.run(
                "const picture = document.querySelector('.cover img'); return !picture.hidden && picture.naturalWidth > 100"
            ),
            90,
            "the cover",
        )

    def test_3_adding_it_again_says_so(self):
        self.browser.add_device(self.serial, self.code)
        self.assertIn("already in your account", self.browser.wait_for_text("dialog .failure", "account"))

    def test_4_details_tell_streams_and_delivery(self):
        self.browser.button("Details of Front door").click()
        facts = self.browser.wait_for_text("dialog", "HD stream")
        for part in (self.serial, "Online", "H264", "Smooth stream", "Camera 1"):
            self.assertIn(part, facts)
        self.assertRegex(facts, "Passed on|Encoded once")

    def test_5_a_new_name_shows_everywhere(self):
        self.browser.button("Details of Front door").click()
        field = self.browser.find("#device-name")
        field.clear()
        field.send_keys("Back <door>" + Keys.ENTER)
        self.assertIn("A name has 1 to 50 characters", self.browser.wait_for_text("dialog .failure", "name"))
        field.clear()
        field.send_keys("Tür zum Garten" + Keys.ENTER)
        self.browser.wait_for_text("device-row h3", "Tür zum Garten")
        self.assertIn("Tür zum Garten", self.house.run("devices").stdout)

    def test_6_offline_and_online_are_seen_without_a_reload(self):
        self.browser.wait(lambda: self.status() == "Online", what="online")
        self.camera.stop(signal.SIGTERM)
        self.browser.wait(lambda: self.status() == "Offline", 5, "offline")
        type(self).camera = self.house.start("Porch", self.camera.arguments)
        self.browser.wait(lambda: self.status() == "Online", 10, "online again")

    def test_7_removal_asks_first_and_the_list_is_empty_after_it(self):
        for answer in ("Keep it", "Remove"):
            self.browser.wait(lambda: self.browser.all("device-row .device-head button"), what="the row")[
                0
            ].click()
            self.browser.button("Remove device", "dialog").click()
            self.browser.find("[role=alertdialog]")
            self.browser.button(answer, "[role=alertdialog]").click()
            self.browser.wait(
                lambda: not self.browser.all("[role=alertdialog]"), what="the end of the question"
            )
            if answer == "Keep it":
                self.browser.press(Keys.ESCAPE)
                self.browser.wait(lambda: not self.browser.all("dialog"), what="the end of the dialog")
                self.assertEqual(len(self.browser.all("device-row")), 1)
        self.browser.wait_for_text("device-panel .empty", "No device yet")
