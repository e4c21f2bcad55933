"""aiortc as a peer of the Swift tests: commands come as JSON lines on stdin, events go out on stdout.

With --counter-mode it knows no other protection than AES_CM_128_HMAC_SHA1_80.
"""

import asyncio
import json
import sys

from aiortc import RTCPeerConnection, RTCSessionDescription, rtcdtlstransport
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack
from aiortc.sdp import candidate_from_sdp

if "--counter-mode" in sys.argv:
    rtcdtlstransport.SRTP_PROFILES[:] = [
        profile for profile in rtcdtlstransport.SRTP_PROFILES if profile.openssl_profile == b"SRTP_AES128_CM_SHA1_80"]


def tell(**event):
    print(json.dumps(event), flush=True)


class Peer:
    def __init__(self):
        self.connection = RTCPeerConnection()
        self.tasks = set()
        self.channel = None

        @self.connection.on("connectionstatechange")
        def changed():
            tell(state=self.connection.connectionState)

        @self.connection.on("datachannel")
        def opened(channel):
            self.attach(channel)

        @self.connection.on("track")
        def arrived(track):
            task = asyncio.ensure_future(self.count(track))
            self.tasks.add(task)

    async def count(self, track):
        frames = 0
        try:
            while True:
                await track.recv()
                frames += 1
                if frames in (1, 10):
                    tell(frames=frames, kind=track.kind)
        except Exception:
            return

    def attach(self, channel):
        self.channel = channel
        tell(channel=channel.label)

        @channel.on("message")
        def received(message):
            if isinstance(message, bytes):
                tell(bytes=len(message))
            else:
                tell(message=message)
            channel.send(message)

    async def take(self, command):
        connection = self.connection
        if command.get("do") == "offer":
            for kind in command.get("receive", []):
                connection.addTransceiver(kind, direction="recvonly")
            for kind in command.get("send", []):
                connection.addTrack(VideoStreamTrack() if kind == "video" else AudioStreamTrack())
            if command.get("channel"):
                channel = connection.createDataChannel(command["channel"])
                channel.on("open", lambda: self.attach(channel))
            await connection.setLocalDescription(await connection.createOffer())
            tell(type="offer", sdp=connection.localDescription.sdp)
        elif command.get("type") == "offer":
            await connection.setRemoteDescription(RTCSessionDescription(command["sdp"], "offer"))
            await connection.setLocalDescription(await connection.createAnswer())
            tell(type="answer", sdp=connection.localDescription.sdp)
        elif command.get("type") == "answer":
            await connection.setRemoteDescription(RTCSessionDescription(command["sdp"], "answer"))
        elif command.get("candidate"):
            candidate = candidate_from_sdp(command["candidate"].split(":", 1)[1])
            candidate.sdpMid = command["mid"]
            await connection.addIceCandidate(candidate)
        elif "text" in command:
            self.channel.send(command["text"])


async def main():
    peer = Peer()
    reader = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tell(ready=True)
    while line := await reader.readline():
        await peer.take(json.loads(line))
    await peer.connection.close()


asyncio.run(main())
