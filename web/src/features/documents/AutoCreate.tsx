import { Checkbox } from "@/components/Field";
import { t } from "@/lib/i18n";

interface AutoCreateProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** For documents that are uploaded from now on: the agent prepares each once it is read, and a person decides. */
export function AutoCreate({ checked, onChange }: AutoCreateProps) {
  return (
    <Checkbox
      label={t("documents.findTheValuesForMe")}
      title={t("documents.onceADocumentIsReadThe")}
      className="text-sm max-sm:order-1"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
