import { useState } from "react";

/**
 * A setting that is saved at once: what is shown, and what to call with a wish.
 *
 * The wish is shown from the click on. A mutation says only a moment later that it is under way, and until then the
 * control would spring back.
 */
export function useWished<T>(current: T, save: (wish: T, options: { onSettled: () => void }) => void): [T, (wish: T) => void] {
  const [wished, setWished] = useState<{ value: T } | null>(null);
  const wish = (value: T): void => {
    setWished({ value });
    save(value, { onSettled: () => setWished(null) });
  };
  return [wished === null ? current : wished.value, wish];
}

/** For a mutation that saves wishes: one after the other, so that the last wish is what stays. */
export function inOrder(what: string): { scope: { id: string } } {
  return { scope: { id: what } };
}
