"""Talk from the browser: its microphone is heard at the camera's loudspeaker, one talker at a time."""

import signal
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from Support import sound
from Support.programs import House, Program, wait_until

from .browser import Browser
from .case import CONSOLE

# Chromium's own microphone beeps twice a second. Whether it may be used is said by `permit`.
MICROPHONE = ("--use-fake-device-for-media-stream",)

# What was asked of the browser and said to cameras.
WATCHFUL = """
window.microphones = []; window.said = [];
if (navigator.mediaDevices) {
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    for (const track of stream.getTracks()) microphones.push([track, wanted]);
    return stream;
  };
}
const send = RTCDataChannel.prototype.send;
RTCDataChannel.prototype.send = function (text) {
  const { type, action } = JSON.parse(text);
  if (type === 'talk') said.push(action);
  return send.call(this, text);
};
"""


# What a camera says at the end.
ENDED = "tile.session.dispatchEvent(new CustomEvent('talk', { detail: { action: 'ended', errorCode: %d } }))"

CAMERAS = {"door": ("--talk", "full", "--speaker", "door"), "gate": ("--talk", "half", "--speaker", "gate"), "mute": ()}


def setUpModule():
    global SOUND, HOUSE, BROWSER, SERIALS
    SOUND = sound.SoundServer("door", "gate", "own")
    unittest.addModuleCleanup(SOUND.close)
    HOUSE = House(CONSOLE)
    unittest.addModuleCleanup(HOUSE.close)
    HOUSE.environment.update(SOUND.environment)
    HOUSE.login()
    SERIALS = {
        name: HOUSE.add_camera(name, "--source", "test:320x180@25", *talk)[1] for name, talk in CAMERAS.items()}
    BROWSER = Browser(HOUSE.server, arguments=MICROPHONE)
    unittest.addModuleCleanup(BROWSER.close)
    BROWSER.command("Page.addScriptToEvaluateOnNewDocument", source=WATCHFUL)


class Talk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sound, cls.house, cls.browser, cls.serials = SOUND, HOUSE, BROWSER, SERIALS
        cls.browser.sign_in(cls.house.password)

    def setUp(self):
        self.permit("granted")

    def tearDown(self):
        self.browser.resize(1280, 800)
        self.assertEqual(self.browser.faults(), [])

    def permit(self, setting):
        self.browser.command("Browser.setPermission", permission={"name": "microphone"}, setting=setting)

    def watch(self, name):
        # A page of its own; the sign-in stays.
        self.browser.driver.get(self.house.server)
        self.browser.cover(self.serials[name]).click()
        tile = self.browser.tile()
        tile.wait_for("live")
        return tile

    def voice(self, tile):
        return tile.run("return tile.querySelector('talk-control').dataset.voice")

    def wait_for_voice(self, tile, voice, seconds=5):
        self.browser.wait(lambda: self.voice(tile) == voice, seconds, f"the voice {voice}")

    def assert_microphone_is_off(self):
        self.assertEqual(
            self.browser.run("return microphones.map(([track]) => track.readyState)"),
            ["ended"] * self.browser.run("return microphones.length"))

    def assert_heard_until(self, sink, end):
        """The browser's microphone is heard there, and no longer after what `end` does."""
        recording = self.sound.record(f"{sink}.monitor")
        wait_until(lambda: len(sound.onsets(recording.so_far()[0], 500)) >= 2, 8, f"beeps at the {sink}")
        end()
        # What was still on its way is left out.
        quiet = len(recording.so_far()[0]) + sound.RATE // 2
        wait_until(lambda: len(recording.so_far()[0]) > quiet + 0.6 * sound.RATE, 5, "the recording")
        self.assertEqual([place for place in sound.onsets(recording.stop()[0], 500) if place > quiet], [])

    def test_full_duplex_is_a_press_to_talk_and_a_press_to_end(self):
        tile = self.watch("door")
        tile.button("Talk").click()
        self.wait_for_voice(tile, "both")
        self.assertEqual(self.browser.text(".talk-state"), "Both can speak")
        self.assertFalse(tile.run("return tile.querySelector('video').muted"), "one hears the answer")
        self.assertEqual(
            self.browser.run("return microphones.map(([track, wanted]) => [track.readyState, wanted.audio])"),
            [["live", {"echoCancellation": True, "noiseSuppression": True, "autoGainControl": True}]])
        self.assert_heard_until("door", tile.button("End the talk").click)
        self.wait_for_voice(tile, "idle", 1)
        self.assert_microphone_is_off()
        self.assertTrue(tile.run("return tile.querySelector('video').muted"), "silent as before")
        said = self.browser.run("return said")
        self.assertEqual([said[0], said[-1], set(said[1:-1])], ["start", "stop", {"alive"}])
        self.assertEqual(tile.sessions, 1, "within the live session")

    def test_half_duplex_is_held_by_pointer(self):
        tile = self.watch("gate")
        button = tile.button("Hold to talk")
        ActionChains(self.browser.driver).click_and_hold(button).perform()
        self.wait_for_voice(tile, "you")
        self.assert_heard_until("gate", ActionChains(self.browser.driver).release().perform)
        self.wait_for_voice(tile, "camera", 1)
        tile.button("End the talk").click()
        self.wait_for_voice(tile, "idle", 1)
        self.assert_microphone_is_off()

    def test_half_duplex_is_held_by_keyboard(self):
        tile = self.watch("gate")
        button = tile.button("Hold to talk")
        self.browser.run("arguments[0].focus()", button)
        for key in (Keys.SPACE, Keys.ENTER):
            ActionChains(self.browser.driver).key_down(key).perform()
            self.wait_for_voice(tile, "you")
            self.assertEqual(button.get_attribute("aria-pressed"), "true")
            ActionChains(self.browser.driver).key_up(key).perform()
            self.wait_for_voice(tile, "camera", 1)
            self.assertEqual(button.get_attribute("aria-pressed"), "false")
        turns = [action for action in self.browser.run("return said") if action != "alive"]
        self.assertEqual(turns, ["start", "speak", "listen", "speak", "listen"])
        tile.button("Close this view").click()
        self.browser.wait(lambda: not self.browser.all("live-tile"), what="no view")
        self.assert_microphone_is_off()

    def test_the_second_talker_reads_that_the_line_is_busy(self):
        first = Program(
            self.house.folder, "first", ["talk", self.serials["door"], "--json", "--microphone", "own.monitor"],
            self.house.environment)
        self.addCleanup(first.kill)
        tile = self.watch("door")
        wait_until(lambda: '"talkStarted"' in first.output(), 10, "the line")
        tile.button("Talk").click()
        self.browser.wait_for_text(".talk-sentence", "Somebody else is talking with this camera", 3)
        self.assertEqual(self.voice(tile), "idle")
        self.assert_microphone_is_off()
        self.assertEqual(tile.phase, "live", "the view goes on")
        self.assertEqual(first.stop(signal.SIGINT), 0)
        tile.button("Talk").click()
        self.wait_for_voice(tile, "both")
        self.assertEqual(self.browser.all(".talk-sentence")[0].text, "")
        busy = self.house.run("talk", self.serials["door"], "--microphone", "own.monitor", check=False)
        self.assertIn("360010", busy.stderr)

    def test_what_ends_a_talk_is_told_in_a_sentence(self):
        tile = self.watch("door")
        for end, sentence in (
                (ENDED % 110031, "This account may not do that."), (ENDED % 360002, "The talk was lost."),
                ("microphones.at(-1)[0].dispatchEvent(new Event('ended'))", "The microphone has gone away.")):
            tile.button("Talk").click()
            self.wait_for_voice(tile, "both")
            tile.run(end)
            self.assertIn(sentence, self.browser.text(".talk-sentence"))
            self.assertEqual(self.voice(tile), "idle")
            self.assert_microphone_is_off()

    def test_a_camera_that_restarts_is_asked_again(self):
        tile = self.watch("door")
        tile.button("Talk").click()
        self.wait_for_voice(tile, "both")
        [agent] = [program for program in self.house.programs if "door" in program.arguments]
        agent.stop()
        self.wait_for_voice(tile, "asking")
        self.house.start("door-again", agent.arguments)
        self.wait_for_voice(tile, "both", 15)
        self.assertEqual([action for action in self.browser.run("return said") if action != "alive"], ["start", "start"])

    def test_who_cannot_hold_turns_the_direction_each_time(self):
        tile = self.watch("gate")
        for voice in ("you", "camera"):
            tile.run("tile.querySelector('.talk').click()")
            self.wait_for_voice(tile, voice)

    def test_a_refused_microphone_is_a_sentence_and_nothing_is_sent(self):
        self.permit("denied")
        tile = self.watch("door")
        tile.button("Talk").click()
        self.browser.wait_for_text(".talk-sentence", "The microphone was refused. Allow it for this page")
        self.assertEqual(self.voice(tile), "idle")
        self.assertEqual(self.browser.run("return said"), [])

    def test_leaving_the_view_ends_the_talk(self):
        tile = self.watch("door")
        for leave in (lambda: tile.button("Stop").click(), lambda: tile.button("Recordings").click()):
            tile.button("Talk").click()
            self.wait_for_voice(tile, "both")
            leave()
            self.wait_for_voice(tile, "idle", 1)
            self.assert_microphone_is_off()
            if tile.phase == "idle":
                tile.run("tile.querySelector('.controls button').click()")
                tile.wait_for("live")

    def test_a_camera_without_talk_has_no_button_and_a_phone_has_a_big_one(self):
        self.browser.resize(360, 740)
        tile = self.watch("mute")
        self.assertFalse(self.browser.find(f"{tile.inside} talk-control").is_displayed())
        tile.button("Close this view").click()
        self.browser.cover(self.serials["gate"]).click()
        tile.wait_for("live")
        box = tile.button("Hold to talk").rect
        self.assertGreaterEqual(box["height"], 44)
        self.assertGreater(box["width"], 120)
        ActionChains(self.browser.driver).click(tile.button("Hold to talk")).perform()
        self.wait_for_voice(tile, "camera")
        self.assertTrue(tile.button("End the talk").is_enabled())
        for width in (360, 640, 700, 900, 1100, 1280, 1500):
            self.browser.resize(width, 740)
            self.assertEqual(self.browser.run(
                "return [document.documentElement, ...document.querySelectorAll('.controls, talk-control')]"
                ".filter((part) => part.scrollWidth > part.clientWidth).length"), 0, width)


RUN = """
const { initialState, step, voice } = await import('/scripts/live/talk-state.js');
let state = initialState(true);
return given[0].map(([now, type, code, duplex]) => {
  const stepped = step(state, { type, code: code ?? 0, duplex: duplex ?? undefined }, now);
  state = stepped.state;
  return [voice(state), state.code, stepped.actions.join(), state.until];
});
"""


class TalkState(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = BROWSER
        cls.browser.open()

    def run_through(self, *events):
        return self.browser.run_async(RUN, [list(event) for event in events])

    def last(self, *events):
        return self.run_through(*events)[-1]

    ASKING = ((0, "start"), (10, "opened"))
    FULL = (*ASKING, (20, "started", 0, 1))
    HALF = (*ASKING, (20, "started", 0, 3))

    def test_the_microphone_comes_first_then_the_camera_then_the_sound(self):
        self.assertEqual(
            self.run_through(*self.FULL),
            [["opening", 0, "open", None], ["asking", 0, "start", 10010], ["both", 0, "send", 1020]])
        self.assertEqual(self.last((0, "start"), (10, "microphoneLost", 750004)), ["idle", 750004, "close", None])

    def test_it_is_told_every_second_that_one_is_there(self):
        self.assertEqual(
            self.run_through(*self.FULL, (1020, "time"), (2020, "time"))[3:],
            [["both", 0, "alive", 2020], ["both", 0, "alive", 3020]])

    def test_half_duplex_begins_with_listening_and_turns(self):
        self.assertEqual(self.last(*self.HALF)[:3], ["camera", 0, "hold"])
        self.assertEqual(
            [step[:3] for step in self.run_through(
                *self.HALF, (100, "press"), (110, "speaking"), (200, "release"), (210, "listening"))[3:]],
            [["camera", 0, "send,speak"], ["you", 0, "", ], ["you", 0, "hold,listen"], ["camera", 0, ""]])

    def test_who_held_from_the_first_press_speaks_at_once(self):
        self.assertEqual(
            self.last((0, "start"), (0, "press"), (10, "opened"), (20, "started", 0, 3))[2], "send,speak")
        self.assertEqual(
            self.last((0, "start"), (0, "press"), (5, "release"), (10, "opened"), (20, "started", 0, 3))[2], "hold")

    def test_a_camera_that_does_not_answer_and_one_that_ends_it(self):
        self.assertEqual(self.last(*self.ASKING, (10010, "time")), ["idle", 360001, "stop,close", None])
        self.assertEqual(self.last(*self.ASKING, (20, "ended", 360010))[:2], ["idle", 360010])
        self.assertEqual(self.last(*self.FULL, (5000, "ended", 360002))[:2], ["idle", 360002])
        self.assertEqual(self.last(*self.FULL, (5000, "ended", 0))[:2], ["idle", 0])

    def test_it_asks_again_when_the_channel_is_made_anew(self):
        self.assertEqual(
            self.run_through(*self.HALF, (30, "press"), (50, "channelClosed"), (9000, "channelOpen"), (9050, "started", 0, 3))[4:],
            [["asking", 0, "hold", None], ["asking", 0, "start", 19000], ["camera", 0, "send,speak", 10050]])

    def test_the_end_of_the_view_is_the_end_of_the_talk(self):
        self.assertEqual(self.last(*self.FULL, (50, "viewEnded")), ["idle", 0, "close", None])

    def test_every_state_takes_every_event(self):
        """All sequences of five events: a microphone is open exactly while one talks, and sound goes only when on."""
        count, faults = self.browser.run_async("""
            const { initialState, step } = await import('/scripts/live/talk-state.js');
            const names = ['start', 'stop', 'press', 'release', 'opened', 'channelOpen', 'channelClosed', 'viewEnded',
              'speaking', 'listening', 'time'];
            const events = names.map((type) => ({ type, code: 0 })).concat(
              [{ type: 'started', duplex: 1 }, { type: 'started', duplex: 3 }, { type: 'ended', code: 0 },
               { type: 'ended', code: 360010 }, { type: 'microphoneLost', code: 750004 }]);
            let count = 0; const faults = [];
            const go = (state, isOpen, isSent, depth, now) => {
              count += 1;
              if (isOpen !== (state.phase !== 'idle') || (isSent && state.phase !== 'on')) faults.push(state);
              if (state.phase === 'on' && state.until === null) faults.push(state);
              if (state.phase === 'idle' && (state.until !== null || state.isPressed || state.isTurned)) faults.push(state);
              if (!depth) return;
              for (const event of events) {
                const { state: next, actions } = step(state, event, now);
                let [open, sent] = [isOpen, isSent];
                for (const action of actions) {
                  if (action === 'open') open = true;
                  if (action === 'close') [open, sent] = [false, false];
                  if (action === 'send') sent = true;
                  if (action === 'hold') sent = false;
                }
                go(next, open, sent, depth - 1, now + 700);
              }
            };
            go(initialState(true), false, false, 5, 700);
            return [count, faults.slice(0, 3)];
        """)
        self.assertGreater(count, 1_000_000)
        self.assertEqual(faults, [])


class Microphone(unittest.TestCase):
    def test_each_reason_has_its_sentence(self):
        BROWSER.open()
        told = BROWSER.run_async("""
            const { openMicrophone } = await import('/scripts/live/microphone.js');
            const told = [];
            for (const name of ['NotAllowedError', 'NotFoundError', 'NotReadableError', 'AbortError', null]) {
              const mediaDevices = name && { getUserMedia: async () => { throw new DOMException('', name); } };
              Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
              await openMicrophone().catch(({ code, sentence }) => told.push([code, sentence]));
            }
            return told;
        """)
        self.assertEqual({code for code, _ in told}, {750004})
        self.assertEqual(len({sentence for _, sentence in told}), 5)
        self.assertIn("https", told[-1][1])


if __name__ == "__main__":
    unittest.main()
