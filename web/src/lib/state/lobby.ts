/** The tables and links of the house, with the terms of each table. */

import type { Lobby, LobbyTable, TableView, Terms } from "../../api/types";
import { changed } from "./changes";
import { RETRY, requests } from "./requests";

class LobbyState {
  /** The house plays for demo chips. */
  demo = false;
  tables: LobbyTable[] = [];
  /** Every link of the house, with tables or without. */
  linkNames: string[] = [];
  terms = new Map<string, Terms>();

  private retryTimer = 0;

  /** Read the tables of the house; true where the server has answered. */
  async load(): Promise<boolean> {
    const lobby = await requests.refresh("/api/lobby", requests.get<Lobby>("/api/lobby"));
    if (!lobby) return false;
    this.demo = lobby.demo;
    this.tables = lobby.tables;
    this.linkNames = lobby.links;
    for (const terms of lobby.tables) this.terms.set(terms.table, terms);
    changed();
    return true;
  }

  /** Read the tables of the house, and try again until the server answers; true where the first try succeeded. */
  async refresh(): Promise<boolean> {
    const read = await this.load();
    window.clearTimeout(this.retryTimer);
    if (!read) this.retryTimer = window.setTimeout(() => void this.refresh(), RETRY);
    return read;
  }

  /** Read the tables again where this one is not known: it may have been opened since. */
  find(table: string): void {
    if (!this.terms.has(table)) void this.refresh();
  }

  /** Take the limits of a table as its view has them: the pit may have changed them since the lobby was read. */
  receiveLimits(view: TableView): void {
    const terms = this.terms.get(view.table);
    if (!terms || !view.limits) return;
    const { limits, box_limits = terms.box_limits, jackpot_bet = null } = view;
    this.terms.set(view.table, { ...terms, limits, box_limits, jackpot_bet });
  }

  /** Whether another server of the house runs this table. */
  isElsewhere(table: string): boolean {
    return this.tables.find((line) => line.table === table)?.elsewhere ?? false;
  }

  /** The tables that this server runs. */
  get own(): LobbyTable[] {
    return this.tables.filter((table) => !table.elsewhere);
  }

  /** The games that the tables of the house play: name, and operator with title. */
  games(separator: string): [game: string, title: string][] {
    return [...new Map(this.tables.map((table) => [table.game, `${table.operator}${separator}${table.title}`]))];
  }

  /** The currency of the house, where all its tables play in one. */
  get currency(): string {
    const [first, ...others] = new Set(this.tables.map((table) => table.currency));
    return others.length ? "" : (first ?? "");
  }
}

export const lobby = new LobbyState();
