"""Editions: which rulebooks are installed, what their content hashes are, and what is wrong with a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.authoring.checks import check
from croupier.authoring.template import new_rulebook
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.catalogue.fingerprint import edition_hash, rulebook_hash
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.description.comparison import paragraph_changes, reading_changes
from croupier.rulebooks.documents.editions import GAMES, BadRulebook, UnknownGame, edition, editions, uninstall
from croupier.rulebooks.documents.folders import install
from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.vocabulary import Rulebook, Seating
from tests.editions import EXAMPLES, MBS_10, copied, installed

V9, V10 = "mbs-megalink-holdem@9", "mbs-megalink-holdem@10"
PINNED = {
    "rws-multilink-holdem@2": "7da73208004242877d1c421f275a4ab10e9218dae1772a363527f328659d5145",
    "rws-multilink-three-card@4": "ad77f5670bdedd56b24b89b31dda96ea67fd326a45e9860f69b411f68c8b242a",
    "mbs-megalink-holdem@9": "df6207fce0757119ba1ed8d541d3bab469deed5ad7d28804a000a63f54c5ec3b",
    "rws-progressive-holdem@6": "d936247307cf94acb07ef73c546c88af7ba4677b1336dc165a7c7052b6a0ac37",
    "sun-casino-holdem@1": "fad37d7da640b53560ae61478465f3466f19672dbdf639c7ed18fbcd00c1e1ec",
}
"""Journals hold these hashes for ever. A landed edition is never changed: a correction of ours is a new revision of it,
and a new version of the document a new edition, each written as a rules author writes one.
"""


@pytest.mark.parametrize(("name", "sha256"), PINNED.items())
def test_a_landed_edition_is_never_changed(name: str, sha256: str) -> None:
    """Its declarations, paragraphs and readings are what every journal has pinned."""
    assert edition_hash(name) == sha256


def test_every_built_in_edition_is_pinned() -> None:
    """The plain name of a game means its built-in edition."""
    assert [edition(game).name for game in GAMES] == list(PINNED)
    assert all(declare(game).edition == edition(game).name for game in GAMES)


def test_any_change_of_content_changes_the_hash_and_nothing_else_does() -> None:
    """A paragraph number, a reading's answer, a limit; a word may gain a field that a book does not use."""
    book = declare(V9)
    assert rulebook_hash(book) == rulebook_hash(replace(book)) == edition_hash(V9)
    chosen = declare(V9, Readings.of(V9, {"bonus-on-loss": "a"}))
    assert rulebook_hash(chosen) == edition_hash(V9, (("bonus-on-loss", "a"),))
    other = replace(book, announcements=book.announcements[1:])
    assert len({rulebook_hash(each) for each in (book, chosen, other, replace(book, jackpot_bet=600))}) == 4

    class WiderSeating(Seating, frozen=True):
        further: tuple[str, ...] = ()

    WiderSeating.__name__ = "Seating"
    fields = {name: getattr(book.seating, name) for name in Seating.__struct_fields__}
    assert rulebook_hash(replace(book, seating=WiderSeating(**fields))) == edition_hash(V9)


def test_installing_a_version_changes_no_game_that_does_not_name_it() -> None:
    """The plain name still means version 9."""
    before = edition_hash("mbs-megalink-holdem")
    with installed(MBS_10) as found:
        assert (found.name, found.based_on) == (V10, V9)
        assert edition("mbs-megalink-holdem").name == V9
        assert edition_hash("mbs-megalink-holdem") == before != edition_hash(V10)
        assert V10 in [each.name for each in editions()]
    with pytest.raises(UnknownGame, match=f'^The rulebook "{V10}" is not installed: of this game there is {V9}'):
        edition(V10)


def test_a_new_version_says_only_what_it_changes() -> None:
    """Everything else is as before: paragraphs in their places, readings with their answers, declarations."""
    with installed(MBS_10):
        new, old = declare(V10), declare(V9)
        assert [number for number, _, _ in paragraph_changes(old, new)] == ["4.1.1", "5.17"]
        order = list(paragraphs(V10))
        assert order.index("5.17") == order.index("5.16.2") + 1
        assert list(reading_changes(old, new)) == []
        assert list(readings_of(V10)) == list(readings_of(V9))
        assert new.dealings == old.dealings
        assert isinstance(new, Rulebook)


def test_a_lost_a_new_and_a_changed_reading_are_named(tmp_path: Path) -> None:
    """None of them changes silently; a rule that still needs a lost reading cannot be declared."""
    changed = copied(MBS_10, tmp_path / "a", ("document.toml", '"bonus-on-loss b"', '"bonus-on-loss a"'))
    with installed(changed):
        says = dict(reading_changes(declare(V9), declare(V10)))
        assert says == {"bonus-on-loss": "Changed: the answer was b and is a."}
    with installed(copied(MBS_10, tmp_path / "b", ("document.toml", '"example-typos b",', ""))) as found:
        told = {remark.says: remark.is_mistake for remark in check(found)}
        assert told["Lost: this version does not ask it, or settles it itself."] is False
        assert told[f"It cites example-typos, and {V10} has no such paragraph or reading."] is True
    lost = copied(MBS_10, tmp_path / "c", ("document.toml", '"bonus-on-loss b", ', ""))
    with installed(lost) as found, pytest.raises(BadRulebook, match="Reading bonus-on-loss"):
        list(check(found))


def test_a_folder_from_the_template_is_in_order(tmp_path: Path) -> None:
    """For every built-in game: three files, nothing changed but the version, no mistake."""
    for game in GAMES:
        before = edition(game)
        folder = tmp_path / game
        assert len(new_rulebook(before.name, before.version + 1, folder)) == 3
        with installed(folder) as found:
            assert [remark for remark in check(found) if remark.is_mistake] == []
            assert list(paragraph_changes(declare(before.name), declare(found.name))) == []


def test_the_examples_are_in_order() -> None:
    """What the guide shows is checked as its reader would."""
    folders = sorted(file.parent for file in EXAMPLES.glob("*/document.toml"))
    assert folders
    for folder in folders:
        with installed(folder) as found:
            assert [remark for remark in check(found) if remark.is_mistake] == []


def test_version_10_of_mbs_takes_at_most_sixty_lines_in_three_files() -> None:
    """What a new version costs its author."""
    files = [file for file in MBS_10.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert len(files) <= 3
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= 60


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("document.toml", "version = 10", 'version = "ten"'), "Expected `int`"),
        (("document.toml", "version = 10", "version = 9"), "already built in"),
        (("document.toml", "version = 10", "version = 10\nverson = 1"), "unknown field `verson`"),
        (
            ("document.toml", 'game = "mbs-megalink-holdem"', 'game = "MBS"'),
            "is not lower-case words",
        ),
        (("document.toml", V9, "mbs-megalink-holdem@8"), "is not installed"),
        (("document.toml", '"bonus-on-loss b"', '"bonus-on-los b"'), "has no reading bonus-on-los"),
        (("document.toml", '"bonus-on-loss b"', '"bonus-on-loss z"'), "has no option 'z'"),
        (("document.toml", "[document]", "[document"), "document.toml: "),
    ],
)
def test_a_bad_folder_is_refused_in_one_sentence(tmp_path: Path, change: tuple[str, str, str], words: str) -> None:
    """The sentence names the file and says what is wrong; nothing is installed."""
    with pytest.raises(BadRulebook) as caught:
        install(copied(MBS_10, tmp_path / "bad", change))
    assert words in str(caught.value)
    assert "document.toml" in str(caught.value)
    assert "\n" not in str(caught.value)
    uninstall(V10)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("rulebook.py", 'p("5.17")', 'p("5.99")'), "has no paragraph '5.99'"),
        (("rulebook.py", "document=DOC", "documnt=DOC"), "line "),
        (("rulebook.py", "def rulebook(", "def rulebok("), "it has no function rulebook"),
        (("rulebook.py", "document=DOC,", ""), "its folder is that of"),
        (("rulebook.py", "DOC = ", "DOC == "), "line 5: "),
        (("rulebook.py", "a.VoidRound()", '"void"'), ".then is 'void'; it is one of VoidRound(…), Continue(…)"),
        (("rulebook.py", "a.VoidRound()", "a.VoidRound"), "the class VoidRound without its brackets"),
        (("rulebook.py", "(a.When.NO_PLAYER_HAS_SEEN,)", "(a.When.NO_PLAYER_HAS_SEEN)"), "not a list in brackets"),
        (("rulebook.py", "(a.When.NO_PLAYER_HAS_SEEN,)", '("unseen",)'), "is 'unseen'; it is one of When.DECISIONS"),
        (("rulebook.py", '("boxes", "text")', '("nonsense",)'), "is 'nonsense'; it is one of boxes, player, count"),
        (("rulebook.py", '((p("5.17"),), DROPPED.name, a', '(p("5.17"), DROPPED.name, a'), "not a list in brackets"),
        (("rulebook.py", '"low_pair"', '"low pair"'), "There is no line"),
        (
            ("rulebook.py", "document=DOC,", "document=DOC, dealings=(a.Dealing('d', (p('3.1'),), ()),),"),
            "dealings[d] must end with its one Compare.",
        ),
    ],
)
def test_a_bad_module_is_refused_with_its_line(tmp_path: Path, change: tuple[str, str, str], words: str) -> None:
    """A mistake of the author is told in one sentence, never as an internal error."""
    with installed(copied(MBS_10, tmp_path / "bad", change)) as found:
        with pytest.raises(BadRulebook) as caught:
            declare(found.name)
        assert words in str(caught.value)
        assert "rulebook.py" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("document.toml", 'kind = "irregularity"', 'kind = "mishap"'), 'Its kind "mishap" is not one of'),
        (("document.toml", 'by = "engine", text = "A card', 'by = "nobody", text = "A card'), 'enforced by "nobody"'),
        (("rulebook.py", '"low_pair": "2 to 1"', '"low_pair": "7 to 1"'), '"low_pair" below it pays more: 7 to 1'),
        (("rulebook.py", "(a.When.PLAYER_HAS_SEEN,)", "(a.When.FLOP_TURNED,)"), "irregularity card_dropped"),
        (("scripts/low-pair-and-dropped-card.json", '"won": "20.00"', '"won": "30.00"'),
         'In the nearest one rounds.lines.won is "20.00", and "30.00" was expected.'),
        (("scripts/low-pair-and-dropped-card.json", '{"status": "void"}], "refusals": []', '{"awards": [{}]}]'),
         "has no entry"),
        (("scripts/low-pair-and-dropped-card.json", '"rules": ["1.1.3", "4.1.1"]', '"rules": []'),
         "is empty in the script's `expect`"),
        (("document.toml", '"5.17" =', '"5.18" = { kind = "general", by = "staff", text = "Staff wave." }\n"5.17" ='),
         "paragraph 5.18: It commands something, and no entry cites it"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_the_words_of_a_rules_author(
    tmp_path: Path, change: tuple[str, str, str], words: str
) -> None:
    """What, and where in the folder or the document."""
    with installed(copied(MBS_10, tmp_path / "mistaken", change)) as found:
        told = [f"{remark.about}: {remark.says}" for remark in check(found) if remark.is_mistake]
        assert any(words in each for each in told), told


def test_an_installed_distribution_brings_its_rulebook(tmp_path: Path) -> None:
    """Its entry point names a package that is a rulebook folder; every process finds it without an option."""
    shutil.copytree(MBS_10, tmp_path / "mbs_ten")
    (tmp_path / "mbs_ten" / "__init__.py").write_text("", encoding="utf-8")
    told = tmp_path / "mbs_ten-10.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: mbs-ten\nVersion: 10\n", encoding="utf-8")
    (told / "entry_points.txt").write_text("[croupier.rulebooks]\nmbs-ten = mbs_ten\n", encoding="utf-8")
    script = f"from croupier.rulebooks.catalogue.fingerprint import *; print(edition_hash('{V10}'))"
    path = os.pathsep.join([str(tmp_path), str(EXAMPLES.parents[1] / "src")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "5"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    with installed(MBS_10):
        assert done.stdout.strip() == edition_hash(V10)


def test_the_environment_names_folders_for_every_process(tmp_path: Path) -> None:
    """A folder that cannot be used is told in one line, also by a command that does not need it."""
    environment = {**os.environ, "CROUPIER_RULEBOOKS": str(EXAMPLES)}
    command = [sys.executable, "-m", "croupier", "games", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert {V9, V10} <= {each["edition"] for each in json.loads(done.stdout)}
    environment["CROUPIER_RULEBOOKS"] = str(tmp_path / "nowhere")
    failed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stderr.strip()) == (2, f"croupier: {tmp_path}/nowhere: there is no such folder.")


def test_what_the_author_of_a_version_may_have_forgotten_is_told(tmp_path: Path) -> None:
    """A changed paragraph that no script shows, and a changed rule whose paragraph reads as before."""
    untold = copied(MBS_10, tmp_path / "untold", ("scripts/low-pair-and-dropped-card.json", "card_dropped", "misdealt"))
    with installed(untold) as found:
        notes = [f"{remark.about}: {remark.says}" for remark in check(found) if not remark.is_mistake]
        assert "paragraph 5.17: It is new or changed, and no script shows it." in notes
    line = next(line for line in (MBS_10 / "document.toml").read_text(encoding="utf-8").splitlines() if "4.1.1" in line)
    with installed(copied(MBS_10, tmp_path / "old text", ("document.toml", line, ""))) as found:
        notes = [f"{remark.about}: {remark.says}" for remark in check(found) if not remark.is_mistake]
        assert notes == ["Side bets: bonus, low pair: It differs, and the text of 4.1.1 is as before."]
