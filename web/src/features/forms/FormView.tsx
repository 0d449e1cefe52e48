import { Plus, Trash2 } from "lucide-react";

import { Button, IconButton } from "@/components/Button";
import { Table } from "@/components/Table";
import { words } from "@/lib/format";
import { t } from "@/lib/i18n";

import { Control } from "./Control";
import { inside, isObject, shapeOf, valueAt, withValue } from "./formio";

import type { Component, Values } from "./formio";

interface FormViewProps {
  components: Component[];
  values: Values;
  onChange: (values: Values) => void;
  mistakes?: Record<string, string>;
}

/** Form.io's common components with our own controls. What is not known is named, and its value is kept. */
export function FormView({ components, values, onChange, mistakes = {} }: FormViewProps) {
  return (
    <div className="flex flex-col gap-3">
      {components
        .filter((component) => !component.hidden)
        .map((component, index) => (
          <Part key={component.key ?? index} component={component} values={values} onChange={onChange} mistakes={mistakes} />
        ))}
    </div>
  );
}

type PartProps = Required<Omit<FormViewProps, "components">> & { component: Component };

function Part({ component, values, onChange, mistakes }: PartProps) {
  const key = component.key ?? "";
  const value = valueAt(values, key);
  const set = (next: unknown): void => onChange(withValue(values, key, next));
  switch (shapeOf(component)) {
    case "layout":
      return <Layout component={component} values={values} onChange={onChange} mistakes={mistakes} />;
    case "container":
      return (
        <Frame title={component.label ?? words(key)}>
          <FormView components={component.components ?? []} values={isObject(value) ? value : {}} onChange={set} mistakes={below(mistakes, key)} />
        </Frame>
      );
    case "grid":
      return <Grid component={component} rows={Array.isArray(value) ? value : []} onChange={set} mistake={mistakes[key]} />;
    case "unknown":
      return (
        <p className="rounded-md border border-dashed px-3 py-2 text-sm text-muted">
          {t("forms.labelCannotBeShownHere", { label: component.label ?? component.key ?? "A part" })}{" "}<span className="font-mono">{component.type}</span>
          {key && (
            <>
              {" "}
              {t("forms.withTheKey")}{" "}<span className="font-mono">{key}</span>
            </>
          )}
          {t("forms.itsValueIsKept")}
        </p>
      );
    default:
      return <Control component={component} value={value} onChange={set} mistake={mistakes[key]} />;
  }
}

function Layout({ component, values, onChange, mistakes }: PartProps) {
  const rest = { values, onChange, mistakes };
  if (component.type === "button") return null;
  if (component.type === "content" || component.type === "htmlelement") {
    return <p className="text-muted">{textOf(component.html ?? component.content ?? "")}</p>;
  }
  if (component.type === "columns") {
    return (
      <div className="grid gap-3 sm:grid-flow-col sm:auto-cols-fr">
        {(component.columns ?? []).map((column, index) => (
          <FormView key={index} components={column.components ?? []} {...rest} />
        ))}
      </div>
    );
  }
  if (component.type === "table") {
    return (
      <div className="flex flex-col gap-3">
        {(Array.isArray(component.rows) ? component.rows : []).map((row, index) => (
          <div key={index} className="grid gap-3 sm:grid-flow-col sm:auto-cols-fr">
            {row.map((cell, position) => (
              <FormView key={position} components={cell.components ?? []} {...rest} />
            ))}
          </div>
        ))}
      </div>
    );
  }
  const title = component.title ?? component.legend ?? (component.type === "panel" ? component.label : undefined);
  return (
    <Frame title={title}>
      <FormView components={inside(component)} {...rest} />
    </Frame>
  );
}

function Frame({ title, children }: { title?: string; children: React.ReactNode }) {
  return (
    <fieldset className="min-w-0 rounded-md border px-3 pt-1 pb-3">
      {title && <legend className="px-1 text-sm font-medium">{title}</legend>}
      {children}
    </fieldset>
  );
}

interface GridProps {
  component: Component;
  rows: unknown[];
  onChange: (rows: unknown[]) => void;
  mistake?: string;
}

function Grid({ component, rows, onChange, mistake }: GridProps) {
  const label = component.label ?? words(component.key ?? "");
  const columns = component.components ?? [];
  return (
    <div className="flex flex-col gap-1">
      <span className="text-sm font-medium">{label}</span>
      <Table label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className="border-b px-2 py-1 text-sm font-medium whitespace-nowrap text-muted">
                {column.label ?? words(column.key ?? "")}
              </th>
            ))}
            <th className="w-8 border-b">
              <span className="sr-only">{t("common.row")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-b last:border-b-0">
              {columns.map((column) => {
                const values = isObject(row) ? row : {};
                const key = column.key ?? "";
                return (
                  <td key={key} className="min-w-28 p-1 align-top">
                    <Control
                      component={{ ...column, label: t("forms.labelRowIndex", { label: column.label ?? words(key), index: index + 1 }) }}
                      hideLabel
                      value={valueAt(values, key)}
                      onChange={(next) => onChange(rows.with(index, withValue(values, key, next)))}
                    />
                  </td>
                );
              })}
              <td className="p-1 align-top">
                <IconButton small icon={Trash2} label={t("forms.removeRowIndex", { index: index + 1 })} onClick={() => onChange(rows.toSpliced(index, 1))} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {mistake && (
        <p role="alert" className="text-sm text-bad">
          {mistake}
        </p>
      )}
      <Button small variant="quiet" icon={Plus} className="self-start" onClick={() => onChange([...rows, {}])}>
        {t("common.addRow")}
      </Button>
    </div>
  );
}

function below(mistakes: Record<string, string>, key: string): Record<string, string> {
  const start = `${key}.`;
  return Object.fromEntries(
    Object.entries(mistakes)
      .filter(([name]) => name.startsWith(start))
      .map(([name, text]) => [name.slice(start.length), text]),
  );
}

/** The words of a piece of HTML; the markup of a form is never run. */
function textOf(html: string): string {
  return new DOMParser().parseFromString(html, "text/html").body.textContent ?? "";
}
