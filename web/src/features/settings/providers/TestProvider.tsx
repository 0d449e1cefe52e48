import { CircleAlert, CircleCheck, Zap } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/Button";
import { Field, Select } from "@/components/Field";
import { ErrorNote } from "@/components/Notes";
import { duration } from "@/lib/agent/words";
import { t } from "@/lib/i18n";

import { useTestProvider } from "./useProviders";

import type { Provider } from "./useProviders";

/** One tiny real call, and what came of it. */
export function TestProvider({ provider }: { provider: Provider }) {
  const [model, setModel] = useState("");
  const test = useTestProvider(provider.name);
  const result = test.data;
  return (
    <div role="group" aria-label={t("providers.testDisplayName", { displayName: provider.display_name })} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t("providers.testWith")} className="w-64">
          {(control) => (
            <Select {...control} value={model} onChange={(event) => setModel(event.target.value)}>
              <option value="">{t("providers.theCheapestModel")}</option>
              {provider.litellm_models_available.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button icon={Zap} busy={test.isPending && t("common.asking")} onClick={() => test.mutate(model || null)}>
          {t("providers.test")}
        </Button>
      </div>
      <div role="status">
        {result?.ok && (
          <p className="flex items-start gap-2 rounded-md bg-good-soft px-3 py-2 text-sm text-good">
            <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {t("providers.modelAnsweredAnswerInDuration", { model: result.model, answer: result.answer, duration: duration(result.latency_ms) })}
            </span>
          </p>
        )}
        {result && !result.ok && (
          <p className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
            <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {t("providers.modelDidNotAnswerError", { model: result.model, error: result.error })}
            </span>
          </p>
        )}
      </div>
      {test.error && <ErrorNote what={t("providers.theTestWasNotMade")} error={test.error} />}
    </div>
  );
}
