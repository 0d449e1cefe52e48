import { useCallback, useEffect, useMemo, useState } from "react";

import { ErrorNote } from "@/components/Notes";
import { Split } from "@/components/Split";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";
import { useMedia } from "@/lib/media";
import type { Spot, Target } from "@/lib/places";
import { usePointingAt } from "@/lib/pointing";
import { useRemembered } from "@/lib/remembered";
import { useListedShortcuts, useShortcut } from "@/lib/shortcuts";

import { FindBar } from "./FindBar";
import { PageStrip } from "./PageStrip";
import { PageView } from "./PageView";
import { PointingBar } from "./PointingBar";
import { TextPanel } from "./TextPanel";
import { Toolbar } from "./Toolbar";
import { joined, turned } from "./geometry";
import { factorOf, stepped } from "./layout";
import { printPages } from "./print";
import { ROOM_FOR_STRIP } from "./strip";
import { useFind } from "./useFind";
import { useScroller } from "./useScroller";

import type { ViewerProps } from "./ViewerProps";
import type { Rotation, Size } from "./geometry";
import type { Zoom } from "./layout";
import type { PDFDocumentProxy } from "./pdf";

const group = (): string => t("viewer.documentView");
const NO_TARGETS: Target[] = [];
const WHEEL = 1.1;

interface ReaderProps extends ViewerProps {
  pdf: PDFDocumentProxy;
  sizes: Size[];
  /** The server's picture of the first page, seen until the page is drawn. */
  picture: string | null;
}

/** An open PDF: toolbar, search, pages, and the text beside them when it is wanted. */
export default function Reader(props: ReaderProps) {
  const { pdf, sizes, picture, documentId, reading, lit, goTo, targets, onPick, showText } = props;
  const kept = useRemembered<Zoom>("viewer.zoom", "width");
  // As large as on paper: on a phone, the words of a value can then be read.
  const close = useState<Zoom>(1);
  const [zoom, setZoom] = props.isClose ? close : kept;
  const [wantsStrip, setWantsStrip] = useRemembered("viewer.strip", true);
  const hasStrip = useMedia(ROOM_FOR_STRIP) && sizes.length > 1;
  const [rotation, setRotation] = useState<Rotation>(0);
  const [printing, setPrinting] = useState<{ page: number } | { error: unknown } | null>(null);
  const { element, attach, layout, shown, goToPage, goToSpot, isReady } = useScroller(sizes, zoom, rotation);
  const find = useFind(documentId, reading, goToSpot);
  const factor = factorOf(layout.pages[shown.page - 1]);
  useKeys({ factor, setZoom, openFind: find.open });
  useWheelZoom(element, factor, setZoom);
  useGoTo(goTo, isReady, goToSpot);

  const byPage = useMemo(() => grouped(targets), [targets]);
  const { found, stoodOn } = find;
  const pointing = usePointingAt(documentId);
  const shownLit = pointing.lit.length ? pointing.lit : lit;
  const marks = useMemo(() => ({ lit: joined(shownLit), found, current: joined(stoodOn) }), [shownLit, found, stoodOn]);
  const print = useCallback(() => {
    printPages(pdf, rotation, (page) => setPrinting({ page }))
      .then(() => setPrinting(null))
      .catch((error: unknown) => setPrinting({ error }));
  }, [pdf, rotation]);

  const shownPages = (
    <div
      ref={attach}
      role="region"
      aria-label={t("viewer.pagesOfTheDocument")}
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-auto bg-desk [scrollbar-gutter:stable] focus-visible:-outline-offset-2"
    >
      <div className="relative" style={{ width: layout.width, height: layout.height }}>
        {layout.pages.slice(shown.first, shown.last + 1).map((place) => (
          <PageView
            key={place.number}
            pdf={pdf}
            documentId={documentId}
            reading={reading}
            place={place}
            rotation={rotation}
            picture={place.number === 1 ? picture : null}
            marks={marks}
            targets={byPage.get(place.number) ?? NO_TARGETS}
            onPick={onPick}
            onPoint={pointing.wish ? (spot) => void pointing.point(spot) : undefined}
          />
        ))}
      </div>
    </div>
  );
  const pages =
    hasStrip && wantsStrip ? (
      <div className="flex min-h-0 min-w-0 flex-1">
        <PageStrip documentId={documentId} sizes={sizes} page={shown.page} onPage={goToPage} />
        {shownPages}
      </div>
    ) : (
      shownPages
    );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Toolbar
        page={shown.page}
        pageCount={pdf.numPages}
        onPage={goToPage}
        zoom={zoom}
        factor={factor}
        onZoom={setZoom}
        onRotate={() => setRotation(turned(rotation, 90))}
        onFind={find.open}
        onPrint={print}
        strip={hasStrip ? { isShown: wantsStrip, onToggle: () => setWantsStrip(!wantsStrip) } : undefined}
      />
      {find.isOpen && <FindBar find={find} />}
      {pointing.wish && <PointingBar pointing={pointing} />}
      {printing && "page" in printing && (
        <p role="status" className="border-b bg-surface px-3 py-1 text-sm text-muted">
          {t("viewer.preparingPagePageOfNumPagesFor", { page: printing.page, numPages: pdf.numPages })}
        </p>
      )}
      {printing && "error" in printing && (
        <ErrorNote className="m-2" what={t("viewer.nothingWasPrinted")} error={printing.error} onDismiss={() => setPrinting(null)} />
      )}
      {showText ? (
        <Split
          name="viewer.text"
          label={t("viewer.widthOfTheText")}
          initial={60}
          className="flex-1"
          left={pages}
          right={<TextPanel documentId={documentId} reading={reading} page={shown.page} lit={lit} />}
        />
      ) : (
        pages
      )}
    </div>
  );
}

interface Keys {
  factor: number;
  setZoom: (zoom: Zoom) => void;
  openFind: () => void;
}

function useKeys({ factor, setZoom, openFind }: Keys): void {
  useShortcut({ keys: "Mod+f", does: t("viewer.findInTheDocument"), group: group() }, openFind);
  useShortcut({ keys: "-", does: t("viewer.smaller"), group: group() }, () => setZoom(stepped(factor, -1)));
  useShortcut({ keys: "0", does: t("viewer.fitTheWidth"), group: group() }, () => setZoom("width"));
  useListedShortcuts([
    { keys: "+", does: t("viewer.larger"), group: group() },
    { keys: "Mod+wheel", does: t("viewer.largerAndSmaller"), group: group() },
  ]);
  useEffect(() => {
    // The key has no name in useShortcut, which joins names with a plus.
    const pressed = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [role=dialog]");
      if (event.key === "+" && !isTyping && !event.ctrlKey && !event.metaKey) setZoom(stepped(factor, 1));
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [factor, setZoom]);
  useCommands([
    { id: "viewer.find", label: t("viewer.findInTheDocument"), group: group(), keys: "Mod+f", run: openFind },
    { id: "viewer.width", label: t("viewer.fitTheWidth"), group: group(), keys: "0", run: () => setZoom("width") },
    { id: "viewer.page", label: t("viewer.fitThePage"), group: group(), run: () => setZoom("page") },
  ]);
}

function useWheelZoom(element: HTMLElement | null, factor: number, setZoom: (zoom: Zoom) => void): void {
  useEffect(() => {
    if (!element) return;
    const turned = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const next = event.deltaY < 0 ? factor * WHEEL : factor / WHEEL;
      setZoom(Math.round(Math.min(5, Math.max(0.25, next)) * 100) / 100);
    };
    element.addEventListener("wheel", turned, { passive: false });
    return () => element.removeEventListener("wheel", turned);
  }, [element, factor, setZoom]);
}

/** Go to a place once for every time that it is asked for. */
function useGoTo(goTo: ViewerProps["goTo"], isReady: boolean, goToSpot: (spot: Spot) => void): void {
  const [done, setDone] = useState<ViewerProps["goTo"]>(null);
  useEffect(() => {
    if (!goTo || !isReady || goTo === done) return;
    setDone(goTo);
    goToSpot(goTo.spot);
  }, [goTo, isReady, done, goToSpot]);
}

function grouped(targets: readonly Target[]): Map<number, Target[]> {
  const pages = new Map<number, Target[]>();
  for (const target of targets) pages.set(target.page, [...(pages.get(target.page) ?? []), target]);
  return pages;
}
