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


const SHORTEST_PASSWORD = 8;

export function AccountSection() {
  return (
    <>
      <Name />
      <Password />
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

function Password() {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const change = useChangeMe();
  const problem =
    password.length < SHORTEST_PASSWORD ? `Use at least ${SHORTEST_PASSWORD} characters.` : password !== again ? "The two passwords differ." : null;
  const user = useUser();
  return (
    <Card title="Password" about="A new password ends your sessions everywhere. Then you sign in again with it.">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem) return;
          change.mutate(
            { password },
            {
              onSuccess: () => {
                setPassword("");
                setAgain("");
                toast("Your password is changed.");
              },
            },
          );
        }}
      >
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="New password" hint={`At least ${SHORTEST_PASSWORD} characters.`}>
            {(control) => <Input {...control} type="password" autoComplete="new-password" value={password} onChange={(event) => setPassword(event.target.value)} />}
          </Field>
          <Field label="The same once more" error={again && password !== again ? "The two passwords differ." : null}>
            {(control) => <Input {...control} type="password" autoComplete="new-password" value={again} onChange={(event) => setAgain(event.target.value)} />}
          </Field>
        </div>
        {change.error && <ErrorNote what="Your password was not changed." error={change.error} />}
        <div>
          <Button type="submit" variant="primary" busy={change.isPending && "Saving"} disabledBecause={problem}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Session() {
  const [error, setError] = useState<unknown>(null);
  return (
    <Card title="This session" about="It goes on while you use it, in all tabs of this browser.">
      {error !== null && <ErrorNote what="You are still signed in." error={error} onDismiss={() => setError(null)} />}
      <div>
        <Button icon={LogOut} onClick={() => void signOut().catch(setError)}>
          Sign out
        </Button>
      </div>
    </Card>
  );
}
