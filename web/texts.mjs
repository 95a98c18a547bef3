// Finds visible text that does not go through the message catalogue: letters in a template, labels of elements, and
// sentences in strings. Run by `web/build.py --check`.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const sources = join(dirname(fileURLToPath(import.meta.url)), "src");

/** What stays as it is in every language: the product's name, notation of cards, terms of the documents. */
const KEPT = new Set([
  ...["Croupier", "/ Language", "straight flush", "As", "Kd", "Qh", "Jc", "Ts"],
  ...["Flop", "Turn", "River", "Pair Plus", "Ante Bonus", "Jackpot", "Aces against Aces", "pair, Jacks to Kings"],
]);
/** Names of browsers and systems, and of the languages themselves. */
const NAMES = new Set(["Edge", "Opera", "English", "Bahasa Melayu", "Afrikaans", "Python-urllib"]);
/** Files whose strings are not for the reader of the page: the wire, drawings, sounds, what goes on record. */
const OTHER =
  /^(api|messages)\/|lib\/text\/language\.ts$|lib\/sound\.ts$|felt\/(cloth|identity)\.ts$|card-art\.ts$|table\/card-order\.ts$/;
/** Functions whose strings are messages, or are not shown. */
const CALLS =
  /(^|\.)(t|rich|plural|define|querySelector(All)?|matches|closest|(add|remove)EventListener|getItem|startsWith|to|Error)$/;
const LABELS = /\s(aria-label|title|placeholder|alt|label)="([^"]*)"/g;

const isWords = (text) => /\p{L}{2,}/u.test(text) && !KEPT.has(text.trim()) && !NAMES.has(text);
const isSentence = (text) =>
  /^[A-Z“][a-z]+( |$|[.:…])/.test(text) || (/[a-z]{2,} [a-z]{2,}/.test(text) && /[A-Z.:…]/.test(text));

/** The text of a template with a sign for each expression. */
function textOf(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.head.text + template.templateSpans.map(({ literal }) => `\u0001${literal.text}`).join("");
}

/** Whether a string is written for a reader, by the place where it stands. */
function isShown(node) {
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return !CALLS.test(parent.expression.getText());
  if (ts.isBinaryExpression(parent)) return !/^[!=]==$/.test(parent.operatorToken.getText());
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  return !(
    ts.isImportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isTaggedTemplateExpression(parent)
  );
}

/** Whether a string belongs to a constant whose type says that it holds messages. */
function isTyped(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isVariableDeclaration(at))
      return /\bPlain\b/.test(at.type?.getText() ?? "") || /MEASURES/.test(at.name.getText());
    if (ts.isFunctionLike(at)) return false;
  }
  return false;
}

function inTemplate(node) {
  const text = textOf(node.template).replace(/<(code|style)\b[^>]*>[\s\S]*?<\/\1>/g, "<code>");
  const labels = [...text.matchAll(LABELS)].map((found) => found[2]);
  const rest = text.replace(/<!--[\s\S]*?-->/g, "").split(/<[^>]*>?/);
  return [...labels, ...rest].flatMap((part) => part.split("\u0001")).filter(isWords);
}

function inFile(path) {
  const name = relative(sources, path).replaceAll("\\", "/");
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
  const found = [];
  const note = (node, text) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${name}:${line + 1}: "${text.trim().replace(/\s+/g, " ")}" is not in the message catalogue.`);
  };
  const look = (node) => {
    if (ts.isTaggedTemplateExpression(node) && /^(html|svg)$/.test(node.tag.getText()))
      for (const text of inTemplate(node)) note(node, text);
    const isString = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
    if ((isString || ts.isTemplateExpression(node)) && !OTHER.test(name) && isShown(node) && !isTyped(node)) {
      const text = isString ? node.text : textOf(node);
      if (isSentence(text) && isWords(text)) note(node, text);
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

const files = readdirSync(sources, { recursive: true }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith("types.ts"),
);
const found = files.flatMap((name) => inFile(join(sources, name)));
for (const line of found) console.log(line);
process.exitCode = found.length ? 1 : 0;
