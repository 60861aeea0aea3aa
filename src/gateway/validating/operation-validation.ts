import type { ResponseHead } from '../../http/exchange.ts';
import { mayRefuse } from '../../validation/evidence/enforcement.ts';
import {
  type BodyValues,
  NO_BODY,
  pathValues,
  type Refused,
  type RequestValues,
  readQuery,
} from '../../validation/request/index.ts';
import type { AnswerObserver, RequestHead } from '../plan/plan.ts';
import type { Problem } from '../plan/problem.ts';
import type { RouteReading } from '../snapshot/resolved-request.ts';
import { type Beginning, beginBody } from './body-inspection.ts';
import {
  decide,
  type FullVerdict,
  type Judged,
  learn,
  type Watched,
  type Watching,
} from './observed-operation.ts';
import { SiteSaid } from './origin-verdict-observer.ts';
import { problemOf } from './problems.ts';

/** One request to an operation, as it came. */
export interface JudgedRequest {
  readonly reading: RouteReading;
  readonly head: RequestHead;
}

/** The judging of one request, from its head to the site's answer. */
export interface Judging extends AnswerObserver {
  /** Called once, before anything is sent. */
  begin(hasBody: boolean): Beginning;
}

/** Of a request that means one operation. */
export class OperationJudging implements Judging {
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
    const { mode, tally } = this.#watched;
    const { afterAgreement, bodyLimit } = this.#watching;
    const isEnforced = mode === 'enforce' && mayRefuse(tally, [], afterAgreement);
    return beginBody(this.#request, hasBody, {
      limit: bodyLimit,
      judge: (body) => this.judge(body),
      tooLong: (refused) => (isEnforced ? refusalOf(this.#request, refused) : null),
    });
  }

  /** What the caller is told instead of asking the site; `null` where the request passes. */
  judge(body: BodyValues): Problem | null {
    const full = body === NO_BODY ? this.#withoutBody() : this.#fullVerdict(body);
    // Where nobody can tell what the site reads, the request passes unjudged.
    if (full === null) return null;
    this.#judged = decide(this.#watched, full, this.#watching);
    const { refused } = this.#judged;
    if (refused === null) return null;
    this.#watched.tally.refused += 1;
    return refusalOf(this.#request, refused);
  }

  /** A reading that is remembered stands for all requests for its address. */
  #withoutBody(): FullVerdict | null {
    const { reading } = this.#request;
    const { verdict } = reading.notes;
    if (verdict !== undefined) return verdict;
    const full = this.#fullVerdict(NO_BODY);
    reading.notes.verdict = full;
    return full;
  }

  #fullVerdict(body: BodyValues): FullVerdict | null {
    if (body.kind === 'refused') return { verdict: body, values: null };
    const values = valuesOf(this.#request, body);
    return values === null ? null : { verdict: this.#watched.judge(values), values };
  }

  head(head: ResponseHead): void {
    const judged = this.#judged;
    if (judged === null) return;
    const enveloped = isEnveloped(this.#request);
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
}

/** The parameters of a request by their places; `null` where nobody can tell what the site reads. */
export function valuesOf({ reading }: JudgedRequest, body: BodyValues): RequestValues | null {
  const { match, target } = reading;
  if (body.kind !== 'values' || match.kind !== 'found') return null;
  const query = readQuery(target.query);
  // What is to be run as a script is written by the site alone.
  if (query === null || query.has('_jsonp')) return null;
  return { json: body.json, form: body.form, query, path: pathValues(match.params) };
}

/** What the caller of a refused request is told. */
export function refusalOf(request: JudgedRequest, refused: Refused): Problem {
  return problemOf(refused, request.head.headers, isEnveloped(request));
}

export function isEnveloped({ reading }: JudgedRequest): boolean {
  const { query } = reading.target;
  return query.includes('_envelope') && readQuery(query)?.has('_envelope') === true;
}
