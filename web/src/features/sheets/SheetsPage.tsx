import { Link } from "@tanstack/react-router";

import { MergeOffers } from "@/components/MergeOffers";
import { EmptyState, ErrorNote, Loading } from "@/components/Notes";
import { PageHeader } from "@/components/PageHeader";
import { Table, Td, Th, Tr } from "@/components/Table";
import { Thread } from "@/components/Thread";
import { useAllPrompts } from "@/lib/api/prompts";
import { t } from "@/lib/i18n";
import { useOrganization, useOrgPath } from "@/lib/organization";

const DEFAULT = { prompt_id: "default", get name() { return t("sheets.documentSummary"); } };

/** The prompts of the organisation, each of which has a sheet. */
export default function SheetsPage() {
  const { default_prompt_enabled: hasDefault } = useOrganization();
  const orgPath = useOrgPath();
  const { data: prompts, error, isPending, refetch } = useAllPrompts();
  const all = [...(prompts ?? []), ...(hasDefault ? [DEFAULT] : [])];
  return (
    <div className="flex flex-col gap-3">
      <div className="-mx-4 -mt-4 sm:-mx-6">
        <Thread />
      </div>
      <PageHeader title={t("common.sheets")} />
      <p className="text-muted">{t("sheets.everythingThatAPromptHasFound")}</p>
      {error && <ErrorNote what={t("sheets.theSheetsCannotBeShown")} error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading what={t("sheets.yourPrompts")} />}
      {prompts && !all.length && <EmptyState title={t("sheets.thereIsNoPromptYetLet")} />}
      <MergeOffers />
      {prompts && all.length > 0 && (
        <Table label={t("common.sheets")}>
          <thead>
            <tr>
              <Th>{t("common.prompt")}</Th>
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
