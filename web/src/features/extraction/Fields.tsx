import { Pencil, Plus, Quote, ShieldCheck, ShieldOff, Trash2 } from "lucide-react";

import { Button, IconButton } from "@/components/Button";
import { Tooltip } from "@/components/Tooltip";
import { ValueSigns } from "@/components/ValueSigns";
import { cx } from "@/lib/cx";
import { below } from "@/lib/fieldPath";
import { t } from "@/lib/i18n";

import { FieldValue } from "./FieldValue";
import { TakeRows } from "./TakeRows";
import { useFieldActions } from "./context";
import { taught } from "./grounding";
import { rowsOf } from "./rows";
import { explained } from "./voices";

import type { Group, Leaf, List, Node, Table } from "./tree";

/** Fields below one another; groups are set in, lists of objects are tables. */
export function Fields({ nodes }: { nodes: Node[] }) {
  return (
    <div className="flex flex-col">
      {nodes.map((node) => (
        <Field key={node.path} node={node} />
      ))}
    </div>
  );
}

function Field({ node }: { node: Node }) {
  switch (node.kind) {
    case "value":
      return <ValueRow leaf={node} />;
    case "group":
      return <GroupRow group={node} />;
    case "table":
      return <TableRow table={node} />;
    case "list":
      return <ListRow list={node} />;
  }
}

function Label({ node, className }: { node: Node; className?: string }) {
  const label = <span className={cx("text-muted wrap-anywhere", className)}>{node.label}</span>;
  if (!node.description) return label;
  return (
    <Tooltip text={node.description}>
      {/* Reachable by keyboard, because the description is shown nowhere else. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span tabIndex={0} className={cx("w-fit text-muted wrap-anywhere underline decoration-line decoration-dotted underline-offset-4", className)}>
        {node.label}
      </span>
    </Tooltip>
  );
}

function Problems({ node }: { node: Node }) {
  return node.problems.map((problem) => (
    <p key={problem} role="alert" className="px-1.5 text-sm text-bad">
      {problem}
    </p>
  ));
}

function ValueRow({ leaf }: { leaf: Leaf }) {
  const { editing } = useFieldActions();
  return (
    <div className="group/field grid grid-cols-[minmax(6rem,30%)_1fr] items-start gap-x-2 py-0.5 max-sm:grid-cols-1">
      <Label node={leaf} className="mt-1 text-sm" />
      <div className="min-w-0">
        <div className="flex min-w-0 items-start gap-1">
          <FieldValue leaf={leaf} />
          {editing !== leaf.path && <Tools leaf={leaf} />}
        </div>
        {editing !== leaf.path && taught(leaf.grounding) && <p className="px-1.5 text-xs text-muted">{taught(leaf.grounding)}</p>}
        <Problems node={leaf} />
      </div>
    </div>
  );
}

function Tools({ leaf }: { leaf: Leaf }) {
  const { edit, verify, cite } = useFieldActions();
  const { isVerified } = leaf;
  return (
    <span className="flex shrink-0 items-center">
      <span className="flex opacity-0 group-focus-within/field:opacity-100 group-hover/field:opacity-100 max-sm:opacity-100">
        <IconButton small icon={Pencil} label={t("extraction.editLabel", { label: leaf.label })} tabIndex={-1} onClick={() => edit(leaf.path)} />
        <IconButton
          small
          icon={isVerified ? ShieldOff : ShieldCheck}
          label={isVerified ? t("extraction.undoTheVerificationOfLabel", { label: leaf.label }) : t("extraction.verifyLabel", { label: leaf.label })}
          tabIndex={-1}
          onClick={() => verify(leaf)}
        />
        {leaf.value !== null && leaf.value !== "" && <IconButton small icon={Quote} label={t("extraction.copyLabelAsACitation", { label: leaf.label })} tabIndex={-1} onClick={() => cite(leaf)} />}
      </span>
      <span className="flex h-7 min-w-5 items-center justify-end">
        <ValueSigns known={leaf.known} words={explained(leaf)} />
      </span>
    </span>
  );
}

function GroupRow({ group }: { group: Group }) {
  return (
    <div role="group" aria-label={group.label} className="mt-1.5 mb-1 border-l-2 pl-3">
      <Label node={group} className="text-sm font-medium !text-ink" />
      <Problems node={group} />
      <Fields nodes={group.children} />
    </div>
  );
}

function TableRow({ table }: { table: Table }) {
  const { change } = useFieldActions();
  const empty = Object.fromEntries(table.columns.map((column) => [column.name, null]));
  return (
    <div className="mt-1.5 mb-2 flex flex-col gap-1">
      <Label node={table} className="text-sm font-medium !text-ink" />
      <Problems node={table} />
      <div className="overflow-x-auto rounded-md border">
        <table aria-label={table.label} className="w-full border-collapse text-sm">
          <thead>
            <tr className="bg-sunken text-left">
              {table.columns.map((column) => (
                <th key={column.name} scope="col" title={column.description} className="px-1.5 py-1 font-medium whitespace-nowrap text-muted">
                  {column.label}
                </th>
              ))}
              <th className="w-7">
                <span className="sr-only">{t("common.row")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={index} className="group/field border-t">
                {row.map((leaf) => (
                  <td key={leaf.path} className="align-top">
                    <div className="group/cell flex items-start gap-0.5">
                      <FieldValue leaf={leaf} isCell />
                      <span className="mt-1.5">
                        <ValueSigns known={leaf.known} words={explained(leaf)} />
                      </span>
                    </div>
                    <Problems node={leaf} />
                  </td>
                ))}
                <td className="align-top">
                  <IconButton
                    small
                    icon={Trash2}
                    label={t("extraction.removeRowIndexOfLabel", { index: index + 1, label: table.label })}
                    className="opacity-0 group-focus-within/field:opacity-100 group-hover/field:opacity-100 focus-visible:opacity-100 max-sm:opacity-100"
                    onClick={() => change(table.path, rowsOf(table).toSpliced(index, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {!table.rows.length && <p className="px-1.5 py-1 text-sm text-muted">{t("extraction.noRows")}</p>}
      </div>
      <div className="flex flex-wrap gap-1">
        <Button small variant="quiet" icon={Plus} className="text-muted" onClick={() => change(below(table.path, table.rows.length), empty)}>
          {t("common.addRow")}
        </Button>
        <TakeRows table={table} />
      </div>
    </div>
  );
}

function ListRow({ list }: { list: List }) {
  const { change } = useFieldActions();
  if (!list.isPlain) {
    return (
      <div className="mt-1.5 mb-1 flex flex-col gap-1">
        <Label node={list} className="text-sm font-medium !text-ink" />
        <Problems node={list} />
        {list.items.length ? <Fields nodes={list.items} /> : <p className="text-sm text-muted">{t("extraction.nothingInThisList")}</p>}
      </div>
    );
  }
  const values = list.items.map((item) => (item.kind === "value" ? item.value : null));
  return (
    <div className="grid grid-cols-[minmax(6rem,30%)_1fr] items-start gap-x-2 py-0.5 max-sm:grid-cols-1">
      <Label node={list} className="mt-1 text-sm" />
      <div className="min-w-0">
        <ul aria-label={list.label} className="flex flex-wrap items-center gap-1">
          {list.items.map((item, index) =>
            item.kind === "value" ? (
              <li key={item.path} className="group/field flex max-w-full items-center rounded-sm bg-sunken pr-1">
                <FieldValue leaf={item} isCell />
                <ValueSigns known={item.known} words={explained(item)} />
                <button
                  type="button"
                  aria-label={t("extraction.removeLabel", { label: item.label })}
                  className="hidden size-6 shrink-0 items-center justify-center rounded-sm group-focus-within/field:inline-flex group-hover/field:inline-flex hover:bg-hover max-sm:inline-flex"
                  onClick={() => change(list.path, values.toSpliced(index, 1))}
                >
                  <Trash2 size={12} aria-hidden />
                </button>
              </li>
            ) : null,
          )}
          <li>
            <IconButton small icon={Plus} label={t("extraction.addToLabel", { label: list.label })} onClick={() => change(below(list.path, values.length), "", true)} />
          </li>
        </ul>
        <Problems node={list} />
      </div>
    </div>
  );
}
