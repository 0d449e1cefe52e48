import { getDocument, GlobalWorkerOptions, PasswordException } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";

import type { Size } from "./geometry";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";

export type { PDFDocumentProxy, PDFPageProxy };

const FILES = "/static/pdfjs/";
const SIZES_AT_ONCE = 25;
const MOST_PIXELS = 16_000_000;

GlobalWorkerOptions.workerSrc = workerAddress;

/** Open a PDF from its bytes; pdf.js parses it in a worker of its own. */
export function openPdf(data: Uint8Array, password: string | undefined): Promise<PDFDocumentProxy> {
  return getDocument({
    // The worker takes what it is given; the bytes are still needed when the password is wrong.
    data: data.slice(),
    password,
    cMapUrl: `${FILES}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${FILES}standard_fonts/`,
    wasmUrl: `${FILES}wasm/`,
    enableXfa: false,
  }).promise;
}

export function asksForPassword(error: unknown): boolean {
  return error instanceof PasswordException;
}

/** The size of a page in points, turned as the file says. */
export function sizeOf(page: PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

/** The sizes of all pages, a few at a time: long documents are shown before the last size is known. */
export async function* allSizes(pdf: PDFDocumentProxy): AsyncGenerator<Size[]> {
  for (let first = 1; first <= pdf.numPages; first += SIZES_AT_ONCE) {
    const count = Math.min(SIZES_AT_ONCE, pdf.numPages - first + 1);
    const pages = await Promise.all(Array.from({ length: count }, (_, index) => pdf.getPage(first + index)));
    yield pages.map(sizeOf);
  }
}

/** Draw a page into a canvas of its own. `cancel` stops it; the promise is then refused. */
export function draw(page: PDFPageProxy, scale: number, rotation: number, density: number) {
  const plain = page.getViewport({ scale });
  const most = Math.sqrt(MOST_PIXELS / (plain.width * plain.height));
  const viewport = page.getViewport({
    scale: scale * Math.min(density, most),
    rotation: (page.rotate + rotation) % 360,
  });
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  return { done: task.promise.then(() => canvas), cancel: () => task.cancel() };
}
