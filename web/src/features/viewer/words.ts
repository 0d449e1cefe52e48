import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { useOrganization } from "@/lib/organization";
import type { Box } from "@/lib/places";

import type { Word } from "./find";
import type { Point } from "./geometry";

export type TextPage = Schemas["PageWordsOut"];

const AT_ONCE = 20;

function wordsQuery(organizationId: string, documentId: string, part: number, reading: string) {
  return queryOptions({
    queryKey: [organizationId, "words", documentId, reading, part],
    queryFn: async () => {
      const found = await ask(
        api.GET("/v0/orgs/{organization_id}/ocr/words/{document_id}", {
          params: {
            path: { organization_id: organizationId, document_id: documentId },
            query: { first_page: part * AT_ONCE + 1, limit: AT_ONCE },
          },
        }),
      );
      // The client's types lose the length of a tuple.
      return found as Schemas["WordsOut"];
    },
    staleTime: Infinity,
  });
}

/** The words of one page with their boxes; null while there are none. `reading` changes when the text is read again. */
export function usePageWords(documentId: string, page: number, reading: string | null): TextPage | null {
  const { id } = useOrganization();
  const part = Math.floor((page - 1) / AT_ONCE);
  const { data } = useQuery({ ...wordsQuery(id, documentId, part, reading ?? ""), enabled: reading !== null });
  return data?.pages.find((item) => item.number === page) ?? null;
}

/** The box of the word under a point of the page, given as fractions. */
export function wordAt(page: TextPage | null, { x, y }: Point): Box | null {
  for (const line of page?.lines ?? []) {
    for (const [, left, top, right, bottom] of line as unknown as Word[]) {
      if (x >= left && x <= right && y >= top && y <= bottom) return [left, top, right, bottom];
    }
  }
  return null;
}

/** Every page with its words, fetched a few at a time; calls back with how many pages are there. */
export function useAllWords(documentId: string, reading: string | null) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  return useCallback(
    async (onProgress: (pages: number, of: number) => void): Promise<TextPage[]> => {
      const pages: TextPage[] = [];
      if (reading === null) return pages;
      for (let part = 0; ; part += 1) {
        const found = await queryClient.ensureQueryData(wordsQuery(id, documentId, part, reading));
        pages.push(...found.pages);
        onProgress(pages.length, found.page_count);
        if (found.pages.length < AT_ONCE) return pages;
      }
    },
    [id, documentId, reading, queryClient],
  );
}
