import { useCallback } from "react";

import { t } from "@/lib/i18n";
import { useListedShortcuts, useShortcut } from "@/lib/shortcuts";

import type { KeyboardEvent, RefObject } from "react";

const group = (): string => t("common.extraction");

/** Up and down through the fields, N to the next one to check, V to verify; Enter is the field's own. */
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
    { keys: "n", does: t("extraction.nextFieldToCheck"), group: group() },
    () => {
      const all = fields();
      const here = all.findIndex((field) => field === document.activeElement || field.getAttribute("aria-pressed") === "true");
      const following = [...all.slice(here + 1), ...all.slice(0, here + 1)];
      go(following.find((field) => field.dataset.mark === "check"));
    },
    active,
  );
  useShortcut({ keys: "v", does: t("extraction.verifyTheField"), group: group() }, verifySelected, active);
  useListedShortcuts(
    active
      ? [
          { keys: "ArrowDown", does: t("extraction.nextField"), group: group() },
          { keys: "ArrowUp", does: t("extraction.previousField"), group: group() },
          { keys: "Enter", does: t("extraction.editTheFieldSaveIt"), group: group() },
          { keys: "Escape", does: t("extraction.discardTheChange"), group: group() },
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
