import { Checkbox } from "@/components/Field";

interface AutoCreateProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** For documents that are uploaded from now on: the agent sets each up once it is read, and asks before each change. */
export function AutoCreate({ checked, onChange }: AutoCreateProps) {
  return (
    <Checkbox
      label="Create schema and prompt for me"
      title="Once a document is read, the agent proposes both in a conversation. It asks before each change."
      className="text-sm max-sm:order-1"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
