"""The academy in the browser: a drill with its explanation, and an exam from its setting to the certificate."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from croupier.academy.training_round import training_round
from tests.web.conftest import PHONE, Visit, serious, shoot


def answer(page: Page) -> None:
    """Any answer in the right form; whether it is right is the house's to say."""
    card = page.locator("question-card").first
    field = card.get_by_role("textbox", name="Amount")
    if field.count():
        field.fill("25")
    else:
        options, in_order = card.locator(".option"), card.get_by_text("Tap them in order")
        picks = 5 if card.locator(".of-cards").count() else options.count() if in_order.count() else 1
        for index in range(picks):
            options.nth(index).click()
    card.get_by_role("button", name="Answer", exact=True).click()


FORMS = {
    "Which hand is higher": ".options:not(.of-cards)",
    "The five cards that play": ".of-cards",
    "Take and pay in order": "text=Tap them in order",
    "What a bet is paid": "input[name=amount]",
}
"""A topic for each form of a question, and what only that form shows."""


def test_a_learner_trains_on_a_phone(visit: Visit) -> None:
    """Every form of question can be read and answered; an answer is explained by its paragraphs, and enters the
    record.
    """
    page = visit(PHONE, name="learner")
    page.goto(f"{page.url.partition('#')[0]}#/academy")
    page.get_by_role("combobox", name="Game", exact=True).select_option(label="Sun International Casino Hold'Em Poker")
    page.get_by_text("Topics", exact=True).click()
    for number, (topic, shows) in enumerate(FORMS.items(), 1):
        page.get_by_role("checkbox", name=topic).check()
        page.get_by_role("button", name="Next question" if number > 1 else "Begin").click()
        expect(page.locator("question-card").locator(shows)).to_be_visible()
        assert serious(page) == [], topic
        answer(page)
        expect(page.locator(".verdict")).to_contain_text(re.compile(r"Right\.|Wrong\."))
        expect(page.get_by_text(re.compile(rf"of {number} right"))).to_be_visible()
        assert serious(page) == [], f"{topic}, answered"
        page.get_by_role("checkbox", name=topic).uncheck()
    expect(page.locator("main")).not_to_contain_text("each answer enters the paragraphs")
    shoot(page, "academy-drill-phone")
    page.locator(".verdict button.rule").first.click()
    expect(page.locator("rule-dialog dialog[open]")).to_be_visible()


def test_a_learner_reads_about_a_game_and_deals_a_round_of_it(visit: Visit) -> None:
    """On a phone: the introduction is read; a round is dealt step by step, and a page loaded again goes on with it."""
    page = visit(PHONE, name="learner")
    page.goto(f"{page.url.partition('#')[0]}#/academy")
    page.get_by_role("link", name="Sun International").click()
    expect(page.get_by_role("heading", name="Hands, the highest first")).to_be_visible()
    shoot(page, "academy-introduction-phone")
    assert serious(page) == []
    page.get_by_role("link", name="To the academy").click()
    page.get_by_label("Game to deal").select_option(label="Sun International Casino Hold'Em Poker")
    page.get_by_label("Seed, to deal the same round again").fill("3")
    page.get_by_role("button", name="Deal a round").click()
    for number, moment in enumerate(training_round("sun-casino-holdem", 3), 1):
        expect(page.get_by_text(f"Step {number} of")).to_be_visible()
        expect(page.locator(".asks")).to_have_text(moment.question.asks)
        if number == 6:
            page.reload()
            expect(page.get_by_text("Step 6 of")).to_be_visible()
        answer(page)
        expect(page.locator(".verdict")).to_contain_text(re.compile(r"Right\.|Wrong\."))
        if number == 8:
            shoot(page, "academy-training-phone")
            assert serious(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.get_by_role("button", name="Next step").click()
    expect(page.get_by_role("heading", name="steps right")).to_be_visible()
    expect(page.get_by_text("--round --seed 3")).to_be_visible()


def test_an_exam_from_its_setting_to_the_certificate(visit: Visit) -> None:
    examiner = visit(name="examiner")
    examiner.get_by_text("Set an exam").click()
    examiner.get_by_label("Title").fill("Sun, first week")
    examiner.get_by_role("checkbox", name="Casino Hold'Em").check()
    for label, value in (("Questions", "4"), ("Minutes", "30")):
        examiner.get_by_label(label).fill(value)
    examiner.get_by_role("button", name="Set the exam").click()
    expect(examiner.get_by_role("button", name="Results")).to_be_visible()
    assert serious(examiner) == []

    learner = visit(name="learner")
    learner.get_by_role("button", name="Sit it").click()
    expect(learner.get_by_text("Question 1 of 4")).to_be_visible()
    learner.keyboard.press("1")
    shoot(learner, "academy-exam")
    learner.reload()
    for number in range(1, 5):
        expect(learner.get_by_text(f"Question {number} of 4")).to_be_visible()
        answer(learner)
    expect(learner.locator(".outcome")).to_contain_text(re.compile(r"\d of 4 right"))
    shoot(learner, "academy-result")
    assert serious(learner) == []
    with learner.expect_popup() as opened:
        learner.get_by_role("link", name="Certificate").click()
    expect(opened.value.get_by_role("heading", name="Certificate")).to_be_visible()
    expect(opened.value.locator("body")).to_contain_text("sun-casino-holdem@1")

    examiner.get_by_role("button", name="Results").click()
    expect(examiner.get_by_text("learner").last).to_be_visible()
    shoot(examiner, "academy-examiner")
