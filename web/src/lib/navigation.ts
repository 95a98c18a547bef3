/** The addresses of the pages, and the title of the tab. */

/** The address of a page; a name may hold any character that the server allows. */
export function to(page: string, ...parts: (string | number)[]): string {
  return `#/${[page, ...parts.map((part) => encodeURIComponent(part))].join("/")}`;
}

/** The query of the address, as in `#/rounds?hand=flush`. */
export function addressQuery(): URLSearchParams {
  return new URLSearchParams(location.hash.split("?")[1] ?? "");
}

/** Write another query into the address, without a new entry in the browser's history. */
export function writeQuery(query: URLSearchParams): void {
  const path = location.hash.split("?")[0] || "#/";
  const text = query.toString();
  history.replaceState(history.state, "", text ? `${path}?${text}` : path);
}

/** Keep a value in the query of the address; an empty one is taken out. */
export function keepInQuery(name: string, value: string): void {
  const query = addressQuery();
  if (value) query.set(name, value);
  else query.delete(name);
  writeQuery(query);
}

export function go(address: string): void {
  location.hash = address;
}

/** Show in the tab which page it holds, and how many decisions wait there. */
export function setTabTitle(page: string, waiting = 0): void {
  document.title = `${waiting ? `(${waiting}) ` : ""}${page ? `${page} · ` : ""}Croupier`;
}
