import { Checkbox } from "@/components/Field";
import { Table, Th } from "@/components/Table";
import type { Sorting } from "@/components/Table";
import { useWaitingDocuments } from "@/lib/api/inbox";
import type { Tag } from "@/lib/api/tags";
import type { Document, Facts } from "@/lib/documentState";

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
    <Table label="Documents">
      <thead>
        <tr>
          <Th className="w-9 !pr-0">
            <Checkbox
              hideLabel
              label="Select all on this page"
              checked={count > 0 && count === documents.length}
              mixed={count > 0 && count < documents.length}
              onChange={toggleAll}
            />
          </Th>
          <Th className="w-10 !pr-0">
            <span className="sr-only">First page</span>
          </Th>
          <Th field="document_name" {...sort}>
            Name
          </Th>
          {room.forAll && <Th>Tags</Th>}
          {room.forState && (
            <Th field="state" {...sort}>
              State
            </Th>
          )}
          {room.forAll && <Th>Values</Th>}
          {room.forState && (
            <Th field="upload_date" {...sort}>
              Uploaded
            </Th>
          )}
          {room.forUploader && (
            <Th field="uploaded_by" {...sort}>
              By
            </Th>
          )}
          <Th className="w-10">
            <span className="sr-only">Actions</span>
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
