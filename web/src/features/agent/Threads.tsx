import { ChevronDown, Download, Pencil, Plus, Search, Trash2 } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "@/components/Button";
import { Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { Popover } from "@/components/Popover";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";

import { byDay, useThreadChanges, useThreads } from "./useThreads";

import type { Agent } from "./useAgent";
import type { Thread } from "./useThreads";

/** Which conversation is shown, and the way to the others. */
export function Threads({ agent }: { agent: Agent }) {
  const [isOpen, setIsOpen] = useState(false);
  const current = agent.threads?.find((thread) => thread.id === agent.threadId);
  const trigger = (
    <button
      type="button"
      aria-label={t("agent.conversationTitleChange", { title: current?.title ?? t("agent.newConversation") })}
      className="flex h-8 min-w-0 items-center gap-1 rounded-md px-2 hover:bg-hover"
    >
      <span className="truncate font-medium">{current?.title ?? t("agent.newConversation")}</span>
      <ChevronDown size={14} aria-hidden className="shrink-0 text-muted" />
    </button>
  );
  return (
    <div className="flex h-10 shrink-0 items-center justify-between gap-2 border-b px-2">
      <Popover label={t("agent.conversations")} trigger={trigger} open={isOpen} onOpenChange={setIsOpen} className="w-96 max-w-[calc(100vw-1rem)]">
        <ThreadList
          agent={agent}
          onChosen={(threadId) => {
            agent.choose(threadId);
            setIsOpen(false);
          }}
        />
      </Popover>
      <Button
        small
        variant="quiet"
        icon={Plus}
        disabledBecause={agent.threads !== undefined && agent.threadId === null && t("agent.thisIsANewConversationAlready")}
        onClick={() => agent.choose(null)}
      >
        {t("agent.new")}
      </Button>
    </div>
  );
}

function ThreadList({ agent, onChosen }: { agent: Agent; onChosen: (threadId: string) => void }) {
  const [search, setSearch] = useState("");
  const { data, error } = useThreads(agent.subject, search.trim());
  return (
    <div className="flex flex-col gap-2">
      <div className="relative">
        <Search size={14} aria-hidden className="absolute top-2 left-2 text-muted" />
        <Input aria-label={t("agent.findAConversation")} placeholder={t("agent.findAConversation")} className="pl-7" value={search} onChange={(event) => setSearch(event.target.value)} />
      </div>
      {error && <ErrorNote what={t("agent.theConversationsCannotBeShown")} error={error} />}
      {data?.length === 0 && <p className="text-muted">{search ? t("agent.noConversationIsCalledThat") : t("agent.thereAreNoConversationsYet")}</p>}
      <div className="max-h-80 overflow-y-auto">
        {byDay(data ?? []).map(({ day, threads }) => (
          <section key={day} aria-label={day}>
            <p aria-hidden className="px-2 py-1 text-xs text-muted">
              {day}
            </p>
            <ul>
              {threads.map((thread) => (
                <ThreadRow key={thread.id} agent={agent} thread={thread} onChosen={() => onChosen(thread.id)} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function ThreadRow({ agent, thread, onChosen }: { agent: Agent; thread: Thread; onChosen: () => void }) {
  const { rename, remove, save } = useThreadChanges(agent.subject);
  const [doing, setDoing] = useState<"renaming" | "deleting" | null>(null);
  const [title, setTitle] = useState(thread.title);
  const [problem, setProblem] = useState<{ what: string; error: unknown } | null>(null);
  const act = async (what: string, action: () => Promise<unknown>): Promise<void> => {
    setProblem(null);
    try {
      await action();
      setDoing(null);
    } catch (error) {
      setProblem({ what, error });
    }
  };
  const isShown = thread.id === agent.threadId;
  return (
    <li className={cx("rounded-sm", isShown && "bg-hover")}>
      {doing === "renaming" ? (
        <form
          className="flex gap-1 p-1"
          onSubmit={(event) => {
            event.preventDefault();
            if (title.trim()) void act(t("agent.theTitleWasNotChanged"), () => rename.mutateAsync({ threadId: thread.id, title: title.trim() }));
          }}
        >
          <Input
            autoFocus
            aria-label={t("agent.newTitle")}
            value={title}
            maxLength={255}
            onChange={(event) => setTitle(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.stopPropagation();
              setDoing(null);
            }}
          />
          <Button type="submit" busy={rename.isPending && t("common.saving")}>
            {t("common.rename")}
          </Button>
        </form>
      ) : (
        <div className="flex items-center">
          <button type="button" aria-current={isShown || undefined} onClick={onChosen} className="min-w-0 flex-1 truncate rounded-sm px-2 py-1 text-left hover:bg-hover">
            {thread.title}
          </button>
          <IconButton small icon={Pencil} label={t("agent.renameTitle", { title: thread.title })} onClick={() => setDoing("renaming")} />
          <IconButton small icon={Download} label={t("agent.exportTitle", { title: thread.title })} onClick={() => void act(t("agent.itWasNotExported"), () => save(thread))} />
          <IconButton small icon={Trash2} label={t("agent.deleteTitle", { title: thread.title })} onClick={() => setDoing("deleting")} />
        </div>
      )}
      {doing === "deleting" && (
        <div role="group" aria-label={t("agent.deleteTitle2", { title: thread.title })} className="flex flex-wrap items-center gap-2 p-2 text-sm">
          <p className="flex-1">{t("agent.deleteItWithEverythingInIt")}</p>
          <Button
            small
            variant="danger"
            autoFocus
            busy={remove.isPending && t("common.deleting")}
            onClick={() =>
              void act(t("common.itIsStillHere"), async () => {
                await remove.mutateAsync(thread.id);
                if (isShown) agent.choose(null);
              })
            }
          >
            {t("common.delete")}
          </Button>
          <Button small onClick={() => setDoing(null)}>
            {t("common.keep")}
          </Button>
        </div>
      )}
      {problem && <ErrorNote className="m-1" what={problem.what} error={problem.error} onDismiss={() => setProblem(null)} />}
    </li>
  );
}
