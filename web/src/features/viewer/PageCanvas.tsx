import { useEffect, useRef, useState } from "react";

import { messageOf } from "@/lib/api/errors";
import { t } from "@/lib/i18n";

import { draw } from "./pdf";

import type { Rotation } from "./geometry";
import type { PDFDocumentProxy } from "./pdf";

/** Pages that scroll past quickly are not drawn. */
const SETTLED_MS = 60;
const MOST_DENSITY = 2;

interface PageCanvasProps {
  pdf: PDFDocumentProxy;
  number: number;
  scale: number;
  rotation: Rotation;
}

/** The picture of one page. While a sharper one is drawn, the old one stays, stretched. */
export function PageCanvas({ pdf, number, scale, rotation }: PageCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    let cancel = (): void => undefined;
    const begin = async (): Promise<void> => {
      const page = await pdf.getPage(number);
      if (isOver) return;
      const drawing = draw(page, scale, rotation, Math.min(devicePixelRatio, MOST_DENSITY));
      cancel = drawing.cancel;
      const canvas = await drawing.done;
      if (isOver) return;
      canvas.className = "size-full";
      frame.current?.replaceChildren(canvas);
      setError(null);
    };
    const timer = setTimeout(() => {
      begin().catch((reason: unknown) => {
        if (!isOver) setError(messageOf(reason));
      });
    }, SETTLED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      cancel();
    };
  }, [pdf, number, scale, rotation]);
  return (
    <>
      <div ref={frame} aria-hidden className="absolute inset-0" />
      {error && <p className="absolute inset-x-4 top-4 text-sm text-paper-ink">{t("viewer.thisPageCannotBeDrawnError", { error })}</p>}
    </>
  );
}
