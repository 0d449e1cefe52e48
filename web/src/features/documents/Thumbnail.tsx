import { usePicture } from "@/lib/api/pictures";
import type { Document } from "@/lib/documentState";
import { useInView } from "@/lib/inView";

const UNREAD: ReadonlySet<Document["state"]> = new Set(["uploaded", "ocr_processing", "ocr_failed"]);

/** The first page, small; an empty sheet as long as there is no picture. */
export function Thumbnail({ document }: { document: Document }) {
  const [frame, isSeen] = useInView<HTMLDivElement>();
  const { source } = usePicture(document.id, "thumbnail", { enabled: isSeen && !UNREAD.has(document.state) });
  return (
    <div ref={frame} aria-hidden className="h-10 w-8 overflow-hidden rounded-xs border bg-paper">
      {source && <img src={source} alt="" className="size-full object-cover object-top" />}
    </div>
  );
}
