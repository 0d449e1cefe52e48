import { useNavigate } from "@tanstack/react-router";

import { Button } from "@/components/Button";
import { ErrorNote } from "@/components/Notes";
import { useDelete } from "@/lib/api/versioned";
import type { Kind, Versioned } from "@/lib/api/versioned";
import { t } from "@/lib/i18n";
import { useOrgPath } from "@/lib/organization";
import { toast } from "@/lib/toasts";

import type { ReactNode } from "react";

/** Why the server refuses, in better words than its own, and what is in the way. */
export interface Refusal {
  why: string;
  inTheWay: ReactNode;
}

interface BeforeDeletingProps<T extends Versioned, Body> {
  kind: Kind<T, Body>;
  thing: T;
  /** Null when the server's own words will do. */
  explain?: (error: Error) => Refusal | null;
  onClose: () => void;
}

/** Asks once; what the server refuses is told in the same place. */
export function BeforeDeleting<T extends Versioned, Body>({ kind, thing, explain, onClose }: BeforeDeletingProps<T, Body>) {
  const { noun } = kind;
  const { name } = thing;
  const remove = useDelete(kind);
  const navigate = useNavigate();
  const orgPath = useOrgPath();
  const refusal = (remove.error && explain?.(remove.error)) ?? null;
  const gone = (): void => {
    toast(t("versioned.deletedTheNounName", { noun, name }));
    void navigate({ to: orgPath(`${noun}s`) });
  };
  return (
    <section aria-label={t("common.deleteName", { name })} className="flex flex-col gap-2 border-b bg-canvas px-4 py-3">
      {remove.error ? (
        <ErrorNote what={t("versioned.theNounIsStillHere", { noun })} error={refusal?.why ?? remove.error} onDismiss={onClose} />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <p>
            {t("versioned.deleteTheNounNameWithAll", { noun, name })}
          </p>
          <Button
            small
            variant="danger"
            autoFocus
            busy={remove.isPending && t("common.deleting")}
            onClick={() => remove.mutate(kind.revisionOf(thing).id, { onSuccess: gone })}
          >
            {t("versioned.deleteNoun", { noun })}
          </Button>
          <Button small variant="quiet" onClick={onClose}>
            {t("common.keep")}
          </Button>
        </div>
      )}
      {refusal?.inTheWay}
    </section>
  );
}
