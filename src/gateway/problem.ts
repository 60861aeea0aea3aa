import type { JsonObject } from '../json.ts';

/** Reason phrases of the statuses with which the gateway itself answers (RFC 9110 §15). */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
  499: 'Client Closed Request',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  508: 'Loop Detected',
};

export interface Problem {
  readonly status: number;
  /** WordPress's error code where it has one for the case (`rest_no_route`), else one that begins with `gateway_`. */
  readonly code: string;
  /** What was wrong and what to do about it, for a person. */
  readonly message: string;
  /** What WordPress has in `data` beside `status`: `params` and `details` of what is wrong. */
  readonly data?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

export function titleOf(status: number): string {
  return TITLES[status] ?? 'Error';
}

/** The text of a problem: RFC 9457, with WordPress's `code`, `message` and `data` as its extension members. */
export function problemBody({ status, code, message, data }: Problem): string {
  return JSON.stringify({
    type: 'about:blank',
    title: titleOf(status),
    status,
    detail: message,
    code,
    message,
    data: { status, ...data },
  });
}

/** The headers of a problem. It tells of one moment only, so nothing may keep it. */
export function problemHeaders(problem: Problem): Record<string, string> {
  return { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...problem.headers };
}

/** @param method of the request: the answer to `HEAD` has no body */
export function problemResponse(problem: Problem, method = 'GET'): Response {
  const body = method === 'HEAD' ? null : problemBody(problem);
  return new Response(body, { status: problem.status, headers: problemHeaders(problem) });
}
