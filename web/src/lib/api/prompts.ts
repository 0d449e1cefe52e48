import { api, ask } from "./client";
import { keys } from "./queries";
import { useAll } from "./versioned";

import type { Schemas } from "./client";
import type { Kind } from "./versioned";

export type Prompt = Schemas["PromptOut"];

export const PROMPTS: Kind<Prompt, Schemas["PromptIn"]> = {
  noun: "prompt",
  key: keys.prompts,
  revisionOf: (prompt) => ({ id: prompt.prompt_id, revid: prompt.prompt_revid, version: prompt.prompt_version }),
  list: async (organization_id, query) => {
    const found = await ask(api.GET("/v0/orgs/{organization_id}/prompts", { params: { path: { organization_id }, query } }));
    return { items: found.prompts, total: found.total_count };
  },
  versions: async (organization_id, prompt_id) =>
    (await ask(api.GET("/v0/orgs/{organization_id}/prompts/{prompt_id}/versions", { params: { path: { organization_id, prompt_id } } }))).prompts,
  create: (organization_id, body) =>
    ask(api.POST("/v0/orgs/{organization_id}/prompts", { params: { path: { organization_id } }, body })),
  change: (organization_id, prompt_id, body) =>
    ask(api.PUT("/v0/orgs/{organization_id}/prompts/{prompt_id}", { params: { path: { organization_id, prompt_id } }, body })),
  remove: (organization_id, prompt_id) =>
    ask(api.DELETE("/v0/orgs/{organization_id}/prompts/{prompt_id}", { params: { path: { organization_id, prompt_id } } })),
};

export const useAllPrompts = () => useAll(PROMPTS);
