import type { ResponseHead } from '../../http/exchange.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { OperationMatch, OperationMatcher } from '../../router/matcher.ts';
import { parseOriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import {
  type BatchSubrequest,
  type BatchValidationResult,
  type BodyParameters,
  createBatchValidator,
  noRouteError,
  type RequestParameters,
  VALID_REQUEST,
  type ValidationResult,
} from '../../validation/request/index.ts';
import type { Problem } from '../plan/problem.ts';
import type { DocumentValidators } from '../snapshot/document-validators.ts';
import { type HeadDecision, inspectBody } from './body-inspection.ts';
import { JsonBodyObserver } from './json-body-observer.ts';
import {
  decideRequest,
  type ObservationContext,
  type ObservedOperation,
  type RequestDecision,
  recordOriginVerdict,
} from './observed-operation.ts';
import {
  type IncomingRequest,
  isEnvelopeRequested,
  OperationValidation,
  parseParameters,
  type RequestValidation,
  toProblem,
} from './operation-validation.ts';
import { parseEnvelopedResponse } from './origin-verdict-observer.ts';
import { createBatchProblem } from './problems.ts';

/** What the requests within a batch are judged with. */
export interface BatchContext {
  readonly batch: ServedOperation;
  readonly matcher: OperationMatcher;
  readonly judges: DocumentValidators;
  /** `null` where requests to it are not judged. */
  observe(match: OperationMatch): ObservedOperation | null;
  /** Whether a route that the document does not have is stopped, wherever it is asked for. */
  readonly rejectsUnknownRoutes: boolean;
}

/** Bytes of a batch's answer that are looked at: 25 answers. */
const MAX_OBSERVED_LENGTH = 1024 * 1024;

interface DecidedSubrequest {
  readonly operation: ObservedOperation;
  readonly decision: RequestDecision;
}

/** Of a batch: of itself as of any operation, and of each request in it. */
export class BatchValidation implements RequestValidation {
  readonly #own: { readonly watched: ObservedOperation; readonly judging: OperationValidation } | null;
  readonly #ground: BatchContext;
  readonly #watching: ObservationContext;
  readonly #request: IncomingRequest;
  readonly #decided = new Map<BatchSubrequest['result'], DecidedSubrequest>();
  #subrequests: readonly BatchSubrequest[] = [];
  #body: JsonBodyObserver | null = null;

  /** @param watched the batch itself; `null` where it is not judged, and only what may not pass at all is stopped */
  constructor(
    watched: ObservedOperation | null,
    ground: BatchContext,
    watching: ObservationContext,
    request: IncomingRequest,
  ) {
    this.#own =
      watched === null ? null : { watched, judging: new OperationValidation(watched, watching, request) };
    this.#ground = ground;
    this.#watching = watching;
    this.#request = request;
  }

  get #isEnforced(): boolean {
    return this.#own?.watched.mode === 'enforce';
  }

  start(hasBody: boolean): HeadDecision {
    return inspectBody(this.#request, hasBody, {
      limit: this.#watching.bodyLimit,
      validate: (body) => this.#own?.judging.validate(body) ?? this.#validateSubrequests(body),
      tooLargeProblem: (refused) =>
        this.#isEnforced || this.#ground.rejectsUnknownRoutes ? toProblem(this.#request, refused) : null,
    });
  }

  #validateSubrequests(body: BodyParameters): Problem | null {
    const values = parseParameters(this.#request, body);
    if (values === null) {
      // What cannot be read may ask for anything.
      return this.#ground.rejectsUnknownRoutes
        ? toProblem(this.#request, body.kind === 'refused' ? body : noRouteError())
        : null;
    }
    const verdict = this.#validateBatch(values);
    if (verdict.kind === 'refused') return toProblem(this.#request, verdict);
    this.#subrequests = verdict.subrequests;
    if (verdict.kind === 'passes' || !verdict.subrequests.some((part) => this.#isRejected(part))) return null;
    for (const { result: own } of verdict.subrequests) {
      const decided = this.#decided.get(own);
      if (decided?.decision.rejection) decided.operation.stats.refused += 1;
    }
    return createBatchProblem(verdict, this.#request.head.headers, isEnvelopeRequested(this.#request));
  }

  /** Whether a part is refused here, and not only found wrong. */
  #isRejected({ isBlocked, result }: BatchSubrequest): boolean {
    if (result.kind !== 'refused') return false;
    return isBlocked === true || this.#isEnforced || this.#decided.has(result);
  }

  #validateBatch(values: RequestParameters): BatchValidationResult {
    const { batch, judges, matcher, rejectsUnknownRoutes, observe } = this.#ground;
    const watched = new Map<ServedOperation, ObservedOperation | null>();
    return createBatchValidator(batch, judges.resolve, {
      matchRoute: (method, route) => {
        const match = matcher.match(method, route);
        if (match.kind !== 'found' || !match.certain) return null;
        watched.set(match.operation, observe(match));
        return match;
      },
      validate: (operation, given) => this.#validateSubrequest(watched.get(operation) ?? null, given),
      isRouteAllowed: (method, route) =>
        !rejectsUnknownRoutes || (route !== null && matcher.match(method, route).kind === 'found'),
    }).validate(values);
  }

  #validateSubrequest(operation: ObservedOperation | null, parameters: RequestParameters): ValidationResult {
    if (operation === null) return VALID_REQUEST;
    const decision = decideRequest(
      operation,
      { result: operation.validate(parameters), parameters },
      this.#watching,
    );
    // One object each: it is what the decision is found by.
    const verdict: ValidationResult = decision.rejection ?? { kind: 'valid' };
    this.#decided.set(verdict, { operation, decision });
    return verdict;
  }

  head(head: ResponseHead): void {
    this.#own?.judging.head(head);
    if (this.#decided.size > 0)
      this.#body = new JsonBodyObserver(head, MAX_OBSERVED_LENGTH, (body) => this.#recordVerdicts(body));
  }

  write(chunk: Uint8Array): void {
    this.#own?.judging.write(chunk);
    this.#body?.write(chunk);
  }

  end(): void {
    this.#own?.judging.end();
    this.#body?.end();
  }

  fail(): void {
    this.#own?.judging.fail();
    this.#body?.fail();
  }

  /** Each request of a batch has its answer in an envelope, in order; `null` where it was not run. */
  #recordVerdicts(body: Json | undefined): void {
    const responses = isJsonObject(body) ? body['responses'] : undefined;
    for (const [at, { result }] of this.#subrequests.entries()) {
      const decided = this.#decided.get(result);
      const answer = parseEnvelopedResponse(Array.isArray(responses) ? responses[at] : undefined);
      if (decided === undefined) continue;
      const said = answer === null ? ({ kind: 'undecided' } as const) : parseOriginVerdict(answer);
      recordOriginVerdict(decided.operation, decided.decision, said, answer?.status ?? 0, this.#watching);
    }
  }
}
