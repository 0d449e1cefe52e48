import type { LearntFrom } from "@/lib/api/learning";
import { stepsOf } from "@/lib/fieldPath";
import { words } from "@/lib/format";

/** What was learnt of one field, over all documents. */
export interface LearntField {
  path: string;
  label: string;
  documents: number;
  right: number;
  wrong: number;
  /** How many of the memories are not used, because others contradict them. */
  doubtful: number;
}

/** The fields that something was learnt of, those of most documents first. */
export function byField(documents: readonly LearntFrom[]): LearntField[] {
  const found = new Map<string, LearntField>();
  for (const { path, right, wrong, doubtful } of documents.flatMap((document) => document.fields)) {
    const label = stepsOf(path).map((step) => words(String(step))).join(", ");
    const field = found.get(path) ?? { path, label, documents: 0, right: 0, wrong: 0, doubtful: 0 };
    found.set(path, {
      ...field,
      documents: field.documents + 1,
      right: field.right + right,
      wrong: field.wrong + wrong,
      doubtful: field.doubtful + Number(doubtful),
    });
  }
  return [...found.values()].sort((one, other) => other.documents - one.documents);
}
