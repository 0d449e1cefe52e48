import type { Spot, Target } from "@/lib/places";

/** What is shown of a document, and where. */
export interface ViewerProps {
  documentId: string;
  /** Where the PDF is fetched from. */
  address: string;
  pageCount: number;
  /** Names the reading of the text, so that a new one is fetched; null while there is none. */
  reading: string | null;
  /** Words that light up. */
  lit: Spot[];
  /** A place to scroll to; a new object scrolls again. */
  goTo: { spot: Spot } | null;
  /** Words that lead somewhere when they are clicked. */
  targets: Target[];
  onPick: (target: Target) => void;
  showText: boolean;
  /** As large as on paper to begin with, where there is little room. */
  isClose?: boolean;
  /** The password of the file, where it is known. */
  password?: string;
}
