import { useState } from "react";

import { useAlikeSheets, useMergePreview, useMerging, useMergesInto } from "@/lib/api/merges";
import type { AlikeSheets } from "@/lib/api/merges";
import type { ProposalGroup } from "@/lib/api/proposals";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";
import { useRemembered } from "@/lib/remembered";
import { toast } from "@/lib/toasts";

import { Button } from "./Button";
import { ErrorNote, Loading } from "./Notes";
import { Table, Td, Th, Tr } from "./Table";

/** Sheets that share their heart, offered as one. With groups, those of which documents of a group wait for a verdict. */
export function MergeOffers({ groups }: { groups?: readonly ProposalGroup[] }) {
  const [apart, setApart] = useRemembered<string[]>("sheets.apart", []);
  const { data } = useAlikeSheets();
  const waiting = new Set(groups?.map(({ prompt }) => prompt?.prompt_id));
  const offered = data?.filter(({ into, source }) =>
    groups ? waiting.has(into.prompt_id) || waiting.has(source.prompt_id) : !into.proposal_id && !source.proposal_id,
  );
  return offered
    ?.filter((alike) => !apart.includes(keyOf(alike)))
    .map((alike) => (
      <Offer key={keyOf(alike)} alike={alike} groups={groups ?? []} onApart={() => setApart([...apart, keyOf(alike)])} />
    ));
}

const keyOf = ({ into, source }: AlikeSheets): string => `${into.prompt_id} ${source.prompt_id}`;

function Offer({ alike, groups, onApart }: { alike: AlikeSheets; groups: readonly ProposalGroup[]; onApart: () => void }) {
  const { into, source, shared } = alike;
  const { merge } = useMerging();
  const [isShown, setIsShown] = useState(false);
  const promptIds = [into.prompt_id, source.prompt_id];
  const accepted = groups.filter(({ prompt }) => prompt && promptIds.includes(prompt.prompt_id));
  const run = (): void =>
    merge.mutate({ alike, groups: accepted }, { onSuccess: () => toast(t("merge.merged", { name: into.name, count: into.documents + source.documents })) });
  return (
    <section aria-label={t("merge.offerOf", { into: into.name, source: source.name })} className="flex flex-col gap-2 rounded-lg border border-warm-line bg-warm-soft p-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1">
          {t("merge.offer", { intoCount: into.documents, sourceCount: source.documents, into: into.name, source: source.name, shared })}
        </p>
        <Button small aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? t("merge.hideTheColumns") : t("merge.showTheColumns")}
        </Button>
        <Button small variant="primary" busy={merge.isPending && t("merge.merging")} onClick={run}>
          {accepted.length ? t("merge.acceptAsOneSheet") : t("merge.merge")}
        </Button>
        <Button small variant="quiet" onClick={onApart}>
          {t("merge.keepApart")}
        </Button>
      </div>
      {merge.error && <ErrorNote what={t("merge.couldNotMerge")} error={merge.error} onDismiss={() => merge.reset()} />}
      {isShown && <Columns alike={alike} />}
    </section>
  );
}

function Columns({ alike }: { alike: AlikeSheets }) {
  const { data, error } = useMergePreview(alike, true);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading what={t("merge.theColumns")} />;
  return (
    <div className="flex flex-col gap-1">
      <div className="max-h-72 overflow-auto rounded-md border bg-surface">
        <Table label={t("merge.theColumns")}>
          <thead>
            <tr>
              <Th>{t("merge.inTheMergedSheet")}</Th>
              <Th>{data.into.name}</Th>
              <Th>{data.source.name}</Th>
            </tr>
          </thead>
          <tbody>
            {data.fields.map(({ name, ours, theirs }) => (
              <Tr key={name}>
                <Td>{words(name)}</Td>
                <Td>{ours ? words(ours) : <Missing />}</Td>
                <Td>{theirs ? words(theirs) : <Missing />}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
      <p className="text-sm text-muted">
        {t("merge.whatHappens", { into: data.into.name, source: data.source.name })}
        {data.in_both > 0 && ` ${t("merge.inBoth", { count: data.in_both, into: data.into.name })}`}
      </p>
    </div>
  );
}

function Missing() {
  return <span className="text-muted">{t("merge.stays")}</span>;
}

/** What was merged into a sheet, with the way back. */
export function MergedLine({ promptId }: { promptId: string }) {
  const [last] = useMergesInto(promptId).data ?? [];
  const { undo } = useMerging();
  if (!last) return null;
  const restored = ({ restored: count, kept }: { restored: number; kept: number }): void => toast(t("merge.undone", { count, kept }));
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
      {t("merge.documentsOfAnotherSheet", { count: last.documents })}
      <Button small busy={undo.isPending && t("common.undoing")} onClick={() => undo.mutate(last.merge_id, { onSuccess: restored })}>
        {t("merge.undo")}
      </Button>
      {undo.error && <ErrorNote error={undo.error} onDismiss={() => undo.reset()} />}
    </p>
  );
}
