import { Store, useStore } from "@/lib/store";

/** Why a part of the client is not there yet: the server does not answer, or it has a newer version of the client. */
export type PartTrouble = "away" | "replaced";

const trouble = new Store<PartTrouble | null>(null);
const LOOK_EVERY_MS = 2_000;
let lookNow: (() => void) | null = null;

export function usePartTrouble(): PartTrouble | null {
  return useStore(trouble);
}

/** Ask for the missing part at once, not a moment later. */
export function tryAgain(): void {
  lookNow?.();
}

/**
 * A part of the client that is fetched when it is needed. Never fails: as long as the server is away it tries again,
 * and when the server no longer has the part, the page must be reloaded.
 */
export function part<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (;;) {
      try {
        const loaded = await load();
        trouble.set(null);
        return loaded;
      } catch {
        trouble.set((await serverAnswers()) ? "replaced" : "away");
        await aMoment();
      }
    }
  };
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch("/health", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

function aMoment(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LOOK_EVERY_MS);
    lookNow = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
