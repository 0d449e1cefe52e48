import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { messageOf } from "@/lib/api/errors";
import type { Document } from "@/lib/documentState";

import { useDocumentActions } from "./useDocumentActions";

const ADVICE: Record<string, string> = {
  damaged: "Open the file in the program that made it, save it anew and upload that.",
  unsupported: "Print it to a PDF and upload that.",
  too_many_pages: "Split the file, or ask an administrator to raise the limit.",
  too_large: "Split the file, or ask an administrator to raise the limit.",
  out_of_memory: "Split the file, or ask an administrator to raise the limit.",
  timed_out: "Split the file, or ask an administrator to raise the limit.",
  crashed: "Save the file anew and upload that, or split it.",
  converter_missing: "Ask an administrator to install LibreOffice on the server, or upload a PDF.",
};

export function isLocked({ state_reason_code: code }: Document): boolean {
  return code === "encrypted" || code === "wrong_password";
}

/** Why a document could not be read, and what to do about it. */
export function NotReadable({ document, onPassword }: { document: Document; onPassword: (password: string) => void }) {
  const { readAgain } = useDocumentActions(document.id);
  const code = document.state_reason_code ?? "";
  const wantsPassword = isLocked(document);
  return (
    <div className="flex flex-col gap-2 border-b bg-surface p-3">
      <ErrorNote what="This document could not be read." error={document.state_reason ?? "The server gave no reason."} />
      {wantsPassword ? <PasswordForm documentId={document.id} onPassword={onPassword} /> : <p className="text-sm">{ADVICE[code] ?? "Try to read it again."}</p>}
      {!wantsPassword && (
        <Button small className="self-start" busy={readAgain.isPending && "Starting"} onClick={() => readAgain.mutate()}>
          Read it again
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
      <Field label="Password of the file" error={givePassword.error && messageOf(givePassword.error)} hint="It is kept sealed on the server.">
        {(control) => (
          <Input {...control} type="password" autoComplete="off" required value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <Button type="submit" variant="primary" className="mb-6" busy={givePassword.isPending && "Sending"}>
        Read with this password
      </Button>
    </form>
  );
}
