import { definePage } from "@/lib/pages";

export const accuracy = definePage({
  path: "prompts/$promptId/accuracy",
  title: "Accuracy",
  load: () => import("./AccuracyPage"),
});
