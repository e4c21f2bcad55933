"""The web console in a real browser: Debian's chromium, driven over WebDriver, against a real platform and cameras."""
