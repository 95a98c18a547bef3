"""The rulebooks by name; a module is loaded when its game is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import cast

from croupier.rulebooks.catalogue.well_formed import misfits
from croupier.rulebooks.citation import UnknownParagraph
from croupier.rulebooks.documents.document_text import BadReading
from croupier.rulebooks.documents.editions import MODULE, BadRulebook, Edition, edition
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.vocabulary import Rulebook


def declare(name: str, readings: Readings | None = None) -> Rulebook:
    """Return the rulebook of a game or edition under these readings; without any, under the defaults."""
    found = edition(name)
    return _declared(found, readings or Readings.of(found.name))


def earlier(name: str, readings: Readings) -> Rulebook:
    """Return an edition as the readings of a later one have it, for a rulebook that says only what changed."""
    return _function(edition(name))(readings)


@cache
def _declared(found: Edition, readings: Readings) -> Rulebook:
    if not found.folder:
        return _function(found)(readings)
    file = f"{found.folder}/{MODULE}"
    try:
        book = _function(found)(readings)
    except BadRulebook:
        raise
    except (UnknownParagraph, BadReading) as wrong:
        raise BadRulebook(f"{file}: {wrong}") from None
    except Exception as wrong:
        raise BadRulebook(f"{file}: {_where(wrong)}{_in_words(wrong)}") from wrong
    if not isinstance(book, Rulebook):
        raise BadRulebook(f"{file}: rulebook() returns {type(book).__name__}, not a Rulebook.")
    for says in misfits(book):
        raise BadRulebook(f"{file}: {says}")
    if book.document.edition != found.name:
        raise BadRulebook(f"{file}: it declares {book.document.edition}, and its folder is that of {found.name}.")
    return book


def _where(wrong: Exception) -> str:
    """Return the line of a rulebook module at which an exception was raised."""
    trace, line = wrong.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(MODULE):
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(wrong, SyntaxError):
        line = wrong.lineno or 0
    return f"line {line}: " if line else ""


def _in_words(wrong: Exception) -> str:
    """Return an exception as a sentence; our own say everything, Python's need their kind."""
    text = str(wrong) if type(wrong).__module__.startswith("croupier.") else f"{type(wrong).__name__}: {wrong}"
    return text if text.endswith(".") else f"{text}."


def _function(found: Edition) -> Callable[[Readings], Rulebook]:
    module = module_of(found)
    declared = getattr(module, "rulebook", None)
    if not callable(declared):
        raise BadRulebook(f"{module.__file__}: it has no function rulebook(readings).")
    return cast(Callable[[Readings], Rulebook], declared)


@cache
def module_of(found: Edition) -> ModuleType:
    """Return the module that declares an edition."""
    if not found.folder:
        return import_module(f"croupier.rulebooks.{found.game.replace('-', '_')}")
    file = f"{found.folder}/{MODULE}"
    spec = spec_from_file_location(f"rulebook of {found.name}", file)
    assert spec is not None, "a file that ends in .py is a module"
    assert spec.loader is not None, "and has its loader"
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (UnknownParagraph, BadReading) as wrong:
        raise BadRulebook(f"{file}: {wrong}") from None
    except Exception as wrong:
        raise BadRulebook(f"{file}: {_where(wrong)}{_in_words(wrong)}") from wrong
    return module
