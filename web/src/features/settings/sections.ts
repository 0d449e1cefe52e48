export interface Section {
  id: string;
  label: string;
  /** Words that find it in the palette. */
  words: string;
  /** Whose settings they are. */
  of: "organisation" | "you";
}

export const SECTIONS: readonly Section[] = [
  { id: "organisation", label: "Organisation", words: "name type default prompt proposals auto-create", of: "organisation" },
  { id: "members", label: "Members", words: "users invite roles admin", of: "organisation" },
  { id: "providers", label: "Providers and keys", words: "openai anthropic gemini ollama server test key", of: "organisation" },
  { id: "models", label: "Models", words: "default model prices", of: "organisation" },
  { id: "agent", label: "Agent", words: "policy rules approve ask deny allow strategy", of: "organisation" },
  { id: "servers", label: "MCP servers", words: "tools of others outside connect", of: "organisation" },
  { id: "usage", label: "Usage and credits", words: "cost balance chart tokens", of: "organisation" },
  { id: "tokens", label: "API tokens", words: "access token key revoke", of: "you" },
  { id: "account", label: "Account", words: "name password sign out", of: "you" },
  { id: "appearance", label: "Appearance", words: "theme dark light density compact hide agent", of: "you" },
];
