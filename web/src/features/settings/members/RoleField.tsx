import { Field, Select } from "@/components/Field";

import type { Member } from "./useMembership";

export function RoleField({ role, onRole }: { role: Member["role"]; onRole: (role: Member["role"]) => void }) {
  return (
    <Field label="Role">
      {(control) => (
        <Select {...control} value={role} onChange={(event) => onRole(event.target.value as Member["role"])}>
          <option value="user">Member</option>
          <option value="admin">Administrator</option>
        </Select>
      )}
    </Field>
  );
}
