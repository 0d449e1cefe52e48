import { useState } from "react";

import { Button } from "@/components/Button";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { clashesOf, mergedText } from "./merging";

import type { Clash, Merge, Side } from "./merging";

interface ClashesProps {
  merge: Merge;
  onMerge: (text: string) => void;
}

/** What both changed, side by side, to choose from. Everything else is merged already. */
export function Clashes({ merge, onMerge }: ClashesProps) {
  const clashes = clashesOf(merge);
  const [sides, setSides] = useState<readonly (Side | undefined)[]>([]);
  const text = mergedText(merge, sides);
  const choose = (number: number, side: Side): void => setSides(clashes.map((_, at) => (at === number ? side : sides[at])));
  return (
    <div className="flex flex-col gap-3">
      <p>{t("projects.bothChangedTheSameLinesIn", { count: clashes.length })}</p>
      {clashes.map((clash, number) => (
        <OneClash
          key={number}
          name={t("projects.placeOfCount", { number: number + 1, count: clashes.length })}
          clash={clash}
          version={merge.version}
          side={sides[number]}
          onChoose={(side) => choose(number, side)}
        />
      ))}
      <Button small variant="primary" className="self-start" disabledBecause={text === null && t("projects.chooseInEveryPlaceFirst")} onClick={() => text !== null && onMerge(text)}>
        {t("projects.merge")}
      </Button>
    </div>
  );
}

interface OneClashProps {
  name: string;
  clash: Clash;
  version: number;
  side: Side | undefined;
  onChoose: (side: Side) => void;
}

function OneClash({ name, clash, version, side, onChoose }: OneClashProps) {
  const choice = (value: Side, says: string) => (
    <label className="flex items-center gap-1.5">
      <input type="radio" name={name} checked={side === value} onChange={() => onChoose(value)} className="accent-accent" />
      {says}
    </label>
  );
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-muted">{name}</legend>
      <div className="grid grid-cols-2 gap-2">
        {choice("mine", t("projects.keepYours"))}
        {choice("theirs", t("projects.takeVersionVersion", { version }))}
        <Lines text={clash.mine} isChosen={side === "mine" || side === "both"} />
        <Lines text={clash.theirs} isChosen={side === "theirs" || side === "both"} />
      </div>
      {choice("both", t("projects.keepBothYoursFirst"))}
    </fieldset>
  );
}

function Lines({ text, isChosen }: { text: string; isChosen: boolean }) {
  return (
    <div className={cx("rounded-md border bg-surface px-2 py-1 wrap-anywhere whitespace-pre-wrap", isChosen && "border-accent")}>
      {text.replace(/(\r\n|\r|\n)$/, "") || <span className="text-muted">{text ? t("projects.anEmptyLine") : t("projects.nothing")}</span>}
    </div>
  );
}
