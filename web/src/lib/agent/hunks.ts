import { useMemo } from "react";

import { t } from "@/lib/i18n";
import { Store, useStore } from "@/lib/store";

import { hunksOf } from "./previews";

import type { Verdict } from "./actions";
import type { Preview } from "./events";
import type { Hunk } from "./previews";

/** A change that waits, as far as its parts are concerned. */
export interface Proposed {
  id: string;
  preview: Preview | null;
}

export interface HunkChoice {
  hunks: readonly Hunk[];
  /** How many of them the user would take. */
  accepted: number;
  isAccepted: (number: number) => boolean;
  choose: (number: number, accepts: boolean) => void;
}

/** The parts that the user does not want, by call: the card and the text show the same choice. */
const rejected = new Store<Readonly<Record<string, readonly number[]>>>({});

/** A change that is shown again, because the text has changed, is chosen from again. */
function keyOf({ id, preview }: Proposed): string {
  return JSON.stringify([id, preview?.name, preview?.version_from, preview?.hunks]);
}

export function useHunks(call: Proposed): HunkChoice {
  const { preview } = call;
  const hunks = useMemo(() => hunksOf(preview), [preview]);
  const key = keyOf(call);
  const without = useStore(rejected)[key] ?? [];
  return {
    hunks,
    accepted: hunks.length - without.length,
    isAccepted: (number) => !without.includes(number),
    choose: (number, accepts) =>
      rejected.update((all) => {
        const others = (all[key] ?? []).filter((one) => one !== number);
        return { ...all, [key]: accepts ? others : [...others, number] };
      }),
  };
}

/** A yes to a call, or to those of its parts that the user did not reject. */
export function approval(call: Proposed): Verdict {
  const without = rejected.get()[keyOf(call)] ?? [];
  if (!without.length) return { call_id: call.id, approved: true };
  const numbers = hunksOf(call.preview).map((_, number) => number);
  return { call_id: call.id, approved: true, hunks: numbers.filter((number) => !without.includes(number)) };
}

/** What the button says that decides: how many parts of a change are taken. */
export function approvalWords({ hunks, accepted }: HunkChoice): string {
  return accepted === hunks.length ? t("common.approve") : t("turns.approveAcceptedOfCount", { accepted, count: hunks.length });
}

/** Why nothing can be approved. */
export function nothingAccepted({ hunks, accepted }: HunkChoice): string | false {
  return hunks.length > 0 && accepted === 0 && t("turns.youRejectedEveryChangeRejectIt");
}

export function forgetHunks(call: Proposed): void {
  const forgotten = keyOf(call);
  rejected.update((all) => Object.fromEntries(Object.entries(all).filter(([key]) => key !== forgotten)));
}
