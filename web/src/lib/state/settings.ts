/** What a person has set on this device: colours, motion, keys, practice and sound. */

import { changed } from "./changes";

export interface Settings {
  fourColour: boolean;
  motion: boolean;
  keys: boolean;
  practice: boolean;
  /** The pit rings. */
  sound: boolean;
  /** Cards and chips are heard. */
  tableSound: boolean;
}

const KEY = "croupier.settings";

class StoredSettings {
  current: Settings = { fourColour: false, motion: true, keys: true, practice: false, sound: true, tableSound: false };

  load(): void {
    try {
      Object.assign(this.current, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    } catch {
      localStorage.removeItem(KEY);
    }
    this.apply();
  }

  change(part: Partial<Settings>): void {
    this.current = { ...this.current, ...part };
    localStorage.setItem(KEY, JSON.stringify(this.current));
    this.apply();
    changed();
  }

  private apply(): void {
    document.documentElement.classList.toggle("four-colour", this.current.fourColour);
    document.documentElement.classList.toggle("still", !this.current.motion);
  }
}

export const settings = new StoredSettings();
