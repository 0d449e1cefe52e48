import { CircleAlert, CircleCheck, Zap } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";

import { useTestProvider } from "./useProviders";

import type { Provider } from "./useProviders";

/** One tiny real call, and what came of it. */
export function TestProvider({ provider }: { provider: Provider }) {
  const [model, setModel] = useState("");
  const test = useTestProvider(provider.name);
  const result = test.data;
  return (
    <div role="group" aria-label={`Test ${provider.display_name}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Test with" className="w-64">
          {(control) => (
            <Select {...control} value={model} onChange={(event) => setModel(event.target.value)}>
              <option value="">The cheapest model</option>
              {provider.litellm_models_available.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button icon={Zap} busy={test.isPending && "Asking"} onClick={() => test.mutate(model || null)}>
          Test
        </Button>
      </div>
      <div role="status">
        {result?.ok && (
          <p className="flex items-start gap-2 rounded-md bg-good-soft px-3 py-2 text-sm text-good">
            <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {result.model} answered “{result.answer}” in {(result.latency_ms / 1000).toFixed(1)} s.
            </span>
          </p>
        )}
        {result && !result.ok && (
          <p className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
            <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {result.model} did not answer. {result.error}
            </span>
          </p>
        )}
      </div>
      {test.error && <ErrorNote what="The test was not made." error={test.error} />}
    </div>
  );
}
