/** The pages of the client: their titles and their elements. The server says who may open which. */

import { html, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import "../../pages/academy/academy";
import "../../pages/account";
import "../../pages/audit";
import "../../pages/cage";
import "../../pages/comparison";
import "../../pages/dealer";
import "../../pages/display";
import "../../pages/disputes";
import "../../pages/duties";
import "../../pages/academy/exam-sitting";
import "../../pages/academy/introduction";
import "../../pages/lobby";
import "../../pages/login";
import "../../pages/my-rounds";
import "../../pages/other-server";
import "../../pages/people";
import "../../pages/pit";
import "../../pages/receipt";
import "../../pages/replay";
import "../../pages/rounds";
import "../../pages/rules";
import "../../pages/table";
import "../../pages/academy/training-round";
import type { Page } from "../../api/types";
import { homePage } from "../../lib/home-page";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { type Plain, t } from "../../lib/text/language";
import { houseSign } from "./house-sign";

/** What the tab calls each page; the page of one table, game or link adds its name. */
const TITLES: Record<string, Plain | ""> = {
  "": "",
  login: "Log in",
  display: "Jackpot",
  rules: "Rules",
  compare: "Two rulebooks",
  table: "Table",
  dealer: "Dealer",
  pit: "Pit",
  rounds: "Rounds",
  audit: "Audit",
  disputes: "Disputes",
  academy: "Academy",
  people: "People",
  account: "Your account",
  cage: "Cage",
  duties: "Who may do what",
  replay: "Replay",
  "my-rounds": "My rounds",
  receipt: "Receipt",
};

/** What a person reads on a page that the server does not open to them. */
const CLOSED: Partial<Record<Page, Plain>> = {
  dealer: "The console is for dealers and the pit.",
  pit: "The pit is for the staff who run the house.",
  audit: "This page is for the staff who may audit.",
  disputes: "This page is for the pit and for auditors.",
  academy: "The academy is for learners and staff.",
  people: "The administrator enrols people here.",
  cage: "The cage books buy-ins and cash-outs here.",
  "my-rounds": "This page is for players.",
  receipt: "This page is for players.",
  duties: "This page is for the staff of the house.",
};

/** Pages whose link a visitor may follow: a demonstration lets them in as a guest. */
const VISITED = new Set(["table", "replay"]);

const ROUND_NUMBER = /^[1-9]\d{0,8}$/;

/** The parts of the address before its query: the page, and what it is about. */
export function readRoute(): string[] {
  return (location.hash.split("?")[0] ?? "").replace(/^#\/?/, "").split("/").map(decode);
}

/** A part that cannot be decoded stays as it is, so that the page says that it does not exist. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function routeTitle([page = "", name = "", more = ""]: string[]): string {
  const title: Plain | "" = TITLES[page] ?? "No such page";
  return [title && t(title), ...(page === "login" ? [] : [name, more])].filter(Boolean).join(" ");
}

export function routePage(route: string[]): TemplateResult {
  const [page = "", name = "", more = ""] = route;
  if (session.me?.held && session.me.held !== "session_locked") return html`<account-page></account-page>`;
  const open = openPage(page, name, more, route);
  if (open) return open;
  if (!(page in TITLES)) return notice(t("There is no such page"));
  if ((page === "table" || page === "dealer") && lobby.isElsewhere(name))
    return html`<other-server-page .name=${name}></other-server-page>`;
  if (page === "table" && !lobby.terms.has(name)) return notice(t("There is no table {name}", { name }));
  if (!session.me) return html`<login-page .next=${route.join("/")} .isVisit=${VISITED.has(page)}></login-page>`;
  const closed: Plain = CLOSED[page as Page] ?? "There is no such page";
  if (!session.opens(page)) return notice(t(closed));
  return personPage(page, name, more, route) ?? notice(t("There is no such page"));
}

/** Pages that need no log-in. */
function openPage(page: string, name: string, more: string, route: string[]): TemplateResult | undefined {
  switch (page) {
    case "":
      return html`<lobby-page></lobby-page>`;
    case "login":
      return html`<login-page .next=${route.slice(1).join("/")}></login-page>`;
    case "display":
      return html`${keyed(name, html`<display-page .link=${name || "main"} .layout=${more}></display-page>`)}`;
    case "rules":
      return html`<rules-page .game=${name} .rule=${more}></rules-page>`;
    case "compare":
      return html`${keyed(`${name}/${more}`, html`<compare-page .first=${name} .second=${more}></compare-page>`)}`;
    default:
      return undefined;
  }
}

/** Pages of a person who is logged in. */
function personPage(page: string, name: string, more: string, route: string[]): TemplateResult | undefined {
  switch (page) {
    case "table":
      return html`${keyed(name, html`<table-page .name=${name}></table-page>`)}`;
    case "dealer":
      return html`${keyed(name, html`<dealer-page .name=${name}></dealer-page>`)}`;
    case "pit":
      return html`<pit-page></pit-page>`;
    case "rounds":
      return html`${keyed(name, html`<rounds-page .table=${name}></rounds-page>`)}`;
    case "audit":
      return html`<audit-page></audit-page>`;
    case "disputes":
      return html`<disputes-page></disputes-page>`;
    case "academy":
      if (name === "game") return html`${keyed(more, html`<introduction-page .game=${more}></introduction-page>`)}`;
      if (name === "training") return html`<training-round-page></training-round-page>`;
      return name === "sitting"
        ? html`${keyed(more, html`<exam-sitting-page .sitting=${more}></exam-sitting-page>`)}`
        : html`<academy-page></academy-page>`;
    case "people":
      return html`<people-page></people-page>`;
    case "account":
      return html`<account-page></account-page>`;
    case "cage":
      return html`<cage-page></cage-page>`;
    case "duties":
      return html`<duties-page></duties-page>`;
    case "my-rounds":
      return html`<my-rounds-page></my-rounds-page>`;
    case "receipt": {
      if (!ROUND_NUMBER.test(more)) return undefined;
      const receipt = html`<receipt-page .table=${name} .round=${Number(more)}></receipt-page>`;
      return html`${keyed(`${name}/${more}`, receipt)}`;
    }
    case "replay": {
      if (!ROUND_NUMBER.test(more)) return undefined;
      const replay = html`<replay-page .table=${name} .round=${Number(more)} .step=${route[3] ?? ""}></replay-page>`;
      return html`${keyed(`${name}/${more}`, replay)}`;
    }
    default:
      return undefined;
  }
}

function notice(sentence: string): TemplateResult {
  const home = homePage();
  return html`<main class="narrow" id="main">${houseSign()}<h1>${sentence}</h1>
    <p><a class="button" href=${home}>${home === "#/" ? t("To the tables") : t("To your own page")}</a></p></main>`;
}
