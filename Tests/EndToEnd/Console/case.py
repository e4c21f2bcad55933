"""What the browser tests start from: one house and one browser for the tests of a class."""

import os
import unittest

from Support.programs import ROOT, House

from .browser import Browser

CONSOLE = ["--console", os.path.join(ROOT, "Console")]


class ConsoleCase(unittest.TestCase):
    #: How many cameras are in the account at the start.
    cameras = 1
    width, height = 1280, 800

    @classmethod
    def setUpClass(cls):
        cls.house = House(CONSOLE)
        cls.addClassCleanup(cls.house.close)
        cls.house.login()
        cls.agents = [cls.house.add_camera(f"Camera {letter}") for letter in "ABCD"[: cls.cameras]]
        cls.serials = [serial for _, serial in cls.agents]
        cls.browser = Browser(cls.house.server, cls.width, cls.height)
        cls.addClassCleanup(cls.browser.close)

    def tearDown(self):
        self.assertEqual(self.browser.faults(), [])

    def sign_in(self):
        self.browser.sign_in(self.house.password)

    def watch(self, place=0):
        """Opens one of the account's cameras and waits for moving pictures."""
        self.browser.cover(self.serials[place]).click()
        tile = self.browser.tile(len(self.browser.all("live-tile")) - 1)
        tile.wait_until_moving()
        return tile
