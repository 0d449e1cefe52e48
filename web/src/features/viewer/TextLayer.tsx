import { memo } from "react";

import type { Word } from "./find";
import type { Rotation, Size } from "./geometry";
import type { TextPage } from "./words";

const FONT = "sans-serif";
const MEASURED_AT = 20;
/** Letters are about this part of the height of a word's box. */
const FILL = 0.85;

let pen: CanvasRenderingContext2D | null = null;

function widthOf(text: string): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * MEASURED_AT * 0.5;
  pen.font = `${MEASURED_AT}px ${FONT}`;
  return pen.measureText(text).width;
}

const TURN: Record<Rotation, string> = {
  0: "none",
  90: "translateX(var(--shown-width)) rotate(90deg)",
  180: "translate(var(--shown-width), var(--shown-height)) rotate(180deg)",
  270: "translateY(var(--shown-height)) rotate(270deg)",
};

interface TextLayerProps {
  page: TextPage;
  shown: Size;
  rotation: Rotation;
}

/** The words of a page, invisible over its picture, so that they can be selected and read aloud; scans as well. */
export const TextLayer = memo(function TextLayer({ page, shown, rotation }: TextLayerProps) {
  const upright = rotation % 180 === 0 ? shown : { width: shown.height, height: shown.width };
  return (
    <div
      className="absolute top-0 left-0 origin-top-left cursor-text overflow-hidden whitespace-pre text-transparent"
      style={{
        width: upright.width,
        height: upright.height,
        fontFamily: FONT,
        transform: TURN[rotation],
        ["--shown-width" as string]: `${shown.width}px`,
        ["--shown-height" as string]: `${shown.height}px`,
      }}
    >
      {page.lines.map((line, index) => (
        <div key={index}>
          {line.map((word, position) => (
            <span key={position} className="absolute origin-top-left leading-none" style={styleOf(word, upright)}>
              {`${word[0]} `}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
});

function styleOf([text, left, top, right, bottom]: Word, size: Size) {
  const height = (bottom - top) * size.height;
  const fontSize = Math.max(1, height * FILL);
  const stretch = ((right - left) * size.width) / ((widthOf(text) * fontSize) / MEASURED_AT || 1);
  return {
    left: left * size.width,
    top: top * size.height + (height - fontSize) / 2,
    fontSize,
    transform: `scaleX(${stretch.toFixed(3)})`,
  };
}
