import { useMutation } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Input } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { api, ask } from "@/lib/api/client";
import type { Schemas } from "@/lib/api/client";
import { changeUser, signOut, useUser } from "@/lib/api/session";
import { toast } from "@/lib/toasts";

import { Card } from "./Card";
import { ChangePassword } from "./ChangePassword";

export function AccountSection() {
  return (
    <>
      <Name />
      <ChangePassword />
      <Session />
    </>
  );
}

function useChangeMe() {
  const user = useUser();
  return useMutation({
    mutationFn: (body: Schemas["UserChangesIn"]) =>
      ask(api.PUT("/v0/account/users/{user_id}", { params: { path: { user_id: user.id } }, body })),
    onSuccess: changeUser,
  });
}

function Name() {
  const user = useUser();
  const [name, setName] = useState(user.name);
  const change = useChangeMe();
  const isSame = name.trim() === user.name || name.trim() === "";
  return (
    <Card title="You" about={user.email}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame) change.mutate({ name: name.trim() }, { onSuccess: () => toast("Saved your name.") });
        }}
      >
        <Field label="Name" className="sm:max-w-80">
          {(control) => <Input {...control} autoComplete="name" maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {change.error && <ErrorNote what="Your name was not changed." error={change.error} />}
        <div>
          <Button type="submit" variant="primary" busy={change.isPending && "Saving"} disabledBecause={isSame && "Nothing has changed."}>
            Save name
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Session() {
  const [error, setError] = useState<unknown>(null);
  return (
    <Card title="This session" about="Stays signed in while you use it, in all tabs of this browser.">
      {error !== null && <ErrorNote what="You are still signed in." error={error} onDismiss={() => setError(null)} />}
      <div>
        <Button icon={LogOut} onClick={() => void signOut().catch(setError)}>
          Sign out
        </Button>
      </div>
    </Card>
  );
}
