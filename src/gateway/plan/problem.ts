import type { JsonObject } from '../../json.ts';

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
  /** The body, where it is no problem's: the answers to the requests of a batch, the description of no route. */
  readonly body?: JsonObject | readonly [];
  /** Whether the caller asked for an answer in an answer (`_envelope`), whose own status is 200. */
  readonly enveloped?: boolean;
}

/** The status of the answer itself. */
export function problemStatus({ status, enveloped }: Problem): number {
  return enveloped === true ? 200 : status;
}

export function reasonPhrase(status: number): string {
  return TITLES[status] ?? 'Error';
}

/** The text of a problem: RFC 9457, with WordPress's `code`, `message` and `data` as its extension members. */
export function problemBody({ status, code, message, data, enveloped, body: own }: Problem): string {
  const body = own ?? {
    type: 'about:blank',
    title: reasonPhrase(status),
    status,
    detail: message,
    code,
    message,
    data: { status, ...data },
  };
  // WP_REST_Server::envelope_response(); PHP's empty array is a list.
  return JSON.stringify(enveloped === true ? { body, status, headers: [] } : body);
}

/** The headers of a problem. It tells of one moment only, so nothing may keep it. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const type =
    problem.enveloped === true || problem.body !== undefined
      ? 'application/json; charset=UTF-8'
      : 'application/problem+json';
  return { 'content-type': type, 'cache-control': 'no-store', ...problem.headers };
}

/** @param method of the request: the answer to `HEAD` has no body */
export function problemResponse(problem: Problem, method = 'GET'): Response {
  const body = method === 'HEAD' ? null : problemBody(problem);
  return new Response(body, { status: problemStatus(problem), headers: problemHeaders(problem) });
}
