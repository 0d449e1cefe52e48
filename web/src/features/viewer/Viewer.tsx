import { lazy, Suspense, useEffect, useState } from "react";

import { LoadingPart } from "@/components/LoadingPart";
import { ErrorNote } from "@/components/Notes";
import { usePicture } from "@/lib/api/pictures";
import { fileSize } from "@/lib/format";
import { t } from "@/lib/i18n";
import { part, usePartTrouble } from "@/lib/parts";

import { FirstPicture } from "./FirstPicture";
import { Locked } from "./Locked";
import { TextOnly } from "./TextOnly";
import { usePdf } from "./usePdf";

import type { ViewerProps } from "./ViewerProps";

const Reader = lazy(part(() => import("./Reader")));
const PATIENCE_MS = 300;

/** The document as it looks, or its text where there is nothing to look at. First of all the server's picture of it. */
export function Viewer(props: ViewerProps) {
  const [typed, setTyped] = useState<string>();
  const beginsElsewhere = props.goTo !== null && props.goTo.spot.page !== 1;
  const { source: drawn, isSettled } = usePicture(props.documentId, "first", { enabled: !beginsElsewhere, urgent: true });
  const picture = beginsElsewhere ? null : drawn;
  // The picture is there sooner if nothing else is fetched and computed beside it.
  const isLate = useLate(PATIENCE_MS);
  const opened = usePdf(props.address, typed ?? props.password, isSettled || isLate);
  const cannotLoad = usePartTrouble();
  const waiting = (words: string) => (
    <FirstPicture source={picture} pageCount={props.pageCount}>
      {words}
    </FirstPicture>
  );
  if (opened.status === "locked") return <Locked isWrong={opened.isWrong} onPassword={setTyped} />;
  if (opened.status === "loading") {
    return waiting(opened.received ? t("viewer.loadingTheDocumentReceivedSoFar", { received: fileSize(opened.received) }) : t("viewer.loadingTheDocument"));
  }
  if (opened.status === "failed") {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ErrorNote className="m-4" what={t("viewer.thePagesCannotBeShown")} error={opened.error} />
        {props.reading !== null && (
          <TextOnly documentId={props.documentId} reading={props.reading} pageCount={props.pageCount} lit={props.lit} />
        )}
      </div>
    );
  }
  return (
    <Suspense fallback={cannotLoad ? <LoadingPart what={t("common.theDocument")} /> : waiting(t("viewer.loadingTheDocument"))}>
      <Reader {...props} pdf={opened.pdf} sizes={opened.sizes} picture={picture} />
    </Suspense>
  );
}

function useLate(ms: number): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLate;
}
