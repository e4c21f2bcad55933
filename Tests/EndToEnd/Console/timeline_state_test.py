"""The values behind the recordings view alone: days, zoom, marks, stretches, the clock of a playback, playlists."""

from datetime import datetime
from zoneinfo import ZoneInfo

from .case import ConsoleCase

HOUR = 3_600_000
ZONE = "Europe/Berlin"


def instant(text, zone=ZONE, fold=0):
    """UTC milliseconds of a local time."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp() * 1000)


class Values(ConsoleCase):
    cameras = 0

    def setUp(self):
        self.zone(ZONE)
        self.browser.open()

    def tearDown(self):
        super().tearDown()
        self.zone("")

    def zone(self, name):
        self.browser.command("Emulation.setTimezoneOverride", timezoneId=name)

    def ask(self, module, expression, *given):
        return self.browser.run_async(
            f"const m = await import('/scripts/recordings/{module}.js'); return {expression};", *given)


class Days(Values):
    def test_days_have_23_24_and_25_hours(self):
        for day, hours in (("2026-03-28", 24), ("2026-03-29", 23), ("2026-03-30", 24), ("2026-10-25", 25)):
            start = instant(day)
            self.assertEqual(self.ask("days", "m.startOfDay(given[0] + 13 * 3600e3)", start), start)
            self.assertEqual(self.ask("days", "m.endOfDay(given[0]) - given[0]", start), hours * HOUR)
            self.assertEqual(
                self.ask("days", "m.unusualHours(given[0])", start), None if hours == 24 else hours)

    def test_days_are_counted_by_the_calendar(self):
        self.assertEqual(self.ask("days", "m.addDays(given[0], 1)", instant("2026-03-29")), instant("2026-03-30"))
        self.assertEqual(self.ask("days", "m.addDays(given[0], -1)", instant("2026-10-26")), instant("2026-10-25"))

    def test_a_month_has_its_days_and_begins_on_its_weekday(self):
        found = self.ask("days", "m.month(given[0])", instant("2026-03-01"))
        self.assertEqual(found["days"], [instant(f"2026-03-{day:02}") for day in range(1, 32)])
        self.assertEqual(found["offset"], 6, "a Sunday")

    def test_a_zone_in_which_midnight_does_not_come(self):
        # Cairo puts its clocks forward at midnight.
        self.zone("Africa/Cairo")
        start = self.ask("days", "m.startOfDay(Date.UTC(2026, 3, 24, 12))")
        self.assertEqual(start, instant("2026-04-24T01:00", "Africa/Cairo"))
        self.assertEqual(self.ask("days", "m.endOfDay(given[0]) - given[0]", start), 23 * HOUR)

    def test_a_time_that_comes_twice_is_told_with_its_zone(self):
        first, second = (instant("2026-10-25T02:30", fold=fold) for fold in (0, 1))
        one, other = (self.ask("days", "m.clockText(given[0])", time) for time in (first, second))
        self.assertEqual((one[:8], other[:8]), ("02:30:00", "02:30:00"))
        self.assertNotEqual(one, other)
        self.assertEqual(self.ask("days", "m.clockText(given[0])", instant("2026-12-01T02:30")), "02:30:00")

    def test_what_is_typed_is_a_time_of_the_day(self):
        day = instant("2026-10-25")
        self.assertEqual(self.ask("days", "m.timeOfDay(given[0], '14:05:09')", day), instant("2026-10-25T14:05:09"))
        for wrong in ("", "24:00", "12", "12:60", "<b>"):
            self.assertIsNone(self.ask("days", "m.timeOfDay(given[0], given[1])", day, wrong))


class View(Values):
    def view(self, day="2026-12-01"):
        start = instant(day)
        return {"dayStart": start, "dayEnd": self.ask("days", "m.endOfDay(given[0])", start)}

    def test_places_and_times_belong_together_on_every_day(self):
        for day in ("2026-12-01", "2026-03-29", "2026-10-25"):
            for time in (instant(f"{day}T00:00"), instant(f"{day}T12:34:56"), instant(f"{day}T23:59")):
                shown = self.ask(
                    "timeline-state",
                    "(() => { const v = m.wholeDay(given[0].dayStart, given[0].dayEnd);"
                    " return [m.placeOf(v, given[1], 1000), m.timeAt(v, m.placeOf(v, given[1], 1000), 1000)]; })()",
                    self.view(day), time)
                self.assertTrue(0 <= shown[0] < 1000)
                self.assertAlmostEqual(shown[1], time, delta=1)

    def test_zooming_keeps_the_time_under_the_pointer_and_stays_within_the_day(self):
        view = self.view()
        time = view["dayStart"] + 9 * HOUR
        near, shortest, back = self.ask(
            "timeline-state",
            "(() => { const v = m.wholeDay(given[0].dayStart, given[0].dayEnd); const a = m.zoomed(v, 0.1, given[1]);"
            " return [a, m.zoomed(a, 1e-9, given[1]), m.zoomed(a, 1e9, given[1])]; })()", view, time)
        self.assertAlmostEqual((time - near["from"]) / (near["to"] - near["from"]), 9 / 24, places=4)
        self.assertEqual(shortest["to"] - shortest["from"], 60_000)
        self.assertEqual((back["from"], back["to"]), (view["dayStart"], view["dayEnd"]))

    def test_panning_ends_at_the_ends_of_the_day(self):
        view = self.view()
        early, late = self.ask(
            "timeline-state",
            "(() => { const v = m.zoomed(m.wholeDay(given[0].dayStart, given[0].dayEnd), 0.5, given[0].dayStart);"
            " return [m.panned(v, -1e9), m.panned(v, 1e9)]; })()", view)
        self.assertEqual((early["from"], late["to"]), (view["dayStart"], view["dayEnd"]))
        self.assertEqual(late["to"] - late["from"], 12 * HOUR)

    def labels(self, day, width=1000):
        return self.ask(
            "timeline-state",
            "m.marks(m.wholeDay(given[0].dayStart, given[0].dayEnd), given[1]).filter((mark) => mark.isLabelled)"
            ".map((mark) => mark.time)", self.view(day), width)

    def test_marks_stand_at_whole_hours_of_the_local_clock_also_when_it_changes(self):
        self.assertEqual(
            self.labels("2026-12-01"), [instant("2026-12-01") + hour * HOUR for hour in range(0, 25, 2)])
        spring = [self.ask("days", "m.minuteText(given[0])", time) for time in self.labels("2026-03-29", 2000)]
        self.assertEqual(spring[:4], ["00:00", "01:00", "03:00", "04:00"])
        autumn = [self.ask("days", "m.minuteText(given[0])", time) for time in self.labels("2026-10-25", 2000)]
        self.assertEqual(autumn[:5], ["00:00", "01:00", "02:00", "02:00", "03:00"])

    def test_marks_in_a_zone_of_half_an_hour(self):
        self.zone("Asia/Kolkata")
        start = instant("2026-12-01", "Asia/Kolkata")
        found = self.ask(
            "timeline-state", "m.marks(m.wholeDay(given[0], given[0] + 864e5), 500).filter((k) => k.isLabelled)[1].time",
            start)
        self.assertEqual((found - start) % HOUR, 0)


class Stretches(Values):
    def test_what_is_between_stretches(self):
        stretches = [{"startTime": start, "endTime": end} for start, end in ((0, 1000), (1500, 9000), (20000, 30000))]
        self.assertEqual(self.ask("stretches", "m.gaps(given[0])", stretches), [{"startTime": 9000, "endTime": 20000}])
        self.assertEqual(len(self.ask("stretches", "m.merged(given[0])", stretches)), 2)
        self.assertEqual(self.ask("stretches", "m.totalTime(given[0])", stretches), 19000)
        self.assertEqual(self.ask("stretches", "m.playableAt(given[0], 12000).startTime", stretches), 20000)
        self.assertIsNone(self.ask("stretches", "m.playableAt(given[0], 30000)", stretches))
        self.assertEqual(self.ask("stretches", "m.neighbour(given[0], 2000, 1)", stretches), 20000)
        self.assertEqual(self.ask("stretches", "m.neighbour(given[0], 25000, -1)", stretches), 20000)


CLOCK = """(() => { const clock = new m.PlaybackClock();
  return given[0].map(([name, value]) => name === 'frame' ? clock.timeOf(value) : clock[name](value) ?? null); })()"""


def told(action, time, timestamp, **fields):
    return ["take", {"action": action, "timeMs": time, "rtpTimestamp": timestamp, "rate": 1, **fields}]


class Clock(Values):
    def run_through(self, *steps):
        return [
            told for (name, _), told in zip(steps, self.ask("playback-clock", CLOCK, [list(step) for step in steps]))
            if name == "frame"]

    def test_a_picture_has_the_time_of_its_anchor_and_the_rate(self):
        self.assertEqual(
            self.run_through(
                ("frame", 1000), told("playing", 50_000, 1000, firstRtpTimestamp=1000), ("frame", 1000), ("frame", 91_000),
                told("playing", 51_000, 91_000, rate=4), ("frame", 90_000 + 91_000)),
            [None, 50_000, 51_000, 55_000])

    def test_after_a_seek_nothing_old_counts(self):
        self.assertEqual(
            self.run_through(
                told("playing", 50_000, 0, firstRtpTimestamp=0), ("frame", 9000), ("await", 7), ("frame", 18_000),
                told("tsTimeStamp", 50_200, 18_000), ("frame", 18_000),
                # Another seek's answer.
                told("seeking", 1_000, 20_000, requestId=6, firstRtpTimestamp=19_000), ("frame", 20_000),
                told("seeking", 90_000, 40_000, requestId=7, firstRtpTimestamp=30_000), ("frame", 30_000),
                ("frame", 39_999), ("frame", 40_000), ("frame", 49_000)),
            [50_100, None, None, None, None, None, 90_000, 90_100])

    def test_timestamps_wrap(self):
        high = 2**32 - 9000
        self.assertEqual(
            self.run_through(told("playing", 50_000, high, firstRtpTimestamp=high), ("frame", 0), ("frame", 9000)),
            [50_100, 50_200])

    def test_what_makes_no_sense_is_not_taken(self):
        self.assertEqual(
            self.run_through(
                told("playing", "soon", 0, firstRtpTimestamp=0), ("frame", 0),
                told("playing", 50_000, 0, firstRtpTimestamp=0, rate=-3), ("frame", 90_000)),
            [None, 51_000])


PLAYLIST = """#EXTM3U
#EXT-X-MAP:URI="/v1/cloud/files/a.mp4?signature=x",BYTERANGE="1216@0"
#EXT-X-PROGRAM-DATE-TIME:2026-12-01T08:00:00.000Z
#EXTINF:6.007,
#EXT-X-BYTERANGE:51000@1216
/v1/cloud/files/a.mp4?signature=x
#EXTINF:2.000,
#EXT-X-BYTERANGE:17000@52216
/v1/cloud/files/a.mp4?signature=x
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="//elsewhere.example/b.mp4",BYTERANGE="1216@0"
#EXT-X-PROGRAM-DATE-TIME:2026-12-01T08:05:00.000Z
#EXTINF:6.000,
#EXT-X-BYTERANGE:51000@1216
//elsewhere.example/b.mp4
#EXT-X-ENDLIST
"""


class Playlist(Values):
    def test_segments_have_times_and_places_and_only_the_platform_is_asked(self):
        found = self.ask("playlist", "m.segments(given[0])", PLAYLIST)
        start = 1796112000000
        self.assertEqual(
            [(part["startTime"] - start, part["endTime"] - start, part["range"]) for part in found],
            [(0, 6007, {"offset": 1216, "size": 51000}), (6007, 8007, {"offset": 52216, "size": 17000})])
        self.assertEqual(found[1]["head"]["range"], {"offset": 0, "size": 1216})

    def test_nonsense_gives_nothing(self):
        for text in ("", "#EXTINF:x,\n/a", "#EXT-X-MAP:URI=\n#EXTINF:6,\n#EXT-X-BYTERANGE:-1@2\n/a", "\0" * 1000):
            self.assertEqual(self.ask("playlist", "m.segments(given[0])", text), [])
