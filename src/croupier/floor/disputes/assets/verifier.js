// Checks the record of one round: its chain, its deck, its deal, its settlement, its awards and its ledger.
// It shares no code with the server; croupier/verify.py is the same check in Python.
"use strict";

const Verifier = (() => {
  const { DECK, EDITIONS, JACKPOT, NoRecord, Rules } = Rulebook;
  const { digest, fromHex, hasSigned, hex, joined, sha256, utf8 } = Digests;
  const FORMATS = ["croupier-round-1", "croupier-round-2", "croupier-round-3"];
  const LEAVES = 64;
  const NO_CARD = "0".repeat(64);
  const key = (...parts) => JSON.stringify(parts);

  /** What was found, and how much was looked at. */
  class Checks {
    constructor() {
      this.problems = [];
      this.lookedAt = {};
      this.net = new Map();
      this.openAwards = 0;
      this.awards = [];
      this.mispays = [];
      this.settled = null;
      this.rests = [];
      this.notes = [];
    }

    hold(holds, problem) {
      if (holds !== true) this.problems.push(problem);
    }

    count(what, by = 1) {
      this.lookedAt[what] = (this.lookedAt[what] ?? 0) + by;
    }

    add(player, cents) {
      this.net.set(player, (this.net.get(player) ?? 0) + cents);
    }
  }

  const { money } = Settling;

  /** What a mispay left with its player beyond what was due, from what was due and what was done. */
  function over({ amount, did, due, move }) {
    return (did === "pay" ? amount : -amount) - ({ pay: due, take: -due }[move] ?? 0);
  }

  function letStand({ amount, bet, box, did, due, move, player }, ruling) {
    const owed = { pay: `${money(due)} due`, take: `${money(due)} to be taken` }[move] ?? "nothing to be paid or taken";
    const done = `${money(amount)} ${did === "pay" ? "paid" : "taken"}`;
    const where = `Box ${box} ${bet.replaceAll("_", " ")} of ${player}`;
    return `${where}: ${owed}, ${done}; let stand by ${ruling.who}: ${ruling.text ?? ""}`;
  }

  function whole(...amounts) {
    if (!amounts.every((amount) => Number.isSafeInteger(amount))) throw new TypeError("an amount is not whole cents");
  }

  // ------------------------------------------------------------ the chain

  function isPrivate(entry) {
    return entry.type === "HandExamined" && entry.version === 2;
  }

  function holdHash(entry, before, content, checks) {
    const size = (text) => [...text].length;
    const head =
      `${size(entry.stream)}:${entry.stream}${entry.seq}:${size(entry.type)}:${entry.type}${entry.version}:` +
      `${entry.at}:${size(entry.command)}:${entry.command}${content.length}:`;
    const found = hex(sha256(joined(before, utf8(head), content)));
    const what = `record ${entry.seq} (${entry.type}) does not carry the hash of its content`;
    checks.hold(found === entry.hash, what);
  }

  function eventOf(entry, before, checks) {
    const data = utf8(entry.data);
    holdHash(entry, before, isPrivate(entry) ? sha256(data) : data, checks);
    const event = JSON.parse(entry.data);
    checks.hold(event.type === entry.type, `record ${entry.seq} says ${entry.type} and holds another event`);
    return event;
  }

  function chain(record, checks) {
    let before = fromHex(record.before);
    const stream = `table/${record.table}`;
    const events = [];
    let seq = null;
    for (const entry of record.records) {
      const withheld = record.format === FORMATS[2] && !("data" in entry) && isPrivate(entry);
      if (!Number.isSafeInteger(entry.seq) || typeof entry[withheld ? "digest" : "data"] !== "string") {
        throw new NoRecord("a record has a number and its event as text");
      }
      if (seq !== null) {
        checks.hold(entry.seq === seq + 1, `record ${seq + 1} is missing: the next is ${entry.seq}`);
      }
      seq = entry.seq;
      checks.hold(entry.stream === stream, `record ${seq} belongs to ${entry.stream}, not to ${stream}`);
      if (withheld) {
        holdHash(entry, before, fromHex(entry.digest), checks);
        checks.count("records left out");
      } else {
        events.push([seq, eventOf(entry, before, checks)]);
      }
      before = fromHex(entry.hash);
      checks.count("records");
    }
    if (!events.length) throw new NoRecord("the record is empty");
    return events;
  }

  function onTheLink(record) {
    return record.format === FORMATS[0] ? [] : [...(record.on_the_link ?? [])];
  }

  // ------------------------------------------------------------ the witness

  function isSigned(signed) {
    return hasSigned(fromHex(signed.key), utf8(signed.statement), fromHex(signed.signature));
  }

  function treeRoot(hash, proof, leaves) {
    let node = sha256(joined(Uint8Array.of(0), fromHex(proof.blinding), fromHex(hash)));
    let [index, size] = [proof.index, leaves];
    const siblings = proof.path.map(fromHex);
    if (!Number.isSafeInteger(index) || index < 0 || index >= size) return null;
    while (size > 1) {
      const even = index % 2 === 0;
      if ((even ? index + 1 : index - 1) < size) {
        if (!siblings.length) return null;
        const sibling = siblings.shift();
        node = sha256(joined(Uint8Array.of(1), ...(even ? [node, sibling] : [sibling, node])));
      }
      [index, size] = [Math.floor(index / 2), Math.floor((size + 1) / 2)];
    }
    return siblings.length ? null : hex(node);
  }

  function witnessed(record, published, checks) {
    const last = record.records.at(-1);
    const wanted = new Map([last, ...onTheLink(record)].map((entry) => [key(entry.stream, entry.seq), entry.hash]));
    const proved = new Set();
    for (const told of record.witness ?? []) {
      const { checkpoint } = told;
      const said = JSON.parse(checkpoint.statement);
      checks.hold(said.format === "croupier-checkpoint-1", `checkpoint ${said.number} has another format`);
      checks.hold(isSigned(checkpoint), `checkpoint ${said.number} is not signed with its key`);
      holdPublished(checkpoint, said, published, checks);
      for (const proof of told.proofs) {
        const where = key(proof.stream, proof.seq);
        const stands = wanted.has(where) && treeRoot(wanted.get(where), proof, said.size) === said.root;
        checks.hold(stands, `record ${proof.seq} of ${proof.stream} does not stand in checkpoint ${said.number}`);
        proved.add(where);
        checks.count("proofs against a checkpoint");
      }
      if (!published.length) {
        const what = `is signed with the key ${checkpoint.key}: compare it with what was published`;
        checks.notes.push(`Checkpoint ${said.number} ${what}`);
      }
    }
    if (published.length && !proved.has(key(last.stream, last.seq))) {
      checks.problems.push("the record has no proof against a checkpoint");
    }
  }

  function holdPublished(checkpoint, said, published, checks) {
    for (const other of published) {
      const says = JSON.parse(other.statement);
      const strange = `checkpoint ${said.number} is signed with a key that was not published`;
      checks.hold(other.key === checkpoint.key, strange);
      if (says.server === said.server && says.number === said.number) {
        const same = other.statement === checkpoint.statement;
        checks.hold(same, `checkpoint ${said.number} is not the one that was published`);
      }
      checks.hold(isSigned(other), `the published checkpoint ${says.number} is not signed with its key`);
    }
  }

  // ------------------------------------------------------------ decks committed to card by card

  const cardSalt = (seed, position) => digest(`croupier salt ${position} ${seed}`);
  const cardLeaf = (position, card, salt) => digest(`croupier card ${position} ${card} ${salt}`);
  const node = (left, right) => digest(`croupier node ${left} ${right}`);

  function commitmentOf(cards, seed) {
    let level = cards.map((card, at) => cardLeaf(at, card, cardSalt(seed, at)));
    level.push(...Array(LEAVES - level.length).fill(NO_CARD));
    while (level.length > 1) {
      level = Array.from({ length: level.length / 2 }, (_, at) => node(level[2 * at], level[2 * at + 1]));
    }
    return level[0];
  }

  function commitmentByPath(position, card, salt, path) {
    let reached = cardLeaf(position, card, salt);
    let place = position;
    for (const neighbour of path) {
      reached = place % 2 ? node(neighbour, reached) : node(reached, neighbour);
      place = Math.floor(place / 2);
    }
    return reached;
  }

  // ------------------------------------------------------------ the round

  function sameCards(one, other) {
    return one.length === other.length && one.every((card, at) => card === other[at]);
  }

  class Round {
    constructor(record, checks) {
      this.checks = checks;
      this.record = record;
      this.number = record.round;
      this.procedure = new Map(record.procedure.map((step) => [step.step, step]));
      this.rules = rulesOf(record);
      this.settlement = this.rules === null ? null : new Settling.Settlement(this.rules, checks);
      this.proofs = new Map();
      this.whole = new Map();
      this.decks = new Map();
      this.readDecks();
      this.byCard = new Set();
      this.opened = new Set();
      this.commitments = new Map();
      this.deal = 0;
      this.dealt = [];
      this.lastStep = -1;
      this.community = 0;
      this.hands = [];
      this.betsSeen = false;
      this.ended = false;
      this.stakes = new Map();
      this.lines = [];
      this.claims = [];
      this.awards = new Map();
      // An award of an earlier round may be paid while this one is in play: the ledger moves it here.
      this.stakesBefore = 0;
      this.paidBefore = new Map();
      this.mispay = null;
      this.paidLater = new Map();
    }

    play(events, onLink) {
      const [, first] = events[0];
      const begins = first.type === "RoundOpened" && first.number === this.number;
      this.checks.hold(begins, `the record does not begin with the opening of round ${this.number}`);
      for (const [seq, recorded] of events) {
        const event = recorded.type === "HandExamined" ? this.withCards(recorded) : recorded;
        this[`on${event.type}`]?.(seq, event);
        this.settlement?.follow(seq, event, this.number);
      }
      if (this.record.format !== FORMATS[0]) {
        const settled = this.lines.filter((line) => line.bet === JACKPOT).map((line) => key(line.box, line.player));
        onLink.end(this.claims, new Set(settled));
      }
      this.end(onLink);
    }

    problem(seq, what, holds = false) {
      this.checks.hold(holds, `record ${seq}: ${what}`);
    }

    // ------------------------------------------------------------ deck

    onRoundOpened(seq, event) {
      this.problem(seq, "another round begins", event.number === this.number);
      const pin = this.record.rulebook;
      const said = event.rulebook ?? pin;
      const same = pin === undefined || Object.keys({ ...pin, ...said }).every((part) => said[part] === pin[part]);
      this.problem(seq, "the round was begun by another rulebook than the record names", same);
    }

    onDeckCommitted(seq, event) {
      const { deal } = event;
      this.problem(seq, `deck ${deal} was committed to twice`, !this.commitments.has(deal));
      this.problem(seq, "the deck was committed to only after bets", deal > 0 || !this.betsSeen);
      this.problem(seq, "the deck was committed to only after the deal", !this.dealt.length);
      this.commitments.set(deal, event.commitment);
      if (event.by_card) {
        this.byCard.add(deal);
        this.proveCards(seq, deal, event.commitment);
      }
    }

    known(deal) {
      if (!this.decks.has(deal)) this.decks.set(deal, new Map());
      return this.decks.get(deal);
    }

    readDecks() {
      for (const entry of this.record.records) {
        if (entry.type !== "DeckOpened") continue;
        const event = JSON.parse(entry.data);
        if (event.round === this.number && "deck" in event && !this.decks.has(event.deal)) {
          this.decks.set(event.deal, new Map(event.deck.split(" ").entries()));
        }
      }
      for (const told of this.record.format === FORMATS[2] ? (this.record.decks ?? []) : []) {
        const known = this.known(told.deal);
        if ("deck" in told) {
          const cards = told.deck.split(" ");
          this.whole.set(told.deal, [cards, told.salt]);
          cards.forEach((card, at) => known.set(at, card));
        } else {
          this.proofs.set(told.deal, told.cards);
          for (const opened of told.cards) known.set(opened.position, opened.card);
        }
      }
    }

    isDeck(cards) {
      return cards.length === 52 && new Set(cards).size === 52 && cards.every((card) => DECK.has(card));
    }

    proveCards(seq, deal, commitment) {
      if (this.whole.has(deal)) {
        const [cards, seed] = this.whole.get(deal);
        this.problem(seq, `deck ${deal} is not 52 different cards`, this.isDeck(cards));
        const led = cards.length <= LEAVES ? commitmentOf(cards, seed) : "";
        this.problem(seq, `deck ${deal} is not the one committed to`, led === commitment);
      }
      const opened = this.proofs.get(deal) ?? [];
      for (const { position, card, salt, path } of opened) {
        const fits = DECK.has(card) && Number.isInteger(position) && position >= 0 && position < 52 && path.length === 6;
        this.problem(seq, `${card} at position ${position} of deck ${deal} is not a place in a deck`, fits);
        const led = commitmentByPath(position, card, salt, path);
        this.problem(seq, `${card} at position ${position} does not belong to deck ${deal}`, led === commitment);
        this.checks.count("cards proved");
      }
      const different = ["position", "card"].every(
        (part) => new Set(opened.map((told) => told[part])).size === opened.length,
      );
      this.problem(seq, `a card of deck ${deal} is opened twice`, different);
    }

    onDeckOpened(seq, event) {
      const { deal } = event;
      this.problem(seq, "the deck was opened before the round had ended", this.ended);
      this.checks.count("decks");
      this.opened.add(deal);
      if (this.byCard.has(deal)) return;
      const cards = event.deck.split(" ");
      this.problem(seq, `deck ${deal} is not 52 different cards`, this.isDeck(cards));
      const found = digest(`${event.salt} ${event.deck}`);
      this.problem(seq, `deck ${deal} is not the one committed to`, found === this.commitments.get(deal));
      const same = sameCards([...(this.decks.get(deal) ?? new Map()).values()], cards);
      this.problem(seq, `deck ${deal} was opened twice, differently`, same);
    }

    // ------------------------------------------------------------ deal

    onBetsClosed(_, event) {
      this.hands = [...event.hands];
    }

    onCardsDealt(seq, event) {
      const { step, to } = event;
      this.problem(seq, "a dealing step comes twice or too late", step > this.lastStep);
      this.lastStep = step;
      if (this.procedure.has(step)) {
        const same = sameCards(to, this.places(step));
        this.problem(seq, "the cards did not go where the procedure says", same);
      } else {
        this.problem(seq, `step ${step} of the procedure deals no cards`);
      }
      this.dealt.push(...to);
      this.checks.count("cards dealt", to.length);
    }

    places(step) {
      const rule = this.procedure.get(step);
      const once = rule.order
        .flatMap((place) => (place === "boxes" ? this.hands.map(String) : [place]))
        .flatMap((place) => Array(rule.each).fill(place));
      return Array.from({ length: rule.times }, () => once).flat();
    }

    onCardsTurned(seq, event) {
      for (const [place, cards] of Object.entries(event.cards)) {
        this.areThere(seq, place, place === "community" ? this.community : 0, cards);
        if (place === "community") this.community += cards.length;
      }
    }

    withCards(look) {
      const deck = this.decks.get(look.deal ?? 0) ?? new Map();
      if (!("at" in look) || "cards" in look || look.at.some((position) => !deck.has(position))) return look;
      return { ...look, cards: look.at.map((position) => deck.get(position)) };
    }

    placesOf(place) {
      return this.dealt.flatMap((to, at) => (to === place ? [at] : []));
    }

    onHandExamined(seq, event) {
      const box = String(event.box);
      if ("at" in event) {
        const here = sameCards(event.at, this.placesOf(box));
        const named = event.round === this.number && (event.deal ?? 0) === this.deal;
        const what = `the hand of box ${box} is not at the place that the look names`;
        this.problem(seq, what, !this.record.physical && named && here);
      }
      this.areThere(seq, box, 0, event.cards ?? []);
    }

    areThere(seq, place, first, cards) {
      if (this.record.physical) return;
      const deck = this.decks.get(this.deal);
      if (deck === undefined) {
        this.problem(seq, `the deck of deal ${this.deal} is not in the record, so no card can be checked`);
        return;
      }
      const lies = this.placesOf(place)
        .slice(first, first + cards.length)
        .filter((at) => deck.has(at))
        .map((at) => deck.get(at));
      const what = `${cards.join(" ")} at ${place}, where the deck has ${lies.join(" ")}`;
      this.problem(seq, what, sameCards(lies, cards));
      this.checks.count("cards seen", cards.length);
    }

    onCardsRedealt(seq, event) {
      for (const [box, bet, part] of event.returned) this.take(seq, [box, part.player, bet], part.amount);
      this.deal += 1;
      this.dealt = [];
      this.community = 0;
      this.lastStep = -1;
    }

    onHandInvalidated(_, event) {
      this.hands = this.hands.filter((box) => box !== event.box);
    }

    onBetsForfeited(_, event) {
      this.onHandInvalidated(_, event);
    }

    // ------------------------------------------------------------ settlement

    onBetPlaced(seq, event) {
      this.betsSeen = true;
      if (!this.record.physical) {
        this.problem(seq, "a bet was taken before the deck was committed to", this.commitments.has(0));
      }
      this.add([event.box, event.player, event.bet], event.amount);
    }

    onBetWithdrawn(seq, event) {
      if (!event.live) this.take(seq, [event.box, event.player, event.bet], event.amount);
    }

    onHandDecided(_, event) {
      for (const part of event.parts ?? []) this.add([event.box, part.player, event.bet], part.amount);
    }

    add(stake, amount) {
      whole(amount);
      this.stakes.set(key(...stake), (this.stakes.get(key(...stake)) ?? 0) + amount);
    }

    take(seq, stake, amount) {
      whole(amount);
      const lies = this.stakes.get(key(...stake)) ?? 0;
      this.stakes.delete(key(...stake));
      this.problem(seq, `${money(amount)} of ${stake[2]} on box ${stake[0]}, where ${money(lies)} lies`, lies === amount);
    }

    onBetSettled(seq, event) {
      const { staked, won, returned, player } = event;
      whole(staked, won, returned);
      if (event.round !== this.number) {
        this.stakesBefore += staked;
        const paid = returned + (event.bet === JACKPOT ? 0 : won);
        this.paidBefore.set(player, (this.paidBefore.get(player) ?? 0) + paid);
        return;
      }
      this.take(seq, [event.box, player, event.bet], staked);
      this.problem(seq, "more goes back than was staked", returned >= 0 && returned <= staked);
      this.problem(seq, "a win is negative", won >= 0);
      this.problem(seq, "won by a bet that did not win", won === 0 || event.outcome === "win");
      if (["stand_off", "returned"].includes(event.outcome)) {
        this.problem(seq, `a bet of ${money(staked)} comes back as ${money(returned)}`, returned === staked);
      }
      this.problem(seq, "no paragraph says why", Boolean(event.rules.length && event.because));
      this.lines.push(event);
      this.checks.count("bets settled");
    }

    onAwardClaimed(seq, event) {
      if (event.round !== this.number) return;
      this.claims.push(event);
      if (event.collected) this.take(seq, [event.box, event.player, JACKPOT], event.staked);
    }

    onAwardPaid(_, event) {
      whole(event.amount);
      const own = event.round === this.number;
      const sums = own ? this.awards : this.paidBefore;
      const whose = own ? key(event.box, event.player) : event.player;
      sums.set(whose, (sums.get(whose) ?? 0) + event.amount);
    }

    onMispayFound(seq, event) {
      whole(event.amount, event.due, event.over);
      this.problem(seq, "a mispay is not what was done less what was due", event.over === over(event));
      this.mispay = event;
    }

    onMispayResolved(seq, event) {
      const found = this.mispay;
      this.mispay = null;
      const isOfIt = found !== null && ["act", "player", "over"].every((name) => found[name] === event[name]);
      this.problem(seq, "a mispay is resolved that was not found", isOfIt);
      if (found === null || event.put_right) return;
      this.checks.add(found.player, found.over);
      this.checks.mispays.push(letStand(found, event));
    }

    onMispayNoted(_, { over: noted, player }) {
      // A mispay of an earlier round: the ledger moves it among the records of this one.
      whole(noted);
      this.paidBefore.set(player, (this.paidBefore.get(player) ?? 0) + noted);
    }

    onRoundSettled() {
      this.ended = true;
    }

    onRoundVoided() {
      this.ended = true;
    }

    onRoundReopened() {
      // An Ante Bonus has no stake of its own.
      for (const line of this.lines) if (line.staked) this.add([line.box, line.player, line.bet], line.staked);
      for (const claim of this.claims) if (claim.collected) this.add([claim.box, claim.player, JACKPOT], claim.staked);
      // A mispay that stands already is not undone.
      Object.assign(this, { lines: [], claims: [], awards: new Map(), ended: false, mispay: null });
    }

    end(onLink) {
      const { checks } = this;
      const claimed = new Set(this.claims.map((claim) => claim.box));
      checks.hold(this.ended, "the round has not ended: nothing can be said of its settlement yet");
      for (const [text, amount] of this.stakes) {
        const [box, player, bet] = JSON.parse(text);
        const waits = bet === JACKPOT && claimed.has(box);
        if (waits && this.record.format === FORMATS[0]) checks.openAwards += 1;
        checks.hold(waits || !this.ended, `${bet} ${money(amount)} of ${player} on box ${box} was never settled`);
      }
      if (this.ended && !this.record.physical) {
        for (const deal of this.commitments.keys()) {
          checks.hold((this.decks.get(deal)?.size ?? 0) <= 52, `deck ${deal} has more than 52 cards`);
          checks.hold(this.decks.has(deal) && this.opened.has(deal), `deck ${deal} was never opened`);
        }
      }
      const byAward = new Map();
      for (const line of this.lines) {
        checks.add(line.player, line.won + line.returned - line.staked);
        const whose = key(line.box, line.player);
        if (line.bet === JACKPOT) byAward.set(whose, (byAward.get(whose) ?? 0) + line.won);
      }
      for (const whose of new Set([...byAward.keys(), ...this.awards.keys()])) {
        const [paid, lines] = [this.awards.get(whose) ?? 0, byAward.get(whose) ?? 0];
        checks.hold(paid === lines, `box ${JSON.parse(whose)[0]}: awards of ${money(paid)} were paid, and its line says ${money(lines)}`);
      }
      for (const line of onLink.nets) {
        const net = line.won + line.returned - line.staked;
        checks.add(line.player, net);
        if (line.later) this.paidLater.set(line.player, (this.paidLater.get(line.player) ?? 0) + net);
      }
      const ended = new Set(onLink.nets.map((line) => key(line.box, line.player)));
      for (const claim of this.claims) {
        if (claim.collected && !ended.has(key(claim.box, claim.player))) checks.add(claim.player, -claim.counts);
      }
    }

    // ------------------------------------------------------------ ledger

    holdLedger(entries, known) {
      const moved = new Map();
      let [before, layout] = [["", 0], 0];
      for (const { seq, postings, stream = `table/${this.record.table}` } of entries) {
        this.problem(seq, "an entry of the ledger belongs to no record of this round", known.has(key(stream, seq)));
        const ordered = before[0] !== stream || seq > before[1];
        this.problem(seq, "the entries of the ledger are not in the order of the records", ordered);
        const sum = Object.values(postings).reduce((all, cents) => all + cents, 0);
        this.problem(seq, "an entry of the ledger does not sum to zero", sum === 0);
        before = [stream, seq];
        for (const [account, cents] of Object.entries(postings)) {
          const at = account.indexOf("/");
          const [kind, player] = at < 0 ? [account, ""] : [account.slice(0, at), account.slice(at + 1)];
          if (kind === "player") moved.set(player, (moved.get(player) ?? 0) + cents);
          if (kind === "table" && account.endsWith("/layout")) layout += cents;
        }
        this.checks.count("entries");
      }
      const lies = [...this.stakes.values()].reduce((all, cents) => all + cents, 0) - this.stakesBefore;
      this.checks.hold(layout === lies, `the ledger leaves ${money(layout)} on the layout, where ${money(lies)} lie`);
      // What still lies on a box, for an award that waits, has left its player.
      const holds = new Map();
      const add = (player, cents) => holds.set(player, (holds.get(player) ?? 0) + cents);
      for (const [player, net] of this.checks.net) add(player, net - (this.paidLater.get(player) ?? 0));
      for (const [text, amount] of this.stakes) add(JSON.parse(text)[1], -amount);
      for (const [player, amount] of this.paidBefore) add(player, amount);
      for (const player of [...new Set([...holds.keys(), ...moved.keys()])].sort()) {
        const [says, booked] = [holds.get(player) ?? 0, moved.get(player) ?? 0];
        const what = `the ledger moved ${money(booked)} for ${player}, the records ${money(says)}`;
        this.checks.hold(says === booked, what);
      }
    }
  }

  function unknownRules(record) {
    const edition = record.rulebook?.edition ?? "";
    if (typeof edition !== "string") throw new NoRecord("rulebook: the edition by which the round was played");
    return ["", ...EDITIONS].includes(edition) ? "" : edition;
  }

  function rulesOf(record) {
    return record.format !== FORMATS[2] || unknownRules(record) ? null : new Rules(record.game, record.rules);
  }

  function noteLimits(record, checks, shares) {
    const rules = rulesOf(record);
    const edition = unknownRules(record);
    if (edition) {
      checks.notes.push(`This page does not know the rules of ${edition}: the bets were not settled again`);
    } else if (rules === null) {
      const what = "states no rules: its bets were not settled again";
      checks.notes.push(`A record of the format ${record.format} ${what}`);
    } else {
      checks.notes.push(...rules.told());
    }
    if (record.physical) {
      checks.notes.push("Real cards lay on this table: what was turned is what the dealer entered");
    }
    if (checks.rests.some((line) => line.includes("earlier round"))) {
      checks.notes.push("What the house remembers of a player from earlier rounds is not in this record");
    }
    for (const share of shares) {
      checks.notes.push(`The meter is not in this record, so the amount was not checked: ${share}`);
    }
    if (checks.lookedAt["records left out"] || (record.decks ?? []).some((told) => "cards" in told)) {
      checks.notes.push("This copy opens the cards that its reader has seen; the others of the deck were not checked");
    }
  }

  /** Check one round, and hold it against published checkpoints; throws NoRecord. */
  function check(record, published = []) {
    if (!FORMATS.includes(record?.format)) {
      throw new NoRecord(`this is not a round record: its format is not one of ${FORMATS.join(", ")}`);
    }
    const checks = new Checks();
    try {
      const events = chain(record, checks);
      const round = new Round(record, checks);
      const linked = (entry) => eventOf(entry, fromHex(entry.before), checks);
      const onLink = new AwardCases.Awards(record, round.rules, onTheLink(record), linked, checks);
      round.play(events, onLink);
      witnessed(record, published, checks);
      noteLimits(record, checks, onLink.shares);
      whole(...checks.net.values());
      if ("entries" in record) {
        const known = [...record.records, ...onTheLink(record)].map((entry) => key(entry.stream, entry.seq));
        round.holdLedger(record.entries, new Set(known));
      }
    } catch (wrong) {
      if (wrong instanceof NoRecord) throw wrong;
      throw new NoRecord(`the record cannot be read: ${wrong.message}`);
    }
    return checks;
  }

  return { check, commitmentByPath, commitmentOf, isSigned, NoRecord };
})();
