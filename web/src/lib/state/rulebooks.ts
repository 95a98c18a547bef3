/** The rulebooks that this page has read, with their readings. */

import type { Game, GameLine, ReadingText } from "../../api/types";
import { changed } from "./changes";
import { requests } from "./requests";

/** A rulebook with the readings that are in force. */
export interface Rulebook extends Game {
  readings: Record<string, ReadingText>;
}

/** The address of a rulebook: the plain name of its game means the first edition that is listed. */
export function address(listed: GameLine, games: GameLine[]): string {
  return games.find(({ game }) => game === listed.game) === listed ? listed.game : listed.edition;
}

/** The listed rulebook of an address; an edition's own name finds it as well. */
export function listedAt(name: string, games: GameLine[]): GameLine | undefined {
  return games.find(({ game, edition }) => name === game || name === edition);
}

class Rulebooks {
  private books = new Map<string, Rulebook>();

  get(game: string): Rulebook | undefined {
    return this.books.get(game);
  }

  async load(game: string): Promise<void> {
    if (this.books.has(game)) return;
    const path = `/api/games/${encodeURIComponent(game)}`;
    const [book, readings] = await Promise.all([
      requests.get<Game>(path),
      requests.get<Rulebook["readings"]>(`${path}/readings`),
    ]);
    this.books.set(game, { ...book, readings });
    changed();
  }
}

export const rulebooks = new Rulebooks();
