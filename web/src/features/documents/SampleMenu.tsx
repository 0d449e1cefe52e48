import { Ellipsis, FileText } from "lucide-react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuLabel } from "@/components/Menu";
import { ErrorNote } from "@/components/Notes";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";

import { useSamples } from "./useSamples";

/** The samples of the first day, for every other day. */
export function SampleMenu({ autoCreate, onAdded }: { autoCreate: boolean; onAdded: () => void }) {
  const { samples, add } = useSamples(autoCreate, onAdded);
  useCommands(
    samples.map((sample) => ({
      id: `samples.${sample.name}`,
      label: t("documents.addASampleTitle", { title: sample.title.toLowerCase() }),
      words: t("documents.exampleDemoTry"),
      run: () => add.mutate(sample.name),
    })),
  );
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("documents.moreDocumentsToAdd")} />}>
        <MenuLabel>{t("documents.samplesToTryThingsWith")}</MenuLabel>
        {samples.map((sample) => (
          <MenuItem key={sample.name} icon={FileText} onSelect={() => add.mutate(sample.name)}>
            {sample.title}
          </MenuItem>
        ))}
      </Menu>
      {add.error && <ErrorNote what={t("documents.theSampleWasNotAdded")} error={add.error} onDismiss={() => add.reset()} />}
    </>
  );
}
