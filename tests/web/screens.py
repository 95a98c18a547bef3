"""Every screen of the client, and the sizes at which it is looked at."""

from __future__ import annotations

SCREENS = {
    "lobby": ("", "#/", ".table-card"),
    "login": ("", "#/login", "form"),
    "display": ("", "#/display/main", ".meter .figure:not(:empty)"),
    "sign": ("", "#/display/main/sign", ".meter .figure:not(:empty)"),
    "rules": ("", "#/rules/sun-casino-holdem", ".facts"),
    "compare": ("", "#/compare/rws-multilink-three-card/sun-casino-holdem", ".compared"),
    "felt": ("ana", "#/table/Orchid", ".felt .tile"),
    "three-cards": ("ana", "#/table/Trishaw", ".felt .tile"),
    "felt-watched": ("surveillance", "#/table/Marina", ".felt .tile"),
    "dealer": ("dealer", "#/dealer/Felt", ".steps"),
    "pit": ("shift", "#/pit", ".wall li"),
    "rounds": ("auditor", "#/rounds", ".found"),
    "rounds-of-a-player": ("ana", "#/rounds/Baobab", ".found"),
    "my-rounds": ("ana", "#/my-rounds", ".limits"),
    "replay": ("auditor", "#/replay/Baobab/1", ".log"),
    "audit": ("auditor", "#/audit", '[aria-label="Chains"] tbody tr'),
    "disputes": ("shift", "#/disputes", "main.disputes summary"),
    "academy": ("learner", "#/academy", "drill-panel button"),
    "academy-examiner": ("examiner", "#/academy", "drill-panel button"),
    "people": ("admin", "#/people", ".people li"),
    "cage": ("cage", "#/cage", ".people li"),
    "account": ("ana", "#/account", "main.account h1"),
    "duties": ("dealer", "#/duties", "tbody tr"),
    "nothing": ("ana", "#/no/such/page", "h1"),
}
"""Who sees what, and what is there when the page is."""
SIZES = {
    "small": (320, 640),
    "phone": (390, 844),
    "landscape": (844, 390),
    "desktop": (1440, 900),
    "wall": (3840, 2160),
}
