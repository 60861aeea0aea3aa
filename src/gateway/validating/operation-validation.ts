import type { ResponseHead } from '../../http/exchange.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { canEnforce } from '../../validation/evidence/enforcement.ts';
import {
  type BodyParameters,
  type InvalidRequest,
  NO_BODY_PARAMETERS,
  parseQueryParameters,
  type RequestParameters,
  toPathParameters,
} from '../../validation/request/index.ts';
import type { ResponseObserver } from '../plan/plan.ts';
import type { Problem } from '../plan/problem.ts';
import type { RouteRequest } from '../snapshot/resolved-request.ts';
import { type HeadDecision, inspectBody } from './body-inspection.ts';
import {
  decideRequest,
  type FullValidation,
  type ObservationContext,
  type ObservedOperation,
  type RequestDecision,
  recordOriginVerdict,
} from './observed-operation.ts';
import { OriginVerdictObserver } from './origin-verdict-observer.ts';
import { createValidationProblem } from './problems.ts';

/** One request to an operation, as it came. */
export interface IncomingRequest {
  readonly resolved: RouteRequest;
  readonly head: IncomingRequestHead;
}

/** The judging of one request, from its head to the site's answer. */
export interface RequestValidation extends ResponseObserver {
  /** Called once, before anything is sent. */
  start(hasBody: boolean): HeadDecision;
}

/** Of a request that means one operation. */
export class OperationValidation implements RequestValidation {
  readonly #operation: ObservedOperation;
  readonly #context: ObservationContext;
  readonly #request: IncomingRequest;
  #decision: RequestDecision | null = null;
  #verdictObserver: OriginVerdictObserver | null = null;

  constructor(operation: ObservedOperation, context: ObservationContext, request: IncomingRequest) {
    this.#operation = operation;
    this.#context = context;
    this.#request = request;
  }

  start(hasBody: boolean): HeadDecision {
    const { mode, stats } = this.#operation;
    const { afterAgreement, bodyLimit } = this.#context;
    const isEnforced = mode === 'enforce' && canEnforce(stats, [], afterAgreement);
    return inspectBody(this.#request, hasBody, {
      limit: bodyLimit,
      validate: (body) => this.validate(body),
      tooLargeProblem: (refused) => (isEnforced ? toProblem(this.#request, refused) : null),
    });
  }

  /** What the caller is told instead of asking the site; `null` where the request passes. */
  validate(body: BodyParameters): Problem | null {
    const result = body === NO_BODY_PARAMETERS ? this.#validateWithoutBody() : this.#validateAllRules(body);
    // Where nobody can tell what the site reads, the request passes unjudged.
    if (result === null) return null;
    this.#decision = decideRequest(this.#operation, result, this.#context);
    const { rejection } = this.#decision;
    if (rejection === null) return null;
    this.#operation.stats.refused += 1;
    return toProblem(this.#request, rejection);
  }

  /** A reading that is remembered stands for all requests for its address. */
  #validateWithoutBody(): FullValidation | null {
    const { resolved } = this.#request;
    const { verdict } = resolved.notes;
    if (verdict !== undefined) return verdict;
    const result = this.#validateAllRules(NO_BODY_PARAMETERS);
    resolved.notes.verdict = result;
    return result;
  }

  #validateAllRules(body: BodyParameters): FullValidation | null {
    if (body.kind === 'refused') return { result: body, parameters: null };
    const parameters = parseParameters(this.#request, body);
    return parameters === null ? null : { result: this.#operation.validate(parameters), parameters };
  }

  head(head: ResponseHead): void {
    const judged = this.#decision;
    if (judged === null) return;
    const enveloped = isEnvelopeRequested(this.#request);
    this.#verdictObserver = new OriginVerdictObserver(enveloped, (said, status) =>
      recordOriginVerdict(this.#operation, judged, said, status, this.#context),
    );
    this.#verdictObserver.head(head);
  }

  write(chunk: Uint8Array): void {
    this.#verdictObserver?.write(chunk);
  }

  end(): void {
    this.#verdictObserver?.end();
  }

  fail(): void {
    this.#verdictObserver?.fail();
  }
}

/** The parameters of a request by their places; `null` where nobody can tell what the site reads. */
export function parseParameters(
  { resolved }: IncomingRequest,
  body: BodyParameters,
): RequestParameters | null {
  const { match, target } = resolved;
  if (body.kind !== 'values' || match.kind !== 'found') return null;
  const query = parseQueryParameters(target.query);
  // What is to be run as a script is written by the site alone.
  if (query === null || query.has('_jsonp')) return null;
  return { json: body.json, form: body.form, query, path: toPathParameters(match.params) };
}

/** What the caller of a refused request is told. */
export function toProblem(request: IncomingRequest, refused: InvalidRequest): Problem {
  return createValidationProblem(refused, request.head.headers, isEnvelopeRequested(request));
}

export function isEnvelopeRequested({ resolved }: IncomingRequest): boolean {
  const { query } = resolved.target;
  return query.includes('_envelope') && parseQueryParameters(query)?.has('_envelope') === true;
}
