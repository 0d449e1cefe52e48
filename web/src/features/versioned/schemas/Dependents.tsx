import { Link } from "@tanstack/react-router";

import { messageOf } from "@/lib/api/errors";
import { useAllPrompts } from "@/lib/api/prompts";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";

import type { Refusal } from "../BeforeDeleting";

interface Dependent {
  name: string;
  schema_version: number;
}

/** When the server does not delete a schema, the prompts that are in the way are told. */
export function explainRefusal(error: Error): Refusal | null {
  const found = dependents(messageOf(error));
  return found && { why: t("schemas.promptsUseItOrUsedIt"), inTheWay: <Dependents found={found} /> };
}

function Dependents({ found }: { found: Dependent[] }) {
  const orgPath = useOrgPath();
  const { data: prompts = [] } = useAllPrompts();
  return (
    <ul aria-label={t("schemas.promptsThatUseTheSchema")} className="flex flex-col gap-1 pl-1">
      {found.map(({ name, schema_version: version }) => {
        const prompt = prompts.find((item) => item.name === name);
        return (
          <li key={`${name} ${version}`}>
            {prompt ? (
              <Link to={orgPath(`prompts/${prompt.prompt_id}`)} className="text-accent underline">
                {name}
              </Link>
            ) : (
              name
            )}{" "}
            <span className="text-muted">{t("schemas.usesVersionVersion", { version })}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** The list at the end of the server's refusal; null when it says something else. */
function dependents(message: string): Dependent[] | null {
  const start = message.indexOf("dependent prompts: [");
  if (start < 0) return null;
  try {
    return JSON.parse(message.slice(message.indexOf("[", start))) as Dependent[];
  } catch {
    return null;
  }
}
