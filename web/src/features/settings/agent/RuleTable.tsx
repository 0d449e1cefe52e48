import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { RelativeTime } from "@/components/RelativeTime";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useDocument } from "@/lib/api/documents";
import { useNameOf } from "@/lib/api/members";
import { useProject } from "@/lib/api/projects";
import { words } from "@/lib/format";

import { useRevokeRule } from "./useRules";

import type { Rule } from "./useRules";

const EFFECTS: Record<string, string> = { allow: "Runs without asking", ask: "Always asks", deny: "Is refused" };

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
      {revoke.error && <ErrorNote what="Could not revoke the rule." error={revoke.error} onDismiss={() => revoke.reset()} />}
      <Table label={label}>
        <thead>
          <tr>
            <Th>Tool</Th>
            <Th>What happens</Th>
            <Th className="max-sm:hidden">Where</Th>
            <Th className="max-md:hidden">Since</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <Tr key={rule.id}>
              <Td>
                <span className="font-medium">{toolName(rule.tool)}</span>
                <span className="block text-sm text-muted sm:hidden">
                  <Where rule={rule} />
                </span>
              </Td>
              <Td>{EFFECTS[rule.effect] ?? rule.effect}</Td>
              <Td className="max-sm:hidden">
                <Where rule={rule} />
              </Td>
              <Td className="text-muted max-md:hidden">
                {rule.created_at && <RelativeTime date={rule.created_at} />} {nameOf(rule.created_by) && `by ${nameOf(rule.created_by)}`}
              </Td>
              <Td className="text-right">
                {canRevoke && (
                  <Button
                    small
                    variant="quiet"
                    aria-label={`Revoke: ${toolName(rule.tool)} ${(EFFECTS[rule.effect] ?? "").toLowerCase()}`}
                    busy={revoke.isPending && revoke.variables === rule.id && "Revoking"}
                    onClick={() => revoke.mutate(rule.id)}
                  >
                    Revoke
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
  const narrowed = Object.entries(rule.arguments).map(([name, value]) => `${words(name).toLowerCase()} is ${JSON.stringify(value)}`);
  return (
    <>
      {rule.project_id ? <ProjectName id={rule.project_id} /> : rule.document_id ? <DocumentName id={rule.document_id} /> : "Everywhere"}
      {narrowed.length > 0 && <span className="block text-sm text-muted">where {narrowed.join(", ")}</span>}
    </>
  );
}

function DocumentName({ id }: { id: string }) {
  const { data } = useDocument(id);
  return <>{data?.document_name ?? "One document"}</>;
}

function ProjectName({ id }: { id: string }) {
  const { data } = useProject(id);
  return <>{data?.name ?? "One project"}</>;
}

export function toolName(tool: string): string {
  return tool === "*" ? "Every tool" : words(tool);
}
