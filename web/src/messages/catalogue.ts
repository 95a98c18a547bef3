/**
 * The message catalogue: every text of the interface, keyed by its English, with its translations. The build splits it
 * into one file for each language; here it is only a type, so that an unknown or missing message does not compile.
 */

/** A message in the other languages. */
interface Row {
  zh: string;
  ms: string;
  af: string;
}

type Whole<Rows extends Record<keyof Rows, Row>> = Rows;

export type Catalogue = Whole<
  typeof import("./academy.json") &
    typeof import("./console.json") &
    typeof import("./display.json") &
    typeof import("./labels.json") &
    typeof import("./own-play.json") &
    typeof import("./people.json") &
    typeof import("./pit.json") &
    typeof import("./player.json") &
    typeof import("./records.json") &
    typeof import("./rounds.json") &
    typeof import("./shell.json")
>;

/** The sentences of the server that the catalogue knows. */
export type Sentences = Whole<typeof import("./sentences.json")>;

/** The English of a message. */
export type Message = keyof Catalogue;
