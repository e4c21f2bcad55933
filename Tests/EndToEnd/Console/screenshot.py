"""Makes docs/images/console.png, the README's picture: run as `python -m Console.screenshot [FOLDER]` in Tests/EndToEnd.

With a folder it writes the other views there too: every page, desktop and phone, light and dark.
"""

import os
import sys
import time

from Support.programs import ROOT, House

from .browser import Browser
from .case import CONSOLE
from .scenes import HEIGHT, WIDTH, films

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
        finally:
            browser.close()
        if len(sys.argv) > 1:
            pictures(house, serials, sys.argv[1])
    finally:
        house.close()


if __name__ == "__main__":
    main()
