import { useLayoutEffect, useRef, useState } from "react";

import { t } from "@/lib/i18n";
import { useMedia } from "@/lib/media";
import { recall } from "@/lib/remembered";

import { layOut } from "./layout";
import { ROOM_FOR_STRIP, STRIP_WIDTH } from "./strip";

import type { Size } from "./geometry";
import type { Zoom } from "./layout";

interface FirstPictureProps {
  source: string | null;
  pageCount: number;
  children: string;
}

/** The server's picture of the first page, where the page will be. It is seen while the file itself is on its way. */
export function FirstPicture({ source, pageCount, children }: FirstPictureProps) {
  const hasStrip = useMedia(ROOM_FOR_STRIP) && pageCount > 1 && recall("viewer.strip", true);
  const pane = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    if (pane.current) setRoom({ width: pane.current.clientWidth, height: pane.current.clientHeight });
  }, []);
  const zoom = recall<Zoom>("viewer.zoom", "width");
  // The picture does not say how large the page is on paper.
  const place = size && typeof zoom === "string" ? layOut([size], room, zoom, 0).pages[0] : undefined;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <p role="status" className="flex h-9 shrink-0 items-center border-b bg-surface px-3 text-sm text-muted">
        {children}
      </p>
      <div className="flex min-h-0 flex-1">
        {hasStrip && <div className="shrink-0 border-r bg-sunken" style={{ width: STRIP_WIDTH }} />}
        <div ref={pane} className="relative min-w-0 flex-1 overflow-hidden bg-desk [scrollbar-gutter:stable]">
          {source && typeof zoom === "string" && (
            <section
              aria-label={t("viewer.page1")}
              data-page={1}
              className="absolute bg-paper shadow-page"
              style={place ? { top: place.top, left: place.left, width: place.width, height: place.height } : { visibility: "hidden" }}
            >
              <img
                src={source}
                alt=""
                className="size-full"
                onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
              />
            </section>
          )}
        </div>
      </div>
    </div>
  );
}
