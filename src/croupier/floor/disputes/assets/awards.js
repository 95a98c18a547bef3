// Follows the award cases of a round on their link.
"use strict";

const AwardCases = (() => {
  const { JACKPOT, payment } = Rulebook;
  const { money } = Settling;

  class Awards {
    constructor(record, rules, entries, eventOf, checks) {
      this.checks = checks;
      this.rules = rules;
      this.says = record.format === "croupier-round-1" ? [] : [...(record.awards ?? [])];
      this.cases = new Map();
      this.nets = [];
      this.waiting = this.says.map((award) => award.award);
      this.shares = [];
      let seq = 0;
      for (const entry of entries) {
        const where = `record ${entry.seq} of the link`;
        checks.hold(entry.stream.startsWith("link/"), `${where} belongs to ${entry.stream}`);
        checks.hold(entry.seq > seq, `${where} is not in its place`);
        seq = entry.seq;
        const event = eventOf(entry);
        const own = event.table === record.table && event.round === record.round;
        checks.hold(own, `${where} belongs to another round: ${event.table} ${event.round}`);
        checks.count("records of the link");
        this.follow(where, event);
      }
    }

    hold(where, what, holds) {
      this.checks.hold(holds, `${where}: ${what}`);
    }

    follow(where, event) {
      switch (event.type) {
        case "ClaimsEntered":
          for (const claim of event.claims) {
            const number = this.waiting.shift() ?? 0;
            this.hold(where, "an award is claimed of which the record does not tell", Boolean(number));
            const needs = event.signatures ?? 0;
            this.cases.set(number, { claim, needs, signed: [], state: "claimed", amount: null });
          }
          break;
        case "AwardsLocked":
          for (const award of event.awards) this.lock(where, this.case(where, award.case), award.lines);
          break;
        case "AwardSigned": {
          const found = this.case(where, event.case);
          this.hold(where, `${event.by} has signed twice`, !found.signed.includes(event.by));
          found.signed.push(event.by);
          break;
        }
        case "CasePaid":
          this.pay(where, this.case(where, event.case), event);
          break;
        case "CaseDenied": {
          const found = this.case(where, event.case);
          this.hold(where, "an award is denied that had ended", ["claimed", "locked"].includes(found.state));
          this.hold(where, "a denied award wins something", event.line.won === 0);
          Object.assign(found, { state: "denied", line: event.line });
          break;
        }
        case "AwardsReversed":
          for (const found of this.cases.values()) Object.assign(found, { state: "unwound", line: null });
          break;
        case "ClaimsVerified":
        case "AwardsPaid":
        case "AwardsHandedOver":
          this.firstRelease(where, event);
          break;
        default:
      }
    }

    live() {
      return [...this.cases.values()].filter((found) => found.state !== "unwound");
    }

    firstRelease(where, event) {
      if (event.type === "ClaimsVerified") for (const found of this.live()) found.signed.push(event.by);
      else if (event.type === "AwardsPaid") {
        const byBox = new Map(this.live().map((found) => [found.claim.box, found]));
        for (const payment_ of event.payments) this.lock(where, byBox.get(payment_.claim.box), payment_.lines);
      } else {
        for (const found of this.live()) {
          this.hold(where, "an award is paid that was not locked", found.state === "locked");
          Object.assign(found, { state: "paid", atTable: true });
        }
      }
    }

    case(where, number) {
      this.hold(where, `award ${number} was not claimed`, this.cases.has(number));
      if (!this.cases.has(number)) throw new TypeError(`award ${number} was not claimed`);
      return this.cases.get(number);
    }

    lock(where, found, lines) {
      this.hold(where, "an award is locked that does not wait for it", found.state === "claimed");
      const met = new Set(found.claim.awards.map((award) => award.hand));
      this.hold(where, "an award pays lines that were not claimed", lines.every((line) => met.has(line.hand)));
      found.state = "locked";
      found.amount = lines.reduce((sum, line) => sum + line.amount, 0);
      const { claim } = found;
      for (const line of lines) {
        const pays = payment(line.pays);
        if (pays.kind === "share") {
          this.shares.push(`${line.pays} of the meter for ${claim.player} on box ${claim.box}`);
        } else if (this.rules !== null) {
          const fixed = this.rules.award(pays, claim.counts, claim.units);
          this.hold(where, `${line.hand} is locked at ${line.amount}, not at ${fixed}`, line.amount === fixed);
        }
        if (this.rules !== null) {
          const printed = this.rules.tables[JACKPOT][line.hand];
          this.hold(where, `${line.hand} pays ${line.pays}, not ${printed}`, line.pays === printed);
        }
      }
    }

    pay(where, found, event) {
      const { claim } = found;
      const { line } = event;
      this.hold(where, "an award is paid that is not locked", found.state === "locked");
      this.hold(where, "an award is paid before it is signed for", found.signed.length >= found.needs);
      const paid = event.awards.reduce((sum, award) => sum + award.amount, 0);
      const same = found.amount === paid && paid === line.won;
      this.hold(where, `${found.amount} was locked, ${paid} paid, and the line says ${line.won}`, same);
      const own = [line, ...event.awards].every(
        (each) => each.box === claim.box && each.player === claim.player && each.round === claim.round,
      );
      this.hold(where, "an award is paid to another box, player or round", own);
      this.hold(where, "the line of an award is not whole", line.staked === claim.staked);
      Object.assign(found, { state: "paid", line });
    }

    /** Hold the awards of the link against what the round claimed and what the record says. */
    end(claims, settled) {
      const { checks } = this;
      checks.hold(!this.waiting.length, "the record tells of an award that the link does not have");
      const live = this.live();
      for (const claim of claims) {
        const of = live.filter((found) => found.claim.box === claim.box);
        checks.hold(of.length === 1, `box ${claim.box}: its award is ${of.length} times on the link`);
        for (const found of of) {
          const same = Object.keys(claim)
            .filter((name) => name !== "type")
            .every((name) => JSON.stringify(claim[name]) === JSON.stringify(found.claim[name]));
          checks.hold(same, `box ${claim.box}: the link has another claim than the table`);
        }
      }
      checks.hold(live.length === claims.length, "the link has awards that the round did not claim");
      for (const said of this.says) {
        const state = this.cases.get(said.award)?.state;
        checks.hold(state === said.state, `award ${said.award} is said to be ${said.state}, and is ${state}`);
      }
      for (const [number, found] of this.cases) {
        checks.awards.push(inWords(number, found));
        const { claim } = found;
        if (found.line) this.nets.push(found.line);
        else if (["claimed", "locked"].includes(found.state)) checks.openAwards += 1;
        else if (found.atTable && !settled.has(JSON.stringify([claim.box, claim.player]))) {
          this.nets.push({ ...claim, won: found.amount, returned: claim.staked - claim.counts, later: true });
        }
      }
    }
  }

  function inWords(number, found) {
    const { claim, amount } = found;
    const cents = amount === null ? "" : ` ${money(amount)}`;
    const state = {
      claimed: "waits for its turn",
      locked: `locked at${cents}, ${found.needs - found.signed.length} of ${found.needs} signatures missing`,
      paid: `paid${cents}`,
      denied: "denied",
      unwound: "unwound with its round",
    }[found.state];
    return `Award ${number}, ${claim.named} on box ${claim.box}, ${claim.player}: ${state}.`;
  }

  return { Awards };
})();
