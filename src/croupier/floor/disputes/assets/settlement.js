// Settles every bet of a round again from its events, and holds the record's own lines against that.
"use strict";

const Settling = (() => {
  const { FIVE, JACKPOT, THREE, bestOf, compare, holeCards, isMet, paid, payment, rankThree } = Rulebook;

  class Unknown extends Error {}

  function cited(event) {
    return event.rules?.length ? ` (${event.rules.join(", ")})` : "";
  }

  function listed(names) {
    return [...names].map((name) => name.replaceAll("_", " ")).sort().join(", ");
  }

  function money(cents) {
    const whole = Math.abs(cents);
    return `${cents < 0 ? "-" : ""}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
  }

  function inMoney(line) {
    const words = { win: "wins", lose: "loses", stand_off: "stands off", returned: "goes back" };
    return `${words[line.outcome] ?? line.outcome} (${money(line.won)} won, ${money(line.returned)} returned)`;
  }

  function settled(outcome, staked, won, returned, restsOn = "") {
    return { outcome, staked, won, returned, restsOn };
  }

  function key(...parts) {
    return JSON.stringify(parts);
  }

  function inOrder(keys) {
    return [...keys].map((text) => [JSON.parse(text), text]).sort(([one], [other]) => compare(one, other));
  }

  function newHand() {
    return {
      stakes: new Map(), givenBack: [], state: "out", why: "", lost: [], settled: [], cards: [], faceUp: false,
      refused: false, proved: false,
    };
  }

  function laid(hand, bet) {
    let sum = 0;
    for (const [text, cents] of hand.stakes) if (JSON.parse(text)[1] === bet) sum += cents;
    return sum;
  }

  class Settlement {
    constructor(rules, checks) {
      this.rules = rules;
      this.document = rules.document;
      this.checks = checks;
      this.hands = new Map();
      this.community = [];
      this.dealer = [];
      this.over = false;
      this.forget();
    }

    forget() {
      this.noted = new Set();
      this.recorded = new Map();
      this.claimed = new Map();
      this.awarded = new Map();
      this.claims = new Map();
    }

    hand(box) {
      if (!this.hands.has(box)) this.hands.set(box, newHand());
      return this.hands.get(box);
    }

    follow(seq, event, number) {
      if (["BetSettled", "AwardPaid", "AwardClaimed"].includes(event.type) && event.round !== number) return;
      this[`on${event.type}`]?.(seq, event);
    }

    stake(box, player, bet, cents) {
      const stakes = this.hand(box).stakes;
      stakes.set(key(player, bet), (stakes.get(key(player, bet)) ?? 0) + cents);
    }

    onBetPlaced(_, event) {
      this.stake(event.box, event.player, event.bet, event.amount);
    }

    onBetWithdrawn(_, event) {
      if (!event.live) this.hand(event.box).stakes.delete(key(event.player, event.bet));
    }

    onBetsClosed(_, event) {
      for (const box of event.hands) this.hand(box).state = "live";
    }

    onHandDecided(_, event) {
      const hand = this.hand(event.box);
      if (event.choice === "fold") {
        hand.state = "folded";
        hand.why = event.deemed ? `the hand counts as folded${cited(event)}` : "";
      }
      for (const part of event.parts ?? []) this.stake(event.box, part.player, event.bet, part.amount);
    }

    onCardsTurned(_, event) {
      for (const [place, cards] of Object.entries(event.cards)) {
        if (place === "community") this.community = [...this.community, ...cards];
        else if (place === "dealer") this.dealer = cards;
        else Object.assign(this.hand(Number(place)), { cards, faceUp: true });
      }
    }

    onCardsCorrected(_, event) {
      for (const [place, cards] of Object.entries(event.cards)) {
        if (place === "community") this.community = cards;
        else if (place === "dealer") this.dealer = cards;
        else this.hand(Number(place)).cards = cards;
      }
    }

    onHandExamined(_, event) {
      const hand = this.hand(event.box);
      if (event.cards?.length) hand.cards = event.cards;
    }

    onRevealRefused(_, event) {
      this.hand(event.box).refused = true;
    }

    onHandProved(_, event) {
      this.hand(event.box).proved = true;
    }

    onHandInvalidated(_, event) {
      Object.assign(this.hand(event.box), {
        state: "invalid",
        why: `the hand was taken out of the round${cited(event)}`,
        lost: event.lost ?? [],
        settled: event.settled ?? [],
      });
    }

    onBetsForfeited(_, event) {
      const why = `the bets of the hand were forfeited${cited(event)}`;
      Object.assign(this.hand(event.box), { state: "forfeited", why });
    }

    onBackingInvalidated(_, event) {
      const hand = this.hand(event.box);
      const why = `what ${event.player} had on this box was taken out of the round${cited(event)}`;
      for (const [text, cents] of [...hand.stakes]) {
        const [player, bet] = JSON.parse(text);
        if (player === event.player) {
          hand.givenBack.push([player, bet, cents, why]);
          hand.stakes.delete(text);
        }
      }
    }

    onCardsRedealt(_, event) {
      const undone = new Set(event.returned.map(([box, bet]) => key(box, bet)));
      for (const [box, hand] of this.hands) {
        for (const text of [...hand.stakes.keys()]) {
          if (undone.has(key(box, JSON.parse(text)[1]))) hand.stakes.delete(text);
        }
        if (hand.state === "folded") Object.assign(hand, { state: "live", why: "" });
        Object.assign(hand, { cards: [], faceUp: false, refused: false, proved: false });
      }
      this.community = [];
      this.dealer = [];
    }

    onUnderMinimumNoted(_, event) {
      this.noted.add(event.player);
    }

    onBetSettled(seq, event) {
      if (!this.over) this.recorded.set(key(event.box, event.player, event.bet), event);
      else if (event.bet === JACKPOT) this.laterAward(seq, event);
    }

    onAwardClaimed(_, event) {
      this.claimed.set(key(event.box, event.player), event);
    }

    onAwardPaid(_, event) {
      if (this.over) return;
      const whose = key(event.box, event.player);
      this.awarded.set(whose, [...(this.awarded.get(whose) ?? []), [event.hand, event.amount]]);
    }

    onRoundReopened() {
      this.forget();
      this.over = false;
    }

    onRoundSettled(seq) {
      this.compare(seq, this.everyLine());
    }

    onRoundVoided(seq, event) {
      const why = `the round was voided${cited(event)}`;
      const lines = new Map();
      for (const [box, hand] of this.hands) {
        const every = [...hand.stakes].map(([text, cents]) => [...JSON.parse(text), cents]);
        for (const [player, bet, cents] of [...every, ...hand.givenBack]) {
          lines.set(key(box, player, bet), settled("returned", cents, 0, cents, why));
        }
      }
      this.compare(seq, lines);
    }

    // ------------------------------------------------------------ what the record says of it

    compare(seq, lines) {
      const { checks } = this;
      checks.settled = 0;
      checks.rests = [];
      for (const [[box, player, bet], text] of inOrder(lines.keys())) {
        const where = `record ${seq}: ${bet} of ${player} on box ${box}`;
        const [line, said] = [lines.get(text), this.recorded.get(text)];
        if (said === undefined) {
          checks.hold(false, `${where} ${inMoney(line)}, and the record has no line of it`);
          continue;
        }
        const same = ["outcome", "staked", "won", "returned"].every((part) => said[part] === line[part]);
        checks.hold(same, `${where} ${inMoney(line)}; the record says that it ${inMoney(said)}`);
        checks.settled += 1;
        if (line.restsOn) checks.rests.push(`${bet} of ${player} on box ${box}: ${line.restsOn}`);
      }
      for (const [[box, player, bet], text] of inOrder(this.recorded.keys())) {
        const known = lines.has(text);
        checks.hold(known, `record ${seq}: ${bet} of ${player} on box ${box} has a line and no right to one`);
      }
      this.compareClaims(seq);
      this.over = true;
    }

    compareClaims(seq) {
      for (const [[box, player], text] of inOrder(new Set([...this.claims.keys(), ...this.claimed.keys()]))) {
        const [claim, said] = [this.claims.get(text), this.claimed.get(text)];
        const where = `record ${seq}: the jackpot bet of ${player} on box ${box}`;
        if (claim === undefined) {
          this.checks.hold(false, `${where} makes no award of the meter, and one is claimed`);
        } else if (said === undefined) {
          this.checks.hold(false, `${where} makes ${listed(claim.hands)}, and no award is claimed`);
        } else {
          const hands = said.awards.map((award) => award.hand);
          const same =
            said.staked === claim.staked &&
            said.counts === claim.counts &&
            said.units === claim.units &&
            listed(new Set(hands)) === listed(claim.hands);
          this.checks.hold(same, `${where} makes ${listed(claim.hands)}; the record claims ${listed(hands)}`);
        }
      }
    }

    laterAward(seq, event) {
      const claim = this.claims.get(key(event.box, event.player));
      const holds =
        claim !== undefined && event.staked === claim.staked && event.returned === claim.staked - claim.counts;
      this.checks.hold(holds, `record ${seq}: a jackpot line that does not belong to an award of this round`);
    }

    // ------------------------------------------------------------ every line

    everyLine() {
      const lines = new Map();
      this.claims = new Map();
      for (const [box, hand] of this.hands) {
        if (!hand.stakes.size) continue;
        for (const [text, cents] of hand.stakes) {
          const [player, bet] = JSON.parse(text);
          try {
            const line = this.line(box, hand, player, bet, cents);
            if (line !== null) lines.set(key(box, player, bet), line);
          } catch (missing) {
            if (!(missing instanceof Unknown)) throw missing;
            this.checks.hold(false, `${bet} of ${player} on box ${box} was settled, and ${missing.message}`);
          }
        }
        for (const [player, bet, cents, why] of hand.givenBack) {
          lines.set(key(box, player, bet), settled("returned", cents, 0, cents, why));
        }
        if ("ante_bonus" in this.document.payTables) {
          try {
            for (const [text, line] of this.anteBonus(box, hand)) lines.set(text, line);
          } catch (missing) {
            if (!(missing instanceof Unknown)) throw missing;
            this.checks.hold(false, `the Ante Bonus of box ${box} cannot be settled: ${missing.message}`);
          }
        }
      }
      return lines;
    }

    line(box, hand, player, bet, cents) {
      const out = this.outOfPlay(hand, player, bet, cents);
      if (out !== null) return out;
      if (bet === JACKPOT) return this.jackpot(box, hand, player, cents);
      const counts = this.part(hand, player, bet);
      const rests = ["folded", "invalid"].includes(hand.state) ? hand.why : this.letStand(hand, bet);
      if (bet in this.document.payTables && bet !== "ante") return this.sideBet(box, hand, bet, cents, counts, rests);
      return this.againstDealer(box, hand, bet, cents, counts, rests);
    }

    outOfPlay(hand, player, bet, cents) {
      if (hand.state === "forfeited" || (hand.state === "invalid" && hand.lost.includes(bet))) {
        return settled("lose", cents, 0, 0, hand.why);
      }
      if (hand.state === "invalid" && !hand.settled.includes(bet)) {
        return settled("returned", cents, 0, cents, hand.why);
      }
      let beside = ["bonus", JACKPOT].includes(bet) ? ["ante"] : [];
      if (bet === JACKPOT && this.rules.reads("jackpot-pair-plus-only", "a")) beside = ["ante", "pair_plus"];
      if (beside.length && !beside.some((other) => hand.stakes.has(key(player, other)))) {
        return settled("returned", cents, 0, cents);
      }
      if (this.document.oneSmallRound && this.wasSmallBefore(player)) {
        const own = hand.stakes.has(key(player, "ante")) ? [bet, "ante"] : [bet];
        if (own.some((each) => this.isSmall(hand, each))) {
          return settled("returned", cents, 0, cents, `${player} had bets under the minimum in an earlier round`);
        }
      }
      return null;
    }

    isSmall(hand, bet) {
      return bet in this.rules.limits && laid(hand, bet) < this.rules.limits[bet][0];
    }

    wasSmallBefore(player) {
      const small = [...this.hands.values()].some((hand) =>
        [...hand.stakes.keys()]
          .map((text) => JSON.parse(text))
          .some(([name, bet]) => name === player && this.isSmall(hand, bet)),
      );
      return small && !this.noted.has(player);
    }

    // ------------------------------------------------------------ what counts of a stake

    counts(hand, bet) {
      const { document, rules } = this;
      const placed = laid(hand, bet);
      if (!document.cutsToMaximum) return placed;
      if (!(bet in document.decisions)) return Math.min(placed, rules.limits[bet][1]);
      const [times, maximum] = [document.decisions[bet], rules.limits.ante[1]];
      if (!document.sizesRuled) return Math.min(placed, times * maximum);
      const whole = laid(hand, "ante");
      const ante = rules.reads("wrong-size-and-limit", "a") ? whole : Math.min(whole, maximum);
      const limit = rules.reads("wrong-size-and-limit", "c") ? maximum : times * maximum;
      return Math.min(placed, times * ante, limit);
    }

    part(hand, player, bet) {
      const [placed, counts] = [BigInt(laid(hand, bet)), BigInt(this.counts(hand, bet))];
      let before = 0n;
      for (const [text, cents] of hand.stakes) {
        const [name, other] = JSON.parse(text);
        if (other !== bet) continue;
        const after = before + BigInt(cents);
        if (name === player) return Number((after * counts) / placed - (before * counts) / placed);
        before = after;
      }
      return 0;
    }

    letStand(hand, bet) {
      const { document } = this;
      const times = document.decisions[bet];
      if (times !== undefined && !document.sizesRuled && laid(hand, bet) !== times * laid(hand, "ante")) {
        return "staff let a bet of this size stand";
      }
      if (!document.cutsToMaximum && bet in this.rules.limits) {
        const [least, most] = this.rules.limits[bet];
        if (laid(hand, bet) < least || laid(hand, bet) > most) return "staff let a bet outside the limits stand";
      }
      return "";
    }

    // ------------------------------------------------------------ against the Dealer

    fate(box, hand) {
      const unproved = hand.refused && !hand.proved;
      if (hand.state === "folded") return unproved ? "not shown" : "folded";
      if (hand.state !== "live" || !laid(hand, "ante")) return hand.state === "live" && unproved ? "not shown" : "";
      const proves = hand.proved && this.rules.reads("v6-proof", "a");
      if (hand.refused && this.document.refusalRuled && !proves) return "not shown";
      if (hand.refused && !hand.faceUp) return "not shown";
      const [own, dealer] = [this.strength(`box ${box}`, hand.cards), this.strength("the Dealer", this.dealer)];
      const standing = compare(own, dealer);
      const saved = this.rules.reads("sun-tie-unqualified", "a") && standing === 0;
      if (compare(dealer, this.document.dealerNeeds) < 0 && !saved) return "unqualified";
      return ["lower", "equal", "higher"][standing + 1];
    }

    strength(whose, cards) {
      const three = this.document.ownCards === 3;
      const all = three ? cards : [...cards, ...this.community];
      if (cards.length !== this.document.ownCards || all.length !== this.document.ownCards + (three ? 0 : 5)) {
        throw new Unknown(`the cards of ${whose} were never turned`);
      }
      return three ? rankThree(all) : bestOf(all);
    }

    againstDealer(box, hand, bet, cents, counts, rests) {
      const fate = this.fate(box, hand);
      const lost = settled("lose", cents, 0, cents - counts, rests);
      if (fate === "folded" || fate === "lower") return lost;
      if (fate === "not shown") {
        if (!this.document.refusalRuled) return { ...lost, restsOn: "staff let a hand stand that was not shown" };
        const back = bet !== "ante" && hand.state === "live" && this.rules.reads("refusal-later-bets", "a");
        return back ? settled("returned", cents, 0, cents, rests) : lost;
      }
      const standsOff = settled("stand_off", cents, 0, cents, rests);
      if (fate === "equal") return standsOff;
      if (bet !== "ante") return fate === "unqualified" ? standsOff : settled("win", cents, counts, cents, rests);
      const odds = this.anteOdds(this.strength(`box ${box}`, hand.cards));
      return odds === null ? standsOff : settled("win", cents, paid(odds, counts), cents, rests);
    }

    anteOdds(own) {
      const table = this.rules.tables.ante;
      if (table !== undefined) return table[FIVE[own[0]]] === undefined ? null : payment(table[FIVE[own[0]]]);
      if (this.document.ownCards === 2 && own[0] < FIVE.indexOf("straight")) return null;
      return { won: 1, per: 1, kind: "to" };
    }

    // ------------------------------------------------------------ on the player's own cards

    survives(bet, fate, hand) {
      const reads = (name, letter) => this.rules.reads(name, letter);
      const pairPlus = bet === "pair_plus" && reads("fold-pair-plus", "b");
      if (hand.state === "folded" && !pairPlus && !(bet === "ante_bonus" && reads("fold-ante-bonus", "a"))) return "lost";
      if (fate === "not shown") {
        const proves = pairPlus || (bet === "bonus" && (reads("refusal-bonus", "a") || reads("v6-proof", "a")));
        return hand.proved && proves ? "yes" : "lost";
      }
      if (fate === "lower" && bet === "bonus" && reads("bonus-on-loss", "a")) return "lost";
      if (fate === "equal" && bet === "bonus" && reads("bonus-on-stand-off", "a")) return "returned";
      if (fate === "equal" && bet === "ante_bonus" && reads("ante-bonus-stand-off", "a")) return "lost";
      return "yes";
    }

    sideOdds(box, hand, bet) {
      if (hand.cards.length !== this.document.ownCards) throw new Unknown(`the cards of box ${box} were never turned`);
      let row;
      if (this.document.ownCards === 3) row = THREE[rankThree(hand.cards)[0]];
      else {
        row = holeCards(hand.cards, this.dealer);
        if (row === null && this.rules.reads("bonus-dealer-only", "a") && this.dealer.length === 2) {
          row = holeCards(this.dealer, []);
        }
      }
      const pays = this.rules.tables[bet][row ?? ""];
      return pays === undefined ? null : payment(pays);
    }

    sideBet(box, hand, bet, cents, counts, rests) {
      const judged = this.survives(bet, this.fate(box, hand), hand);
      if (judged === "returned") return settled("stand_off", cents, 0, cents, rests);
      const odds = judged === "yes" ? this.sideOdds(box, hand, bet) : null;
      if (odds === null) return settled("lose", cents, 0, cents - counts, rests);
      let won = paid(odds, counts);
      if (bet === "bonus" && this.document.cap !== null) {
        won = Math.min(won, this.document.cap - (this.rules.reads("bonus-cap", "a") ? counts : 0));
      }
      return settled("win", cents, won, cents, rests);
    }

    *anteBonus(box, hand) {
      if (!["live", "folded"].includes(hand.state) || !laid(hand, "ante")) return;
      if (this.survives("ante_bonus", this.fate(box, hand), hand) !== "yes") return;
      const odds = this.sideOdds(box, hand, "ante_bonus");
      if (odds === null) return;
      for (const text of hand.stakes.keys()) {
        const [player, bet] = JSON.parse(text);
        if (bet !== "ante") continue;
        const won = paid(odds, this.part(hand, player, "ante"));
        yield [key(box, player, "ante_bonus"), settled("win", 0, won, 0, hand.why)];
      }
    }

    // ------------------------------------------------------------ the jackpot bet

    jackpot(box, hand, player, cents) {
      const prescribed = this.rules.jackpotBet || 0;
      const units = prescribed ? Math.min(Math.floor(cents / prescribed), this.document.multiples) : 0;
      const counts = units * prescribed;
      let rests = hand.why;
      if (counts !== cents && !this.document.cutsToMaximum) rests ||= "staff let a bet outside the limits stand";
      if (!units) return settled("returned", cents, 0, cents, rests);
      const met = this.linesMet(hand).map((name) => [name, payment(this.rules.tables[JACKPOT][name])]);
      if (!met.length) return settled("lose", cents, 0, cents - counts, rests);
      if (met.some(([, pays]) => pays.kind === "share")) {
        this.claims.set(key(box, player), { staked: cents, counts, units, hands: new Set(met.map(([name]) => name)) });
        return null;
      }
      const amounts = new Map(met.map(([name, pays]) => [name, this.rules.award(pays, counts, units)]));
      const given = [...(this.awarded.get(key(box, player)) ?? [])].sort(compare);
      const due = [...amounts].sort(compare);
      let won = Math.max(...amounts.values());
      let holds = given.length === 1 && given[0][1] === won && amounts.get(given[0][0]) === won;
      if (this.rules.reads("v6-jackpot-hand", "c")) {
        won = due.reduce((sum, [, cents_]) => sum + cents_, 0);
        holds = JSON.stringify(given) === JSON.stringify(due);
      }
      const told = given.map(([name, cents_]) => `${name} ${cents_}`).join(", ") || "none";
      this.checks.hold(holds, `box ${box}: the cards make ${listed(amounts.keys())}, and the award paid is ${told}`);
      return settled("win", cents, won, cents - counts, rests);
    }

    linesMet(hand) {
      const { document } = this;
      let [own, board] = [hand.faceUp, true];
      if (hand.state === "folded" && document.communitySurvives) own = false;
      if (hand.refused && document.refusalRuled && !(hand.proved && document.jackpotProvable)) {
        [own, board] = [false, document.communitySurvives];
      }
      const calledOnly = this.rules.reads("sun-board-share", "b") && hand.state !== "live";
      if (own && hand.cards.length !== document.ownCards) throw new Unknown("its hand has another number of cards");
      return Object.entries(this.rules.lines)
        .filter(
          ([name, rule]) =>
            name in (this.rules.tables[JACKPOT] ?? {}) &&
            (rule.own ? own : board) &&
            !(rule.shared && calledOnly) &&
            isMet(rule, hand.cards, this.community),
        )
        .map(([name]) => name);
    }
  }

  return { Settlement, listed, money };
})();
