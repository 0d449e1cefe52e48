import { Tags, Upload } from "lucide-react";
import { useRef } from "react";

import { Button } from "@/components/Button";
import { Popover } from "@/components/Popover";
import { TagPicker } from "@/components/TagPicker";
import { useCreateTag, useTags } from "@/lib/api/tags";
import { useCommands } from "@/lib/commands";
import { t } from "@/lib/i18n";
import { useShortcut } from "@/lib/shortcuts";

import { FileButton } from "./FileButton";

interface UploadControlsProps {
  onFiles: (files: File[]) => void;
  tagIds: string[];
  onTagIds: (ids: string[]) => void;
}

/** The button that opens the file chooser, and the tags that new documents get. */
export function UploadControls({ onFiles, tagIds, onTagIds }: UploadControlsProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { data: tags = [] } = useTags();
  const createTag = useCreateTag();
  const choose = (): void => button.current?.click();
  useShortcut({ keys: "u", does: t("documents.uploadDocuments"), group: t("common.documents") }, choose);
  useCommands([{ id: "documents.upload", label: t("documents.uploadDocuments"), words: t("documents.addFile"), keys: "u", run: choose }]);
  return (
    <>
      <Popover
        label={t("documents.tagsForNewDocuments")}
        align="end"
        trigger={
          <Button variant="quiet" icon={Tags} className="max-sm:order-last">
            {tagIds.length ? t("documents.newOnesGetCountTag", { count: tagIds.length }) : t("documents.tagNewOnes")}
          </Button>
        }
      >
        <p className="mb-2 text-sm text-muted">{t("documents.documentsThatYouUploadNowGet")}</p>
        <TagPicker
          tags={tags}
          selected={tagIds}
          onChange={onTagIds}
          onCreate={async (name) => (await createTag.mutateAsync({ name })).id}
        />
      </Popover>
      <FileButton ref={button} icon={Upload} onFiles={onFiles}>
        {t("documents.uploadDocuments")}
      </FileButton>
    </>
  );
}
