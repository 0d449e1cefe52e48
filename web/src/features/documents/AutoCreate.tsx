import { Checkbox } from "@/components/Field";

interface AutoCreateProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** For documents that are uploaded from now on: the agent prepares each once it is read, and a person decides. */
export function AutoCreate({ checked, onChange }: AutoCreateProps) {
  return (
    <Checkbox
      label="Create schema and prompt for me"
      title="Once a document is read, the agent prepares both with a first extraction. Nothing is kept until you accept it."
      className="text-sm max-sm:order-1"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
