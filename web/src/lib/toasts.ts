import { Store, useStore } from "@/lib/store";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 6_000;
const toasts = new Store<Toast[]>([]);
let last = 0;

/** A passing word about something that went well. Errors go where they happened, with ErrorNote. */
export function toast(text: string, action?: Toast["action"]): void {
  const id = ++last;
  toasts.update((shown) => [...shown.slice(-2), { id, text, action }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  toasts.update((shown) => shown.filter((item) => item.id !== id));
}

export function useToasts(): Toast[] {
  return useStore(toasts);
}
