"""A browser with the console in it, and what a person does there."""

import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WATCHFUL = """
window.faults = [];
addEventListener('error', (event) => faults.push(`error: ${event.message}`));
addEventListener('unhandledrejection', (event) => faults.push(`rejection: ${event.reason}`));
addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""

# The browser itself logs every answer that is not 2xx; the tests that provoke one expect it.
ANSWERS = "Failed to load resource: the server responded with a status of"


class Browser:
    def __init__(self, server, width=1280, height=800, scheme="light", arguments=()):
        self.server = server
        self.downloads = tempfile.TemporaryDirectory(prefix="oriel-downloads-")
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--window-size={width},{height}",
            *arguments,
        ):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": self.downloads.name})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(20)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCHFUL)
        self.resize(width, height)
        self.command(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
        )

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def resize(self, width, height):
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def close(self):
        self.driver.quit()
        self.downloads.cleanup()

    # What is there

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def find(self, selector):
        return self.wait(lambda: self.driver.find_element(By.CSS_SELECTOR, selector), what=selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def run_async(self, body, *arguments):
        """Runs the body of an async function and gives what it returns."""
        script = (
            "const done = arguments[arguments.length - 1];"
            f"(async (...given) => {{ {body} }})(...arguments).then((value) => done({{ value }}), (error) => done({{ error: String(error) }}));"
        )
        outcome = self.driver.execute_async_script(script, *arguments)
        if "error" in outcome:
            raise AssertionError(outcome["error"])
        return outcome.get("value")

    def wait(self, condition, seconds=10, what="the condition"):
        limit, last = time.monotonic() + seconds, None
        while time.monotonic() < limit:
            try:
                value = condition()
                if value:
                    return value
            except Exception as error:  # noqa: BLE001 - the page is not there yet
                last = error
            time.sleep(0.05)
        raise AssertionError(f"{what} did not come within {seconds} s; {last or ''} {self.describe()}")

    def describe(self):
        return self.run("return document.body.innerText.slice(0, 1500)") + f" {self.faults()}"

    def text(self, selector):
        return self.find(selector).text

    def wait_for_text(self, selector, part, seconds=10):
        return self.wait(
            lambda: next((found.text for found in self.all(selector) if part in found.text), None),
            seconds,
            f"“{part}” in {selector}",
        )

    def faults(self):
        """Errors of the page so far: script errors, broken policy, messages on the console."""
        messages = [
            entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"
        ]
        return self.run("return window.faults ?? []") + [text for text in messages if ANSWERS not in text]

    # What a person does

    def open(self):
        """The console as on the first visit of a tab."""
        self.driver.get(self.server + "/favicon.svg")
        self.run("sessionStorage.clear(); localStorage.clear()")
        self.driver.get(self.server + "/")

    def sign_in(self, password, account="admin"):
        self.open()
        self.find("#account").send_keys(account)
        self.find("#password").send_keys(password + Keys.ENTER)
        self.find("device-panel")

    def press(self, *keys):
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def tab(self, backwards=False):
        chain = ActionChains(self.driver)
        if backwards:
            chain.key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT)
        else:
            chain.send_keys(Keys.TAB)
        chain.perform()

    def button(self, label, inside=""):
        """The visible button with this label or text."""

        def look():
            for candidate in self.all(f"{inside} button"):
                named = candidate.get_attribute("aria-label") or candidate.text
                if named.strip() == label and candidate.is_displayed():
                    return candidate

        return self.wait(look, what=f"the button “{label}”")

    def add_device(self, serial, code, name=""):
        self.button("Add device").click()
        self.find("#serial").send_keys(serial)
        self.find("#code").send_keys(code)
        self.find("#name").send_keys(name + Keys.ENTER)

    def cover(self, serial, camera=1):
        """The button that opens a camera."""
        return self.wait(
            lambda: self.run(
                "return [...document.querySelectorAll('device-row')].find((row) => row.textContent.includes(arguments[0]))"
                "?.querySelectorAll('.cover')[arguments[1]]",
                serial,
                camera - 1,
            ),
            what=f"the camera {serial}",
        )

    # Live views

    def tile(self, place=0):
        return Tile(self, place)


class Tile:
    """A live view of the page, by its place."""

    def __init__(self, browser, place):
        self.browser, self.place = browser, place
        self.inside = f"live-tile:nth-child({place + 1})"

    def run(self, script, *arguments):
        return self.browser.run(
            f"const tile = document.querySelectorAll('live-tile')[{self.place}];" + script, *arguments
        )

    @property
    def phase(self):
        return self.run("return tile?.dataset.phase")

    @property
    def sentence(self):
        return self.run("return tile.querySelector('.sentence').textContent")

    @property
    def figures(self):
        return self.run("return tile.session.figures")

    @property
    def sessions(self):
        return self.run("return tile.session.sessions")

    @property
    def size(self):
        return tuple(
            self.run(
                "const { videoWidth, videoHeight } = tile.querySelector('video'); return [videoWidth, videoHeight]"
            )
        )

    def button(self, label):
        return self.browser.button(label, self.inside)

    def wait_for(self, phase, seconds=10):
        self.browser.wait(lambda: self.phase == phase, seconds, f"the phase {phase} of view {self.place}")

    def picture(self):
        """The picture shown now, as a few numbers."""
        return self.run(
            "const canvas = new OffscreenCanvas(64, 36); const context = canvas.getContext('2d');"
            "context.drawImage(tile.querySelector('video'), 0, 0, 64, 36);"
            "return [...context.getImageData(0, 0, 64, 36).data]"
        )

    def wait_until_moving(self, seconds=10):
        """Live, pictures decoded one after another, and what is shown changes and is not one colour."""
        self.wait_for("live", seconds)
        first = self.picture()
        self.browser.wait(lambda: self.picture() != first, 3, "another picture")
        shown = self.picture()
        assert len(set(shown)) > 8, "the picture is one colour"
        frames = self.browser.wait(lambda: (self.figures or {}).get("framesDecoded"), 3, "figures")
        self.browser.wait(lambda: self.figures["framesDecoded"] > frames + 5, 5, "more decoded pictures")
