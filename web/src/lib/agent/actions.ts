import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";

import { chatAddress, chatPlaces } from "./subject";

import type { Subject } from "./subject";

export type Verdict = Schemas["ApprovalIn"];
export type Message = Partial<Schemas["ChatTurnIn"]> & Pick<Schemas["ChatTurnIn"], "messages">;

export interface StartedTurn {
  turn: string;
  thread_id: string | null;
  state: string;
}

/** Start a turn; it runs on the server whether or not anyone looks. */
export async function startTurn(organizationId: string, subject: Subject, message: Message): Promise<StartedTurn> {
  const body = { ...message, background: true } as Schemas["ChatTurnIn"];
  const path = chatPlaces(organizationId, subject);
  const started: unknown = await ask(api.POST(chatAddress(subject), { params: { path }, body }));
  return started as StartedTurn;
}

/** Verdicts on calls; what is not named goes on waiting. What a program called may be about no document and no project. */
export async function decide(organizationId: string, subject: Subject | null, turnId: string, approvals: Verdict[]): Promise<void> {
  if (subject === null) {
    const body = { approvals, partial: true } as Schemas["DecideIn"];
    await ask(api.POST("/v0/orgs/{organization_id}/turns/{turn_id}/decide", { ...turnPath(organizationId, turnId), body }));
    return;
  }
  const body = { turn_id: turnId, approvals, partial: true, background: true } as Schemas["ApproveIn"];
  const path = chatPlaces(organizationId, subject);
  await ask(api.POST(chatAddress(subject, "/approve"), { params: { path }, body }));
}

const turnPath = (organizationId: string, turnId: string) => ({
  params: { path: { organization_id: organizationId, turn_id: turnId } },
});

/** `seen` is the number of the last event that the page shows: what came after it is not answered by this. */
export async function answer(organizationId: string, turnId: string, body: { text: string; seen: number }): Promise<void> {
  await ask(api.POST("/v0/orgs/{organization_id}/turns/{turn_id}/answer", { ...turnPath(organizationId, turnId), body }));
}

export async function decidePlan(organizationId: string, turnId: string, body: Schemas["PlanIn"] & { seen: number }): Promise<void> {
  await ask(api.POST("/v0/orgs/{organization_id}/turns/{turn_id}/plan", { ...turnPath(organizationId, turnId), body }));
}

export async function steer(organizationId: string, turnId: string, text: string): Promise<void> {
  await ask(api.POST("/v0/orgs/{organization_id}/turns/{turn_id}/steer", { ...turnPath(organizationId, turnId), body: { text } }));
}

export async function stop(organizationId: string, turnId: string): Promise<void> {
  await ask(api.POST("/v0/orgs/{organization_id}/turns/{turn_id}/stop", turnPath(organizationId, turnId)));
}

export async function undo(organizationId: string, turnId: string, callId: string): Promise<void> {
  await ask(
    api.POST("/v0/orgs/{organization_id}/turns/{turn_id}/undo", { ...turnPath(organizationId, turnId), body: { call_id: callId } }),
  );
}
