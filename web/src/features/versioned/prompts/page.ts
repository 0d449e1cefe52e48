import { MessageSquareText } from "lucide-react";

import { definePage } from "@/lib/pages";

export const page = definePage({
  path: "prompts",
  title: "Prompts",
  nav: { icon: MessageSquareText, order: 40 },
  commands: [{ label: "Create a prompt", path: "prompts/new", words: "new instruction extraction" }],
  load: () => import("./PromptsPage"),
});

export const newPrompt = definePage({
  path: "prompts/new",
  title: "New prompt",
  layout: "workspace",
  load: () => import("./PromptPage"),
});

export const onePrompt = definePage({
  path: "prompts/$promptId",
  title: "Prompt",
  layout: "workspace",
  load: () => import("./PromptPage"),
});
