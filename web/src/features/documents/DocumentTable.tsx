import { Checkbox } from "@/components/Field";
import { Table, Th } from "@/components/Table";
import type { Sorting } from "@/components/Table";
import { useWaitingDocuments } from "@/lib/api/inbox";
import type { Tag } from "@/lib/api/tags";
import type { Document, Facts } from "@/lib/documentState";
import { t } from "@/lib/i18n";

import { DocumentRow } from "./DocumentRow";
import { useRoom } from "./room";

interface DocumentTableProps {
  documents: Document[];
  tags: Tag[];
  facts: ReadonlyMap<string, Facts>;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  selected: ReadonlySet<string>;
  onSelected: (selected: ReadonlySet<string>) => void;
}

export function DocumentTable({ documents, tags, facts, sorting, onSort, selected, onSelected }: DocumentTableProps) {
  const count = documents.filter((document) => selected.has(document.id)).length;
  const toggleAll = (): void =>
    onSelected(count === documents.length ? new Set() : new Set(documents.map((document) => document.id)));
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelected(next);
  };
  const sort = { sorting, onSort };
  const room = useRoom();
  const waiting = useWaitingDocuments();
  return (
    <Table label={t("common.documents")}>
      <thead>
        <tr>
          <Th className="w-9 !pr-0">
            <Checkbox
              hideLabel
              label={t("documents.selectAllOnThisPage")}
              checked={count > 0 && count === documents.length}
              mixed={count > 0 && count < documents.length}
              onChange={toggleAll}
            />
          </Th>
          <Th className="w-10 !pr-0">
            <span className="sr-only">{t("documents.firstPage")}</span>
          </Th>
          <Th field="document_name" {...sort}>
            {t("common.name")}
          </Th>
          {room.forAll && <Th>{t("common.tags")}</Th>}
          {room.forState && (
            <Th field="state" {...sort}>
              {t("documents.state")}
            </Th>
          )}
          {room.forAll && <Th>{t("documents.values")}</Th>}
          {room.forState && (
            <Th field="upload_date" {...sort}>
              {t("documents.uploaded")}
            </Th>
          )}
          {room.forUploader && (
            <Th field="uploaded_by" {...sort}>
              {t("documents.by")}
            </Th>
          )}
          <Th className="w-10">
            <span className="sr-only">{t("common.actions")}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {documents.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            room={room}
            tags={tags}
            facts={facts.get(document.id)}
            waiting={waiting.get(document.id)}
            isSelected={selected.has(document.id)}
            onToggle={() => toggle(document.id)}
          />
        ))}
      </tbody>
    </Table>
  );
}
