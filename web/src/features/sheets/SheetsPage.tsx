import { Link } from "@tanstack/react-router";

import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Table, Td, Th, Tr } from "@/components/Table";
import { useAllPrompts } from "@/lib/api/prompts";
import { useOrganization, useOrgPath } from "@/lib/organization";

const DEFAULT = { prompt_id: "default", name: "Document summary" };

/** The prompts of the organisation, each of which has a sheet. */
export default function SheetsPage() {
  const { default_prompt_enabled: hasDefault } = useOrganization();
  const orgPath = useOrgPath();
  const { data: prompts, error, isPending, refetch } = useAllPrompts();
  const all = [...(prompts ?? []), ...(hasDefault ? [DEFAULT] : [])];
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Sheets" />
      <p className="text-muted">Everything that a prompt has found, as one table: a row for each document. Look at it, correct it, export it.</p>
      {error && <ErrorNote what="The sheets cannot be shown." error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading what="your prompts" />}
      {prompts && !all.length && <EmptyState title="There is no prompt yet. Let the agent make one from a document." />}
      {prompts && all.length > 0 && (
        <Table label="Sheets">
          <thead>
            <tr>
              <Th>Prompt</Th>
            </tr>
          </thead>
          <tbody>
            {all.map((prompt) => (
              <Tr key={prompt.prompt_id}>
                <Td>
                  <Link to={orgPath(`sheets/${prompt.prompt_id}`)} className="font-medium hover:underline">
                    {prompt.name}
                  </Link>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </div>
  );
}
