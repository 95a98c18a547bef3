"""A certificate of an exam as a page to print: score, clauses, and everything needed to run the same exam again."""

from __future__ import annotations

from html import escape

from croupier.academy.exams import Exam, Result, rulebook_hashes
from croupier.rulebooks.catalogue.books import declare

_STYLE = """
@page { size: A4; margin: 18mm }
body { font: 12pt/1.5 Georgia, serif; color: #1b1b1b; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 26pt; font-weight: normal; margin: 0 0 1rem; border-bottom: 2pt solid #8a6d1f }
.name { font-size: 20pt; margin: 0 }
.score { font-size: 15pt }
table { border-collapse: collapse; width: 100%; font: 9.5pt/1.4 system-ui, sans-serif; margin: 1rem 0 }
th, td { text-align: left; padding: .25rem .5rem; border-bottom: .5pt solid #bbb; overflow-wrap: anywhere }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
code { font-size: 9pt; overflow-wrap: anywhere }
footer { font-size: 9pt; color: #444 }
"""


def certificate(exam: Exam, result: Result, *, name: str, date: str, examiner: str = "") -> str:
    """Return the page; `date` is the day of the sitting as it is to be printed."""
    documents = [(edition, declare(edition).document) for edition in exam.editions]
    games = ", ".join(f"{document.operator} {document.title} ({edition})" for edition, document in documents)
    verdict = "has passed" if result.passed else "has not passed"
    clauses = "".join(
        f'<tr><td>{escape(each.edition)}</td><td>{escape(each.clause)}</td><td class="number">{each.right}</td>'
        f'<td class="number">{each.asked}</td></tr>'
        for each in result.clauses
    )
    hashes = "".join(
        f"<tr><td>{escape(edition)}</td><td><code>{digest}</code></td></tr>"
        for edition, digest in rulebook_hashes(exam)
    )
    scored = f"{result.right} of {result.asked} right, {result.points} of 100 points. Pass mark: {exam.pass_mark} %."
    signed = f"<p>Examiner: {escape(examiner)}</p>" if examiner else ""
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Certificate</title>
<style>{_STYLE}</style></head>
<body><main>
<h1>Certificate</h1>
<p class="name">{escape(name)}</p>
<p>{verdict} the examination in {escape(games)} on {escape(date)}.</p>
<p class="score">{scored}</p>
{signed}
<h2>Rulebooks</h2>
<table><thead><tr><th>Edition</th><th>Content hash</th></tr></thead><tbody>{hashes}</tbody></table>
<h2>Clauses</h2>
<table><thead><tr><th>Edition</th><th>Clause</th><th class="number">Right</th><th class="number">Asked</th></tr></thead>
<tbody>{clauses}</tbody></table>
<footer><p>The same paper: <code>{escape(command(exam))}</code></p></footer>
</main></body>
</html>
"""


def command(exam: Exam) -> str:
    """Return the command that makes the same paper again."""
    words = ["croupier academy", *exam.editions, f"--count {exam.count}", f"--seed {exam.seed}"]
    words += [f"--topic {topic.value}" for topic in exam.topics]
    words += [f"--clause '{clause}'" for clause in exam.clauses]
    return " ".join((*words, "--json"))
