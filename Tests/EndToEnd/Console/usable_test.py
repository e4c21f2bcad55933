"""Usable on a phone's width and by keyboard alone, in both colour schemes."""

from selenium.webdriver.common.keys import Keys

from .case import ConsoleCase

# What has the focus: its accessible name and whether one sees that it has it.
FOCUS = """
const focused = document.activeElement;
const seen = focused.type === 'radio' ? focused.nextElementSibling : focused;
const style = getComputedStyle(seen);
return [focused.getAttribute('aria-label') || focused.labels?.[0]?.textContent || focused.textContent,
  style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
"""


class Phone(ConsoleCase):
    width, height = 360, 740

    def assert_no_horizontal_scroll(self):
        self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), 360)
        outside = self.browser.run(
            "return [...document.querySelectorAll('button, input, select, h1, h2, h3, p, video')]"
            ".filter((part) => part.checkVisibility() && !part.matches('[type=radio], .skip, .notice'))"
            ".map((part) => [part.outerHTML.slice(0, 80), part.getBoundingClientRect()])"
            ".filter(([, box]) => box.width > 0 && (box.left < 0 || box.right > 360)).map(([name]) => name)"
        )
        self.assertEqual(outside, [])

    def test_every_page_fits_360_pixels(self):
        self.browser.open()
        self.assert_no_horizontal_scroll()
        self.sign_in()
        self.browser.cover(self.serials[0])
        self.assert_no_horizontal_scroll()
        self.browser.button("Add device").click()
        self.browser.find("dialog")
        self.assert_no_horizontal_scroll()
        self.browser.press(Keys.ESCAPE)
        self.browser.button("Details of Camera A").click()
        self.browser.find("dialog")
        self.assert_no_horizontal_scroll()
        self.browser.press(Keys.ESCAPE)
        tile = self.watch()
        tile.button("Statistics").click()
        tile.button("Sound on").click()
        self.assert_no_horizontal_scroll()
        self.assertFalse(self.browser.find("device-panel").is_displayed(), "one page at a time")
        self.browser.driver.back()
        self.assertTrue(self.browser.find("device-panel").is_displayed())
        self.assertEqual(self.browser.run("return document.querySelector('.count').textContent"), "1")

    def test_recordings_fit_360_pixels_too(self):
        self.sign_in()
        self.browser.cover(self.serials[0])
        self.browser.button("Recordings of Camera A").click()
        self.browser.wait_for_text("recordings-view .curtain", "does not record")
        self.assertFalse(self.browser.find("device-panel").is_displayed(), "one page at a time")
        self.assert_no_horizontal_scroll()
        self.browser.button("Select a stretch").click()
        self.browser.find(".store-choice [value=cloud]").send_keys(Keys.SPACE)
        self.browser.wait_for_text(".store-badge", "From the cloud")
        self.browser.button("Select a stretch").click()
        self.assert_no_horizontal_scroll()
        self.browser.find(".day-button").click()
        self.browser.find("month-view h3")
        self.assert_no_horizontal_scroll()
        self.assertEqual(
            self.browser.run(
                "return [...document.querySelectorAll('recordings-view button')].filter((button) => button.checkVisibility()"
                " && button.getBoundingClientRect().height < 30).map((button) => button.outerHTML)"),
            [])


class Keyboard(ConsoleCase):
    def tab_to(self, name, backwards=False):
        for _ in range(40):
            self.browser.tab(backwards)
            if self.browser.run("return document.activeElement === document.body"):
                continue  # the browser's own controls
            label, is_seen = self.browser.run(FOCUS)
            self.assertTrue(is_seen, f"no visible focus on {label}")
            if label.strip() == name:
                return
        self.fail(f"“{name}” cannot be reached by keyboard")

    def test_the_whole_way_without_a_pointer(self):
        self.browser.open()
        self.browser.find("#account")
        self.browser.press("admin", Keys.TAB, self.house.password, Keys.ENTER)
        self.browser.cover(self.serials[0])
        self.tab_to("Watch Camera A")
        self.browser.press(Keys.ENTER)
        tile = self.browser.tile()
        tile.wait_until_moving()
        self.assertEqual(self.browser.run(FOCUS)[0], "Stop")
        hd = tile.size
        self.tab_to("HD")
        self.browser.press(Keys.ARROW_RIGHT)
        self.browser.wait(lambda: tile.size[0] < hd[0], 8, "the smaller picture")
        self.tab_to("Sound on")
        self.browser.press(Keys.SPACE)
        self.assertFalse(tile.run("return tile.querySelector('video').muted"))
        self.tab_to("Statistics")
        self.browser.press(Keys.ENTER)
        self.assertTrue(self.browser.find("statistics-panel").is_displayed())
        self.tab_to("Stop", backwards=True)
        self.browser.press(Keys.ENTER)
        tile.wait_for("idle", 2)
        self.tab_to("Close this view")
        self.browser.press(Keys.ENTER)
        self.browser.wait(lambda: not self.browser.all("live-tile"), what="no view")
        self.assertEqual(self.browser.run(FOCUS)[0], "Watch Camera A")

    def test_recordings_without_a_pointer(self):
        self.sign_in()
        self.browser.cover(self.serials[0])
        self.tab_to("Recordings of Camera A")
        self.browser.press(Keys.ENTER)
        self.assertEqual(self.browser.run(FOCUS)[0], "Camera")
        self.tab_to("Camera")
        self.browser.press(Keys.ARROW_RIGHT)
        self.browser.wait_for_text(".store-badge", "From the cloud")
        self.tab_to("Day before")
        self.browser.press(Keys.ENTER)
        self.tab_to("Select a stretch")
        self.tab_to("Time of the recording")
        self.browser.press("+", "+", "0")
        self.tab_to("Next event")

    def test_a_dialog_keeps_the_focus_and_gives_it_back(self):
        self.sign_in()
        self.browser.cover(self.serials[0])
        self.browser.button("Add device").click()
        self.browser.find("dialog")
        for _ in range(12):
            self.browser.press(Keys.TAB)
            self.assertTrue(
                self.browser.run(
                    "return document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
                )
            )
        self.browser.press(Keys.ESCAPE)
        self.browser.wait(lambda: self.browser.run(FOCUS)[0] == "Add device", what="the focus where it was")


class Contrast(ConsoleCase):
    def test_text_is_readable_in_both_schemes(self):
        """WCAG 2.2, 1.4.3: 4.5 to 1 for text."""
        self.sign_in()
        self.browser.cover(self.serials[0])
        for scheme in ("light", "dark"):
            self.browser.command(
                "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
            )
            for text, ground in (
                ("text", "ground"),
                ("text", "surface"),
                ("muted", "surface"),
                ("muted", "ground"),
                ("on-accent", "accent"),
                ("accent", "accent-soft"),
                ("good", "surface"),
                ("bad", "bad-soft"),
                ("bad", "surface"),
                ("on-bad", "bad"),
            ):
                self.assertGreaterEqual(self.ratio(text, ground), 4.5, f"{text} on {ground}, {scheme}")

    def ratio(self, one, other):
        colours = self.browser.run(
            "const style = getComputedStyle(document.documentElement);"
            "return [...arguments].map((name) => style.getPropertyValue(`--${name}`).trim())",
            one,
            other,
        )
        light, dark = sorted((luminance(colour) for colour in colours), reverse=True)
        return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
