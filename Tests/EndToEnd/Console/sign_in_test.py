"""Signing in and out, and the end of a sign-in."""

import urllib.request

from .case import ConsoleCase


class SignIn(ConsoleCase):
    cameras = 0

    def test_a_wrong_password_gets_a_sentence_and_another_try(self):
        self.browser.open()
        self.browser.find("#account").send_keys("admin")
        self.browser.find("#password").send_keys("not it")
        self.browser.button("Sign in").click()
        self.assertEqual(
            self.browser.wait_for_text(".failure", "password"),
            "The account or the password is wrong. Try again. After several failures the platform makes you wait.",
        )
        self.browser.find("#password").send_keys(self.house.password)
        self.browser.button("Sign in").click()
        self.browser.find("device-panel")

    def test_the_token_is_in_no_address_and_survives_a_reload(self):
        self.sign_in()
        token = self.browser.run("return JSON.parse(sessionStorage['oriel.account']).accessToken")
        self.assertGreater(len(token), 20)

        def asked():
            return self.browser.run(
                "return performance.getEntriesByType('resource').map((entry) => entry.name)"
            )

        self.browser.wait(
            lambda: any("/v1/devices" in address for address in asked()), what="a call of the API"
        )
        addresses = asked()
        self.assertFalse(any(token in address for address in addresses + [self.browser.driver.current_url]))
        self.browser.driver.refresh()
        self.browser.find("device-panel")

    def test_signing_out_forgets_the_token_here_and_on_the_platform(self):
        self.sign_in()
        token = self.browser.run("return JSON.parse(sessionStorage['oriel.account']).accessToken")
        self.browser.button("Sign out").click()
        self.browser.find("#password")
        self.assertEqual(
            self.browser.run("return sessionStorage.length + Object.keys(localStorage).join().length"), 0
        )
        request = urllib.request.Request(
            self.house.server + "/v1/devices", headers={"Authorization": f"Bearer {token}"}
        )

        def is_refused():
            try:
                urllib.request.urlopen(request).close()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code == 401

        self.browser.wait(is_refused, what="the refusal of the old token")

    def test_a_sign_in_that_ended_leads_back_with_a_sentence(self):
        self.sign_in()
        self.browser.run(
            "const account = JSON.parse(sessionStorage['oriel.account']); account.accessToken = 'at.long-gone';"
            "sessionStorage['oriel.account'] = JSON.stringify(account)"
        )
        self.browser.driver.refresh()
        self.assertIn("Sign in again.", self.browser.wait_for_text(".failure", "sign-in"))
        self.assertIsNone(self.browser.run("return sessionStorage['oriel.account'] ?? null"))

    def test_the_time_of_expiry_ends_the_sign_in(self):
        self.sign_in()
        self.browser.run(
            "const account = JSON.parse(sessionStorage['oriel.account']); account.expireTime = Date.now() + 1500;"
            "sessionStorage['oriel.account'] = JSON.stringify(account)"
        )
        self.browser.driver.refresh()
        self.browser.find("device-panel")
        self.assertEqual(
            self.browser.wait_for_text(".failure", "expired"), "Your sign-in has expired. Sign in again."
        )

    def test_files_come_with_a_policy_that_allows_no_other_source(self):
        with urllib.request.urlopen(self.house.server + "/") as answer:
            policy = answer.headers["Content-Security-Policy"]
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
        for forbidden in ("unsafe-inline", "unsafe-eval", "http://", "https://", " *"):
            self.assertNotIn(forbidden, policy)
        self.assertRegex(policy, r"(default|script)-src '(none|self)'")

    def test_a_new_account_is_told_what_to_do(self):
        self.sign_in()
        self.assertIn("oriel camera", self.browser.wait_for_text("device-panel .empty", "No device yet"))
        self.assertIn("Choose a camera", self.browser.text("live-wall .empty"))
