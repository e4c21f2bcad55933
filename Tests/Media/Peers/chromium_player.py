"""Plays files in Debian's Chromium, as they stand and through Media Source Extensions, and says what came of it.

python3 chromium_player.py FILE ...   prints two lines a file
"""

import functools
import http.server
import os
import re
import sys
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PLAY = """
const [address, way, done] = arguments;
(async () => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  const refused = new Promise((resolve) => video.addEventListener('error', () => {
    resolve(video.currentTime > 0 ? `stopped after ${Math.floor(video.currentTime)}` : 'refused');
  }));
  const happens = (target, name) => new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
  const play = async () => {
    if (way === 'file') {
      video.src = address;
    } else {
      const source = new MediaSource();
      video.src = URL.createObjectURL(source);
      await happens(source, 'sourceopen');
      const text = new TextDecoder('latin1').decode(bytes);
      const at = text.indexOf('avcC') + 5;
      const codec = [0, 1, 2].map((index) => bytes[at + index].toString(16).padStart(2, '0')).join('');
      const buffer = source.addSourceBuffer(`video/mp4; codecs="avc1.${codec}, opus"`);
      for (let begin = 0; begin < bytes.length; begin += 100000) {
        buffer.appendBuffer(bytes.subarray(begin, begin + 100000));
        await happens(buffer, 'updateend');
        if (source.readyState !== 'open') return 'refused';
      }
      source.endOfStream();
    }
    video.playbackRate = 4;
    const ended = happens(video, 'ended');
    await video.play();
    await ended;
    const end = Math.floor(video.currentTime * 10 + 0.01) / 10;
    const seeked = happens(video, 'seeked');
    video.currentTime = 2.5;
    await seeked;
    return `played to ${end} and back to ${video.currentTime}`;
  };
  const result = await Promise.race([play(), refused]);
  video.remove();
  done(result);
})().catch((error) => done(`failed: ${error}`));
"""


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves ranges, which a player wants in order to seek."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.translate_path(self.path)
        if not os.path.isfile(path):
            return self.page()
        size = os.path.getsize(path)
        range_ = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first = int(range_[1]) if range_ else 0
        last = min(int(range_[2]) if range_ and range_[2] else size - 1, size - 1)
        self.send_response(206 if range_ else 200)
        self.send_header("Content-Type", "video/mp4")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(max(last - first + 1, 0)))
        if range_:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        with open(path, "rb") as file:
            file.seek(first)
            try:
                self.wfile.write(file.read(last - first + 1))
            except OSError:
                pass

    def page(self):
        body = b"<!doctype html><title>player</title><body></body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    folder = os.path.dirname(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        driver.set_script_timeout(20)
        driver.get(f"http://127.0.0.1:{server.server_port}/")
        for path in sys.argv[1:]:
            name = os.path.basename(path)
            for way in ("file", "source"):
                print(f"{name} {way}: {driver.execute_async_script(PLAY, '/' + name, way)}", flush=True)
    finally:
        driver.quit()


main()
