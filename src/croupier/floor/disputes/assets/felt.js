// The table at each step of the round, derived from the events of the record.
"use strict";

const Felt = (() => {
  const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

  function words(name) {
    return String(name).replaceAll("_", " ");
  }

  function cents(amount) {
    const sign = amount < 0 ? "−" : "";
    const whole = Math.abs(amount);
    const units = String(Math.floor(whole / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
    return `${sign}${units}.${String(whole % 100).padStart(2, "0")}`;
  }

  /** The mispays that stand, each with the ruling that let it stand; the ledger moved what was paid. */
  function letStand(events) {
    const stands = [];
    let found = null;
    for (const event of events) {
      if (event.type === "MispayFound") found = event;
      else if (event.type === "RoundReopened") found = null;
      else if (event.type === "MispayResolved" && found) {
        if (!event.put_right) stands.push({ found, ruling: event });
        found = null;
      }
    }
    return stands;
  }

  /** What a mispay was, in words: what was due and what was done. */
  function mispay({ amount, did, due, move }) {
    const owed = { pay: `${cents(due)} due`, take: `${cents(due)} to be taken` }[move] ?? "nothing to be paid or taken";
    return `${owed}, ${cents(amount)} ${did === "pay" ? "paid" : "taken"}`;
  }

  /** The mispays of one settled bet that stand. */
  function ofBet(line, stands) {
    return stands.filter(({ found }) => ["box", "player", "bet"].every((name) => found[name] === line[name]));
  }

  /** What a settled bet really came to. */
  function cameTo(line, stands) {
    const mispaid = ofBet(line, stands).reduce((sum, { found }) => sum + found.over, 0);
    return line.won + line.returned - line.staked + mispaid;
  }

  function empty(boxes) {
    return {
      community: [], dealer: [], dealt: {}, stands: [],
      boxes: Array.from({ length: boxes }, (_, at) => ({ number: at + 1, stakes: {}, cards: [], stands: "", lines: [] })),
    };
  }

  function stake(table, box, bet, amount) {
    const { stakes } = table.boxes[box - 1];
    stakes[bet] = (stakes[bet] ?? 0) + amount;
    if (!stakes[bet]) delete stakes[bet];
  }

  const ENTERS = {
    BetPlaced: (table, event) => stake(table, event.box, event.bet, event.amount),
    BetWithdrawn: (table, event) => event.live || stake(table, event.box, event.bet, -event.amount),
    BetsClosed: (table, event) => {
      for (const box of event.hands) table.boxes[box - 1].stands = "in play";
    },
    CardsDealt: (table, event) => {
      for (const place of event.to) table.dealt[place] = (table.dealt[place] ?? 0) + 1;
    },
    CardsTurned: (table, event) => {
      for (const [place, cards] of Object.entries(event.cards)) {
        if (place === "community") table.community.push(...cards);
        else if (place === "dealer") table.dealer = cards;
        else table.boxes[Number(place) - 1].cards = cards;
      }
    },
    CardsCorrected: (table, event) => {
      for (const [place, cards] of Object.entries(event.cards)) {
        if (place === "community") table.community = [...cards];
        else if (place === "dealer") table.dealer = cards;
        else table.boxes[Number(place) - 1].cards = cards;
      }
    },
    HandDecided: (table, event) => {
      for (const part of event.parts ?? []) stake(table, event.box, event.bet, part.amount);
      table.boxes[event.box - 1].stands = event.choice === "fold" ? "folded" : words(event.choice);
    },
    HandInvalidated: (table, event) => {
      table.boxes[event.box - 1].stands = "taken out";
    },
    BetsForfeited: (table, event) => {
      table.boxes[event.box - 1].stands = "forfeited";
    },
    BetSettled: (table, event) => {
      table.boxes[event.box - 1].lines.push(event);
    },
    // An award of the meter is settled on its link.
    CasePaid: (table, event) => table.boxes[event.line.box - 1].lines.push(event.line),
    CaseDenied: (table, event) => table.boxes[event.line.box - 1].lines.push(event.line),
    RoundReopened: (table) => {
      for (const box of table.boxes) box.lines = [];
    },
    CardsRedealt: (table) => {
      Object.assign(table, { community: [], dealer: [], dealt: {} });
      for (const box of table.boxes) box.cards = [];
    },
  };

  /** The table after the first `count` events of a record. */
  function after(events, count, boxes) {
    const table = empty(boxes);
    for (const event of events.slice(0, count)) ENTERS[event.type]?.(table, event);
    table.stands = letStand(events.slice(0, count));
    return table;
  }

  function card(code) {
    const shown = document.createElement("span");
    shown.className = `card ${"dh".includes(code[1]) ? "red" : "black"}`;
    const face = code[0] === "T" ? "10" : code[0];
    shown.setAttribute("role", "img");
    shown.setAttribute("aria-label", `${face} of ${SUIT_NAMES[code[1]] ?? code[1]}`);
    shown.textContent = `${face}${SUITS[code[1]] ?? code[1]}`;
    return shown;
  }

  function hand(cards, dealt) {
    const shown = document.createElement("span");
    shown.className = "hand";
    shown.append(...cards.map(card));
    for (let hidden = cards.length; hidden < dealt; hidden += 1) {
      const back = document.createElement("span");
      back.className = "card back";
      back.setAttribute("role", "img");
      back.setAttribute("aria-label", "a card face down");
      shown.append(back);
    }
    return shown;
  }

  function place(title, ...content) {
    const shown = document.createElement("div");
    shown.className = "place";
    const heading = document.createElement("h4");
    heading.textContent = title;
    shown.append(heading, ...content);
    return shown;
  }

  function text(kind, says, name = "") {
    const shown = document.createElement(kind);
    shown.textContent = says;
    if (name) shown.className = name;
    return shown;
  }

  function box(table, each, nameOf) {
    const lines = each.lines.map((line) => {
      const says = `${words(line.outcome)} ${cents(cameTo(line, table.stands))}`;
      const stood = ofBet(line, table.stands).map(({ found }) => `; ${mispay(found)}`);
      return text("p", `${words(line.bet)} ${nameOf(line.player)}: ${says}${stood.join("")}`, line.outcome);
    });
    const stakes = Object.entries(each.stakes).map(([bet, amount]) => text("p", `${words(bet)} ${cents(amount)}`));
    const stands = each.stands ? [text("p", each.stands, "stands")] : [];
    const cards = hand(each.cards, table.dealt[String(each.number)] ?? 0);
    return place(`Box ${each.number}`, cards, ...stands, ...(lines.length ? lines : stakes));
  }

  /** Draw a table into an element; boxes that nobody used are left out. */
  function draw(into, table, used, nameOf) {
    const middle = document.createElement("div");
    middle.className = "middle";
    middle.append(place("Dealer", hand(table.dealer, table.dealt.dealer ?? 0)));
    if (table.community.length || table.dealt.community) {
      middle.append(place("Community", hand(table.community, table.dealt.community ?? 0)));
    }
    const seats = document.createElement("div");
    seats.className = "seats";
    seats.append(...table.boxes.filter((each) => used.has(each.number)).map((each) => box(table, each, nameOf)));
    into.replaceChildren(middle, seats);
  }

  return { after, cameTo, cents, draw, letStand, mispay, ofBet, text, words };
})();
