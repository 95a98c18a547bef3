/** The rulebooks that this page has read, with their readings. */

import type { Game } from "../../api/types";
import { changed } from "./changes";
import { requests } from "./requests";

class Rulebooks {
  private books = new Map<string, Game>();

  get(game: string): Game | undefined {
    return this.books.get(game);
  }

  async load(game: string): Promise<void> {
    if (this.books.has(game)) return;
    const path = `/api/games/${encodeURIComponent(game)}`;
    const [book, readings] = await Promise.all([
      requests.get<Omit<Game, "readings">>(path),
      requests.get<Game["readings"]>(`${path}/readings`),
    ]);
    this.books.set(game, { ...book, readings });
    changed();
  }
}

export const rulebooks = new Rulebooks();
