/** The addresses of the pages, and the title of the tab. */

/** The address of a page; a name may hold any character that the server allows. */
export function to(page: string, ...parts: (string | number)[]): string {
  return `#/${[page, ...parts.map((part) => encodeURIComponent(part))].join("/")}`;
}

export function go(address: string): void {
  location.hash = address;
}

/** Show in the tab which page it holds, and how many decisions wait there. */
export function setTabTitle(page: string, waiting = 0): void {
  document.title = `${waiting ? `(${waiting}) ` : ""}${page ? `${page} · ` : ""}Croupier`;
}
