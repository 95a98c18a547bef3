// Hands, and what the five rule documents say of money, as the checks of this page read them.
"use strict";

const Rulebook = (() => {
  const FACES = "23456789TJQKA";
  const DECK = new Set([...FACES].flatMap((face) => [..."cdhs"].map((suit) => face + suit)));
  const JACKPOT = "jackpot";
  const FIVE = [
    "odd_cards", "pair", "two_pairs", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind",
    "straight_flush", "royal_flush",
  ];
  // With three cards a straight is rarer than a flush and ranks above it.
  const THREE = ["odd_cards", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"];
  const FIVE_BY_SHAPE = { "4,1": 7, "3,2": 6, "3,1,1": 3, "2,2,1": 2, "2,1,1,1": 1 };
  const [ACE, KING, QUEEN, JACK] = [14, 13, 12, 11];

  class NoRecord extends Error {}

  // ------------------------------------------------------------ hands: a place in the list, then the faces that decide

  function face(card) {
    const at = FACES.indexOf(card[0]);
    if (!DECK.has(card)) throw new TypeError(`${card} is not a card`);
    return at + 2;
  }

  function compare(one, other) {
    for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
      if (at >= one.length) return -1;
      if (at >= other.length) return 1;
      if (one[at] !== other[at]) return one[at] < other[at] ? -1 : 1;
    }
    return 0;
  }

  function grouped(cards) {
    const counts = new Map();
    for (const card of cards) counts.set(face(card), (counts.get(face(card)) ?? 0) + 1);
    const sorted = [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0]);
    return [sorted.map(([value]) => value), sorted.map(([, count]) => count).join(",")];
  }

  function oneSuit(cards) {
    return new Set(cards.map((card) => card[1])).size === 1;
  }

  function topOfStraight(faces) {
    const size = faces.length;
    if (size !== 3 && size !== 5) return 0;
    const falls = faces.every((value, at) => at === 0 || faces[at - 1] > value);
    if (faces[0] - faces[size - 1] === size - 1 && falls) return faces[0];
    const low = [ACE, ...Array.from({ length: size - 1 }, (_, at) => size - at)];
    return compare(faces, low) === 0 ? size : 0;
  }

  function rankFive(cards) {
    const [faces, shape] = grouped(cards);
    const [suited, top] = [oneSuit(cards), topOfStraight(faces)];
    if (suited && top) return [top === ACE ? 9 : 8, top];
    if (shape in FIVE_BY_SHAPE) return [FIVE_BY_SHAPE[shape], ...faces];
    if (suited) return [5, ...faces];
    return top ? [4, top] : [0, ...faces];
  }

  function rankThree(cards) {
    const [faces, shape] = grouped(cards);
    const [suited, top] = [oneSuit(cards), topOfStraight(faces)];
    if (top) return [suited ? 5 : 3, top];
    if (shape === "3") return [4, ...faces];
    if (suited) return [2, ...faces];
    return [shape === "2,1" ? 1 : 0, ...faces];
  }

  function* choices(cards, size, from = 0) {
    if (size === 0) {
      yield [];
      return;
    }
    for (let at = from; at <= cards.length - size; at += 1) {
      for (const rest of choices(cards, size - 1, at + 1)) yield [cards[at], ...rest];
    }
  }

  function highest(hands) {
    return hands.reduce((best, hand) => (compare(hand, best) > 0 ? hand : best));
  }

  function fives(cards) {
    return [...choices(cards, 5)].map(rankFive);
  }

  function bestOf(cards) {
    return highest(fives(cards));
  }

  function holeCards(own, dealer) {
    const [high, low] = own.map(face).sort((one, other) => other - one);
    if (high === ACE && low === ACE) {
      return dealer.length === 2 && dealer.every((card) => face(card) === ACE) ? "aces_both" : "aces";
    }
    if (high === low) return high >= JACK ? "high_pair" : "low_pair";
    if (high < ACE || low < JACK) return null;
    const pattern = low === KING ? "ace_king" : "ace_queen_or_jack";
    return oneSuit(own) ? `${pattern}_suited` : pattern;
  }

  // ------------------------------------------------------------ the five documents

  function line(hand, community, more = {}) {
    return { hand, community, own: true, ownNeeded: false, anyFive: false, shared: false, ...more };
  }

  function isMet(rule, own, community) {
    const board = community.slice(0, rule.community);
    const cards = rule.own ? [...own, ...board] : board;
    if (board.length < rule.community || cards.length < 5) return false;
    const wanted = FIVE.indexOf(rule.hand);
    const hands = fives(cards);
    const made = rule.anyFive ? hands.some((hand) => hand[0] === wanted) : highest(hands)[0] === wanted;
    if (made && rule.ownNeeded && board.length === 5) return compare(highest(hands), rankFive(board)) > 0;
    return made;
  }

  const USUAL = {
    ownCards: 2, multiples: 1, cap: null, dealerNeeds: [0], cutsToMaximum: true, sizesRuled: true, refusalRuled: true,
    jackpotProvable: true, communitySurvives: false, oneSmallRound: false,
  };
  const BONUS = {
    aces_both: "1000 to 1", aces: "30 to 1", ace_king_suited: "25 to 1", ace_queen_or_jack_suited: "20 to 1",
    ace_king: "15 to 1", high_pair: "10 to 1", ace_queen_or_jack: "5 to 1", low_pair: "3 to 1",
  };
  const STREETS = { flop: 2, turn: 1, river: 1 };
  const WITH_FLOP = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"];
  const ALL_RWS = { "wrong-size-and-limit": "b+d", "refusal-later-bets": "b" };
  const BONUS_OF_RWS = { "bonus-cap": "b", "bonus-dealer-only": "b" };
  const MULTILINK = {
    royal_flush: "100%", straight_flush: "10%", four_of_a_kind: "400 for 1", full_house: "80 for 1",
    flush: "40 for 1", straight: "20 for 1",
  };

  function lines(hands, community) {
    return Object.fromEntries(hands.map((hand) => [hand, line(hand, community)]));
  }

  const DOCUMENTS = {
    "rws-multilink-holdem": {
      ...USUAL,
      decisions: STREETS,
      payTables: {
        bonus: BONUS,
        jackpot: {
          royal_flush: "100%", straight_flush: "10%", four_of_a_kind: "2000.00", full_house: "200.00", flush: "100.00",
        },
      },
      lines: lines(WITH_FLOP.slice(0, 5), 3),
      readings: { ...ALL_RWS, ...BONUS_OF_RWS, "refusal-bonus": "b" },
      cap: 10_000_000,
    },
    "rws-multilink-three-card": {
      ...USUAL,
      decisions: { play: 1 },
      payTables: {
        pair_plus: {
          straight_flush: "40 to 1", three_of_a_kind: "30 to 1", straight: "5 to 1", flush: "4 to 1", pair: "1 to 1",
        },
        ante_bonus: { straight_flush: "5 to 1", three_of_a_kind: "4 to 1", straight: "1 to 1" },
        jackpot: MULTILINK,
      },
      lines: lines(WITH_FLOP, 2),
      readings: {
        ...ALL_RWS, "fold-pair-plus": "b", "fold-ante-bonus": "b", "ante-bonus-stand-off": "b",
        "jackpot-pair-plus-only": "b",
      },
      ownCards: 3,
      dealerNeeds: [0, QUEEN],
    },
    "mbs-megalink-holdem": {
      ...USUAL,
      decisions: STREETS,
      payTables: { bonus: BONUS, jackpot: MULTILINK },
      lines: lines(WITH_FLOP, 3),
      readings: {
        "refusal-later-bets": "b", "bonus-on-loss": "b", "bonus-on-stand-off": "b", "for-1-multiple": "a",
      },
      multiples: 5,
      sizesRuled: false,
      jackpotProvable: false,
      oneSmallRound: true,
    },
    "rws-progressive-holdem": {
      ...USUAL,
      decisions: STREETS,
      payTables: {
        bonus: BONUS,
        jackpot: {
          royal_flush_on_flop: "100%", royal_flush_on_turn: "25%", royal_flush_on_river: "5%",
          straight_flush: "1500.00", four_of_a_kind: "300.00", community_royal_flush: "10000.00",
          community_straight_flush: "1500.00", community_four_of_a_kind: "300.00",
        },
      },
      lines: {
        royal_flush_on_flop: line("royal_flush", 3),
        royal_flush_on_turn: line("royal_flush", 4),
        royal_flush_on_river: line("royal_flush", 5, { ownNeeded: true }),
        straight_flush: line("straight_flush", 5, { anyFive: true }),
        four_of_a_kind: line("four_of_a_kind", 5, { anyFive: true }),
        community_royal_flush: line("royal_flush", 5, { own: false }),
        community_straight_flush: line("straight_flush", 5, { own: false }),
        community_four_of_a_kind: line("four_of_a_kind", 5, { own: false }),
      },
      readings: {
        ...ALL_RWS, ...BONUS_OF_RWS, "bonus-on-stand-off": "b", "v6-proof": "b", "v6-jackpot-hand": "b+d",
        "v6-street": "a", "v6-quads-kicker": "b",
      },
      cap: 10_000_000,
      communitySurvives: true,
    },
    "sun-casino-holdem": {
      ...USUAL,
      decisions: { call: 2 },
      payTables: {
        // The document prints these lines without odds; those of the last five hands are not printed at all.
        ante: {
          royal_flush: "100 to 1", straight_flush: "20 to 1", four_of_a_kind: "10 to 1", full_house: "3 to 1",
          flush: "2 to 1", straight: "1 to 1", three_of_a_kind: "1 to 1", two_pairs: "1 to 1", pair: "1 to 1",
          odd_cards: "1 to 1",
        },
        jackpot: { board_royal_flush: "100%", board_straight_flush: "10%" },
      },
      lines: {
        board_royal_flush: line("royal_flush", 5, { own: false, shared: true }),
        board_straight_flush: line("straight_flush", 5, { own: false, shared: true }),
      },
      readings: { "sun-tie-unqualified": "b", "sun-pay-tables": "b+d", "sun-board-share": "a+e" },
      dealerNeeds: [1, 4],
      cutsToMaximum: false,
      sizesRuled: false,
      refusalRuled: false,
    },
  };
  const EDITIONS = [
    "rws-multilink-holdem@2", "rws-multilink-three-card@4", "mbs-megalink-holdem@9", "rws-progressive-holdem@6",
    "sun-casino-holdem@1",
  ];

  // ------------------------------------------------------------ one table's answers

  /** A document as one table plays it: its limits, its stakeboard and its answers to open questions. */
  class Rules {
    constructor(game, told) {
      this.document = DOCUMENTS[game];
      if (this.document === undefined) throw new TypeError(`${game} is not a game that this page knows`);
      this.limits = told.limits;
      this.jackpotBet = told.jackpot_bet;
      this.tables = told.pay_tables;
      this.readings = told.readings;
      this.lines = this.ownLines();
    }

    reads(name, letter) {
      const usual = this.document.readings[name];
      return usual !== undefined && (this.readings[name] ?? usual).split("+").includes(letter);
    }

    ownLines() {
      const found = { ...this.document.lines };
      for (const name of ["straight_flush", "four_of_a_kind"]) {
        if (this.reads("v6-jackpot-hand", "a")) found[name] = { ...found[name], community: 3 };
      }
      if (this.reads("v6-quads-kicker", "a")) found.four_of_a_kind = { ...found.four_of_a_kind, ownNeeded: true };
      if (this.reads("v6-street", "b")) {
        delete found.royal_flush_on_flop;
        delete found.royal_flush_on_turn;
      }
      for (const hand of Object.keys(this.tables.jackpot ?? {})) {
        // A Casino Hold'em stakeboard may list hands that include the player's own cards.
        if ("sun-pay-tables" in this.document.readings && FIVE.includes(hand)) {
          const community = this.reads("sun-pay-tables", "c") ? 3 : 5;
          found[hand] = line(hand, community, { ownNeeded: FIVE.indexOf(hand) >= FIVE.indexOf("straight_flush") });
        }
      }
      return found;
    }

    award(pays, counts, units) {
      if (pays.kind === "fixed") return pays.won * units;
      return paid(pays, counts) * (this.reads("for-1-multiple", "b") ? units : 1);
    }

    told() {
      const said = [];
      for (const [name, printed] of Object.entries(this.document.payTables)) {
        const table = this.tables[name] ?? {};
        for (const row of new Set([...Object.keys(printed), ...Object.keys(table)])) {
          if (table[row] !== printed[row]) {
            const [pays, usual] = [table[row] ?? "nothing", printed[row] ?? "nothing"];
            said.push(`This table pays ${pays} on ${name} ${row.replaceAll("_", " ")}, where ${usual} is usual`);
          }
        }
      }
      for (const [name, usual] of Object.entries(this.document.readings)) {
        const answer = this.readings[name] ?? usual;
        if (answer !== usual) said.push(`This table answers the question ${name} with ${answer}, where ${usual} is usual`);
      }
      return said;
    }
  }

  function payment(text) {
    const odds = /^(\d+) (to|for) (\d+)$/.exec(text);
    if (odds) return { won: Number(odds[1]), per: Number(odds[3]), kind: odds[2] };
    if (/^\d+(\.\d+)?%$/.test(text)) return { won: 0, per: 1, kind: "share" };
    const amount = /^(\d+)\.(\d\d)$/.exec(text);
    if (amount) return { won: Number(amount[1] + amount[2]), per: 1, kind: "fixed" };
    throw new NoRecord(`a pay table says '${text}', which is not a way to pay`);
  }

  /** What odds pay on a stake, rounded down to the cent. */
  function paid(pays, stake) {
    return Number((BigInt(stake) * BigInt(pays.won)) / BigInt(pays.per));
  }

  return {
    DECK, DOCUMENTS, EDITIONS, FIVE, JACKPOT, NoRecord, Rules, THREE, bestOf, compare, holeCards, isMet, paid, payment,
    rankFive, rankThree,
  };
})();
