import { memo, startTransition, useEffect, useState } from "react";

import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import type { Box, Spot, Target } from "@/lib/places";

import { PageCanvas } from "./PageCanvas";
import { PointingLayer } from "./PointingLayer";
import { TextLayer } from "./TextLayer";
import { hitTest, placed, pointOnPage } from "./geometry";
import { usePageWords } from "./words";

import type { Rotation } from "./geometry";
import type { PlacedPage } from "./layout";
import type { PDFDocumentProxy } from "./pdf";
import type { MouseEvent } from "react";

const SETTLED_MS = 150;

export interface Marks {
  /** Words of the field that is chosen or pointed at. */
  lit: Spot[];
  /** Places of the text that was searched for, and the current one. */
  found: Spot[];
  current: Spot[];
}

interface PageViewProps {
  pdf: PDFDocumentProxy;
  documentId: string;
  reading: string | null;
  place: PlacedPage;
  rotation: Rotation;
  /** A picture of the page that is there already. */
  picture: string | null;
  marks: Marks;
  targets: Target[];
  onPick: (target: Target) => void;
  /** Set while a value is pointed at: a click or a drag means words, and not a field. */
  onPoint?: (spot: Spot) => void;
}

/** One page: its picture, its words, and what is marked on it. */
export const PageView = memo(function PageView(props: PageViewProps) {
  const { pdf, documentId, reading, place, rotation, picture, marks, targets, onPick, onPoint } = props;
  const isSettled = useSettled();
  const words = usePageWords(documentId, place.number, isSettled ? reading : null);
  const [over, setOver] = useState<Box | null>(null);
  const target = (event: MouseEvent<HTMLElement>): Target | null => {
    const frame = event.currentTarget.getBoundingClientRect();
    const point = { x: event.clientX - frame.left, y: event.clientY - frame.top };
    return hitTest(targets, place.number, pointOnPage(point, place, rotation));
  };
  const pick = (event: MouseEvent<HTMLElement>): void => {
    const picked = onPoint || getSelection()?.toString() ? null : target(event);
    if (picked) onPick(picked);
  };
  return (
    // Words lead to fields by a click; by keyboard the fields themselves are reached in their list.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label={t("viewer.pageNumber", { number: place.number })}
      data-page={place.number}
      className="absolute overflow-hidden bg-paper shadow-page"
      style={{ top: place.top, left: place.left, width: place.width, height: place.height }}
      onClick={pick}
      onMouseMove={(event) => {
        event.currentTarget.classList.toggle("over-target", !onPoint && target(event) !== null);
      }}
    >
      {picture && rotation === 0 && <img src={picture} alt="" className="absolute size-full" />}
      <PageCanvas pdf={pdf} number={place.number} scale={place.scale} rotation={rotation} />
      <Boxes kind="used" spots={targets} place={place} rotation={rotation} />
      <Boxes kind="found" spots={marks.found} place={place} rotation={rotation} />
      <Boxes kind="current" spots={marks.current} place={place} rotation={rotation} />
      <Boxes kind="lit" spots={marks.lit} place={place} rotation={rotation} />
      {words && isSettled && <TextLayer page={words} shown={place} rotation={rotation} />}
      {onPoint && over && <Boxes kind="current" spots={[{ page: place.number, box: over }]} place={place} rotation={rotation} />}
      {onPoint && <PointingLayer place={place} rotation={rotation} words={words} onOver={setOver} onPoint={onPoint} />}
    </section>
  );
});

/** False at first, so that the words of pages that scroll past quickly are neither fetched nor laid out. */
function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setIsSettled(true)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

const LOOK = {
  used: "border-b-2 border-paper-used",
  found: "rounded-xs bg-paper-found mix-blend-multiply",
  current: "rounded-xs bg-paper-lit mix-blend-multiply outline-2 outline-paper-edge",
  lit: "rounded-xs bg-paper-lit mix-blend-multiply outline-1 outline-paper-edge",
} as const;
const ROOM = { used: 0, found: 1, current: 1, lit: 2 } as const;

interface BoxesProps {
  kind: keyof typeof LOOK;
  spots: readonly Spot[];
  place: PlacedPage;
  rotation: Rotation;
}

function Boxes({ kind, spots, place, rotation }: BoxesProps) {
  const room = ROOM[kind];
  return spots
    .filter((spot) => spot.page === place.number)
    .map((spot) => {
      const { x, y, width, height } = placed(spot.box, place, rotation);
      return (
        <div
          key={`${spot.box.join(" ")}`}
          data-mark={kind}
          className={cx("pointer-events-none absolute", LOOK[kind])}
          style={{ left: x - room, top: y - room, width: width + 2 * room, height: height + 2 * room + (kind === "used" ? 2 : 0) }}
        />
      );
    });
}
