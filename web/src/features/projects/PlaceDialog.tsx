import { Search } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { useProjectSearch } from "@/lib/api/projects";
import type { LivingEntry, Project } from "@/lib/api/projects";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { toast } from "@/lib/toasts";

import { MOST_NAME_CHARACTERS } from "./NameForm";
import { usePlacing } from "./usePlacing";

import type { Placing } from "./usePlacing";

interface PlaceDialogProps {
  entry: LivingEntry;
  way: "move" | "copy";
  onClose: () => void;
  onMoved: (back: Placing, to: string) => void;
}

const WORDS = {
  move: { get title() { return t("projects.move"); }, get action() { return t("projects.moveTo2"); }, get busy() { return t("projects.moving"); }, get failed() { return t("projects.nothingWasMoved"); } },
  copy: { get title() { return t("common.copy"); }, get action() { return t("projects.copyTo2"); }, get busy() { return t("projects.copying"); }, get failed() { return t("projects.nothingWasCopied"); } },
};

/** Choose the project that a document goes to, with all its versions. */
export function PlaceDialog({ entry, way, onClose, onMoved }: PlaceDialogProps) {
  const words = WORDS[way];
  const [find, setFind] = useState("");
  const [name, setName] = useState(entry.name);
  const [target, setTarget] = useState<Project | null>(null);
  const { data: found } = useProjectSearch(find);
  const projects = found?.filter((project) => way === "copy" || project.id !== entry.project_id);
  const place = usePlacing();
  const done = async (): Promise<void> => {
    if (!target) return;
    const given = name.trim() === entry.name ? undefined : name.trim();
    try {
      const placed = await place.mutateAsync({ way, from: entry.project_id, document: entry.id, to: target.id, name: given });
      onClose();
      if (way === "copy") toast(t("projects.nameHasACopyName2", { name: target.name, name2: placed.name }));
      else onMoved({ way, from: target.id, document: entry.id, to: entry.project_id, name: given && entry.name }, target.name);
    } catch {
      // The mutation holds the error, and it is shown below.
    }
  };
  return (
    <Dialog open onClose={onClose} title={way === "move" ? t("projects.moveName", { name: entry.name }) : t("projects.copyName", { name: entry.name })} description={t("projects.allItsVersionsAreIncluded")}>
      <div className="flex flex-col gap-3">
        <div className="relative">
          <Search size={15} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-muted" />
          <Input
            type="search"
            aria-label={t("projects.findAProject")}
            placeholder={t("projects.findAProject")}
            autoFocus
            className="pl-8"
            value={find}
            onChange={(event) => setFind(event.target.value)}
          />
        </div>
        <ul aria-label={t("projects.projectsToChooseFrom")} className="max-h-56 divide-y overflow-y-auto rounded-lg border bg-surface">
          {projects?.map((project) => (
            <li key={project.id}>
              <button
                type="button"
                aria-pressed={project.id === target?.id}
                onClick={() => setTarget(project)}
                className={cx(
                  "flex min-h-9 w-full items-center px-3 text-left hover:bg-hover focus-visible:-outline-offset-2",
                  project.id === target?.id && "bg-accent-soft font-medium",
                )}
              >
                <span className="min-w-0 flex-1 truncate">{project.name}</span>
                {project.id === entry.project_id && <span className="text-sm font-normal text-muted">{t("projects.thisProject")}</span>}
              </button>
            </li>
          ))}
          {!projects && <li className="px-3 py-2 text-muted">{t("projects.loadingProjects")}</li>}
          {projects?.length === 0 && <li className="px-3 py-2 text-muted">{find ? t("projects.noOtherProjectMatches") : t("projects.thereIsNoOtherProjectYet")}</li>}
        </ul>
        <Field label={t("projects.nameThere")}>
          {(control) => <Input {...control} maxLength={MOST_NAME_CHARACTERS} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {place.error && <ErrorNote what={words.failed} error={place.error} onDismiss={() => place.reset()} />}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            variant="primary"
            busy={place.isPending && words.busy}
            disabledBecause={target === null ? t("projects.chooseAProjectFirst") : !name.trim() && t("projects.giveItAName")}
            onClick={() => void done()}
          >
            {target ? way === "move" ? t("projects.moveToName", { name: target.name }) : t("projects.copyToName", { name: target.name }) : words.title}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
