import { t } from "@/lib/i18n";

import { draw } from "./pdf";

import type { Rotation } from "./geometry";
import type { PDFDocumentProxy } from "./pdf";

const SCALE = 2;
const MOST_PAGES = 200;

/** Draw every page for the printer and open the browser's print dialog. `onProgress` hears which page is drawn. */
export async function printPages(
  pdf: PDFDocumentProxy,
  rotation: Rotation,
  onProgress: (page: number) => void,
): Promise<void> {
  if (pdf.numPages > MOST_PAGES) {
    throw new Error(t("viewer.onlyUpToMostPagesPagesAre", { mostPages: MOST_PAGES }));
  }
  const sheet = document.createElement("div");
  sheet.className = "printed";
  for (let number = 1; number <= pdf.numPages; number += 1) {
    onProgress(number);
    const canvas = await draw(await pdf.getPage(number), SCALE, rotation, 1).done;
    sheet.append(canvas);
  }
  document.body.append(sheet);
  window.addEventListener("afterprint", () => sheet.remove(), { once: true });
  window.print();
}
