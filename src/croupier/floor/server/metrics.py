"""Figures for Prometheus: no card, no secret, no name of a player."""

from __future__ import annotations

from croupier.floor.live.floor import Floor
from croupier.rounds.state import Stage


def metrics_text(floor: Floor) -> str:
    """Write the text that Prometheus scrapes."""
    tables = [table for table in floor.house.shown.values() if table.ours]
    lines = [
        "# TYPE croupier_commands_total counter",
        f'croupier_commands_total{{answer="accepted"}} {floor.counts["accepted"]}',
        f'croupier_commands_total{{answer="refused"}} {floor.counts["refused"]}',
        "# TYPE croupier_break_glass_log_ins_total counter",
        f"croupier_break_glass_log_ins_total {floor.counts['break_glass']}",
        "# TYPE croupier_tables gauge",
    ]
    for stage in Stage:
        count = sum(table.round.stage is stage for table in tables)
        lines.append(f'croupier_tables{{stage="{stage.value}"}} {count}')
    lines += [
        "# TYPE croupier_watchers gauge",
        f"croupier_watchers {floor.watching}",
        "# TYPE croupier_clock_late_seconds gauge",
        f"croupier_clock_late_seconds {floor.clocks.late:.3f}",
        "# TYPE croupier_meter_cents gauge",
    ]
    lines += [
        f'croupier_meter_cents{{link="{_label(name)}"}} {link.cents}' for name, link in floor.house.shown_links.items()
    ]
    if floor.witness is not None and floor.witness.last is not None:
        said = floor.witness.last.says()
        lines += [
            "# TYPE croupier_checkpoint_records gauge",
            f"croupier_checkpoint_records {said.records}",
            "# TYPE croupier_checkpoint_seconds gauge",
            f"croupier_checkpoint_seconds {said.at // 1_000_000}",
            "# TYPE croupier_checkpoint_failures_total counter",
            f"croupier_checkpoint_failures_total {floor.witness.failures}",
        ]
    return "\n".join(lines) + "\n"


def _label(name: str) -> str:
    """Escape a label's value for Prometheus."""
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
