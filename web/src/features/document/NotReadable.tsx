import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { messageOf } from "@/lib/api/errors";
import type { Document } from "@/lib/documentState";
import { t } from "@/lib/i18n";

import { useDocumentActions } from "./useDocumentActions";

const NO_PAGES = new Set(["encrypted", "wrong_password", "damaged", "empty", "unsupported"]);

/** Whether there may be something to look at, although the text could not be read. */
export function hasPages({ state, state_reason_code: code }: Document): boolean {
  return state !== "ocr_failed" || !NO_PAGES.has(code ?? "");
}

/** Why a document could not be read. The server's words end in what to do with this kind of file. */
export function NotReadable({ document, onPassword }: { document: Document; onPassword: (password: string) => void }) {
  const { readAgain } = useDocumentActions(document.id);
  const code = document.state_reason_code;
  const wantsPassword = code === "encrypted" || code === "wrong_password";
  return (
    <div className="flex flex-col gap-2 border-b bg-surface p-3">
      <ErrorNote what={t("document.thisDocumentCouldNotBeRead")} error={document.state_reason ?? t("document.theServerGaveNoReason")} />
      {wantsPassword && <PasswordForm documentId={document.id} onPassword={onPassword} />}
      {!wantsPassword && (
        <Button small className="self-start" busy={readAgain.isPending && t("common.starting")} onClick={() => readAgain.mutate()}>
          {t("document.readItAgain")}
        </Button>
      )}
      {readAgain.error && <ErrorNote error={readAgain.error} />}
    </div>
  );
}

function PasswordForm({ documentId, onPassword }: { documentId: string; onPassword: (password: string) => void }) {
  const { givePassword } = useDocumentActions(documentId);
  const [typed, setTyped] = useState("");
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        // This form goes as soon as the file is read, so the pages get the password now.
        onPassword(typed);
        givePassword.mutate(typed);
      }}
    >
      <Field label={t("document.passwordOfTheFile")} error={givePassword.error && messageOf(givePassword.error)} hint={t("document.itIsKeptSealedOnThe")}>
        {(control) => (
          <Input {...control} type="password" autoComplete="off" required value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <Button type="submit" variant="primary" className="mb-6" busy={givePassword.isPending && t("common.sending")}>
        {t("document.readWithThisPassword")}
      </Button>
    </form>
  );
}
