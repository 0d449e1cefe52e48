import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { chatAddress, chatPlaces } from "@/lib/agent/subject";
import type { Subject } from "@/lib/agent/subject";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import { download } from "@/lib/download";
import { t } from "@/lib/i18n";
import { useOrganization } from "@/lib/organization";

export type Thread = Schemas["ThreadOut"];

const OTHERS_MAY_WRITE_MS = 10_000;

/** The user's conversations about the subject, last used first. */
export function useThreads(subject: Subject, search = "") {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [...keys.threads(id, subject.id), search],
    queryFn: () =>
      ask(
        api.GET(chatAddress(subject, "/threads"), {
          params: { path: chatPlaces(id, subject), query: { limit: 100, search: search || undefined } },
        }),
      ),
    refetchInterval: search ? false : OTHERS_MAY_WRITE_MS,
  });
}

export function useThreadChanges(subject: Subject) {
  const { id } = useOrganization();
  const queryClient = useQueryClient();
  const path = chatPlaces(id, subject);
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: keys.threads(id, subject.id) });
  const rename = useMutation({
    mutationFn: ({ threadId, title }: { threadId: string; title: string }) =>
      ask(
        api.PATCH(chatAddress(subject, "/threads/{thread_id}"), {
          params: { path: { ...path, thread_id: threadId } },
          body: { title },
        }),
      ),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (threadId: string) =>
      ask(
        api.DELETE(chatAddress(subject, "/threads/{thread_id}"), {
          params: { path: { ...path, thread_id: threadId } },
        }),
      ),
    onSuccess: () => Promise.all([onSuccess(), queryClient.invalidateQueries({ queryKey: keys.inbox(id) })]),
  });
  const save = (thread: Thread): Promise<void> =>
    download(`/v0/orgs/${id}/${subject.kind}s/${subject.id}/chat/threads/${thread.id}/export`, `${thread.title}.json`);
  return { rename, remove, save };
}

const DAY_MS = 86_400_000;

/** Threads by day, as people look for them: today, yesterday, this week, before. */
export function byDay(threads: readonly Thread[], now: Date = new Date()): { day: string; threads: Thread[] }[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const dayOf = (thread: Thread): string => {
    const then = Date.parse(thread.updated_at);
    if (then >= midnight) return t("agent.today");
    if (then >= midnight - DAY_MS) return t("agent.yesterday");
    return then >= midnight - 6 * DAY_MS ? t("agent.thisWeek") : t("agent.older");
  };
  const groups: { day: string; threads: Thread[] }[] = [];
  for (const thread of threads) {
    const day = dayOf(thread);
    const group = groups.at(-1);
    if (group?.day === day) group.threads.push(thread);
    else groups.push({ day, threads: [thread] });
  }
  return groups;
}
