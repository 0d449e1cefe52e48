import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { useOrganization } from "@/lib/organization";

import { authorised } from "./client";

/** Pictures are fetched a few at a time: a browser has few lines to a server, and some pictures are only drawn now. */
const AT_ONCE = 3;
const waiting: (() => void)[] = [];
let underWay = 0;

async function taking<T>(turn: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  else underWay += 1;
  try {
    return await turn();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }
}

async function fetched(address: string, signal: AbortSignal): Promise<Blob | null> {
  const answer = await authorised(new URL(address, location.origin).href, { signal });
  return answer.status === 200 ? answer.blob() : null;
}

export interface Shown {
  /** An address for `img`; null as long as there is no picture. */
  source: string | null;
  /** Whether it is known if there is a picture. */
  isSettled: boolean;
}

/** A picture of a document: `first`, `thumbnail` or `strips/0`. A document that cannot be drawn has none. */
export function usePicture(documentId: string, name: string, { enabled = true, urgent = false } = {}): Shown {
  const { id } = useOrganization();
  const { data, isPending } = useQuery({
    queryKey: [id, "pictures", documentId, name],
    queryFn: ({ signal }) => {
      const ask = () => fetched(`/v0/orgs/${id}/documents/${documentId}/pictures/${name}`, signal);
      return urgent ? ask() : taking(ask);
    },
    // A picture never changes, but one that is not there may come.
    staleTime: ({ state }) => (state.data ? Infinity : 0),
    retry: false,
    enabled,
  });
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setSource(made);
    return () => {
      URL.revokeObjectURL(made);
      setSource(null);
    };
  }, [data]);
  return { source, isSettled: !enabled || !isPending };
}
