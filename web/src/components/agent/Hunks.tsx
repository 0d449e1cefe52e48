import { Check, X } from "lucide-react";

import type { HunkChoice } from "@/lib/agent/hunks";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { Button } from "../Button";
import { TextDiff } from "../TextDiff";

/** What the user does not want is still there to read. */
const WITHOUT_COLOURS = "[&_*]:!bg-transparent [&_*]:!text-muted";

/** The parts of a change one by one, each to be accepted or rejected. */
export function Hunks({ choice }: { choice: HunkChoice }) {
  return (
    <ol aria-label={t("common.changes")} className="flex flex-col gap-3">
      {choice.hunks.map((hunk, number) => (
        <li key={hunk.line}>
          <OneHunk choice={choice} number={number} />
        </li>
      ))}
    </ol>
  );
}

/** One part of a change, with the user's verdict on it; a change of one part is decided as a whole. */
export function OneHunk({ choice, number }: { choice: HunkChoice; number: number }) {
  const hunk = choice.hunks[number];
  if (!hunk) return null;
  const accepts = choice.isAccepted(number);
  const name = t("cards.changeNumberOfCount", { number: number + 1, count: choice.hunks.length });
  return (
    <div role="group" aria-label={name} className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-1">
        <span className="min-w-0 flex-1 text-sm text-muted">
          {t("cards.nameLineLine", { name, line: hunk.line })}
          {!accepts && t("cards.leftOut2")}
        </span>
        {choice.hunks.length > 1 && (
          <>
            <Verdict icon={Check} says={t("common.accept")} isOn={accepts} look="!bg-good-soft !text-good" onPress={() => choice.choose(number, true)} />
            <Verdict icon={X} says={t("common.reject")} isOn={!accepts} look="!bg-bad-soft !text-bad" onPress={() => choice.choose(number, false)} />
          </>
        )}
      </div>
      <div className={accepts ? undefined : WITHOUT_COLOURS}>
        <TextDiff isPart label={t("cards.lineByLine")} before={hunk.before} after={hunk.after} leftOut={null} />
      </div>
    </div>
  );
}

interface VerdictProps {
  icon: typeof Check;
  says: string;
  isOn: boolean;
  look: string;
  onPress: () => void;
}

function Verdict({ icon, says, isOn, look, onPress }: VerdictProps) {
  return (
    <Button small variant="quiet" icon={icon} aria-pressed={isOn} className={cx("!h-6", isOn ? look : "text-muted")} onClick={onPress}>
      {says}
    </Button>
  );
}
