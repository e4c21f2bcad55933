"""A viewer's side of signalling, for peers that are not ours."""

import asyncio
import base64
import json
import uuid

import aiohttp


class Refused(Exception):
    def __init__(self, code):
        super().__init__(f"error {code}")
        self.code = code


class ViewerLink:
    """A signed-in viewer link: makes sessions by offer and answer, candidates trickle both ways."""

    def __init__(self, server, account, password):
        self.server, self.account, self.password = server, account, password
        self.answers = {}
        self.on_candidate = {}
        self.ended = {}

    async def __aenter__(self):
        self.http = aiohttp.ClientSession()
        async with self.http.post(
                self.server + "/v1/login", json={"account": self.account, "password": self.password}) as response:
            self.token = (await response.json())["accessToken"]
        self.socket = await self.http.ws_connect(self.server + "/v1/viewer", max_msg_size=1 << 20)
        await self.socket.send_json({"action": "AUTHENTICATE", "accessToken": self.token})
        welcome = await self.socket.receive_json(timeout=5)
        assert welcome["action"] == "WELCOME", welcome
        self.reader = asyncio.create_task(self.read())
        return self

    async def __aexit__(self, *_):
        self.reader.cancel()
        await self.socket.close()
        await self.http.close()

    async def read(self):
        async for message in self.socket:
            body = json.loads(message.data)
            session = body.get("sessionId")
            if body["action"] == "SDP_ANSWER":
                self.answers[session].set_result(self.payload(body)["sdp"])
            elif body["action"] == "ICE_CANDIDATE":
                handler = self.on_candidate.get(session)
                if handler:
                    handler(self.payload(body))
            elif body["action"] in ("STATUS_RESPONSE", "SESSION_END"):
                self.ended[session] = body.get("errorCode")
                answer = self.answers.get(session)
                if answer and not answer.done():
                    answer.set_exception(Refused(body.get("errorCode")))

    @staticmethod
    def payload(body):
        return json.loads(base64.b64decode(body["messagePayload"]))

    async def send(self, action, session, serial, payload, **fields):
        await self.socket.send_json({
            "action": action, "sessionId": session, "recipientClientId": serial,
            "messagePayload": base64.b64encode(json.dumps(payload).encode()).decode(), **fields})

    async def offer(self, serial, sdp, camera=1, level=2, on_candidate=None, session=None, timeout=15):
        """Sends an offer and returns (session, the answer's SDP)."""
        session = session or str(uuid.uuid4())
        self.answers[session] = asyncio.get_running_loop().create_future()
        if on_candidate:
            self.on_candidate[session] = on_candidate
        await self.send(
            "SDP_OFFER", session, serial, {"type": "offer", "sdp": sdp}, cameraNo=camera, videoLevel=level)
        return session, await asyncio.wait_for(self.answers[session], timeout)

    async def candidate(self, session, serial, candidate):
        await self.send("ICE_CANDIDATE", session, serial, candidate)

    async def end(self, session, serial):
        await self.socket.send_json(
            {"action": "SESSION_END", "sessionId": session, "recipientClientId": serial, "errorCode": 0})
