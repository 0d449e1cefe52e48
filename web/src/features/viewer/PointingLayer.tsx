import { useRef, useState } from "react";

import type { Box, Spot } from "@/lib/places";

import { boxBetween, pointOnPage } from "./geometry";
import { wordAt } from "./words";

import type { Point, Rotation } from "./geometry";
import type { PlacedPage } from "./layout";
import type { TextPage } from "./words";
import type { PointerEvent } from "react";

/** A shorter way is a click, in pixels. */
const CLICK = 4;
const TOUCH = 10;

interface PointingLayerProps {
  place: PlacedPage;
  rotation: Rotation;
  words: TextPage | null;
  /** The word under the pointer. */
  onOver: (box: Box | null) => void;
  onPoint: (spot: Spot) => void;
}

/** Lies over a page while a value is pointed at: a click means a word, a drag the words in a rectangle. */
export function PointingLayer({ place, rotation, words, onOver, onPoint }: PointingLayerProps) {
  const start = useRef<Point | null>(null);
  const [end, setEnd] = useState<Point | null>(null);
  const at = (event: PointerEvent<HTMLElement>): Point => {
    const frame = event.currentTarget.getBoundingClientRect();
    const within = (value: number, most: number): number => Math.min(most, Math.max(0, value));
    return { x: within(event.clientX - frame.left, place.width), y: within(event.clientY - frame.top, place.height) };
  };
  const forget = (): void => {
    start.current = null;
    setEnd(null);
  };
  const begin = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    start.current = at(event);
    // A finger that moves scrolls the pages.
    if (event.pointerType === "touch") return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent<HTMLElement>): void => {
    const here = at(event);
    if (start.current && event.pointerType !== "touch") setEnd(here);
    onOver(start.current ? null : wordAt(words, pointOnPage(here, place, rotation)));
  };
  const finish = (event: PointerEvent<HTMLElement>): void => {
    const from = start.current;
    if (!from) return;
    const to = at(event);
    const way = Math.hypot(to.x - from.x, to.y - from.y);
    const isTouch = event.pointerType === "touch";
    forget();
    if (isTouch && way > TOUCH) return;
    const isClick = isTouch || way < CLICK;
    onPoint({ page: place.number, box: boxBetween(isClick ? to : from, to, place, rotation) });
  };
  const from = start.current;
  return (
    <div
      data-pointing
      aria-hidden
      className="absolute inset-0 cursor-crosshair"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={finish}
      onPointerCancel={forget}
      onPointerLeave={() => onOver(null)}
    >
      {from && end && (
        <div
          data-mark="dragged"
          className="pointer-events-none absolute rounded-xs border border-paper-edge bg-paper-lit/30"
          style={{ left: Math.min(from.x, end.x), top: Math.min(from.y, end.y), width: Math.abs(from.x - end.x), height: Math.abs(from.y - end.y) }}
        />
      )}
    </div>
  );
}
