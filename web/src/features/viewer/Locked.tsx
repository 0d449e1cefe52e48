import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { t } from "@/lib/i18n";

interface LockedProps {
  isWrong: boolean;
  onPassword: (password: string) => void;
}

/** A file that opens with a password only. What is typed stays in this window. */
export function Locked({ isWrong, onPassword }: LockedProps) {
  const [typed, setTyped] = useState("");
  return (
    <form
      className="mx-auto flex w-full max-w-80 flex-col gap-3 px-4 py-12"
      onSubmit={(event) => {
        event.preventDefault();
        onPassword(typed);
      }}
    >
      <p className="text-lg text-muted">{t("viewer.thePagesOfThisFileOpen")}</p>
      <Field label={t("common.password")} error={isWrong ? t("viewer.thisIsNotThePasswordOf") : null} hint={t("viewer.itIsUsedInThisWindow")}>
        {(control) => (
          <Input {...control} type="password" autoComplete="off" required value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <Button type="submit" variant="primary" className="self-start">
        {t("viewer.showThePages")}
      </Button>
    </form>
  );
}
