/** A file that is fetched before somebody looks at it: one at a time, since files are large. */
let ahead: { address: string; bytes: Promise<Uint8Array | null> } | null = null;

/** Begins to fetch a file, unless that was begun already. What does not come is fetched again when it is looked at. */
export function fetchAhead(address: string, fetched: () => Promise<Uint8Array>): void {
  if (ahead?.address === address) return;
  ahead = { address, bytes: fetched().catch(() => null) };
}

/** The bytes that were fetched ahead, as soon as they are there; null if nobody asked for them, or they did not come. */
export async function takeAhead(address: string): Promise<Uint8Array | null> {
  const found = ahead?.address === address ? ahead : null;
  if (found) ahead = null;
  return (await found?.bytes) ?? null;
}
