import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";

import { readStream, wait } from "@/lib/agent/stream";
import { useOrganization } from "@/lib/organization";
import { Store, useStore } from "@/lib/store";

import { ApiError } from "./errors";
import { keys } from "./queries";

const NET_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** A list is fetched at once when something in it changes, and then at most this often. */
const BREATH_MS = 1_000;

type Told = { type: "document"; id: string } | { type: "inbox"; id: string } | { type: "hearing"; all: boolean } | { type: "error" };
type Key = readonly unknown[];

/** Whether the server tells of every change, so that looking by oneself is only the net under it. */
const hearsAll = new Store(false);

/** How soon to look again at something that the server also tells of. */
export function useNet(): (interval: number | false) => number | false {
  const hears = useStore(hearsAll);
  return useCallback((interval) => (hears && interval !== false ? Math.max(interval, NET_MS) : interval), [hears]);
}

/** Fetch again what changed in the organisation, as the server tells of it, while the page can be seen. */
export function useChanges(): void {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresher = new Refresher((queryKey) => void queryClient.invalidateQueries({ queryKey }));
    let listening: AbortController | null = null;
    // A browser opens few connections to one server, so a page that nobody sees gives its own back.
    const look = (): void => {
      if (document.hidden) {
        listening?.abort();
        listening = null;
      } else if (!listening) {
        listening = new AbortController();
        void listen(id, refresher, listening.signal);
      }
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      listening?.abort();
      refresher.stop();
    };
  }, [id, queryClient]);
}

async function listen(org: string, refresher: Refresher, signal: AbortSignal): Promise<void> {
  const url = new URL(`/v0/orgs/${org}/changes`, location.origin).href;
  let pause = FIRST_PAUSE_MS;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await readStream(url, {
        signal,
        opened: () => {
          pause = FIRST_PAUSE_MS;
          if (!isFirst) refresher.touch(keys.documents(org), [org, "document"], keys.proposals(org), keys.inbox(org));
          isFirst = false;
        },
        take: (lines) => {
          for (const line of lines as Told[]) takeIn(line, org, refresher);
        },
      });
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) break;
    }
    hearsAll.set(false);
    await wait(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
  hearsAll.set(false);
}

function takeIn(line: Told, org: string, refresher: Refresher): void {
  if (line.type === "hearing") hearsAll.set(line.all);
  else if (line.type === "inbox") refresher.touch(keys.inbox(org));
  else if (line.type === "document") refresher.touch(keys.document(org, line.id), keys.documents(org), keys.proposals(org));
}

/** Passes keys on: the first at once, and those that come soon after it together, a moment later. */
export class Refresher {
  private readonly waiting = new Map<string, Key>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly refresh: (key: Key) => void) {}

  touch(...touched: Key[]): void {
    for (const key of touched) this.waiting.set(JSON.stringify(key), key);
    if (this.timer === null) this.pass();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.waiting.clear();
  }

  private pass(): void {
    const passed = [...this.waiting.values()];
    this.waiting.clear();
    passed.forEach(this.refresh);
    this.timer = passed.length ? setTimeout(() => this.pass(), BREATH_MS) : null;
  }
}
