import { asObject, parsed } from "./words";

import type { Call } from "./fold";

export interface WebSource {
  title: string;
  address: string;
  host: string;
  published: string | null;
}

/** What a search on the web found. Only http and https addresses become links, whatever the log says. */
export function webSources(call: Call): WebSource[] {
  if (call.name !== "search_web" || !call.result || call.result.isError) return [];
  const { sources } = asObject(parsed(call.result.content));
  return Array.isArray(sources) ? sources.flatMap(source) : [];
}

function source(given: unknown): WebSource[] {
  const { title, address, published } = asObject(given);
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.username || url.password) return [];
  return [
    {
      title: typeof title === "string" && title ? title : url.host,
      address: url.href,
      host: url.host,
      published: typeof published === "string" ? published : null,
    },
  ];
}
