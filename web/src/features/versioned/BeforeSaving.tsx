import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { useAll, useSave } from "@/lib/api/versioned";
import type { Kind, Versioned } from "@/lib/api/versioned";
import { quoted } from "@/lib/format";
import { t } from "@/lib/i18n";

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
  const changing = toSave.onlyRenames ? t("versioned.renameNoun", { noun: kind.noun }) : t("versioned.saveVersion");
  const creating = next ? t("versioned.saveAsVersionNext", { next }) : t("versioned.createNoun", { noun: kind.noun });
  return (
    <section aria-label={t("versioned.beforeSaving")} className="flex max-h-[50dvh] flex-col gap-3 overflow-y-auto border-b bg-canvas px-4 py-3">
      {namesake && (
        <p>
          {t("versioned.thereIsANounNameAlready", { noun: kind.noun, name: quoted(namesake.name), next })}
        </p>
      )}
      {toSave.difference(namesake)}
      {save.error && <ErrorNote what={t("versioned.nothingWasSavedWhatYouTyped")} error={save.error} />}
      <div className="flex gap-2">
        <Button variant="primary" autoFocus busy={save.isPending && t("common.saving")} onClick={() => save.mutate(toSave.body, { onSuccess: onSaved })}>
          {id === null ? creating : changing}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t("versioned.keepEditing")}
        </Button>
      </div>
    </section>
  );
}
