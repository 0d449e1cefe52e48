import { useState } from "react";

import type { DragEvent } from "react";

/** A row among the rows that stand beside it. */
export interface DraggableRow {
  id: string;
  parentId: string;
  name: string;
  index: number;
}

/** What is being dragged. The browser hides a drag's data until it is dropped, so it is kept here. */
let dragged: DraggableRow | null = null;

/** A row is dragged by its handle and dropped among the fields that stand beside it. */
export function useRowDrag(row: DraggableRow, onMove: (to: number) => void, off: boolean) {
  const [mark, setMark] = useState<"before" | "after" | null>(null);
  const fits = (): boolean => !off && dragged !== null && dragged.parentId === row.parentId && dragged.id !== row.id;
  return {
    mark,
    drag: {
      draggable: !off,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        dragged = row;
        mover = onMove;
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", row.name);
        const line = event.currentTarget.closest("li");
        if (line) event.dataTransfer.setDragImage(line, 0, 0);
      },
      onDragEnd: () => {
        dragged = null;
      },
    },
    drop: {
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (!fits()) return;
        event.preventDefault();
        const box = event.currentTarget.getBoundingClientRect();
        setMark(event.clientY < box.top + box.height / 2 ? "before" : "after");
      },
      onDragLeave: () => setMark(null),
      onDrop: (event: DragEvent<HTMLElement>) => {
        if (!fits() || !dragged || !mark) return;
        event.preventDefault();
        const gap = mark === "before" ? row.index : row.index + 1;
        mover?.(dragged.index < gap ? gap - 1 : gap);
        setMark(null);
      },
    },
  };
}

/** Moves the dragged row, not the one below the pointer. */
let mover: ((to: number) => void) | null = null;
