import { Link } from "@tanstack/react-router";

import { RelativeTime } from "@/components/RelativeTime";
import { Td, Th, Tr } from "@/components/Table";
import { useNameOf } from "@/lib/api/members";
import type { Prompt } from "@/lib/api/prompts";
import { SCHEMAS } from "@/lib/api/schemas";
import type { Schema } from "@/lib/api/schemas";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { countFields } from "@/lib/schema/compare";

import { ListPage } from "../ListPage";

import { useUsers } from "./useSchemas";

const SORTABLE = ["name", "created_at"];

export default function SchemasPage() {
  const users = useUsers();
  return (
    <ListPage
      kind={SCHEMAS}
      about={t("schemas.aSchemaSaysWhichFieldsAn")}
      sortable={SORTABLE}
      headings={() => (
        <>
          <Th>{t("common.fields")}</Th>
          <Th className="max-sm:hidden">{t("schemas.usedBy")}</Th>
        </>
      )}
      row={(schema) => <SchemaRow key={schema.schema_id} schema={schema} users={users?.get(schema.schema_id) ?? (users ? [] : null)} />}
    />
  );
}

function SchemaRow({ schema, users }: { schema: Schema; users: Prompt[] | null }) {
  const orgPath = useOrgPath();
  const nameOf = useNameOf();
  return (
    <Tr>
      <Td>
        <Link to={orgPath(`schemas/${schema.schema_id}`)} className="font-medium hover:underline">
          {schema.name}
        </Link>
      </Td>
      <Td>{schema.schema_version}</Td>
      <Td>{countFields(schema.response_format)}</Td>
      <Td className="max-w-72 truncate max-sm:hidden">{users && <UsedBy users={users} />}</Td>
      <Td className="text-muted max-md:hidden">
        <RelativeTime date={schema.created_at} /> {nameOf(schema.created_by) && t("schemas.byCreatedBy", { createdBy: nameOf(schema.created_by) })}
      </Td>
    </Tr>
  );
}

function UsedBy({ users }: { users: Prompt[] }) {
  if (!users.length) return <span className="text-muted">{t("schemas.noPrompt")}</span>;
  const names = users.map((prompt) => prompt.name);
  return (
    <span title={names.join(", ")}>{names.length > 2 ? t("schemas.namesAndCountOther", { names: names.slice(0, 2).join(", "), count: names.length - 2 }) : names.join(", ")}</span>
  );
}
