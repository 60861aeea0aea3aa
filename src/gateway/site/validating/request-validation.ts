import type { IncomingRequestHead, RequestHead } from '../../../base/http/exchange.ts';
import { fieldValue } from '../../../base/http/fields.ts';
import { createLru } from '../../../base/memoize.ts';
import { createFormScan } from '../../../base/php/form-scan.ts';
import { parseQueryParameters } from '../../../base/php/query.ts';
import type { Log } from '../../../base/ports.ts';
import type { Operation, ServedRoute } from '../../../generator/openapi/index.ts';
import { isCoreRule } from '../../../generator/validation/request/core-rules.ts';
import {
  type BodyParameters,
  DEFAULT_BODY_LIMIT,
  isUnambiguousBody,
  NO_BODY_PARAMETERS,
  planBody,
  type RequestParameters,
  TOO_COMPLEX_BODY_PARAMETERS,
  toPathParameters,
  UNKNOWN_BODY_PARAMETERS,
} from '../../../generator/validation/request/parameters.ts';
import {
  bodyTooComplexError,
  bodyTooLargeError,
  type InvalidRequest,
  listBrokenRules,
  type ParameterRule,
  type ValidationMode,
  type ValidationResult,
} from '../../../generator/validation/request/result.ts';
import {
  type FullValidation,
  listArguments,
  type OperationArgument,
} from '../../../generator/validation/request/validator.ts';
import { limitValidation } from '../../../generator/validation/wordpress/schema.ts';
import { PROBLEMS, type Problem } from '../../exchange/problem.ts';
import type { RequestBodyValidator, StreamedBodyReader } from '../../exchange/request-body-validator.ts';
import type { DocumentRequestValidators, RouteRequest, ServedOperation } from '../snapshot/snapshot.ts';

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

export class OperationRules {
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly operation: Operation;
  readonly #route: ServedRoute;
  readonly #isTrusted: boolean;
  readonly #validators: DocumentRequestValidators;
  readonly #args: ReadonlyMap<string, OperationArgument>;
  readonly #enforced = new Map<string, boolean>();

  constructor(
    { operation, route }: ServedOperation,
    mode: Exclude<ValidationMode, 'off'>,
    isTrusted: boolean,
    validators: DocumentRequestValidators,
  ) {
    this.mode = mode;
    this.operation = operation;
    this.#route = route;
    this.#isTrusted = isTrusted;
    this.#validators = validators;
    this.#args = listArguments(operation, validators.resolveReference);
  }

  validate(parameters: RequestParameters): FullValidation {
    return { result: this.#validators.get(this.operation).validate(parameters), parameters };
  }

  isEnforced(rule: ParameterRule): boolean {
    const name = `${rule.rule} ${rule.param}`;
    const known = this.#enforced.get(name);
    if (known !== undefined) return known;
    const { method } = this.operation;
    const operation = { method, route: this.#route.pattern };
    const isEnforced = this.#isTrusted || isCoreRule(operation, rule, this.#args.get(rule.param));
    this.#enforced.set(name, isEnforced);
    return isEnforced;
  }

  /** Under `enforce` one rule of the site is enough: the site refuses what violates it. */
  findRefusal({ result, parameters }: FullValidation): InvalidRequest | null {
    if (result.kind === 'valid' || this.mode === 'observe') return null;
    const broken = listBrokenRules(result);
    if (this.mode === 'strict' || broken.some((rule) => this.isEnforced(rule))) return result;
    if (parameters === null) return null;
    // A rule that the site does not have can end validation before one that it has.
    const isIgnored = (param: string, rule: string): boolean => !this.isEnforced({ param, rule });
    const enforced = this.#validators.get(this.operation).validate(parameters, isIgnored);
    return enforced.kind === 'invalid' ? enforced : null;
  }
}

export class ValidationContext {
  readonly log: Log;
  readonly bodyLimit: number;
  readonly isBodyLimitDeclared: boolean;
  /** `too_complex`: validation would have blocked the event loop for too long. */
  readonly counts = { valid: 0, forwarded: 0, refused: 0, too_complex: 0 };
  readonly #violations = createLru<RuleViolations>(MAX_VIOLATED_RULES);

  constructor(log: Log, bodyLimit: number | undefined) {
    this.log = log;
    this.bodyLimit = bodyLimit ?? DEFAULT_BODY_LIMIT;
    this.isBodyLimitDeclared = bodyLimit !== undefined;
  }

  count(rules: OperationRules, { result }: FullValidation, isRefused: boolean): void {
    if (result.kind === 'valid') {
      this.counts.valid += 1;
      return;
    }
    this.counts[isRefused ? 'refused' : 'forwarded'] += 1;
    const { method, path } = rules.operation;
    for (const { param, rule } of listBrokenRules(result)) {
      const key = `${method} ${path} ${rule} ${param}`;
      const violated = this.#violations.get(key) ?? {
        ...{ method, path, param, rule },
        isEnforced: rules.isEnforced({ param, rule }),
        requests: 0,
      };
      violated.requests += 1;
      this.#violations.set(key, violated);
    }
  }

  listViolations(): readonly Readonly<RuleViolations>[] {
    const rules = Array.from(this.#violations.values(), (violated) => ({ ...violated }));
    return rules.sort((one, other) => other.requests - one.requests);
  }
}

const MAX_VIOLATED_RULES = 1_000;

/** `param` is empty for a rule of the request as a whole. */
export interface RuleViolations extends ParameterRule {
  readonly method: string;
  readonly path: string;
  readonly isEnforced: boolean;
  requests: number;
}
