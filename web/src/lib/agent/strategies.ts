import { words } from "@/lib/format";

const NAMES: Record<string, string> = {
  tools: "Tools",
  react: "Reason and act (ReAct)",
  "think-act": "Think, then act",
  "plan-and-execute": "Plan first",
  "tool-first": "Tools first",
  "llm-only": "No tools",
};

/** A way of working as people say it; one that somebody added is named after its id. */
export function strategyName(id: string): string {
  return NAMES[id] ?? words(id);
}
