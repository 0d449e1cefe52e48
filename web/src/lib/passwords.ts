import { t } from "@/lib/i18n";

/** The server's rule; it also knows which passwords are tried first, and says so. */
export const SHORTEST_PASSWORD = 10;
export const passwordHint = (): string => t("lib.atLeastShortestPasswordCharactersAndNone", { shortestPassword: SHORTEST_PASSWORD });
