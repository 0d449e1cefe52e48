import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useDocument } from "@/lib/api/documents";
import { useNameOf } from "@/lib/api/members";
import { useProject } from "@/lib/api/projects";
import { words } from "@/lib/format";
import { inSentence, t } from "@/lib/i18n";

import { useRevokeRule } from "./useRules";

import type { Rule } from "./useRules";

const EFFECTS: Record<string, string> = { get allow() { return t("rules.runsWithoutAsking"); }, get ask() { return t("rules.alwaysAsks"); }, get deny() { return t("rules.isRefused"); } };

interface RuleTableProps {
  label: string;
  rules: Rule[];
  empty: string;
  canRevoke: boolean;
}

export function RuleTable({ label, rules, empty, canRevoke }: RuleTableProps) {
  const revoke = useRevokeRule();
  const nameOf = useNameOf();
  if (!rules.length) return <p className="text-muted">{empty}</p>;
  return (
    <>
      {revoke.error && <ErrorNote what={t("rules.couldNotRevokeTheRule")} error={revoke.error} onDismiss={() => revoke.reset()} />}
      <Table label={label}>
        <thead>
          <tr>
            <Th>{t("rules.tool")}</Th>
            <Th>{t("rules.whatHappens")}</Th>
            <Th className="max-sm:hidden">{t("rules.where")}</Th>
            <Th className="max-md:hidden">{t("rules.since")}</Th>
            <Th>
              <span className="sr-only">{t("common.actions")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <Tr key={rule.id}>
              <Td>
                <span className="font-medium" lang={rule.tool === "*" ? undefined : "en"}>
                  {toolName(rule.tool)}
                </span>
                <span className="block text-sm text-muted sm:hidden">
                  <Where rule={rule} />
                </span>
              </Td>
              <Td>{EFFECTS[rule.effect] ?? rule.effect}</Td>
              <Td className="max-sm:hidden">
                <Where rule={rule} />
              </Td>
              <Td className="text-muted max-md:hidden">
                {rule.created_at && <RelativeTime date={rule.created_at} />} {nameOf(rule.created_by) && t("rules.byCreatedBy", { createdBy: nameOf(rule.created_by) })}
              </Td>
              <Td className="text-right">
                {canRevoke && (
                  <Button
                    small
                    variant="quiet"
                    aria-label={t("rules.revokeToolNameEffects", { toolName: toolName(rule.tool), effects: inSentence(EFFECTS[rule.effect] ?? "") })}
                    busy={revoke.isPending && revoke.variables === rule.id && t("common.revoking")}
                    onClick={() => revoke.mutate(rule.id)}
                  >
                    {t("common.revoke")}
                  </Button>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

function Where({ rule }: { rule: Rule }) {
  const narrowed = Object.entries(rule.arguments).map(([name, value]) => t("rules.nameIsValue", { name: words(name).toLowerCase(), value: JSON.stringify(value) }));
  return (
    <>
      {rule.project_id ? <ProjectName id={rule.project_id} /> : rule.document_id ? <DocumentName id={rule.document_id} /> : t("common.everywhere")}
      {narrowed.length > 0 && <span className="block text-sm text-muted">{t("rules.whereNarrowed", { narrowed: narrowed.join(", ") })}</span>}
    </>
  );
}

function DocumentName({ id }: { id: string }) {
  const { data } = useDocument(id);
  return <>{data?.document_name ?? t("rules.oneDocument")}</>;
}

function ProjectName({ id }: { id: string }) {
  const { data } = useProject(id);
  return <>{data?.name ?? t("rules.oneProject")}</>;
}

export function toolName(tool: string): string {
  return tool === "*" ? t("rules.everyTool") : words(tool);
}
