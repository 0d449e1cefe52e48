import { isOver } from "@/lib/agent/events";
import type { LogEvent, LogItem, TurnStatus } from "@/lib/agent/events";
import { emptyTurn, foldAll } from "@/lib/agent/fold";
import type { TurnFold } from "@/lib/agent/fold";
import { chatAddress, chatPlaces } from "@/lib/agent/subject";
import type { Subject } from "@/lib/agent/subject";
import { storedEvents, watchTurn } from "@/lib/agent/watch";
import { api, ask } from "@/lib/api/client";
import { Store } from "@/lib/store";

export interface ConversationState {
  isLoading: boolean;
  error: unknown;
  turns: TurnFold[];
  /** False while the line to a running turn is down. */
  isConnected: boolean;
}

interface Place {
  organizationId: string;
  subject: Subject;
  threadId: string;
  /** When the page was opened, as `performance.now()` tells it. */
  openedAt: number;
}

/** Text that arrives is drawn at most this often. */
const DRAW_EVERY_MS = 40;

/** Every list of a page was asked for at most this long before the page was opened: older ones are fetched again as it opens. */
const LISTS_ARE_KEPT_MS = 60_000;

export const NO_CONVERSATION: ConversationState = { isLoading: false, error: null, turns: [], isConnected: true };

/** One thread: its turns, folded from their logs. A turn that runs is followed until it is over. */
export class Conversation {
  readonly state = new Store<ConversationState>({ ...NO_CONVERSATION, isLoading: true });
  private end = new AbortController();
  private readonly watched = new Set<string>();
  private queue: { turnId: string; items: LogItem[] }[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private refreshing: Promise<void> | null = null;

  constructor(
    private readonly place: Place,
    /** Called with events that the page's lists may not know: those that arrive live, and those that came while it was opened. */
    private readonly onEvents: (events: LogEvent[]) => void,
  ) {}

  /** Bring everything up to date with the server: new turns, replaced ones, and events after the last that was seen. */
  refresh(): Promise<void> {
    const loading = this.refreshing ?? this.load();
    this.refreshing = loading;
    void loading.finally(() => {
      if (this.refreshing === loading) this.refreshing = null;
    });
    return loading;
  }

  open(): void {
    if (this.end.signal.aborted) this.end = new AbortController();
    void this.refresh();
  }

  /** Stop listening. The conversation goes on without us. */
  close(): void {
    this.end.abort();
    this.refreshing = null;
    this.watched.clear();
    if (this.timer) clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    const { organizationId, subject, threadId } = this.place;
    const { signal } = this.end;
    try {
      const thread = await ask(
        api.GET(chatAddress(subject, "/threads/{thread_id}"), {
          params: { path: { ...chatPlaces(organizationId, subject), thread_id: threadId } },
          signal,
        }),
      );
      const known = new Map(this.state.get().turns.map((turn) => [turn.id, turn]));
      const newest = thread.turns.at(-1)?.id;
      const caughtUp: LogEvent[] = [];
      const folded = await Promise.all(
        thread.turns.map(async (turn) => {
          const before = known.get(turn.id) ?? emptyTurn(turn.id);
          if (before.seq >= turn.last_seq) return before;
          if (this.watched.has(turn.id)) return before;
          const { events, toldAt } = await storedEvents(organizationId, turn.id, before.seq, signal);
          if (known.has(turn.id)) caughtUp.push(...events);
          else if (turn.id === newest) caughtUp.push(...events.filter(({ at }) => !this.isHistory(at, toldAt)));
          return foldAll(before, events);
        }),
      );
      if (signal.aborted) return;
      this.state.update((state) => ({ ...state, isLoading: false, error: null, turns: folded.map((turn) => newer(state, turn)) }));
      if (caughtUp.length) this.onEvents(caughtUp);
      for (const turn of thread.turns) if (!isOver(turn.state as TurnStatus)) this.watch(turn.id);
    } catch (error) {
      if (!signal.aborted) this.state.update((state) => ({ ...state, isLoading: false, error }));
    }
  }

  /** Whether something happened before anything of the page was fetched, by the server's clock. */
  private isHistory(at: string, toldAt: number): boolean {
    const sinceOpened = performance.now() - this.place.openedAt;
    return Date.parse(at) < toldAt - sinceOpened - LISTS_ARE_KEPT_MS;
  }

  private watch(turnId: string): void {
    if (this.watched.has(turnId)) return;
    this.watched.add(turnId);
    const { signal } = this.end;
    const turn = (): TurnFold | undefined => this.state.get().turns.find((one) => one.id === turnId);
    watchTurn(this.place.organizationId, turnId, {
      take: (items) => this.take(turnId, items),
      connected: (isConnected) => this.state.update((state) => (state.isConnected === isConnected ? state : { ...state, isConnected })),
      isOver: () => {
        this.flush();
        const now = turn();
        return !now || isOver(now.status);
      },
      lastSeq: () => {
        this.flush();
        return turn()?.seq ?? 0;
      },
      signal,
    })
      .catch((error: unknown) => this.state.update((state) => ({ ...state, error })))
      .finally(() => {
        if (!signal.aborted) this.watched.delete(turnId);
      });
  }

  private take(turnId: string, items: LogItem[]): void {
    this.queue.push({ turnId, items });
    this.timer ??= setTimeout(() => this.flush(), DRAW_EVERY_MS);
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (!this.queue.length) return;
    const taken = this.queue;
    this.queue = [];
    this.state.update((state) => ({
      ...state,
      turns: state.turns.map((turn) => foldAll(turn, taken.flatMap((one) => (one.turnId === turn.id ? one.items : [])))),
    }));
    const events = taken.flatMap((one) => one.items).filter((item): item is LogEvent => "seq" in item);
    if (events.length) this.onEvents(events);
  }
}

/** The newer state of a turn, so that events which arrived while the log was fetched are not lost. */
function newer(state: ConversationState, turn: TurnFold): TurnFold {
  const now = state.turns.find((one) => one.id === turn.id);
  return now && now.seq >= turn.seq ? now : turn;
}
