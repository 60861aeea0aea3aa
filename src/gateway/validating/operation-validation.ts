import type { ResponseHead } from '../../http/exchange.ts';
import { canEnforce, rejectsRequests } from '../../validation/evidence/enforcement.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import {
  type BodyParameters,
  type FullValidation,
  type InvalidRequest,
  NO_BODY_PARAMETERS,
} from '../../validation/request/index.ts';
import type { Problem } from '../exchange/problem.ts';
import type { SiteRefusal } from '../traffic/site-problems.ts';
import {
  type HeadDecision,
  type IncomingRequest,
  isEnvelopeRequested,
  parseParameters,
  type RequestValidation,
  toInvalidRequestProblem,
} from './incoming-request.ts';
import {
  decideRejection,
  type ObservationContext,
  type ObservedOperation,
  type RequestDecision,
  recordOriginVerdict,
} from './observed-operation.ts';
import { OriginVerdictObserver } from './origin-verdict-observer.ts';
import { ParameterValidation, toHeadDecision } from './parameter-validation.ts';

/** The validation of a request that is not a batch. */
export class OperationValidation extends ParameterValidation implements RequestValidation {
  readonly #operation: ObservedOperation;
  readonly #context: ObservationContext;
  #decision: RequestDecision | null = null;
  #verdictObserver: OriginVerdictObserver | null = null;
  #siteRefusal: SiteRefusal | null = null;
  #refusalListener: ((refusal: SiteRefusal) => void) | null = null;

  constructor(operation: ObservedOperation, context: ObservationContext, request: IncomingRequest) {
    super(request, context.bodyLimit);
    this.#operation = operation;
    this.#context = context;
  }

  override validateHead(hasBody: boolean): HeadDecision {
    const known = hasBody ? undefined : this.request.memo?.validation;
    return known === undefined ? super.validateHead(hasBody) : toHeadDecision(this.#decide(known));
  }

  protected get rejectsInvalid(): boolean {
    const { mode, stats } = this.#operation;
    return rejectsRequests(mode) && canEnforce(stats, [], this.#context.afterAgreement);
  }

  /** The site may take more than PHP's default limit, so `enforce` refuses by a limit of the configuration only. */
  protected createTooLargeProblem(invalid: InvalidRequest): Problem | null {
    const isRefused =
      this.rejectsInvalid && (this.#operation.mode === 'strict' || this.#context.isBodyLimitStated);
    return isRefused ? toInvalidRequestProblem(this.request, invalid) : null;
  }

  /** The site may take it, so only `strict` refuses it. */
  protected createTooComplexProblem(invalid: InvalidRequest): Problem | null {
    const isRefused = this.rejectsInvalid && this.#operation.mode === 'strict';
    this.#context.tooComplexRequests.count(this.#operation, isRefused);
    return isRefused ? toInvalidRequestProblem(this.request, invalid) : null;
  }

  /** Returns the error response when the request is rejected, and `null` when it is forwarded. */
  validate(body: BodyParameters): Problem | null {
    const validation = this.#validateAllRules(body);
    const { memo } = this.request;
    if (body === NO_BODY_PARAMETERS && memo !== undefined) memo.validation = validation;
    return this.#decide(validation);
  }

  /** @param validation `null` if the parameters that the origin would parse are uncertain: the request is forwarded */
  #decide(validation: FullValidation | null): Problem | null {
    if (validation === null) return null;
    this.#decision = decideRejection(this.#operation, validation, this.#context);
    const { rejection } = this.#decision;
    if (rejection === null) return null;
    this.#operation.stats.refused += 1;
    return toInvalidRequestProblem(this.request, rejection);
  }

  #validateAllRules(body: BodyParameters): FullValidation | null {
    if (body.kind === 'invalid') return { result: body, parameters: null };
    const parameters = parseParameters(this.request, body);
    return parameters === null ? null : { result: this.#operation.validate(parameters), parameters };
  }

  head(head: ResponseHead): void {
    const decision = this.#decision;
    if (decision === null) return;
    const enveloped = isEnvelopeRequested(this.request);
    this.#verdictObserver = new OriginVerdictObserver(
      enveloped,
      this.#context.decode,
      (verdict, status, code) => {
        if (code !== '' && status >= 400) {
          this.#siteRefusal = { code, rules: listRefusedRules(verdict) };
          this.#refusalListener?.(this.#siteRefusal);
        }
        recordOriginVerdict(this.#operation, { decision, verdict, status }, this.#context);
      },
    );
    this.#verdictObserver.head(head);
  }

  onSiteRefusal(listener: (refusal: SiteRefusal) => void): void {
    if (this.#siteRefusal === null) this.#refusalListener = listener;
    else listener(this.#siteRefusal);
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

/** Before WordPress 5.5 a refusal has no codes of the parameters. */
function listRefusedRules(verdict: OriginVerdict): SiteRefusal['rules'] {
  if (verdict.kind !== 'refused') return [];
  const { codes, params, stage } = verdict;
  return params.map((param) => ({ param, rule: codes?.get(param) ?? stage }));
}
