import { fieldValue } from '../../http/fields.ts';
import type { AnswerHead } from '../../upstream/exchange.ts';
import {
  type BodyValues,
  NO_BODY,
  pathValues,
  planReading,
  type Reading,
  type RequestValues,
  readQuery,
} from '../../validation/request/index.ts';
import type { BodyInspection } from '../inspection.ts';
import type { AnswerObserver, RequestHead } from '../plan.ts';
import type { Problem } from '../problem.ts';
import type { RouteReading } from '../reading.ts';
import { problemOf } from './refusal.ts';
import { SiteSaid } from './site-said.ts';
import { decide, type FullVerdict, type Judged, learn, type Watched, type Watching } from './watched.ts';

/** One request to an operation, as it came. */
export interface JudgedRequest {
  readonly reading: RouteReading;
  readonly head: RequestHead;
  readonly requestId: string;
}

/** What becomes of the request as far as its head tells. */
export type Beginning =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'passes'; readonly inspection?: BodyInspection };

/** The judging of one request, from its head to the site's answer. */
export class Judging implements AnswerObserver {
  readonly #watched: Watched;
  readonly #watching: Watching;
  readonly #request: JudgedRequest;
  #judged: Judged | null = null;
  #said: SiteSaid | null = null;

  constructor(watched: Watched, watching: Watching, request: JudgedRequest) {
    this.#watched = watched;
    this.#watching = watching;
    this.#request = request;
  }

  begin(hasBody: boolean): Beginning {
    const { head, reading } = this.#request;
    const body = hasBody ? bodyOf(head, reading.target.method) : NO_BODY_READING;
    if (body.kind === 'whole') {
      const { limit, read } = body;
      const tooLong = this.#watched.mode === 'enforce' ? this.#problem(body.tooLong) : null;
      const judge = (bytes: Uint8Array): Problem | null => this.#judge(read(bytes));
      return { kind: 'passes', inspection: { kind: 'whole', limit, tooLong, judge } };
    }
    if (body.kind === 'parts') return { kind: 'passes', inspection: this.#parts(body) };
    const problem = this.#judge(NO_BODY);
    return problem === null ? { kind: 'passes' } : { kind: 'refused', problem };
  }

  #parts(form: Extract<Reading, { kind: 'parts' }>): BodyInspection {
    return {
      kind: 'parts',
      begin: () => {
        const reader = form.begin();
        return {
          write: (chunk) => {
            reader.write(chunk);
            return null;
          },
          end: () => this.#judge(reader.end()),
        };
      },
    };
  }

  head(head: AnswerHead): void {
    const judged = this.#judged;
    if (judged === null) return;
    const enveloped = this.#request.reading.target.query.includes('_envelope');
    this.#said = new SiteSaid(enveloped, (said, status) =>
      learn(this.#watched, judged, said, status, this.#watching),
    );
    this.#said.head(head);
  }

  write(chunk: Uint8Array): void {
    this.#said?.write(chunk);
  }

  end(): void {
    this.#said?.end();
  }

  fail(): void {
    this.#said?.fail();
  }

  #judge(body: BodyValues): Problem | null {
    const full = fullVerdict(this.#watched, this.#request.reading, body);
    if (full === null) return null;
    this.#judged = decide(this.#watched, full, this.#watching);
    const { refused } = this.#judged;
    return refused === null ? null : this.#problem(refused);
  }

  #problem(refused: Parameters<typeof problemOf>[0]): Problem {
    const { head, reading, requestId } = this.#request;
    const enveloped = readQuery(reading.target.query)?.has('_envelope') ?? false;
    return problemOf(refused, head.headers, { requestId, enveloped });
  }
}

const NO_BODY_READING: Reading = { kind: 'none' };

function bodyOf({ headers, method: sent }: RequestHead, method: string): Reading {
  return planReading({ sent, method, contentType: fieldValue(headers, 'content-type') ?? null });
}

/** Null where nobody can tell what the site reads: such a request passes unjudged. */
function fullVerdict(
  { judge }: Watched,
  { match, target }: RouteReading,
  body: BodyValues,
): FullVerdict | null {
  if (body.kind === 'unknown' || match.kind !== 'found') return null;
  if (body.kind === 'refused') return { verdict: body, values: null };
  const query = readQuery(target.query);
  // What is to be run as a script is written by the site alone.
  if (query === null || query.has('_jsonp')) return null;
  const { json, form } = body;
  const values: RequestValues = { json, form, query, path: pathValues(match.params) };
  return { verdict: judge(values), values };
}
