import { Link, useNavigate } from "@tanstack/react-router";

import { BeforeDeleting } from "@/components/editor/Questions";
import { messageOf } from "@/lib/api/errors";
import { useAllPrompts } from "@/lib/api/prompts";
import type { Schema } from "@/lib/api/schemas";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import { useDeleteSchema } from "./useSchemas";

/** When the server refuses, the prompts that are in the way are told. */
export function DeleteSchema({ schema, onClose }: { schema: Schema; onClose: () => void }) {
  const remove = useDeleteSchema();
  const navigate = useNavigate();
  const orgPath = useOrgPath();
  const users = remove.error ? dependents(messageOf(remove.error)) : null;
  const { data: prompts = [] } = useAllPrompts();
  const gone = (): void => {
    toast(`Deleted the schema ${schema.name}.`);
    void navigate({ to: orgPath("schemas") });
  };
  return (
    <BeforeDeleting
      noun="schema"
      name={schema.name}
      isDeleting={remove.isPending}
      error={users ? "Prompts use it, or used it in an earlier version. Delete them first:" : remove.error}
      onDelete={() => remove.mutate(schema.schema_id, { onSuccess: gone })}
      onClose={onClose}
    >
      {users && (
        <ul aria-label="Prompts that use the schema" className="flex flex-col gap-1 pl-1">
          {users.map((user) => {
            const prompt = prompts.find((item) => item.name === user.name);
            return (
              <li key={`${user.name} ${user.schema_version}`}>
                {prompt ? (
                  <Link to={orgPath(`prompts/${prompt.prompt_id}`)} className="text-accent underline">
                    {user.name}
                  </Link>
                ) : (
                  user.name
                )}{" "}
                <span className="text-muted">uses version {user.schema_version}</span>
              </li>
            );
          })}
        </ul>
      )}
    </BeforeDeleting>
  );
}

/** The list at the end of the server's refusal; null when it says something else. */
export function dependents(message: string): { name: string; schema_version: number }[] | null {
  const start = message.indexOf("dependent prompts: [");
  if (start < 0) return null;
  try {
    return JSON.parse(message.slice(message.indexOf("[", start))) as { name: string; schema_version: number }[];
  } catch {
    return null;
  }
}
