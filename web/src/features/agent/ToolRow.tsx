import { Ban, Check, CircleAlert, Hourglass, LoaderCircle } from "lucide-react";

import { RawJson } from "@/components/agent/RawJson";
import type { Call } from "@/lib/agent/fold";
import { viewOf } from "@/lib/agent/looking";
import type { PageView } from "@/lib/agent/looking";
import { duration, readingWords } from "@/lib/agent/words";
import { usePicture } from "@/lib/api/pictures";
import { t } from "@/lib/i18n";

import { Elapsed } from "./Elapsed";
import { Fold } from "./Fold";
import { WebSources } from "./WebSources";

/** A call that only reads: one quiet line; its arguments and what it gave are inside. */
export function ToolRow({ call }: { call: Call }) {
  return (
    <>
      <Fold
        title={
          <>
            <ToolMark call={call} />
            <span className="truncate">{readingWords(call)}</span>
            {call.result?.isError && <span className="truncate text-bad">{call.result.ran ? t("agent.failed") : t("agent.notRun")}</span>}
            {call.stage === "waiting" && <span className="text-xs">{t("agent.runsWhenTheOthersAreDecided")}</span>}
          </>
        }
        note={call.result ? duration(call.result.milliseconds) : call.stage === "running" ? <Elapsed /> : null}
      >
        {() => <CallDetails call={call} />}
      </Fold>
      <WebSources call={call} />
      <LookedAt call={call} />
    </>
  );
}

/** What the model was shown. */
function LookedAt({ call }: { call: Call }) {
  const view = viewOf(call);
  return view ? <PagePicture {...view} /> : null;
}

function PagePicture({ documentId, page, region }: PageView) {
  const { source } = usePicture(documentId, `pages/${page}${region ? `?region=${region.join(",")}` : ""}`);
  if (!source) return null;
  return <img src={source} alt={t("agent.pageAsTheModelSawIt", { page })} className="my-1 max-h-60 max-w-full rounded border border-line-strong" />;
}

export function ToolMark({ call }: { call: Call }) {
  if (call.result?.isError) {
    const Icon = call.result.ran ? CircleAlert : Ban;
    return <Icon size={14} aria-hidden className="shrink-0 text-bad" />;
  }
  if (call.result) return <Check size={14} aria-hidden className="shrink-0" />;
  if (call.stage === "waiting") return <Hourglass size={14} aria-hidden className="shrink-0" />;
  return <LoaderCircle size={14} aria-hidden className="shrink-0 animate-spin" />;
}

/** What ran and what came of it, as it is. */
export function CallDetails({ call }: { call: Call }) {
  return (
    <>
      <RawJson label={call.decision?.edited ? t("agent.argumentsAsYouChangedThem") : t("common.arguments")} json={call.ran ?? call.arguments} />
      {call.result && <RawJson label={call.result.isError ? t("agent.whyNot") : t("common.result")} json={call.result.content} />}
    </>
  );
}

/** A long run of reads as one line. */
export function ReadsRow({ calls }: { calls: readonly Call[] }) {
  const running = calls.some((call) => call.result === null);
  const failed = calls.filter((call) => call.result?.isError).length;
  const time = calls.reduce((sum, call) => sum + (call.result?.milliseconds ?? 0), 0);
  const last = calls.at(-1);
  return (
    <Fold
      title={
        <>
          {last && <ToolMark call={last} />}
          <span className="truncate">
            {running ? t("agent.readingCountThingsSoFar", { count: calls.length }) : t("agent.readCountThings", { count: calls.length })}
            {failed > 0 && <span className="text-bad">{t("agent.failedFailed", { failed })}</span>}
          </span>
        </>
      }
      note={duration(time)}
    >
      {() => calls.map((call) => <ToolRow key={call.key} call={call} />)}
    </Fold>
  );
}
