// Puts the page together: the verdict first, then the felt and the lists.
"use strict";

(() => {
  const { text, words } = Felt;
  const at = (id) => document.getElementById(id);
  const verdict = Verdict.judge(at("evidence").textContent, at("seal").textContent);
  const { evidence, checks } = verdict;

  function tell() {
    const banner = at("verdict");
    banner.classList.add(verdict.holds ? "holds" : "fails");
    const signed = verdict.seal ? "" : " Nobody has signed it.";
    banner.replaceChildren(
      text("strong", verdict.holds ? "Holds" : "Does not hold"),
      text("span", verdict.holds ? counted(signed) : "This page does not agree with itself:"),
    );
    if (!verdict.holds) banner.append(Sections.list(verdict.problems.slice(0, 50)));
  }

  function counted(signed) {
    const looked = Object.entries(checks.lookedAt).map(([what, count]) => `${count} ${what}`);
    const settled = checks.settled === null ? "" : ` ${checks.settled} bets were settled again in this page.`;
    return `${looked.join(", ")}.${settled}${signed}`;
  }

  function nameOf(id) {
    return evidence.names[id] ?? id;
  }

  function fill(id, parts) {
    at(id).append(...parts);
  }

  function lines(entries) {
    let found = [];
    for (const { event } of entries) {
      if (event.type === "RoundReopened") found = [];
      else if (event.type === "BetSettled" && event.round === evidence.record.round) found.push(event);
    }
    for (const entry of evidence.record.on_the_link ?? []) {
      const { line } = JSON.parse(entry.data);
      if (line) found.push(line);
    }
    return found;
  }

  function step(entries) {
    const events = entries.map(({ event }) => event);
    const used = new Set(events.filter((event) => event.type === "BetPlaced").map((event) => event.box));
    const slider = at("step");
    slider.max = String(events.length);
    const show = (count) => {
      const now = Math.max(0, Math.min(events.length, count));
      slider.value = String(now);
      Felt.draw(at("table"), Felt.after(events, now, evidence.boxes), used, nameOf);
      const last = entries[now - 1];
      const says = last ? `${Sections.who(last.event, nameOf)}: ${Sections.what(last.event)}` : "before the round";
      at("now").textContent = `Step ${now} of ${events.length}. ${says}`;
      slider.setAttribute("aria-valuetext", says);
    };
    const now = () => Number(slider.value);
    const moves = { first: () => 0, back: () => now() - 1, on: () => now() + 1, last: () => events.length };
    for (const [id, to] of Object.entries(moves)) at(id).addEventListener("click", () => show(to()));
    slider.addEventListener("input", () => show(now()));
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    document.addEventListener("keydown", (pressed) => {
      const move = moves[keys[pressed.key]];
      if (!move || pressed.target instanceof HTMLInputElement) return;
      pressed.preventDefault();
      show(move());
    });
    show(events.length);
  }

  function save() {
    const record = new Blob([JSON.stringify(evidence.record)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(record);
    link.download = `round-${evidence.record.round}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function compare() {
    const typed = at("published").value.trim().toLowerCase();
    const same = verdict.seal !== null && typed === verdict.seal.key;
    at("compared").textContent = same ? "This is the key of the seal." : "This is not the key of the seal.";
  }

  tell();
  if (evidence === null || checks === null) return;
  const { record } = evidence;
  const entries = record.records
    .filter((entry) => "data" in entry)
    .map((entry) => ({ entry, event: JSON.parse(entry.data) }));
  const linked = (record.on_the_link ?? []).map((entry) => ({ entry, event: JSON.parse(entry.data) }));
  // Sorting is stable: what the table and the link record at one moment stays in that order.
  const steps = [...entries, ...linked].sort((one, other) => one.entry.at - other.entry.at);
  const settled = lines(entries);
  const stands = Felt.letStand(entries.map(({ event }) => event));
  at("about").textContent =
    `${record.table}, round ${record.round}, ${words(record.game)} (${record.rulebook.edition}). ` +
    `Made ${evidence.made_at} by ${nameOf(evidence.made_by)} with ${evidence.program}.`;
  step(steps);
  fill("timeline", Sections.timeline(evidence, steps, nameOf));
  fill("bets", Sections.bets(evidence, settled, stands, nameOf));
  fill("money", Sections.money(evidence, nameOf));
  fill("rulings", Sections.rulings(evidence, entries, nameOf));
  fill("awards", Sections.awards(checks));
  fill("rulebook", Sections.rulebook(evidence));
  fill("shuffle", Sections.shuffle(evidence, entries));
  fill("what-if", Sections.whatIf(evidence, settled, stands, nameOf));
  fill("disputes", Sections.disputes(evidence, nameOf));
  fill("proofs", Sections.proofs(verdict));
  at("save").addEventListener("click", save);
  at("compare").addEventListener("click", compare);
  at("print").addEventListener("click", () => window.print());
})();
