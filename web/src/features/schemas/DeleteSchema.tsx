import { Link, useNavigate } from "@tanstack/react-router";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { messageOf } from "@/lib/api/errors";
import { useAllPrompts } from "@/lib/api/prompts";
import type { Schema } from "@/lib/api/schemas";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import { useDeleteSchema } from "./useSchemas";

/** Asks once; what the server refuses is told here, with the prompts that are in the way. */
export function DeleteSchema({ schema, onClose }: { schema: Schema; onClose: () => void }) {
  const remove = useDeleteSchema();
  const navigate = useNavigate();
  const orgPath = useOrgPath();
  const users = remove.error ? dependents(messageOf(remove.error)) : null;
  const { data: prompts = [] } = useAllPrompts();
  return (
    <section aria-label={`Delete ${schema.name}?`} className="flex flex-col gap-2 border-b bg-canvas px-4 py-3">
      {!remove.error && (
        <div className="flex flex-wrap items-center gap-2">
          <p>Delete the schema {schema.name} with all its versions?</p>
          <Button
            small
            variant="danger"
            autoFocus
            busy={remove.isPending && "Deleting"}
            onClick={() =>
              remove.mutate(schema.schema_id, {
                onSuccess: () => {
                  toast(`Deleted the schema ${schema.name}.`);
                  void navigate({ to: orgPath("schemas") });
                },
              })
            }
          >
            Delete schema
          </Button>
          <Button small variant="quiet" onClick={onClose}>
            Keep
          </Button>
        </div>
      )}
      {remove.error && !users && <ErrorNote what="The schema is still here." error={remove.error} onDismiss={onClose} />}
      {users && (
        <ErrorNote what="The schema is still here." error="Prompts use it, or used it in an earlier version. Delete them first:" onDismiss={onClose} />
      )}
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
    </section>
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
