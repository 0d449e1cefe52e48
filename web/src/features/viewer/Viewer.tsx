import { lazy, Suspense, useState } from "react";

import { LoadingPart } from "@/components/LoadingPart";
import { ErrorNote, Loading } from "@/components/Notes";
import { fileSize } from "@/lib/format";
import { part } from "@/lib/parts";

import { Locked } from "./Locked";
import { TextOnly } from "./TextOnly";
import { usePdf } from "./usePdf";

import type { ViewerProps } from "./ViewerProps";

const Reader = lazy(part(() => import("./Reader")));

/** The document as it looks, or its text where there is nothing to look at. */
export function Viewer(props: ViewerProps) {
  const [typed, setTyped] = useState<string>();
  const opened = usePdf(props.address, typed ?? props.password);
  if (opened.status === "locked") return <Locked isWrong={opened.isWrong} onPassword={setTyped} />;
  if (opened.status === "loading") {
    return <Loading what={`the document${opened.received ? `, ${fileSize(opened.received)} so far` : ""}`} />;
  }
  if (opened.status === "failed") {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ErrorNote className="m-4" what="The pages cannot be shown." error={opened.error} />
        {props.reading !== null && (
          <TextOnly documentId={props.documentId} reading={props.reading} pageCount={props.pageCount} lit={props.lit} />
        )}
      </div>
    );
  }
  return (
    <Suspense fallback={<LoadingPart what="the document" />}>
      <Reader {...props} pdf={opened.pdf} sizes={opened.sizes} />
    </Suspense>
  );
}
