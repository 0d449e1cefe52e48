import { useCallback, useMemo, useState } from "react";

import { fieldId, fieldOfId, targetsOf } from "@/features/extraction/tree";
import type { FieldRef } from "@/features/extraction/tree";
import type { Result } from "@/lib/api/results";
import type { Spot, Target } from "@/lib/places";

/** Ties fields and pages together: a field lights its words and goes to them, a word chooses its field. */
export function useFieldLink(results: Result[] | undefined, onPicked: () => void) {
  const [selected, setSelected] = useState<FieldRef | null>(null);
  const [goTo, setGoTo] = useState<{ spot: Spot } | null>(null);
  const [hovered, setHovered] = useState<Spot[]>([]);
  const targets = useMemo(() => targetsOf(results ?? []), [results]);
  const chosen = useMemo(() => {
    const id = selected && fieldId(selected);
    return id === null ? [] : targets.filter((target) => target.id === id);
  }, [selected, targets]);

  const onSelect = useCallback((field: FieldRef, spots: Spot[]) => {
    setSelected(field);
    const [spot] = spots;
    if (spot) setGoTo({ spot });
  }, []);
  const onPick = useCallback(
    (target: Target) => {
      setSelected(fieldOfId(target.id));
      onPicked();
    },
    [onPicked],
  );
  return {
    events: { selected, onSelect, onHover: setHovered },
    view: { targets, lit: hovered.length ? hovered : chosen, goTo, onPick },
  };
}
