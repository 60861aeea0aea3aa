import type { IncomingRequestHead, RequestHead } from '../../../base/http/exchange.ts';
import { fieldValue, hasField } from '../../../base/http/fields.ts';
import type { JsonObject } from '../../../base/json.ts';
import { createLru } from '../../../base/memoize.ts';
import { createFormScan } from '../../../base/php/form-scan.ts';
import { parseQueryParameters } from '../../../base/php/request.ts';
import type { Log } from '../../../base/ports.ts';
import type { Operation, ServedRoute } from '../../../generator/openapi/index.ts';
import { isCoreRule } from '../../../generator/validation/request/core-arguments.ts';
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
  type BodyParameters,
  type FullValidation,
  isUnambiguousBody,
  listArguments,
  MAX_PARSED_LENGTH,
  NO_BODY_PARAMETERS,
  type OperationArgument,
  planBody,
  type RequestParameters,
  type RequestValidator,
  TOO_COMPLEX_BODY_PARAMETERS,
  toPathParameters,
} from '../../../generator/validation/request/validator.ts';
import { limitValidation } from '../../../generator/validation/wordpress/schema.ts';
import { PROBLEMS, type Problem } from '../../exchange/problem.ts';
import type { RequestBodyValidator, StreamedBodyReader } from '../../exchange/request-body-validator.ts';
import type { SiteOptions } from '../settings.ts';
import type {
  DocumentRequestValidators,
  RouteRequest,
  ServedOperation,
  Snapshot,
} from '../snapshot/snapshot.ts';

export interface IncomingRequest {
  readonly resolved: RouteRequest;
  readonly head: IncomingRequestHead;
  /** `null` if requests cannot be validated, `undefined` if none was yet. @default the result is not kept */
  readonly memo?: { validation: FullValidation | null | undefined };
}

export interface HeadDecision {
  readonly problem: Problem | null;
  readonly bodyValidator?: RequestBodyValidator;
}

/** @returns `null` when it is not certain what the origin parses */
function parseParameters(request: IncomingRequest, body: BodyParameters): RequestParameters | null {
  const { resolved } = request;
  const { match, target } = resolved;
  if (body.kind !== 'complete' || match.kind !== 'found') return null;
  const query = parseQueryParameters(target.query);
  if (query === null || query.has('_jsonp')) return null;
  return { json: body.json, form: body.form, query, path: toPathParameters(match.params) };
}

/** `WP_REST_Server::envelope_response()`, after `rest_send_allow_header()`: what the client can run */
function createEnvelope({ head, resolved }: IncomingRequest): JsonObject | undefined {
  const { match, target } = resolved;
  if (!target.query.includes('_envelope')) return undefined;
  if (parseQueryParameters(target.query)?.has('_envelope') !== true) return undefined;
  const isUser = ['authorization', 'x-wp-nonce'].some((name) => hasField(head.headers, name));
  const operations = match.kind === 'found' ? [...match.route.operations] : [];
  const allowed = operations.filter(([, { object }]) => isUser || object['security'] === undefined);
  return { Allow: allowed.map(([method]) => method).join(', ') };
}

/** A browser's script needs them to read an error (`serve_request()`). */
const INTERFACE_HEADERS: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
  vary: 'Origin',
};

function toInvalidRequestProblem(request: IncomingRequest, { kind: _, ...problem }: InvalidRequest): Problem {
  const origin = fieldValue(request.head.headers, 'origin') ?? '';
  const cors = {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-credentials': 'true',
  };
  return {
    ...problem,
    envelope: createEnvelope(request),
    headers: { ...INTERFACE_HEADERS, ...(origin === '' ? {} : cors) },
  };
}

/** A multipart body is left to the site. */
export class RequestValidation {
  readonly #request: IncomingRequest;
  readonly #site: SiteValidation;
  readonly #rules: OperationRules;
  outcome: ValidationResult['kind'] | undefined;

  constructor(rules: OperationRules, site: SiteValidation, request: IncomingRequest) {
    this.#request = request;
    this.#site = site;
    this.#rules = rules;
  }

  /** Bytes. The site can take more than is parsed, so `enforce` refuses by a configured limit only. */
  get #refusedLength(): number {
    const limit = this.#site.bodyLimit ?? Number.POSITIVE_INFINITY;
    const { mode } = this.#rules;
    return mode === 'strict'
      ? Math.min(limit, MAX_PARSED_LENGTH)
      : mode === 'enforce'
        ? limit
        : Number.POSITIVE_INFINITY;
  }

  validateHead(hasBody: boolean): HeadDecision {
    const { head, memo, resolved } = this.#request;
    const known = memo?.validation;
    if (!hasBody)
      return { problem: known === undefined ? this.#validateWithinLimit(toNoBody) : this.#decide(known) };
    const { headers, method: requestMethod } = head;
    if (!isUnambiguousBody(headers)) return PASSES;
    const contentType = fieldValue(headers, 'content-type') ?? null;
    const request = { requestMethod, method: resolved.target.method, contentType };
    const plan = planBody(request);
    if (plan.kind === 'ignored') return { problem: this.#validateWithinLimit(toNoBody) };
    if (plan.kind === 'multipart') return PASSES;
    const refused = this.#refusedLength;
    const problem = Number.isFinite(refused)
      ? toInvalidRequestProblem(this.#request, bodyTooLargeError(refused))
      : null;
    // A body whose announced length exceeds the limit is rejected before any of it is read.
    if (problem !== null && Number(fieldValue(headers, 'content-length')) > refused) return { problem };
    const bodyValidator: RequestBodyValidator = {
      kind: 'whole',
      maxLength: Math.min(refused, this.#site.bodyLimit ?? MAX_PARSED_LENGTH, MAX_PARSED_LENGTH),
      tooLargeProblem: refused > MAX_PARSED_LENGTH ? null : problem,
      parse: plan.parse,
      validate: (_bytes, parse) => this.#validateWithinLimit(parse),
    };
    return { problem: null, bodyValidator };
  }

  /** A request beyond the limits can be valid at the site, so its mode decides. */
  #validateWithinLimit(parse: () => BodyParameters): Problem | null {
    return limitValidation(() => {
      const body = parse();
      return body === TOO_COMPLEX_BODY_PARAMETERS ? this.#refuseTooComplex() : this.#validate(body);
    }, this.#refuseTooComplex);
  }

  readonly #refuseTooComplex = (): Problem | null => {
    const isRefused = this.#rules.mode === 'strict';
    const { match } = this.#request.resolved;
    const operation = match.kind === 'found' ? match.operation.id : '';
    const { counts, log } = this.#site;
    counts.too_complex += 1;
    const total = counts.too_complex;
    const consequence = isRefused ? 'refused' : 'forwarded without validation';
    if (total % 1000 === 1)
      log.warn({ operation, total }, `a request is too complex to be validated: it is ${consequence}`);
    return isRefused ? toInvalidRequestProblem(this.#request, bodyTooComplexError()) : null;
  };

  #validate(body: BodyParameters): Problem | null {
    const { memo } = this.#request;
    const parameters = body.kind === 'invalid' ? null : parseParameters(this.#request, body);
    const validation =
      body.kind === 'invalid'
        ? { result: body, parameters: null }
        : parameters && { result: this.#rules.validator.validate(parameters), parameters };
    if (body === NO_BODY_PARAMETERS && memo !== undefined) memo.validation = validation;
    return this.#decide(validation);
  }

  #decide(validation: FullValidation | null): Problem | null {
    if (validation === null) return null;
    const { result } = validation;
    this.outcome = result.kind;
    if (result.kind === 'valid') {
      this.#site.counts.valid += 1;
      return null;
    }
    const refusal = this.#rules.findRefusal(validation);
    this.#site.count(this.#rules, listBrokenRules(result), refusal !== null);
    return refusal && toInvalidRequestProblem(this.#request, refusal);
  }
}

const PASSES: HeadDecision = { problem: null };

const toNoBody = (): BodyParameters => NO_BODY_PARAMETERS;

const MAX_FORM_BYTES = 256 * 1024;

export function withFormCheck(decision: HeadDecision | undefined, head: RequestHead): HeadDecision {
  if (decision?.problem) return decision;
  const form = validateForm(head);
  if (form.problem !== null || decision?.bodyValidator === undefined) return form;
  const [own, scan] = [decision.bodyValidator, form.bodyValidator];
  if (scan?.kind !== 'whole' || own.kind !== 'whole') return decision;
  const validate: typeof own.validate = (body, parse) =>
    scan.validate(body, parse) ?? own.validate(body, parse);
  return { problem: null, bodyValidator: { ...own, longer: own.longer ?? scan.longer, validate } };
}

/** WordPress prefers a form's `rest_route` to the path (`WP::parse_request`): another route would run. */
export function validateForm(
  { headers, method }: RequestHead,
  variable = 'rest_route',
  found: Problem = PROBLEMS.routeInForm,
): HeadDecision {
  const contentType = fieldValue(headers, 'content-type') ?? '';
  const createScan = () => createFormScan(contentType, variable);
  if (!isUnambiguousBody(headers)) return { problem: PROBLEMS.unclearForm };
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
  if (plan.kind !== 'buffered') return { problem: null, bodyValidator: streamed };
  return {
    problem: null,
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

const MAX_VIOLATED_RULES = 1_000;

class OperationRules {
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly operation: Operation;
  readonly #route: ServedRoute;
  readonly #isTrusted: boolean;
  readonly validator: RequestValidator;
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
    this.validator = validators.get(operation);
    this.#args = listArguments(operation, validators.resolveReference);
  }

  readonly isEnforced = (rule: ParameterRule): boolean => {
    const name = `${rule.rule} ${rule.param}`;
    const known = this.#enforced.get(name);
    if (known !== undefined) return known;
    const { method } = this.operation;
    const operation = { method, route: this.#route.pattern };
    const isEnforced = this.#isTrusted || isCoreRule(operation, rule, this.#args.get(rule.param));
    this.#enforced.set(name, isEnforced);
    return isEnforced;
  };

  /** Under `enforce` one rule of the site is enough: the site refuses what violates it. */
  findRefusal({ result, parameters }: FullValidation): InvalidRequest | null {
    if (result.kind === 'valid' || this.mode === 'observe') return null;
    const broken = listBrokenRules(result);
    if (this.mode === 'strict' || broken.some(this.isEnforced)) return result;
    if (parameters === null) return null;
    // A rule that the site does not have can end validation before one that it has.
    const isIgnored = (param: string, rule: string): boolean => !this.isEnforced({ param, rule });
    const enforced = this.validator.validate(parameters, isIgnored);
    return enforced.kind === 'invalid' ? enforced : null;
  }
}

/** Validation of a site's requests. The counts outlive the snapshots. */
export class SiteValidation {
  readonly mode: ValidationMode;
  readonly log: Log;
  readonly bodyLimit: number | undefined;
  /** `too_complex`: validation would have blocked the event loop for too long. */
  readonly counts = { valid: 0, forwarded: 0, refused: 0, too_complex: 0 };
  readonly #violations = createLru<RuleViolations>(MAX_VIOLATED_RULES);
  readonly #trusted: ReadonlySet<string>;
  readonly #rules = new WeakMap<Operation, OperationRules>();

  constructor({ bodyLimit, mode = 'off', trust = [] }: SiteOptions['validation'] = {}, log: Log) {
    this.mode = mode;
    this.log = log;
    this.bodyLimit = bodyLimit;
    this.#trusted = new Set(trust);
  }

  /** `null` in mode `off`, or if another route can run instead. */
  findRules({ requestValidators }: Snapshot, { match, target }: RouteRequest): OperationRules | null {
    const { mode } = this;
    if (mode === 'off' || match.kind !== 'found' || !match.isCertain || requestValidators === null)
      return null;
    // WordPress responds to OPTIONS before it validates (`rest_handle_options_request()`).
    if (target.method === 'OPTIONS') return null;
    const known = this.#rules.get(match.operation);
    if (known !== undefined) return known;
    const isTrusted = this.#trusted.has(match.route.namespace);
    const rules = new OperationRules(match, mode, isTrusted, requestValidators);
    this.#rules.set(match.operation, rules);
    return rules;
  }

  inspect(snapshot: Snapshot, request: IncomingRequest): ValidationInspection | null {
    const { match } = request.resolved;
    const { requestValidators } = snapshot;
    const parameters = parseParameters(request, NO_BODY_PARAMETERS);
    if (match.kind !== 'found' || requestValidators === null || parameters === null) return null;
    const rules = this.findRules(snapshot, request.resolved);
    const result = requestValidators.get(match.operation).validate(parameters);
    return {
      mode: rules?.mode ?? 'off',
      violations: listBrokenRules(result),
      isRefused: (rules?.findRefusal({ result, parameters }) ?? null) !== null,
    };
  }

  count(
    { operation, isEnforced }: OperationRules,
    broken: readonly ParameterRule[],
    isRefused: boolean,
  ): void {
    this.counts[isRefused ? 'refused' : 'forwarded'] += 1;
    const { method, path } = operation;
    for (const { param, rule } of broken) {
      const key = `${method} ${path} ${rule} ${param}`;
      const violated = this.#violations.get(key) ?? {
        ...{ method, path, param, rule },
        isEnforced: isEnforced({ param, rule }),
        requests: 0,
      };
      violated.requests += 1;
      this.#violations.set(key, violated);
    }
  }

  createReport(): SiteValidationReport {
    const rules = Array.from(this.#violations.values(), (violated) => ({ ...violated }));
    rules.sort((one, other) => other.requests - one.requests);
    return { mode: this.mode, requests: { ...this.counts }, rules };
  }
}

export interface SiteValidationReport {
  readonly mode: ValidationMode;
  readonly requests: SiteValidation['counts'];
  readonly rules: readonly Readonly<RuleViolations>[];
}

export interface ValidationInspection {
  readonly mode: ValidationMode;
  readonly violations: readonly ParameterRule[];
  readonly isRefused: boolean;
}

/** `param` is empty for a rule of the request as a whole. */
export interface RuleViolations extends ParameterRule {
  readonly method: string;
  readonly path: string;
  readonly isEnforced: boolean;
  requests: number;
}
