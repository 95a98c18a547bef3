"""Takes the pictures of the guides from the screens that the browser tests kept with `CROUPIER_TEST_SCREENS=1`:
`python -m tests.web.pictures`.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.web.conftest import SHOTS

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH, PHONE_WIDTH, TALLEST = 900, 320, 1000
FROM = {
    "lobby": "lobby-desktop",
    "player-desktop": "decision-Orchid-desktop",
    "player-phone": "decision-Baobab-phone",
    "player-result": "result-Baobab-phone",
    "player-practice": "practice-mistake",
    "player-two-boxes": "two-boxes",
    "dealer": "dealer-cards",
    "dealer-pay": "dealer-give-back",
    "irregularity": "irregularity-preview",
    "pit": "claim-manager",
    "pit-ruling": "pit-ruling",
    "display": "display-hit",
    "search": "search",
    "replay": "replay-as-player",
    "audit": "audit-1366",
    "compare": "compare",
}


def take(name: str, screen: str) -> None:
    """Made smaller, cut where it is long, in few colours."""
    with Image.open(SHOTS / f"{screen}.png") as full:
        width = PHONE_WIDTH if full.width < 500 else WIDTH
        small = full.convert("RGB").resize((width, round(full.height * width / full.width)), Image.Resampling.LANCZOS)
    small.crop((0, 0, width, min(small.height, TALLEST))).quantize(256, Image.Quantize.MAXCOVERAGE).save(
        PICTURES / f"{name}.png", optimize=True
    )


def main() -> None:
    """Every picture whose screen is there."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, screen in FROM.items():
        if (SHOTS / f"{screen}.png").exists():
            take(name, screen)


if __name__ == "__main__":
    main()
