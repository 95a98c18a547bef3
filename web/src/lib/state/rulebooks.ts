/** The rulebooks that this page has read, with their readings. */

import type { Game, ReadingText } from "../../api/types";
import { changed } from "./changes";
import { requests } from "./requests";

/** A rulebook with the readings that are in force. */
export interface Rulebook extends Game {
  readings: Record<string, ReadingText>;
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
