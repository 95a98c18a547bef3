// Runs the checks of a dispute pack outside a browser: on records, on pages, and on pages with one thing changed.
"use strict";

const { readFileSync } = require("node:fs");

const [scripts, mode, ...rest] = process.argv.slice(2);
const sources = scripts.split(":").map((file) => readFileSync(file, "utf8"));
const { Verifier, Verdict } = new Function(`${sources.join("\n")}; return { Verifier, Verdict };`)();

function read(file) {
  const page = readFileSync(file, "utf8");
  const part = (id) => page.match(new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, "s"))[1];
  return [part("evidence"), part("seal")];
}

/** A small generator of numbers below `most`, the same for the same seed. */
function numbers(seed) {
  let state = BigInt(seed) * 2862933555777941757n + 3037000493n;
  return (most) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    return Number((state >> 33n) % BigInt(most));
  };
}

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ,:\"{}[]-.";

function changed(text, below) {
  const at = below(text.length);
  const letter = LETTERS[below(LETTERS.length)];
  return letter === text[at] ? changed(text, below) : text.slice(0, at) + letter + text.slice(at + 1);
}

if (mode === "records") {
  for (const file of rest) {
    const told = JSON.parse(readFileSync(file, "utf8"));
    for (const record of told.rounds ?? [told.record ?? told]) {
      let found;
      try {
        const { problems, net, settled, rests } = Verifier.check(record);
        found = { problems, net: Object.fromEntries(net), settled, rests };
      } catch (wrong) {
        found = { unreadable: wrong.message };
      }
      process.stdout.write(`${JSON.stringify(found)}\n`);
    }
  }
} else if (mode === "pages") {
  for (const file of rest) {
    const { holds, problems } = Verdict.judge(...read(file));
    process.stdout.write(`${JSON.stringify({ holds, problems })}\n`);
  }
} else {
  const [file, count, seed] = rest;
  const below = numbers(seed);
  const texts = read(file);
  const whole = texts[0].length + texts[1].length;
  const found = { changes: 0, held: [], bySealAlone: 0 };
  for (let number = 0; number < Number(count); number += 1) {
    const which = below(whole) < texts[0].length ? 0 : 1;
    const pair = [...texts];
    pair[which] = changed(texts[which], below);
    const { holds, problems } = Verdict.judge(...pair);
    found.changes += 1;
    if (holds) found.held.push(pair[which]);
    if (problems.length === 1 && problems[0] === "the evidence is not what was signed") found.bySealAlone += 1;
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
