/** The message catalogues of the other languages, each a file that is loaded when a person reads in that language. */

/** The address of each language's catalogue; the build writes it, with a hash of what the catalogue says. */
declare const CATALOGUES: Record<string, string>;

/** What the page says, and what the server says, by the English of each. */
export interface Catalogue {
  messages: Record<string, string>;
  sentences: Record<string, string>;
}

export async function loadMessages(language: string): Promise<Catalogue> {
  const response = await fetch(CATALOGUES[language] ?? "");
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as Catalogue;
}
