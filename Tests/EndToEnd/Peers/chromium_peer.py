"""Chromium as a peer of the Swift tests: commands come as JSON lines on stdin, events go out on stdout."""

import http.server
import json
import select
import sys
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PAGE = """<!doctype html><title>peer</title><video id=v autoplay muted playsinline></video><script>
const out = [];
let connection, channel;
const tell = event => out.push(event);
const take = () => out.splice(0);

function attach(opened) {
  channel = opened;
  channel.binaryType = "arraybuffer";
  const isOpen = () => tell({channel: channel.label});
  if (channel.readyState === "open") isOpen(); else channel.onopen = isOpen;
  channel.onmessage = ({data}) => {
    tell(typeof data === "string" ? {message: data} : {bytes: data.byteLength});
    channel.send(data);
  };
}

function make() {
  connection = new RTCPeerConnection();
  connection.onicecandidate = ({candidate}) => tell(candidate
    ? {candidate: candidate.candidate, mid: candidate.sdpMid, index: candidate.sdpMLineIndex}
    : {candidate: ""});
  connection.onconnectionstatechange = () => tell({state: connection.connectionState});
  connection.ondatachannel = event => attach(event.channel);
  connection.ontrack = event => {
    if (event.track.kind === "video") document.getElementById("v").srcObject = new MediaStream([event.track]);
  };
}

async function handle(command) {
  try {
    if (command.do === "offer") {
      for (const kind of command.receive ?? []) connection.addTransceiver(kind, {direction: "recvonly"});
      if (command.send?.length) {
        const wants = kind => command.send.includes(kind);
        const stream = await navigator.mediaDevices.getUserMedia({video: wants("video"), audio: wants("audio")});
        for (const track of stream.getTracks()) connection.addTrack(track, stream);
      }
      if (command.channel) attach(connection.createDataChannel(command.channel));
      await connection.setLocalDescription(await connection.createOffer({iceRestart: !!command.restart}));
      tell({type: "offer", sdp: connection.localDescription.sdp});
    } else if (command.type === "offer") {
      await connection.setRemoteDescription(command);
      await connection.setLocalDescription();
      tell({type: "answer", sdp: connection.localDescription.sdp});
    } else if (command.type === "answer") {
      await connection.setRemoteDescription(command);
    } else if ("candidate" in command) {
      await connection.addIceCandidate({candidate: command.candidate, sdpMid: command.mid, sdpMLineIndex: command.index});
    } else if ("text" in command) {
      channel.send(command.text);
    } else if (command.do === "statistics") {
      const video = document.getElementById("v");
      const stats = {frames: 0, lost: 0, width: video.videoWidth};
      for (const entry of (await connection.getStats()).values()) {
        if (entry.type === "inbound-rtp" && entry.kind === "video") {
          stats.frames = entry.framesDecoded; stats.lost = entry.packetsLost;
        }
        if (entry.type === "transport") stats.srtp = entry.srtpCipher;
      }
      tell({statistics: stats});
    }
  } catch (error) {
    tell({error: String(error), command: JSON.stringify(command).slice(0, 200)});
  }
}
make();
</script>"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = PAGE.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
        "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
        "--autoplay-policy=no-user-gesture-required",
    ):
        options.add_argument(flag)
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        driver.get(f"http://127.0.0.1:{server.server_port}/")
        print(json.dumps({"ready": True}), flush=True)
        buffered = b""
        while True:
            readable, _, _ = select.select([sys.stdin.buffer], [], [], 0.02)
            if readable:
                more = sys.stdin.buffer.raw.read(1 << 16)
                if not more:
                    break
                buffered += more
                while b"\n" in buffered:
                    line, buffered = buffered.split(b"\n", 1)
                    # In order: each command ends before the next begins.
                    driver.execute_async_script(
                        "const done = arguments[1]; handle(arguments[0]).then(() => done());", json.loads(line))
            for event in driver.execute_script("return take();"):
                print(json.dumps(event), flush=True)
    finally:
        driver.quit()


main()
