import { Field, Select } from "@/components/Field";
import { t } from "@/lib/i18n";

import type { Member } from "./useMembership";

export function RoleField({ role, onRole }: { role: Member["role"]; onRole: (role: Member["role"]) => void }) {
  return (
    <Field label={t("members.role")}>
      {(control) => (
        <Select {...control} value={role} onChange={(event) => onRole(event.target.value as Member["role"])}>
          <option value="user">{t("members.member")}</option>
          <option value="admin">{t("members.administrator")}</option>
        </Select>
      )}
    </Field>
  );
}
