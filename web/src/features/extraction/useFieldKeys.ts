import { useCallback } from "react";

import { useListedShortcuts, useShortcut } from "@/lib/shortcuts";

import type { KeyboardEvent, RefObject } from "react";

const GROUP = "Extraction";

/** Up and down through the fields, N to the next unproven one, V to verify; Enter is the field's own. */
export function useFieldKeys(frame: RefObject<HTMLElement | null>, verifySelected: () => void, active: boolean) {
  const fields = useCallback(
    (): HTMLButtonElement[] => [...(frame.current?.querySelectorAll<HTMLButtonElement>("button[data-field]") ?? [])],
    [frame],
  );
  const go = (target: HTMLButtonElement | undefined): void => {
    target?.focus();
    target?.click();
  };
  useShortcut(
    { keys: "n", does: "Next unproven field", group: GROUP },
    () => {
      const all = fields();
      const here = all.findIndex((field) => field === document.activeElement || field.getAttribute("aria-pressed") === "true");
      const following = [...all.slice(here + 1), ...all.slice(0, here + 1)];
      go(following.find((field) => field.dataset.mark === "unproven"));
    },
    active,
  );
  useShortcut({ keys: "v", does: "Verify the field", group: GROUP }, verifySelected, active);
  useListedShortcuts(
    active
      ? [
          { keys: "ArrowDown", does: "Next field", group: GROUP },
          { keys: "ArrowUp", does: "Previous field", group: GROUP },
          { keys: "Enter", does: "Edit the field; save it", group: GROUP },
          { keys: "Escape", does: "Discard the change", group: GROUP },
        ]
      : [],
  );
  return (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const field = event.target instanceof HTMLElement ? event.target.closest<HTMLButtonElement>("button[data-field]") : null;
    if (!step || !field) return;
    event.preventDefault();
    const all = fields();
    go(all[all.indexOf(field) + step]);
  };
}
