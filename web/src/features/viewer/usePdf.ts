import { useEffect, useRef, useState } from "react";

import { authorised } from "@/lib/api/client";
import { apiError } from "@/lib/api/errors";
import { bodyOf } from "@/lib/api/session";

import { takeAhead } from "./ahead";

import type { Size } from "./geometry";
import type { PDFDocumentProxy } from "./pdf";

export type Opened =
  | { status: "loading"; received: number }
  | { status: "open"; pdf: PDFDocumentProxy; sizes: Size[] }
  /** The file asks for a password, or for another one than was given. */
  | { status: "locked"; isWrong: boolean }
  | { status: "failed"; error: unknown };

/**
 * Fetch and open the PDF at an address, once it may. Sizes of later pages are guessed from the first until they are
 * known.
 */
export function usePdf(address: string, password: string | undefined, mayBegin: boolean): Opened {
  const bytes = useRef<{ address: string; data: Uint8Array } | null>(null);
  const [opened, setOpened] = useState<Opened>({ status: "loading", received: 0 });
  useEffect(() => {
    if (!mayBegin) return;
    const stop = new AbortController();
    let pdf: PDFDocumentProxy | null = null;
    const load = async (): Promise<void> => {
      setOpened({ status: "loading", received: 0 });
      const library = import("./pdf");
      if (bytes.current?.address !== address) {
        const onProgress = (received: number): void => setOpened({ status: "loading", received });
        const data = (await takeAhead(address)) ?? (await fetchedPdf(address, stop.signal, onProgress));
        bytes.current = { address, data };
      }
      const { openPdf, sizeOf, allSizes, asksForPassword } = await library;
      try {
        pdf = await openPdf(bytes.current.data, password);
      } catch (error) {
        if (!asksForPassword(error) || stop.signal.aborted) throw error;
        return setOpened({ status: "locked", isWrong: password !== undefined });
      }
      if (stop.signal.aborted) return void pdf.loadingTask.destroy();
      const first = sizeOf(await pdf.getPage(1));
      const sizes = Array.from({ length: pdf.numPages }, () => first);
      setOpened({ status: "open", pdf, sizes });
      if (await readSizes(allSizes(pdf), sizes, stop.signal)) setOpened({ status: "open", pdf, sizes: [...sizes] });
    };
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) setOpened({ status: "failed", error });
    });
    return () => {
      stop.abort();
      void pdf?.loadingTask.destroy();
    };
  }, [address, password, mayBegin]);
  return opened;
}

/** Fills in the sizes; true when one differs from the guess. */
async function readSizes(parts: AsyncGenerator<Size[]>, sizes: Size[], signal: AbortSignal): Promise<boolean> {
  let index = 0;
  let differs = false;
  for await (const part of parts) {
    if (signal.aborted) return false;
    for (const size of part) {
      const guessed = sizes[index];
      differs ||= guessed?.width !== size.width || guessed.height !== size.height;
      sizes[index] = size;
      index += 1;
    }
  }
  return differs;
}

/** Where the PDF of a document is fetched from. */
export function pdfAddress(organizationId: string, documentId: string): string {
  return `/v0/orgs/${organizationId}/documents/${documentId}/file?file_type=pdf`;
}

export async function fetchedPdf(address: string, signal?: AbortSignal, onProgress?: (received: number) => void): Promise<Uint8Array> {
  const answer = await authorised(new URL(address, location.origin).href, { signal });
  if (!answer.ok || !answer.body) throw apiError(answer.status, await bodyOf(answer));
  const chunks: Uint8Array[] = [];
  let received = 0;
  let told = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    received += value.length;
    if (received - told > 500_000) onProgress?.((told = received));
  }
  const data = new Uint8Array(received);
  let offset = 0;
  for (const chunk of chunks) {
    data.set(chunk, offset);
    offset += chunk.length;
  }
  return data;
}
