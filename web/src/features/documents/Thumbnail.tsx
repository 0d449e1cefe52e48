import { usePicture } from "@/lib/api/pictures";
import { cx } from "@/lib/cx";
import type { Document } from "@/lib/documentState";
import { useInView } from "@/lib/inView";

const UNREAD: ReadonlySet<Document["state"]> = new Set(["uploaded", "ocr_processing", "ocr_failed"]);

/** The first page, small; an empty frame, which nobody takes for a blank page, as long as there is no picture. */
export function Thumbnail({ document }: { document: Document }) {
  const [frame, isSeen] = useInView<HTMLDivElement>();
  const { source } = usePicture(document.id, "thumbnail", { enabled: isSeen && !UNREAD.has(document.state) });
  return (
    <div ref={frame} aria-hidden className={cx("h-10 w-8 overflow-hidden rounded-xs border", source ? "bg-paper" : "bg-sunken")}>
      {source && <img src={source} alt="" className="size-full object-cover object-top" />}
    </div>
  );
}
