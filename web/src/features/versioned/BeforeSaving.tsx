import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { useAll, useSave } from "@/lib/api/versioned";
import type { Kind, Versioned } from "@/lib/api/versioned";
import { quoted } from "@/lib/format";

import type { ReactNode } from "react";

/** What is to be saved. */
export interface ToSave<T, Body> {
  body: Body;
  /** Whether a thing already has the name of the new one: then that thing gets a version instead. */
  isNamesake: (thing: T) => boolean;
  /** Whether only the name changes, which makes no version. */
  onlyRenames: boolean;
  /** What will change, compared with the namesake if there is one. */
  difference: (namesake: T | undefined) => ReactNode;
}

interface BeforeSavingProps<T extends Versioned, Body> {
  kind: Kind<T, Body>;
  id: string | null;
  toSave: ToSave<T, Body>;
  onSaved: (thing: T) => void;
  onClose: () => void;
}

/** Shows what will change, before it is saved. */
export function BeforeSaving<T extends Versioned, Body>({ kind, id, toSave, onSaved, onClose }: BeforeSavingProps<T, Body>) {
  const save = useSave(kind, id);
  const { data: all = [] } = useAll(kind);
  const namesake = id === null ? all.find(toSave.isNamesake) : undefined;
  const next = namesake && kind.revisionOf(namesake).version + 1;
  const changing = toSave.onlyRenames ? `Rename ${kind.noun}` : "Save version";
  const creating = next ? `Save as version ${next}` : `Create ${kind.noun}`;
  return (
    <section aria-label="Before saving" className="flex max-h-[50dvh] flex-col gap-3 overflow-y-auto border-b bg-canvas px-4 py-3">
      {namesake && (
        <p>
          There is a {kind.noun} {quoted(namesake.name)} already. Saving makes this its version {next}.
        </p>
      )}
      {toSave.difference(namesake)}
      {save.error && <ErrorNote what="Nothing was saved; what you typed is still here." error={save.error} />}
      <div className="flex gap-2">
        <Button variant="primary" autoFocus busy={save.isPending && "Saving"} onClick={() => save.mutate(toSave.body, { onSuccess: onSaved })}>
          {id === null ? creating : changing}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Keep editing
        </Button>
      </div>
    </section>
  );
}
