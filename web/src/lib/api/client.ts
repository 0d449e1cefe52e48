import createClient from "openapi-fetch";

import { apiError } from "./errors";
import { currentToken, forget } from "./session";

import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** The typed client: paths, parameters and answers come from docs/openapi.json. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: authorised });

/** `fetch` with the session's token; renews it once when the server no longer takes it. */
export async function authorised(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const again = request.clone();
  const token = await currentToken();
  const answer = await fetch(withToken(request, token));
  if (answer.status !== 401) return answer;
  forget(token);
  return fetch(withToken(again, await currentToken()));
}

/** The data of an answer, or an ApiError in the server's own words. */
export async function ask<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) throw apiError(response.status, error);
  return data as T;
}

function withToken(request: Request, token: string): Request {
  request.headers.set("Authorization", `Bearer ${token}`);
  return request;
}
