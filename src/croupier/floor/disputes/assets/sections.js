// The parts of the page that list what the record says.
"use strict";

const Sections = (() => {
  const { cameTo, cents, mispay, ofBet, text, words } = Felt;

  function table(caption, heads, rows) {
    const shown = document.createElement("table");
    shown.append(text("caption", caption));
    const head = document.createElement("tr");
    for (const title of heads) {
      const cell = text("th", title);
      cell.scope = "col";
      head.append(cell);
    }
    const thead = document.createElement("thead");
    thead.append(head);
    const body = document.createElement("tbody");
    for (const row of rows) {
      const line = document.createElement("tr");
      row.forEach((content, at) => {
        const cell = document.createElement(at ? "td" : "th");
        if (!at) cell.scope = "row";
        cell.append(...[content].flat());
        if (typeof content === "string" && /^[−+]?[\d,]+\.\d\d$/.test(content)) cell.className = "figure";
        line.append(cell);
      });
      body.append(line);
    }
    shown.append(thead, body);
    const frame = document.createElement("div");
    frame.className = "frame";
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", caption);
    frame.append(shown);
    return frame;
  }

  function moment(at) {
    return new Date(at / 1000).toISOString().replace("T", " ").replace("Z", " UTC");
  }

  function clauses(rules, paragraphs) {
    return (rules ?? []).map((rule) => text("p", `${rule}: ${paragraphs[rule] ?? ""}`, "clause"));
  }

  function list(items) {
    const shown = document.createElement("ul");
    shown.append(...items.map((item) => text("li", item)));
    return shown;
  }

  // ------------------------------------------------------------ who and what

  function who(event, nameOf) {
    const role = { 1: "Dealer", 2: "Pit Supervisor", 3: "Pit Manager", 4: "Shift Manager" };
    const post = (value) => role[value] ?? (value === undefined || value === null ? "" : nameOf(String(value)));
    if (event.who) return `${nameOf(event.who)}${event.by ? `, ${post(event.by)}` : ""}`;
    if (event.type === "IncidentReported") return post(event.report.by ?? 1);
    if (event.by !== undefined && event.by !== null) return post(event.by);
    return event.player ? nameOf(event.player) : "the house";
  }

  function cards(places) {
    return Object.entries(places)
      .map(([place, shown]) => `${/^\d+$/.test(place) ? `box ${place}` : place} ${shown.join(" ")}`)
      .join("; ");
  }

  const SAYS = {
    RoundOpened: (event) => `Round ${event.number} is opened`,
    DeckCommitted: (event) => `The deck is committed to: ${event.commitment.slice(0, 16)}…`,
    BetPlaced: (event) => `${words(event.bet)} ${cents(event.amount)} on box ${event.box}`,
    BetWithdrawn: (event) => `${words(event.bet)} ${cents(event.amount)} is taken from box ${event.box}`,
    BetsClosed: (event) => `No more bets; hands on box ${event.hands.join(", ")}`,
    CardsDealt: (event) => `${event.to.length} cards are dealt`,
    CardsTurned: (event) => `Turned: ${cards(event.cards)}`,
    CardsCorrected: (event) => `Corrected: ${cards(event.cards)}, where ${cards(event.was)} was entered`,
    HandExamined: (event) => `Looks at the hand of box ${event.box}`,
    HandDecided: (event) => `Box ${event.box}: ${words(event.choice)}${event.deemed ? ", by the rules" : ""}`,
    IncidentReported: (event) => `Reported: ${words(event.report.incident)}${said(event.report.text)}`,
    RulingAwaited: (event) => `A ruling is awaited: ${event.decisions.map(words).join(" or ")}`,
    RulingGiven: (event) => `Ruling: ${words(event.decision)}${said(event.text)}`,
    OptionsOffered: (event) => `Box ${event.boxes.join(", ")} may choose: ${event.options.map(words).join(" or ")}`,
    OptionChosen: (event) => `Box ${event.box} chooses: ${words(event.option)}`,
    HandInvalidated: (event) => `The hand of box ${event.box} is taken out of the round`,
    BetSettled: (event) =>
      `${words(event.bet)} on box ${event.box}: ${words(event.outcome)}, ` +
      `${cents(event.won)} won, ${cents(event.returned)} returned`,
    AwardClaimed: (event) => `Box ${event.box} claims an award: ${event.named}`,
    AwardPaid: (event) => `Award on box ${event.box}: ${words(event.hand)}, ${cents(event.amount)}`,
    ClaimsEntered: (event) => `On the link: the claim of box ${event.claims.map(({ box }) => box).join(", ")}`,
    AwardsLocked: (event) => `On the link: locked at ${cents(locked(event))}`,
    AwardSigned: () => "On the link: the award is signed for",
    CasePaid: (event) => `On the link: the award of box ${event.line.box} is paid, ${cents(event.line.won)}`,
    CaseDenied: (event) => `On the link: the award of box ${event.line.box} is denied${said(event.text)}`,
    AwardsReversed: () => "On the link: the awards are unwound with their round",
    MispayFound: (event) => `${words(event.bet)} on box ${event.box} is mispaid: ${mispay(event)}`,
    MispayResolved: (event) =>
      `${event.put_right ? "The mispay is put right" : `The mispay of ${cents(event.over)} stands`}${said(event.text)}`,
    MispayNoted: (event) =>
      `${words(event.bet)} on box ${event.box} of round ${event.round} was mispaid by ${cents(event.over)}, ` +
      `noticed too late${said(event.text)}`,
    RoundSettled: () => "Every bet is settled",
    RoundVoided: (event) => `The round is void: ${event.because}`,
    RoundReopened: () => "The settlement is unwound",
    CardsRedealt: () => "The cards are dealt again",
    DeckOpened: () => "The deck may be checked against its commitment",
  };

  function locked({ awards }) {
    return awards.flatMap((award) => award.lines).reduce((sum, line) => sum + line.amount, 0);
  }

  function said(words_) {
    return words_ ? `: “${words_}”` : "";
  }

  function what(event) {
    const says = SAYS[event.type]?.(event);
    const plain = event.type.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    return says ?? `${plain}${event.box ? `, box ${event.box}` : ""}`;
  }

  // ------------------------------------------------------------ the parts

  function timeline(evidence, entries, nameOf) {
    const { paragraphs } = evidence.record;
    const rows = entries.map(({ entry, event }) => [
      String(entry.seq), moment(entry.at), who(event, nameOf), what(event), clauses(event.rules, paragraphs),
    ]);
    return [table("Timeline of the round", ["Record", "When", "Who", "What", "By which paragraphs"], rows)];
  }

  function bets(evidence, lines, stands, nameOf) {
    const { paragraphs } = evidence.record;
    const because = (line) => [
      text("p", line.because),
      ...ofBet(line, stands).map(({ found, ruling }) =>
        text("p", `${mispay(found)}; let stand by ${nameOf(ruling.who)}${said(ruling.text)}`),
      ),
    ];
    const rows = lines.map((line) => [
      `Box ${line.box}`, nameOf(line.player), words(line.bet), cents(line.staked), words(line.outcome), cents(line.won),
      cents(line.returned), cents(cameTo(line, stands)), because(line), clauses(line.rules, paragraphs),
    ]);
    const heads = ["Box", "Player", "Bet", "Staked", "Outcome", "Won", "Returned", "Came to", "Because", "Paragraphs"];
    return [table("Each bet and why", heads, rows)];
  }

  function money(evidence, nameOf) {
    const rows = evidence.money.map((held) => [
      nameOf(held.player), cents(held.before), cents(held.moved), cents(held.after),
    ]);
    const heads = ["Player", "Held before", "Moved by the round", "Held after"];
    return [table(`Money of the players, in ${evidence.currency}`, heads, rows)];
  }

  function rulings(evidence, entries, nameOf) {
    const kinds = ["IncidentReported", "RulingGiven", "MispayFound", "MispayResolved", "MispayNoted"];
    const spoken = entries.filter(({ event }) => kinds.includes(event.type));
    if (!spoken.length) return [text("p", "No irregularity was reported, and nobody had to rule.")];
    const rows = spoken.map(({ entry, event }) => [
      moment(entry.at), who(event, nameOf), what(event), clauses(event.rules, evidence.record.paragraphs),
    ]);
    return [table("Irregularities and rulings, in the words of those who reported and ruled", ["When", "Who", "What", "Paragraphs"], rows)];
  }

  function awards(checks) {
    return [checks?.awards.length ? list(checks.awards) : text("p", "The round claimed no award of the meter.")];
  }

  function rulebook(evidence) {
    const { document: paper, record, readings } = evidence;
    const pin = record.rulebook;
    const version = paper.version === null ? "" : `, version ${paper.version}`;
    const since = paper.effective ? `, in force since ${paper.effective}` : "";
    const rows = readings.map((reading) => [
      reading.id, reading.question, reading.answer, reading.words, reading.usual ? "usual" : "chosen by this house",
    ]);
    return [
      text("p", `${paper.operator}: ${paper.title}${version}${since}.`),
      list([`Edition ${pin.edition}`, `SHA-256 of the rulebook: ${pin.sha256}`, `SHA-256 of the table's own terms: ${pin.overrides}`]),
      table("Readings in force", ["Reading", "Question", "Answer", "In words", ""], rows),
    ];
  }

  function shuffle(evidence, entries) {
    const parts = [];
    for (const { event } of entries.filter(({ event: each }) => each.type === "DeckCommitted")) {
      const told = (evidence.record.decks ?? []).find((deck) => deck.deal === event.deal);
      const opened = entries.find(({ event: each }) => each.type === "DeckOpened" && each.deal === event.deal)?.event;
      const deck = told?.deck ?? opened?.deck;
      const shown = [`Deal ${event.deal}: commitment before the first bet ${event.commitment}`];
      if (deck) shown.push(`Deck in dealing order: ${deck}`, `Salt: ${told?.salt ?? opened?.salt}`);
      else shown.push(`${told?.cards?.length ?? 0} single cards are opened, each with its path to the commitment`);
      parts.push(list(shown));
    }
    return parts.length ? parts : [text("p", "Real cards lay on this table: there is no shuffle to prove.")];
  }

  function whatIf(evidence, lines, stands, nameOf) {
    if (evidence.no_answers) return [text("p", evidence.no_answers)];
    const recorded = new Map(lines.map((line) => [`${line.box} ${line.player} ${line.bet}`, line]));
    return evidence.what_if.map((answer) => {
      const shown = document.createElement("article");
      shown.className = "hypothesis";
      const mark = text("p", "Hypothetical: this did not happen", "mark");
      const keys = new Map(answer.lines.map((line) => [`${line.box} ${line.player} ${line.bet}`, line]));
      const rows = [...new Set([...recorded.keys(), ...keys.keys()])].sort().map((key) => {
        const [was, would] = [recorded.get(key), keys.get(key)];
        const line = was ?? would;
        return [
          `Box ${line.box}`, nameOf(line.player), words(line.bet), result(was, stands), result(would, []), would?.because ?? "",
        ];
      });
      const heads = ["Box", "Player", "Bet", "On record", "Hypothetical", "Because"];
      shown.append(text("h3", answer.question), mark, text("p", `The round would be ${words(answer.stage)}.`));
      if (answer.waits) shown.append(text("p", `It would wait for ${answer.waits}.`));
      for (const refused of answer.refused) shown.append(text("p", `The engine would have refused: ${refused}`));
      shown.append(table(answer.question, heads, rows));
      return shown;
    });
  }

  function result(line, stands) {
    if (!line) return "no line";
    return `${words(line.outcome)} ${cents(cameTo(line, stands))} on ${cents(line.staked)}`;
  }

  function disputes(evidence, nameOf) {
    if (!evidence.disputes.length) return [text("p", "No dispute of this round was on record when this page was made.")];
    return evidence.disputes.flatMap((each) => {
      const outcome = each.outcome ? `decided: ${words(each.outcome)}` : "not decided";
      const state = each.closed ? "closed" : "open";
      const rows = each.notes.map((note) => [moment(note.at), nameOf(note.by), words(note.what), note.words]);
      return [
        text("p", `Case ${each.id}: ${outcome}, ${state}; deadline ${moment(each.until)}.`),
        table(`Case ${each.id}`, ["When", "Who", "What", "Words"], rows),
      ];
    });
  }

  function proofs(verdict) {
    const { evidence, seal, notes } = verdict;
    const parts = [];
    if (seal) parts.push(list([`Key of the seal: ${seal.key}`, `Signature: ${seal.signature}`]));
    for (const told of evidence.record.witness ?? []) {
      const stated = JSON.parse(told.checkpoint.statement);
      parts.push(
        list([
          `Checkpoint ${stated.number} of server ${stated.server}, ${moment(stated.at)}, key ${told.checkpoint.key}`,
          ...told.proofs.map((proof) => `Record ${proof.seq} of ${proof.stream} is leaf ${proof.index} of ${stated.size}`),
        ]),
      );
    }
    if (!(evidence.record.witness ?? []).length) {
      parts.push(text("p", "No checkpoint covered this round when the page was made."));
    }
    parts.push(list(notes.map((note) => `${note}.`)));
    return parts;
  }

  return { awards, bets, disputes, list, money, moment, proofs, rulebook, rulings, shuffle, timeline, whatIf, what, who };
})();
