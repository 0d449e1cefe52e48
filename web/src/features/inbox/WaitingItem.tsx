import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { Button } from "@/components/Button";
import { RelativeTime } from "@/components/RelativeTime";
import { ActionCard } from "@/components/agent/ActionCard";
import { PlanCard } from "@/components/agent/PlanCard";
import { QuestionCard } from "@/components/agent/QuestionCard";
import * as actions from "@/lib/agent/actions";
import type { Verdict } from "@/lib/agent/actions";
import type { Preview } from "@/lib/agent/events";
import { approval } from "@/lib/agent/hunks";
import { subjectOf } from "@/lib/agent/subject";
import { asObject } from "@/lib/agent/words";
import { useAgentTools } from "@/lib/api/agent";
import type { Waiting } from "@/lib/api/inbox";
import { keys } from "@/lib/api/queries";
import { t } from "@/lib/i18n";
import { useOrganization, useOrgPath } from "@/lib/organization";

/** One conversation that waits: what was asked, on which document or project, since when, and its cards. */
export function WaitingItem({ item }: { item: Waiting }) {
  const { id } = useOrganization();
  const orgPath = useOrgPath();
  const queryClient = useQueryClient();
  const subject = subjectOf(item);
  const name = item.project_name ?? item.document_name;
  const calls = item.calls.map((call) => ({ ...call, preview: call.preview as Preview | null }));
  const { data: toolbox } = useAgentTools(subject);
  const then = async (action: Promise<void>): Promise<void> => {
    try {
      await action;
    } finally {
      await queryClient.invalidateQueries({ queryKey: keys.inbox(id) });
      if (subject) await queryClient.invalidateQueries({ queryKey: keys[subject.kind](id, subject.id) });
    }
  };
  const decide = async (verdicts: Verdict[]): Promise<void> => {
    await then(actions.decide(id, subject, item.turn_id, verdicts));
  };
  return (
    <section aria-label={name ?? (subject ? t("inbox.aConversation") : t("inbox.aCallOfAProgram"))} className="flex flex-col gap-2">
      <header className="flex flex-wrap items-baseline gap-x-2">
        <h2 className="text-base">
          {subject ? (
            <Link
              to={orgPath(`${subject.kind}s/${subject.id}`)}
              search={{ tab: "agent", thread: item.thread_id ?? undefined }}
              className="hover:text-accent hover:underline"
            >
              {name ?? (subject.kind === "document" ? t("inbox.aDocument") : t("inbox.aProject"))}
            </Link>
          ) : (
            t("inbox.aCallOfAProgram")
          )}
        </h2>
        <p className="min-w-0 flex-1 truncate text-muted">{item.thread_id ? t("inbox.youAskedMessage", { message: item.message }) : item.message}</p>
        <p className="text-sm text-muted">
          <RelativeTime date={item.since} />
        </p>
      </header>
      {calls.map((call) => (
        <ActionCard
          key={call.id}
          call={call}
          parameters={asObject(toolbox?.tools.find((tool) => tool.name === call.name)?.parameters)}
          about={subject?.kind ?? null}
          onDecide={(verdict) => decide([verdict])}
        />
      ))}
      {calls.length > 1 && (
        <Button small variant="primary" className="sticky bottom-2 self-start shadow-float" onClick={() => void decide(calls.map(approval)).catch(() => undefined)}>
          {t("inbox.approveAllCount", { count: calls.length })}
        </Button>
      )}
      {item.question !== null && (
        <QuestionCard
          question={item.question}
          choices={item.choices}
          expiresAt={item.expires_at}
          onAnswer={(text) => then(actions.answer(id, item.turn_id, { text, seen: item.last_seq }))}
        />
      )}
      {item.plan && <PlanCard steps={item.plan} onDecide={(decision) => then(actions.decidePlan(id, item.turn_id, { ...decision, seen: item.last_seq }))} />}
    </section>
  );
}
