"""Makes docs/images/console.png and recordings.png, the README's pictures: run as `python -m Console.screenshot [FOLDER]` in Tests/EndToEnd.

With a folder it writes the other views there too: every page, desktop and phone, light and dark.
"""

import os
import sys
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from Support.cloud_seed import MINUTE, CloudSeed, looped_film
from Support.programs import ROOT, House

from .browser import Browser
from .case import CONSOLE
from .scenes import HEIGHT, WIDTH, films

#: Minute of the day, and how many minutes.
EVENTS = ((28, 1), (347, 2), (401, 1), (412, 3), (466, 1), (503, 9), (538, 2), (577, 1), (630, 4), (702, 2), (811, 1),
          (869, 6), (930, 2), (1007, 1), (1050, 12), (1121, 3), (1190, 1), (1262, 2), (1388, 1))
NAMES = ("Front door", "Garden", "Workshop", "Driveway")


def save(browser, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    browser.driver.save_screenshot(path)
    print(path)


def watch(browser, serials):
    for place, serial in enumerate(serials):
        browser.run("location.hash = '#devices'")
        browser.cover(serial).click()
        browser.tile(place).wait_until_moving(15)


def yesterday():
    now = time.localtime()
    return int(time.mktime((now.tm_year, now.tm_mon, now.tm_mday - 1, 0, 0, 0, 0, 0, -1))) * 1000


def record_a_day(house, serial, source):
    """A day in the cloud as a camera would leave it: a pause at night, one at noon, and some events."""
    day = yesterday()
    seed = CloudSeed(house, serial, looped_film(os.path.join(house.folder, "looped.mp4"), source))
    events = {minute + more for minute, length in EVENTS for more in range(length)}
    for first, last in ((0, 95), (322, 741), (758, 1440)):
        for kind in ("continuous", "event"):
            seed.add(
                [day + minute * MINUTE for minute in range(first, last) if (minute in events) == (kind == "event")], kind=kind)
    for back in (2, 3, 5, 6, 7, 9, 12):
        seed.stretch(day - back * 24 * 60 * MINUTE, 30)
    return day


def show_recordings(browser, point=True):
    """The recordings of yesterday out of the cloud, in the morning, with a pointer on the timeline."""
    day = yesterday()
    browser.button(f"Recordings of {NAMES[0]}").click()
    browser.find(".store-choice [value=cloud]").send_keys(Keys.SPACE)
    browser.wait_for_text(".curtain", "nothing of this day")
    browser.button("Day before").click()
    browser.button("Play", ".curtain")
    browser.run(
        "const view = document.querySelector('time-line'); view.showPart(arguments[0], arguments[1]);"
        "view.dispatchEvent(new CustomEvent('seek', { detail: arguments[2] }));",
        day + 5 * 60 * MINUTE, day + 14 * 60 * MINUTE, day + 511 * MINUTE)
    browser.wait(
        lambda: browser.run("return document.querySelector('playback-stage').dataset.phase") == "playing", what="a picture")
    if point:
        bar = browser.find(".time-slider")
        ActionChains(browser.driver).move_to_element_with_offset(bar, -int(bar.size["width"] * 0.22), -8).perform()
        browser.wait(lambda: browser.run("return document.querySelector('.preview img').naturalWidth"), what="a thumbnail")
    time.sleep(1.5)


def pictures(house, serials, folder):
    for shape, (width, height) in {
        "desktop": (1280, 800),
        "tablet": (820, 1100),
        "phone": (360, 740),
    }.items():
        for scheme in ("light", "dark"):
            browser = Browser(house.server, width, height, scheme)
            try:
                browser.open()
                browser.find("#account")
                save(browser, f"{folder}/{shape}-{scheme}-sign-in.png")
                browser.sign_in(house.password)
                browser.cover(serials[0])
                time.sleep(1)
                save(browser, f"{folder}/{shape}-{scheme}-devices.png")
                browser.button(f"Details of {NAMES[1]}").click()
                save(browser, f"{folder}/{shape}-{scheme}-details.png")
                browser.button("Done", "dialog").click()
                watch(browser, serials[:2])
                browser.tile(0).button("Statistics").click()
                time.sleep(2)
                save(browser, f"{folder}/{shape}-{scheme}-live.png")
                browser.run("location.hash = '#devices'")
                show_recordings(browser, point=shape != "phone")
                save(browser, f"{folder}/{shape}-{scheme}-recordings.png")
                browser.button("Select a stretch").click()
                save(browser, f"{folder}/{shape}-{scheme}-stretch.png")
                browser.find(".day-button").click()
                browser.wait(lambda: browser.all("button.day.recorded"), what="the month")
                save(browser, f"{folder}/{shape}-{scheme}-month.png")
            finally:
                browser.close()


def main():
    house = House(CONSOLE)
    try:
        house.login()
        drawing = Browser(house.server, WIDTH, HEIGHT)
        try:
            sources = films(drawing, house.folder)
        finally:
            drawing.close()
        serials = [house.add_camera(name, "--source", sources[name])[1] for name in NAMES]
        browser = Browser(house.server)
        try:
            browser.sign_in(house.password)
            browser.wait(
                lambda: browser.run(
                    "const pictures = [...document.querySelectorAll('.cover img')];"
                    "return pictures.length === arguments[0] && pictures.every((picture) => picture.naturalWidth)",
                    len(serials),
                ),
                90,
                "the covers",
            )
            watch(browser, serials)
            browser.tile(0).button("Statistics").click()
            time.sleep(2.5)
            save(browser, os.path.join(ROOT, "docs", "images", "console.png"))
            record_a_day(house, serials[0], sources[NAMES[0]])
            show_recordings(browser)
            save(browser, os.path.join(ROOT, "docs", "images", "recordings.png"))
        finally:
            browser.close()
        if len(sys.argv) > 1:
            pictures(house, serials, sys.argv[1])
    finally:
        house.close()


if __name__ == "__main__":
    main()
