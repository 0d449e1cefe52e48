import { Link } from "@tanstack/react-router";

import { RelativeTime } from "@/components/RelativeTime";
import { Td, Th, Tr } from "@/components/Table";
import { TagChip } from "@/components/TagChip";
import { PROMPTS } from "@/lib/api/prompts";
import type { Prompt } from "@/lib/api/prompts";
import { useAllSchemas } from "@/lib/api/schemas";
import { useTags } from "@/lib/api/tags";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import { ListPage } from "../ListPage";

const SORTABLE = ["name", "model", "created_at"];

export default function PromptsPage() {
  return (
    <ListPage
      kind={PROMPTS}
      about={t("prompts.aPromptSaysWhatToLook")}
      sortable={SORTABLE}
      headings={(sort) => (
        <>
          <Th>{t("common.schema")}</Th>
          <Th className="max-md:hidden">{t("common.tags")}</Th>
          <Th field="model" {...sort} className="max-lg:hidden">
            {t("prompts.runsOn")}
          </Th>
        </>
      )}
      row={(prompt) => <PromptRow key={prompt.prompt_id} prompt={prompt} />}
    />
  );
}

function PromptRow({ prompt }: { prompt: Prompt }) {
  const orgPath = useOrgPath();
  const { data: schemas } = useAllSchemas();
  const { data: tags = [] } = useTags();
  const schema = schemas?.find((item) => item.schema_id === prompt.schema_id);
  const isOld = schema && prompt.schema_version !== null && prompt.schema_version < schema.schema_version;
  return (
    <Tr>
      <Td className="max-w-72">
        <Link to={orgPath(`prompts/${prompt.prompt_id}`)} className="block truncate font-medium hover:underline">
          {prompt.name}
        </Link>
      </Td>
      <Td>{prompt.prompt_version}</Td>
      <Td className="max-w-56 truncate">
        {schema ? (
          <>
            <Link to={orgPath(`schemas/${schema.schema_id}`)} className="hover:underline">
              {schema.name} v{prompt.schema_version}
            </Link>
            {isOld && <span className="text-muted">{t("prompts.newestIsVSchemaVersion", { schemaVersion: schema.schema_version })}</span>}
          </>
        ) : (
          <span className="text-muted">{t("common.none")}</span>
        )}
      </Td>
      <Td className="max-md:hidden">
        <span className="flex flex-wrap gap-1">
          {tags
            .filter((tag) => prompt.tag_ids.includes(tag.id))
            .map((tag) => (
              <TagChip key={tag.id} name={tag.name} color={tag.color} />
            ))}
        </span>
      </Td>
      <Td className="max-lg:hidden">{prompt.effective_model}</Td>
      <Td className="text-muted max-md:hidden">
        <RelativeTime date={prompt.created_at} />
      </Td>
    </Tr>
  );
}
