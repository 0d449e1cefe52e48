import { useParams } from "@tanstack/react-router";

import { PROMPTS } from "@/lib/api/prompts";

import { OnePage } from "../OnePage";

import { PromptEditor } from "./PromptEditor";

export default function PromptPage() {
  const { promptId }: { promptId?: string } = useParams({ strict: false });
  return <OnePage kind={PROMPTS} id={promptId ?? null} Editor={PromptEditor} />;
}
