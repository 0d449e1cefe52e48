import { useState } from "react";

import { asObject, parsed, pretty } from "@/lib/agent/words";
import { t } from "@/lib/i18n";
import { draftOf, hindrance, typed } from "@/lib/schema/draft";
import type { Draft } from "@/lib/schema/draft";
import { isFormat } from "@/lib/schema/edits";
import { isObject, pretty as asText, sameJson } from "@/lib/schema/json";

import { argumentForm } from "./parameters";

type Values = Record<string, unknown>;

const notJson = (): string => t("cards.thisIsNotAJsonObject");
const noForm = (): string => t("cards.theFormCannotShowThisJson");

/**
 * The arguments of a call while they are changed, as a form and as JSON. Both say the same; only JSON that cannot be
 * read is ahead of the form, and then the form waits.
 */
export function useArguments(given: string, kept: string | null, parameters: Record<string, unknown> | undefined) {
  const original = asObject(parsed(given));
  const [text, setText] = useState(() => kept ?? pretty(given));
  const read = objectIn(text);
  const [values, setValues] = useState<Values>(() => read ?? original);
  const form = argumentForm(parameters, values);
  const [asJson, setAsJson] = useState(read === null || form === null);
  const [problem, setProblem] = useState<string | null>(null);
  const [schema, setSchema] = useState<Draft | null>(() => schemaIn(values));

  const change = (next: Values): void => {
    setValues(next);
    setText(asText(next));
    setProblem(null);
  };
  const changeSchema = (name: string, next: Draft): void => {
    setSchema(next);
    if (!sameJson(next.format, values[name])) change({ ...values, [name]: next.format });
  };
  const type = (next: string): void => {
    setText(next);
    setProblem(null);
    const found = objectIn(next);
    if (!found) return;
    setValues(found);
    const written = schemaIn(found);
    setSchema(written && schema ? typed(schema, written.text) : written);
  };
  const toggle = (): void => {
    const refusal = !asJson ? null : read === null ? notJson() : form === null ? noForm() : null;
    setProblem(refusal);
    if (refusal === null) setAsJson(!asJson);
  };
  /** The arguments to approve; null, and the reason is shown, if they cannot be. */
  const finished = (): Values | null => {
    const refusal = asJson ? (read === null ? notJson() : null) : schema && hindrance(schema);
    setProblem(refusal);
    return refusal === null ? (read ?? values) : null;
  };
  return {
    form,
    asJson: asJson || form === null,
    hasForm: form !== null || argumentForm(parameters, original) !== null,
    values,
    text,
    schema,
    problem,
    /** What would be lost by leaving; null if nothing was changed. */
    changes: read !== null && sameJson(read, original) ? null : text,
    change,
    changeSchema,
    type,
    toggle,
    finished,
  };
}

function objectIn(text: string): Values | null {
  const read = parsed(text);
  return isObject(read) ? read : null;
}

function schemaIn(values: Values): Draft | null {
  const format = Object.values(values).find(isFormat);
  return format ? draftOf(format) : null;
}
