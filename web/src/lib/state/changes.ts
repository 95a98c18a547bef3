/** Tells the elements of the page to render again when the state has changed. */

interface Listener {
  requestUpdate(): void;
}

const listeners = new Set<Listener>();

/** Call the listener on every change, until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function changed(): void {
  for (const listener of listeners) listener.requestUpdate();
}
