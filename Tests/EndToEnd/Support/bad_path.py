"""A bad network between viewer and camera: a proxy in front of the platform puts a UDP relay into every session.

The proxy passes HTTP and the viewer link on as they are, except for candidates: both sides are told the relay's
addresses only, so that all media goes through it, where it is dropped, delayed or cut at will.
"""

import asyncio
import base64
import json
import random
import re
import socket
import threading

import aiohttp
from aiohttp import web

from .signalling import ViewerLink


def own_address():
    """The address that agent and viewer gather: this machine's outward one, else loopback. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


class Relay:
    """One session's way: a socket facing the viewer, a socket facing the camera."""

    def __init__(self, path):
        self.path = path
        self.sockets, self.peers = {}, {"viewer": None, "camera": None}

    async def open(self):
        loop = asyncio.get_running_loop()
        for side, other in (("viewer", "camera"), ("camera", "viewer")):
            relay = self

            class Protocol(asyncio.DatagramProtocol):
                def __init__(self, side=side, other=other):
                    self.side, self.other = side, other

                def datagram_received(self, data, sender):
                    relay.peers[self.side] = sender
                    relay.pass_on(data, self.other)

                def error_received(self, _):
                    pass

            self.sockets[side], _ = await loop.create_datagram_endpoint(Protocol, local_addr=(self.path.address, 0))
        return self

    def pass_on(self, data, to):
        if self.path.is_cut or self.path.random.random() < self.path.loss:
            return
        asyncio.get_running_loop().call_later(self.path.delay, self.send, data, to)

    def send(self, data, to):
        if self.peers[to] and not self.sockets[to].is_closing():
            self.sockets[to].sendto(data, self.peers[to])

    def address_for(self, side):
        return self.sockets[side].get_extra_info("sockname")

    def close(self):
        for endpoint in self.sockets.values():
            endpoint.close()


class BadPath:
    """The proxy and its relays, in a thread of their own. `server` stands for the platform's address."""

    def __init__(self, server, loss=0.0, delay=0.0, seed=7):
        self.upstream, self.loss, self.delay, self.is_cut = server, loss, delay, False
        self.random = random.Random(seed)
        self.address = own_address()
        self.relays = {}
        self.sockets = set()
        self.signalling_is_cut = False
        started = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.run, args=(started,), daemon=True)
        self.thread.start()
        started.wait(5)

    def run(self, started):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.open())
        started.set()
        self.loop.run_forever()

    async def open(self):
        self.http = aiohttp.ClientSession()
        application = web.Application(client_max_size=1 << 20)
        application.router.add_get("/v1/viewer", self.link)
        application.router.add_route("*", "/{path:.*}", self.request)
        self.runner = web.AppRunner(application)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0)
        await site.start()
        self.server = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"

    async def request(self, request):
        if self.signalling_is_cut:
            request.transport.abort()
            return web.Response()
        headers = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "connection")}
        async with self.http.request(
                request.method, self.upstream + request.path_qs, headers=headers, data=await request.read()) as answer:
            return web.Response(status=answer.status, body=await answer.read(), content_type=answer.content_type)

    async def link(self, request):
        if self.signalling_is_cut:
            request.transport.abort()
            return web.Response()
        viewer = web.WebSocketResponse(max_msg_size=1 << 20)
        await viewer.prepare(request)
        async with self.http.ws_connect(self.upstream + "/v1/viewer", max_msg_size=1 << 20) as platform:
            self.sockets.add(viewer)
            await asyncio.wait([
                asyncio.create_task(self.pump(viewer, platform, "camera")),
                asyncio.create_task(self.pump(platform, viewer, "viewer"))], return_when=asyncio.FIRST_COMPLETED)
            self.sockets.discard(viewer)
            await viewer.close()
        return viewer

    async def pump(self, source, target, towards):
        async for message in source:
            body = json.loads(message.data)
            if body.get("messagePayload"):
                await self.rewrite(body, towards)
                if body["messagePayload"] is None:
                    continue
            await target.send_json(body)

    async def rewrite(self, body, towards):
        """Replaces every candidate by the relay's; candidates written into a description are taken out first."""
        session = body["sessionId"]
        if session not in self.relays:
            self.relays[session] = await Relay(self).open()
        relay, payload = self.relays[session], ViewerLink.payload(body)
        if "sdp" in payload:
            for line in re.findall(r"a=candidate:.*", payload["sdp"]):
                self.learn(relay, line, "viewer" if towards == "camera" else "camera")
            payload["sdp"] = re.sub(r"a=candidate:.*\r\n|a=end-of-candidates\r\n", "", payload["sdp"])
            payload["sdp"] = payload["sdp"].replace("a=mid:", f"a={self.candidate(relay, towards)}\r\na=mid:")
        elif payload.get("candidate"):
            self.learn(relay, payload["candidate"], "viewer" if towards == "camera" else "camera")
            payload["candidate"] = self.candidate(relay, towards)
        body["messagePayload"] = base64.b64encode(json.dumps(payload).encode()).decode()

    @staticmethod
    def learn(relay, line, side):
        words = line.split()
        if words[2].lower() == "udp" and words[4] == relay.path.address and relay.peers[side] is None:
            relay.peers[side] = (words[4], int(words[5]))

    @staticmethod
    def candidate(relay, towards):
        host, port = relay.address_for(towards)
        return f"candidate:1 1 udp 2130706431 {host} {port} typ host"

    def cut_signalling(self, cut):
        """Closes every viewer link and refuses new ones, or lets them through again."""
        self.signalling_is_cut = cut
        if cut:
            for socket in list(self.sockets):
                asyncio.run_coroutine_threadsafe(socket.close(), self.loop)

    def close(self):
        async def end():
            for relay in self.relays.values():
                relay.close()
            await self.runner.cleanup()
            await self.http.close()

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)
