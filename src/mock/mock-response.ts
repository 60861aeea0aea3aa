import type { Json } from '../json.ts';

/** What a mock responds. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export function respondWith(
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): MockResponse {
  return { status, headers, body };
}

/** An error as WordPress writes it. */
export function respondWithError(status: number, code: string, message: string): MockResponse {
  return { status, headers: {}, body: { code, message, data: { status } } };
}

/** Chooses among the codes that an operation may send the one for an item that does not exist. */
export function respondWithMissingItem(codes: readonly string[], route: string): MockResponse {
  const known =
    codes.find((code) => /_invalid_id$/.test(code)) ??
    codes.find((code) => /invalid|not_found/.test(code) && !NO_ITEM.test(code));
  const word =
    route
      .split('/')
      .filter((segment) => !/^\d/.test(segment))
      .at(-1) ?? 'item';
  return respondWithError(
    404,
    known ?? 'rest_post_invalid_id',
    `Invalid ID: there is no such item in ${word}.`,
  );
}

const NO_ITEM = /param|json|nonce|context|page_number|handler|username|password|email|field|date/;

export function toHttpResponse({ status, headers, body }: MockResponse, method: string): Response {
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  return new Response(hasBody ? JSON.stringify(body) : null, {
    status,
    headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
  });
}
