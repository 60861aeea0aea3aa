import type { RequestHead, ResponseHead } from '../../base/http/exchange.ts';
import { prefersHtml } from '../../base/http/fields.ts';
import { type DeclaredProblem, parseProblems } from '../../base/http/problems.ts';
import { toResponse } from '../../base/http/rendition.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ParameterRule } from '../../generator/validation/request/result.ts';
import data from './problems.json' with { type: 'json' };
import PHRASES from './reason-phrases.json' with { type: 'json' };

/** An error response (RFC 9457) in the form of a WordPress REST error. */
export interface Problem extends DeclaredProblem {
  readonly data?: JsonObject;
  readonly page?: string;
  /** With `_envelope` the response status is 200, and the body holds the real one, and these fields. */
  readonly envelope?: JsonObject | undefined;
  /** Rules for the operator, which are not sent. */
  readonly brokenRules?: readonly ParameterRule[];
}

function reasonPhrase(status: number): string {
  const phrases: Readonly<Record<number, string>> = PHRASES;
  return phrases[status] ?? 'Error';
}

function problemBody({ status, code, message, data, envelope, page }: Problem): string {
  if (page !== undefined) return page;
  const body = {
    type: 'about:blank',
    title: reasonPhrase(status),
    status,
    detail: message,
    code,
    message,
    data: { status, ...data },
  };
  return JSON.stringify(envelope === undefined ? body : { body, status, headers: envelope });
}

/** A problem describes one moment, so no cache can store it. */
function problemHeaders(problem: Problem): Record<string, string> {
  if (problem.page !== undefined) return { ...PAGE_HEADERS, ...problem.headers };
  const type =
    problem.envelope === undefined ? 'application/problem+json' : 'application/json; charset=UTF-8';
  return { 'content-type': type, 'cache-control': 'no-store', ...problem.headers };
}

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=UTF-8',
  'cache-control': 'no-store',
  vary: 'Accept',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

export function toErrorPage(problem: Problem, { headers, target }: RequestHead, requestId: string): Problem {
  if (!prefersHtml(headers) || /\/wp-json(?:[/?]|$)|[?&]rest_route=|\.json(?:\?|$)/.test(target))
    return problem;
  const { message, status } = problem;
  const [title, text, id] = [reasonPhrase(status), message, requestId].map((each) =>
    each.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`),
  );
  const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}small{opacity:.7}:root{color-scheme:light dark}</style></head>
<body><h1>${title}</h1><p>${text}</p>${status < 500 && status !== 429 ? '' : '<p><a href="">Try again</a>'}
<p><small>${status} · request ${id}</small></body></html>
`;
  return { ...problem, page };
}

export interface ProblemReply extends ResponseHead {
  readonly body: Uint8Array<ArrayBuffer>;
}

export function toProblemReply(problem: Problem): ProblemReply {
  const body = Buffer.from(problemBody(problem));
  const headers = Object.entries(problemHeaders(problem)).flat();
  headers.push('content-length', String(body.byteLength));
  const status = problem.envelope === undefined ? problem.status : 200;
  return { status, reason: reasonPhrase(status), headers, body };
}

export function problemResponse(problem: Problem, method = 'GET'): Response {
  return toResponse(toProblemReply(problem), method);
}

type Problems<Name extends string> = Readonly<Record<Name, DeclaredProblem>>;

export const PROBLEMS: Problems<keyof typeof data.problems> = parseProblems(data.problems);

export const WEBHOOK_FAULTS: Problems<keyof typeof data.webhookFaults> = parseProblems(data.webhookFaults);
