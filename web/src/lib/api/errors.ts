import { t } from "@/lib/i18n";

import { dotted } from "../fieldPath";

import type { Step } from "../fieldPath";

/** An answer of the server that is not a success, with its own words for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** What is wrong with each field of the request, by the field's name. */
    readonly fields: Record<string, string> = {},
    /** What an administrator can look for in the log. */
    readonly requestId: string | null = null,
    /** The whole answer, for who knows what else is in it. */
    readonly body: unknown = null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

interface Entry {
  loc?: Step[];
  msg?: string;
}

/** The error behind an answer's body: `{"detail": "..."}`, or a list of what is wrong with which field. */
export function apiError(status: number, body: unknown): ApiError {
  const { detail, request_id: requestId } = (isObject(body) ? body : {}) as { detail?: unknown; request_id?: unknown };
  const id = typeof requestId === "string" ? requestId : null;
  if (typeof detail === "string") return new ApiError(status, detail, {}, id, body);
  if (Array.isArray(detail)) {
    const fields: Record<string, string> = {};
    for (const entry of detail as Entry[]) {
      const name = dotted(entry.loc?.filter((part) => part !== "body") ?? []);
      fields[name] = (entry.msg ?? t("lib.isNotValid")).replace(/^Value error, /, "");
    }
    const told = Object.entries(fields).map(([name, message]) => (name ? `${name}: ${message}` : message));
    return new ApiError(status, told.join("; "), fields, id);
  }
  return new ApiError(status, t("lib.theServerAnsweredStatusWithoutA", { status }), {}, id);
}

/** One sentence for people, whatever went wrong. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return t("lib.theServerCannotBeReachedCheck");
  if (error instanceof Error) return error.message;
  return t("lib.somethingWentWrongTryAgain");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
