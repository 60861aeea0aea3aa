import { PROBLEMS, type Problem } from '../../exchange/problem.ts';
import type { RequestBodyValidator, StreamedBodyReader } from '../../exchange/request-body-validator.ts';
import type { IncomingRequestHead, RequestHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { createFormScan } from '../../php/form-scan.ts';
import { parseQueryParameters } from '../../php/query.ts';
import {
  type BodyParameters,
  isUnambiguousBody,
  NO_BODY_PARAMETERS,
  planBody,
  type RequestParameters,
  TOO_COMPLEX_BODY_PARAMETERS,
  toPathParameters,
  UNKNOWN_BODY_PARAMETERS,
} from '../../validation/request/parameters.ts';
import {
  bodyTooComplexError,
  bodyTooLargeError,
  type InvalidRequest,
  type ValidationResult,
} from '../../validation/request/result.ts';
import type { FullValidation } from '../../validation/request/validator.ts';
import { limitValidation } from '../../validation/wordpress/schema.ts';
import type { RouteRequest } from '../snapshot/snapshot.ts';
import type { OperationRules, ValidationContext } from './operation-rules.ts';

export interface IncomingRequest {
  readonly resolved: RouteRequest;
  readonly head: IncomingRequestHead;
  /** `null` if requests cannot be validated, `undefined` if none was yet. @default the result is not kept */
  readonly memo?: { validation: FullValidation | null | undefined };
}

export type HeadDecision =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | {
      readonly kind: 'passes';
      readonly bodyValidator?: RequestBodyValidator;
    };

/** @returns `null` when it is not certain what the origin parses */
export function parseParameters(request: IncomingRequest, body: BodyParameters): RequestParameters | null {
  const { resolved } = request;
  const { match, target } = resolved;
  if (body.kind !== 'complete' || match.kind !== 'found') return null;
  const query = parseQueryParameters(target.query);
  if (query === null || query.has('_jsonp')) return null;
  return { json: body.json, form: body.form, query, path: toPathParameters(match.params) };
}

function isEnvelopeRequested({ resolved }: IncomingRequest): boolean {
  const { query } = resolved.target;
  return query.includes('_envelope') && parseQueryParameters(query)?.has('_envelope') === true;
}

/** A browser's script needs them to read an error (`serve_request()`). */
const INTERFACE_HEADERS: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
  vary: 'Origin',
};

/** Creates a problem with CORS fields (`rest_send_cors_headers()`). */
function toInvalidRequestProblem(request: IncomingRequest, { kind: _, ...problem }: InvalidRequest): Problem {
  const origin = fieldValue(request.head.headers, 'origin') ?? '';
  const cors = {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-credentials': 'true',
  };
  return {
    ...problem,
    isEnveloped: isEnvelopeRequested(request),
    headers: { ...INTERFACE_HEADERS, ...(origin === '' ? {} : cors) },
  };
}

/** A body is buffered, and parsed as the site does. A multipart body is left to the site. */
export class RequestValidation {
  readonly #request: IncomingRequest;
  readonly #context: ValidationContext;
  readonly #rules: OperationRules;
  /** `undefined` before the request is validated, and if that is not possible. */
  outcome: ValidationResult['kind'] | undefined;

  constructor(rules: OperationRules, context: ValidationContext, request: IncomingRequest) {
    this.#request = request;
    this.#context = context;
    this.#rules = rules;
  }

  /** The site can take more than PHP's default limit, so `enforce` refuses by a configured limit only. */
  get #refusesTooLarge(): boolean {
    const { mode } = this.#rules;
    return mode === 'strict' || (mode === 'enforce' && this.#context.isBodyLimitDeclared);
  }

  get #refusesTooComplex(): boolean {
    return this.#rules.mode === 'strict';
  }

  validateHead(hasBody: boolean): HeadDecision {
    const { memo } = this.#request;
    if (!hasBody && memo?.validation !== undefined) return toHeadDecision(this.#decide(memo.validation));
    if (!hasBody) return this.#decideHead(NO_BODY_PARAMETERS);
    const { head, resolved } = this.#request;
    const { headers, method: requestMethod } = head;
    if (!isUnambiguousBody(headers)) return this.#decideHead(UNKNOWN_BODY_PARAMETERS);
    const contentType = fieldValue(headers, 'content-type') ?? null;
    const request = { requestMethod, method: resolved.target.method, contentType };
    const plan = planBody(request, this.#context.bodyLimit);
    if (plan.kind === 'ignored') return this.#decideHead(NO_BODY_PARAMETERS);
    if (plan.kind === 'multipart') return this.#decideHead(UNKNOWN_BODY_PARAMETERS);
    const problem = this.#refusesTooLarge
      ? toInvalidRequestProblem(this.#request, bodyTooLargeError(plan.limit))
      : null;
    // A body whose announced length exceeds the limit is rejected before any of it is read.
    if (problem !== null && Number(fieldValue(headers, 'content-length')) > plan.limit) {
      return { kind: 'refused', problem };
    }
    const bodyValidator: RequestBodyValidator = {
      kind: 'whole',
      maxLength: plan.limit,
      tooLargeProblem: problem,
      parse: plan.parse,
      validate: (_bytes, parse) => this.#validateWithinLimit(parse),
    };
    return { kind: 'passes', bodyValidator };
  }

  #decideHead(body: BodyParameters): HeadDecision {
    return toHeadDecision(this.#validateWithinLimit(() => body));
  }

  /** A request beyond the limits can be valid at the site, so its mode decides. */
  #validateWithinLimit(parse: () => BodyParameters): Problem | null {
    const refuse = (): Problem | null => this.#refuseTooComplex();
    return limitValidation(() => {
      const body = parse();
      return body === TOO_COMPLEX_BODY_PARAMETERS ? refuse() : this.#validate(body);
    }, refuse);
  }

  #refuseTooComplex(): Problem | null {
    const isRefused = this.#refusesTooComplex;
    const { match } = this.#request.resolved;
    const operation = match.kind === 'found' ? match.operation.id : '';
    const { counts, log } = this.#context;
    counts.too_complex += 1;
    const total = counts.too_complex;
    const consequence = isRefused ? 'refused' : 'forwarded without validation';
    if (total % 1000 === 1)
      log.warn({ operation, total }, `a request is too complex to be validated: it is ${consequence}`);
    return isRefused ? toInvalidRequestProblem(this.#request, bodyTooComplexError()) : null;
  }

  #validate(body: BodyParameters): Problem | null {
    const { memo } = this.#request;
    const validation = this.#validateAllRules(body);
    if (body === NO_BODY_PARAMETERS && memo !== undefined) memo.validation = validation;
    return this.#decide(validation);
  }

  /** @param validation `null` if it is uncertain what the origin would parse: the request is forwarded */
  #decide(validation: FullValidation | null): Problem | null {
    if (validation === null) return null;
    this.outcome = validation.result.kind;
    const refusal = this.#rules.findRefusal(validation);
    this.#context.count(this.#rules, validation, refusal !== null);
    return refusal && toInvalidRequestProblem(this.#request, refusal);
  }

  #validateAllRules(body: BodyParameters): FullValidation | null {
    if (body.kind === 'invalid') return { result: body, parameters: null };
    const parameters = parseParameters(this.#request, body);
    return parameters && this.#rules.validate(parameters);
  }
}

function toHeadDecision(problem: Problem | null): HeadDecision {
  return problem === null ? PASSES : { kind: 'refused', problem };
}

const PASSES: HeadDecision = { kind: 'passes' };

const MAX_FORM_BYTES = 256 * 1024;

export function withFormCheck(decision: HeadDecision | undefined, head: RequestHead): HeadDecision {
  if (decision?.kind === 'refused') return decision;
  const form = validateForm(head);
  if (form.kind === 'refused' || decision?.bodyValidator === undefined) return form;
  const [own, scan] = [decision.bodyValidator, form.bodyValidator];
  if (scan?.kind !== 'whole' || own.kind !== 'whole') return decision;
  const validate: typeof own.validate = (body, parse) =>
    scan.validate(body, parse) ?? own.validate(body, parse);
  return { kind: 'passes', bodyValidator: { ...own, longer: own.longer ?? scan.longer, validate } };
}

/** WordPress prefers a form's `rest_route` to the path (`WP::parse_request`): another route would run. */
export function validateForm(
  { headers, method }: RequestHead,
  variable = 'rest_route',
  found: Problem = PROBLEMS.routeInForm,
): HeadDecision {
  const contentType = fieldValue(headers, 'content-type') ?? '';
  const createScan = () => createFormScan(contentType, variable);
  if (!isUnambiguousBody(headers)) return { kind: 'refused', problem: PROBLEMS.unclearForm };
  if (createScan() === null) return PASSES;
  const createReader = (): StreamedBodyReader => {
    const scan = createScan();
    const problems = { absent: null, found, unclear: PROBLEMS.unclearForm };
    return {
      retainedBytes: 0,
      write: (chunk) => problems[scan?.write(chunk) ?? 'absent'],
      end: () => problems[scan?.end() ?? 'absent'],
    };
  };
  const streamed = { kind: 'parts', isRequired: true, createReader } as const;
  const plan = planBody({ requestMethod: method, method, contentType });
  if (plan.kind !== 'buffered') return { kind: 'passes', bodyValidator: streamed };
  return {
    kind: 'passes',
    bodyValidator: {
      kind: 'whole',
      maxLength: MAX_FORM_BYTES,
      tooLargeProblem: null,
      longer: streamed,
      parse: plan.parse,
      validate: (body) => createReader().write(body),
    },
  };
}
