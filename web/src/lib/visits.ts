import { Store, useStore } from "@/lib/store";

const visits = new Store(0);

/** Go to a place again, also when the address is the same: somebody may have scrolled away since. */
export function visitAgain(): void {
  visits.update((count) => count + 1);
}

export function useVisits(): number {
  return useStore(visits);
}
