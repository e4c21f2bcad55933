"""The state machine of a live view alone, without a camera and without waiting."""

import os
import re

from Support.programs import ROOT

from .case import ConsoleCase

RUN = """
const { initialState, step, nextTime } = await import('/scripts/live/session-state.js');
let state = initialState(true);
return given[0].map(([now, type, code, since]) => {
  const stepped = step(state, { type, code: code ?? 0, since: since ?? undefined }, now);
  state = stepped.state;
  return [state.phase, state.code, stepped.actions.join(), nextTime(state)];
});
"""


class SessionState(ConsoleCase):
    cameras = 0

    def setUp(self):
        self.browser.open()

    def run_through(self, *events):
        return self.browser.run_async(RUN, [list(event) for event in events])

    def last(self, *events):
        return self.run_through(*events)[-1]

    LIVE = ((0, "start"), (50, "connected"), (100, "picture"))

    def test_asking_opens_and_the_first_picture_makes_it_live(self):
        self.assertEqual(
            self.run_through(*self.LIVE),
            [["connecting", 0, "open", 15000], ["connecting", 0, "", 15000], ["live", 0, "", None]],
        )

    def test_what_never_comes_ends_with_the_number_that_says_why(self):
        self.assertEqual(self.last((0, "start"), (15000, "time")), ["ended", 740001, "close", None])
        self.assertEqual(self.last((0, "start"), (50, "connected"), (15000, "time"))[:2], ["ended", 380209])
        self.assertEqual(self.last((0, "linkDown"), (0, "start"), (15000, "time"))[:2], ["ended", 730001])
        self.assertEqual(
            self.last((0, "start"), (50, "connected"), (60, "source", 710001), (15000, "time"))[:2],
            ["ended", 710001],
        )

    def test_a_refusal_ends_a_view_that_is_starting(self):
        self.assertEqual(self.last((0, "start"), (10, "refused", 120007)), ["ended", 120007, "close", None])

    def test_without_a_link_it_waits_for_one(self):
        self.assertEqual(
            self.run_through((0, "linkDown"), (0, "start"), (900, "linkUp"))[1:],
            [["connecting", 0, "", 15000], ["connecting", 0, "open", 15000]],
        )

    def test_a_loss_restarts_ice_then_tries_new_sessions_and_gives_up_after_thirty_seconds(self):
        self.assertEqual(
            self.run_through(
                *self.LIVE, (5000, "interrupted"), (8500, "time"), (14500, "time"), (35000, "time")
            )[3:],
            [
                ["reconnecting", 0, "restart", 8500],
                ["reconnecting", 0, "open", 14500],
                ["reconnecting", 0, "open", 20500],
                ["ended", 740002, "close", None],
            ],
        )

    def test_the_thirty_seconds_count_from_the_last_picture(self):
        self.assertEqual(
            self.last(*self.LIVE, (8000, "interrupted", 0, 5000), (35000, "time"))[:2], ["ended", 740002]
        )

    def test_a_computer_that_slept_gets_its_thirty_seconds(self):
        self.assertEqual(
            self.last(*self.LIVE, (3600000, "interrupted", 0, 5000), (3620000, "time"))[0], "reconnecting"
        )

    def test_a_picture_ends_the_outage(self):
        self.assertEqual(
            self.last(*self.LIVE, (5000, "interrupted"), (6000, "picture")), ["live", 0, "", None]
        )

    def test_a_camera_that_forgot_the_session_gets_a_new_one(self):
        self.assertEqual(self.last(*self.LIVE, (5000, "interrupted"), (5100, "refused", 740006))[2], "open")

    def test_an_offline_camera_is_tried_again_and_at_once_when_it_is_back(self):
        outage = (*self.LIVE, (5000, "interrupted"), (5100, "refused", 120007))
        self.assertEqual(self.last(*outage), ["reconnecting", 0, "", 6600])
        self.assertEqual(self.last(*outage, (5500, "online"))[2], "open")

    def test_an_answer_that_does_not_change_by_waiting_ends_an_outage(self):
        self.assertEqual(
            self.last(*self.LIVE, (5000, "interrupted"), (5100, "refused", 120018))[:2], ["ended", 120018]
        )

    def test_a_camera_that_says_goodbye_is_waited_for(self):
        self.assertEqual(self.last(*self.LIVE, (5000, "ended", 0))[0], "reconnecting")

    def test_a_lost_link_does_not_touch_a_picture_that_runs(self):
        self.assertEqual(self.last(*self.LIVE, (5000, "linkDown"), (9000, "linkUp")), ["live", 0, "", None])

    def test_after_a_new_link_an_outage_begins_with_a_new_session(self):
        self.assertEqual(
            self.last(*self.LIVE, (5000, "linkDown"), (6000, "linkUp"), (9000, "interrupted"))[2], "open"
        )

    def test_after_a_stop_nothing_happens(self):
        late = [
            (now, name, code)
            for now, name, code in (
                (200, "connected", 0),
                (201, "picture", 0),
                (202, "interrupted", 0),
                (203, "failed", 740001),
                (204, "refused", 120007),
                (205, "ended", 0),
                (206, "online", 0),
                (207, "linkDown", 0),
                (208, "linkUp", 0),
                (40000, "time", 0),
            )
        ]
        for step in self.run_through(*self.LIVE, (150, "stop"), *late)[4:]:
            self.assertEqual(step, ["idle", 0, "", None])

    def test_every_state_takes_every_event(self):
        """All sequences of four events, after asking: a known phase, and a time limit while something is tried."""
        count, faults = self.browser.run_async("""
            const { initialState, step, nextTime } = await import('/scripts/live/session-state.js');
            const names = ['start', 'stop', 'linkUp', 'linkDown', 'online', 'connected', 'interrupted', 'failed', 'picture', 'source', 'time'];
            const codes = [0, 120007, 120018, 740006];
            const events = names.map((type) => ({ type, code: 0 }))
              .concat(codes.flatMap((code) => [{ type: 'refused', code }, { type: 'ended', code }]));
            let count = 0; const faults = [];
            const go = (state, depth, now) => {
              count += 1;
              const isTrying = state.phase === 'connecting' || state.phase === 'reconnecting';
              if (!['idle', 'connecting', 'live', 'reconnecting', 'ended'].includes(state.phase)) faults.push(state);
              if (isTrying !== (nextTime(state) !== null)) faults.push(state);
              if (state.phase === 'ended' && state.code === 0) faults.push(state);
              if (depth) for (const event of events) go(step(state, event, now).state, depth - 1, now + 700);
            };
            go(step(initialState(true), { type: 'start' }, 0).state, 4, 700);
            return [count, faults.slice(0, 3)];
        """)
        self.assertGreater(count, 100_000)
        self.assertEqual(faults, [])


class Sentences(ConsoleCase):
    cameras = 0

    def test_every_number_of_the_console_is_one_of_the_table(self):
        self.browser.open()
        with open(os.path.join(ROOT, "Sources", "Model", "Errors", "ErrorCode.swift")) as file:
            known = {int(number.replace("_", "")) for number in re.findall(r"= (\d{3}_\d{3})", file.read())}
        numbers = self.browser.run_async("return (await import('/scripts/platform/sentences.js')).knownCodes")
        self.assertGreater(len(numbers), 40)
        self.assertEqual(set(numbers) - known, set())

    def test_a_failure_says_what_and_what_to_do(self):
        self.browser.open()
        sentences = self.browser.run_async("""
            const { Failure } = await import('/scripts/platform/failures.js');
            return [Failure.numbered(120007), Failure.numbered(999999), Failure.answered(502, undefined), Failure.answered(418, {}),
              Failure.answered(409, { code: 160016, message: 'Encryption is already off', remedy: 'Nothing needs to be done.' }),
            ].map((failure) => failure.sentence);
        """)
        self.assertEqual(
            sentences,
            [
                "The device is offline. Connect it to power and network and try again.",
                "Something failed with the number 999999. Try again.",
                "The platform failed. Try again. The platform's log has the reason.",
                "The platform's answer was not understood. Load this page again. If it stays, tell the administrator.",
                "Encryption is already off. Nothing needs to be done.",
            ],
        )
