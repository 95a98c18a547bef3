"""Disputes in the browser: a case from its opening to its end."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import PHONE, Visit, serious, shoot


def test_a_case_from_its_opening_to_its_end(visit: Visit) -> None:
    """Who handles disputes opens a case, adds a note, decides and closes it; a second page shows all of it."""
    page = visit(name="shift")
    page.get_by_role("link", name="Disputes").click()
    page.get_by_text("Open a dispute").click()
    for label, value in {"Table": "Baobab", "Round": "1", "What is disputed": "The Ante was paid short."}.items():
        page.get_by_label(label, exact=True).fill(value)
    opened: list[str] = []
    page.on("request", lambda asked: opened.extend([asked.url] * (asked.method == "POST")))
    page.get_by_role("button", name="Open", exact=True).dblclick()
    case = page.locator("[data-dispute]").first
    expect(case.get_by_role("heading")).to_have_text("Baobab, round 1")
    expect(case).to_contain_text("The Ante was paid short.")
    assert len(opened) == 1, "a double click opens one case"
    for label, words, button in (
        ("Note", "The pictures were kept.", "Add"),
        ("Reason", "The tray agrees.", "Decide"),
        ("Closing words", "The player was told.", "Close the case"),
    ):
        case.get_by_label(label).fill(words)
        case.get_by_role("button", name=button).click()
        expect(case.locator("ol")).to_contain_text(words)
    assert serious(page) == []

    phone = visit(PHONE, name="auditor")
    phone.goto(f"{phone.url.partition('#')[0]}#/disputes")
    expect(phone.locator("[data-dispute]").first).to_contain_text("Closed: upheld")
    assert serious(phone) == []
    shoot(phone, "disputes-phone")
