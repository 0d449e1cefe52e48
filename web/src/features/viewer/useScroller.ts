import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

import type { Spot } from "@/lib/places";

import { placed } from "./geometry";
import { layOut, pageAt, visibleRange } from "./layout";

import type { Rotation, Size } from "./geometry";
import type { Zoom } from "./layout";

const BEYOND = 1;
/** How far below the top of the pane a place ends up when it is scrolled to. */
const EYE_LEVEL = 0.3;

interface Shown {
  first: number;
  last: number;
  page: number;
}

/** The part of a document that is in view, and ways to go elsewhere. Zoom and rotation keep the reader in place. */
export function useScroller(sizes: Size[], zoom: Zoom, rotation: Rotation) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [pane, setPane] = useState<Size>({ width: 0, height: 0 });
  const layout = useMemo(() => layOut(sizes, pane, zoom, rotation), [sizes, pane, zoom, rotation]);
  const [shown, setShown] = useState<Shown>({ first: 0, last: 0, page: 1 });
  /** What the top of the pane shows: a page, counted from 0, and how much of it is above. */
  const anchor = useRef({ index: 0, share: 0 });

  useLayoutEffect(() => {
    if (!element) return;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      setPane((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);

  const look = useCallback((): void => {
    if (!element || !layout.pages.length) return;
    const { scrollTop, clientHeight } = element;
    const [first, last] = visibleRange(layout, scrollTop, clientHeight);
    const page = pageAt(layout, scrollTop, clientHeight);
    const place = layout.pages[first];
    if (place) anchor.current = { index: first, share: (scrollTop - place.top) / place.height };
    const next = { first: Math.max(0, first - BEYOND), last: Math.min(layout.pages.length - 1, last + BEYOND), page };
    setShown((old) => (old.first === next.first && old.last === next.last && old.page === next.page ? old : next));
  }, [element, layout]);

  useLayoutEffect(() => {
    const { index, share } = anchor.current;
    const place = layout.pages[index];
    if (place && element) element.scrollTop = place.top + share * place.height;
    look();
  }, [element, layout, look]);

  useEffect(() => {
    if (!element) return;
    let waiting = 0;
    const scrolled = (): void => {
      waiting ||= requestAnimationFrame(() => {
        waiting = 0;
        look();
      });
    };
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      element.removeEventListener("scroll", scrolled);
      cancelAnimationFrame(waiting);
    };
  }, [element, look]);

  const goToPage = useCallback(
    (number: number): void => {
      const place = layout.pages[Math.min(layout.pages.length, Math.max(1, number)) - 1];
      if (place) element?.scrollTo({ top: place.top - 4 });
    },
    [element, layout],
  );

  const goToSpot = useCallback(
    ({ page, box }: Spot): void => {
      const place = layout.pages[page - 1];
      if (!element || !place) return;
      const spot = placed(box, place, rotation);
      const [top, left] = [place.top + spot.y, place.left + spot.x];
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = element;
      const isSeen =
        top >= scrollTop + 8 &&
        top + spot.height <= scrollTop + clientHeight - 8 &&
        left >= scrollLeft &&
        left + spot.width <= scrollLeft + clientWidth;
      if (isSeen) return;
      element.scrollTo({
        top: top - clientHeight * EYE_LEVEL,
        left: Math.max(0, left + spot.width / 2 - clientWidth / 2),
        behavior: Math.abs(top - scrollTop) < 3 * clientHeight ? "smooth" : "instant",
      });
    },
    [element, layout, rotation],
  );

  return { element, attach: setElement, layout, shown, goToPage, goToSpot, isReady: layout.pages.length > 0 && pane.width > 0 };
}
