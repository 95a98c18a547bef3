// The verdict on a whole pack: its seal, its record, and what stands beside the record.
"use strict";

const Verdict = (() => {
  const { digest } = Digests;
  const { money } = Settling;

  /** Judge the texts of a page's evidence and seal; returns the problems, notes, the evidence and the checks. */
  function judge(text, sealText) {
    const problems = [];
    const notes = [];
    let evidence = null;
    let seal = null;
    let checks = null;
    try {
      evidence = JSON.parse(text);
    } catch {
      problems.push("the evidence of this page cannot be read");
    }
    try {
      seal = JSON.parse(sealText);
      holdSeal(text, evidence, seal, problems, notes);
    } catch {
      problems.push("the seal of this page cannot be read");
    }
    if (evidence !== null) {
      try {
        if (evidence.format !== "croupier-dispute-1") problems.push("the evidence has another format");
        checks = Verifier.check(evidence.record);
        problems.push(...checks.problems);
        notes.push(...checks.notes);
        holdMoney(evidence, checks, problems);
      } catch (wrong) {
        problems.push(wrong.message);
      }
    }
    return { holds: problems.length === 0, problems, notes, evidence, seal, checks };
  }

  function holdSeal(text, evidence, seal, problems, notes) {
    if (seal === null) {
      notes.push("Nobody has signed this page: what stands beside the record rests on whoever handed it over");
      return;
    }
    const said = JSON.parse(seal.statement);
    if (said.format !== "croupier-dispute-seal-1") problems.push("the seal has another format");
    if (!Verifier.isSigned(seal)) problems.push("the seal of this page is not signed with its key");
    if (said.sha256 !== digest(text)) problems.push("the evidence is not what was signed");
    if (seal.heads !== "") problems.push("the seal carries something that does not belong to it");
    const { record, made_at } = evidence ?? {};
    if (record && (said.table !== record.table || said.round !== record.round || said.made_at !== made_at)) {
      problems.push("the seal belongs to another round");
    }
    const keys = new Set((record?.witness ?? []).map((told) => told.checkpoint.key));
    if (keys.size && !keys.has(seal.key)) {
      notes.push("The seal and the checkpoints are signed with different keys");
    }
  }

  function holdMoney(evidence, checks, problems) {
    for (const held of evidence.money) {
      if (held.before + held.moved !== held.after) {
        problems.push(`the money of ${held.player} does not add up: ${money(held.before)} before the round`);
      }
      const moved = evidence.record.entries
        .flatMap((entry) => Object.entries(entry.postings))
        .filter(([account]) => account === `player/${held.player}`)
        .reduce((sum, [, cents]) => sum + cents, 0);
      if (moved !== held.moved) problems.push(`the ledger moved another amount for ${held.player}`);
    }
    const paragraphs = evidence.record.paragraphs;
    for (const entry of evidence.record.records) {
      const event = "data" in entry ? JSON.parse(entry.data) : {};
      for (const rule of event.rules ?? []) {
        if (typeof paragraphs[rule] !== "string") problems.push(`the words of ${rule}, which is cited, are missing`);
      }
    }
  }

  return { judge };
})();
