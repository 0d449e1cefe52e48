import { useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";

import { spotsOf } from "@/features/extraction/grounding";
import { fieldId, fieldOfId, fieldsOf, leavesOf, targetsOf } from "@/features/extraction/tree";
import type { FieldRef } from "@/features/extraction/tree";
import type { Result } from "@/lib/api/results";
import type { Box, Spot, Target } from "@/lib/places";

const WHOLE_TOP: Box = [0, 0, 1, 0];

/** What the address of the page cites, as soon as it is there: a field of a prompt's result, or a page. */
function useCited(results: Result[] | undefined): { key: string; field: FieldRef | null; spot: Spot | undefined } | null {
  const { prompt, field, page }: { prompt?: unknown; field?: unknown; page?: unknown } = useSearch({ strict: false });
  return useMemo(() => {
    const number = Number(page);
    if (Number.isInteger(number) && number > 0) return { key: `page ${number}`, field: null, spot: { page: number, box: WHOLE_TOP } };
    const result = results?.find((one) => one.prompt_id === prompt);
    const leaf = result && leavesOf(fieldsOf(result)).find((one) => one.path === String(field));
    if (!leaf) return null;
    const spots = spotsOf(leaf.grounding);
    return { key: `${String(prompt)} ${leaf.path}`, field: { promptRevid: result.prompt_revid, path: leaf.path }, spot: spots[0] };
  }, [results, prompt, field, page]);
}

/** Ties fields and pages together: a field lights its words and goes to them, a word chooses its field. */
export function useFieldLink(results: Result[] | undefined, onPicked: () => void) {
  const [selected, setSelected] = useState<FieldRef | null>(null);
  const [isPicked, setIsPicked] = useState(false);
  const [goTo, setGoTo] = useState<{ spot: Spot } | null>(null);
  const [hovered, setHovered] = useState<Spot[]>([]);
  const targets = useMemo(() => targetsOf(results ?? []), [results]);
  const cited = useCited(results);
  const [followed, setFollowed] = useState<string | null>(null);
  if (cited && cited.key !== followed) {
    setFollowed(cited.key);
    if (cited.field) setSelected(cited.field);
    if (cited.spot) setGoTo({ spot: cited.spot });
  }
  const chosen = useMemo(() => {
    const id = selected && fieldId(selected);
    return id === null ? [] : targets.filter((target) => target.id === id);
  }, [selected, targets]);

  const onSelect = useCallback((field: FieldRef, spots: Spot[]) => {
    setSelected(field);
    setIsPicked(false);
    const [spot] = spots;
    if (spot) setGoTo({ spot });
  }, []);
  const onPick = useCallback(
    (target: Target) => {
      setSelected(fieldOfId(target.id));
      setIsPicked(true);
      onPicked();
    },
    [onPicked],
  );
  return {
    events: { selected, isPicked, onSelect, onHover: setHovered },
    view: { targets, lit: hovered.length ? hovered : chosen, goTo, onPick },
  };
}
