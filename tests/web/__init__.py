"""The browser client on a real Chromium, against a server of its own."""
