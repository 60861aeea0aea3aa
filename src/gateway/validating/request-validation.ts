import { BodyBuffer } from '../../http/chunks.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead, UpstreamFailure } from '../../http/exchange.ts';
import { fieldValue, parseContentLength, parseMediaType } from '../../http/fields.ts';
import { findRequestField } from '../../http/request-fields.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { isJsonObject, type Json, parseJsonBytes } from '../../json.ts';
import { estimateJsonCost } from '../../php/parse-cost.ts';
import { canEnforce, rejectsRequests } from '../../validation/evidence/enforcement.ts';
import {
  isJsonMediaType,
  type OriginResponseSummary,
  type OriginVerdict,
  parseOriginVerdict,
  UNDECIDED,
} from '../../validation/evidence/origin-verdict.ts';
import {
  type BodyParameters,
  type BodyPlan,
  isUnambiguousBody,
  MULTIPART,
  NO_BODY_PARAMETERS,
  parseQueryParameters,
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
} from '../../validation/request/result.ts';
import type { FullValidation } from '../../validation/request/validator.ts';
import { DEFAULT_WORK_LIMIT, limitWork } from '../../validation/wordpress/schema.ts';
import type { BodyInspection } from '../exchange/inspected-exchange.ts';
import type { Problem } from '../exchange/problem.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { RouteRequest } from '../snapshot/snapshot.ts';
import type { SiteRefusal } from '../traffic/site-recorder.ts';
import type { ObservationContext, ObservedOperation, RequestDecision } from './observed-operation.ts';

/** A client's request to the REST interface: its head, and the route and operation that it resolves to. */
export interface IncomingRequest {
  readonly resolved: RouteRequest;
  readonly head: IncomingRequestHead;
  /** @default false */
  readonly hasBody?: boolean;
  /**
   * Keeps the validation result for later requests with the same method and target without a body: `null` if it cannot be
   * validated, `undefined` if it was not validated yet. @default it is not kept
   */
  readonly memo?: { validation: FullValidation | null | undefined };
}

/** The validation of one request, from its head to the origin's response, which it observes. */
export interface RequestValidation extends ResponseObserver {
  /** Validates the head. Called once, before the request is forwarded. */
  validateHead(hasBody: boolean): HeadDecision;
  /** Calls a listener when the site's error response states a code: at once, or as soon as its body was read. */
  onSiteRefusal?(listener: (refusal: SiteRefusal) => void): void;
}

/** The result of validation when only the head of a request is known. */
export type HeadDecision =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | {
      readonly kind: 'passes';
      /** Validates the body while or before it is forwarded. Absent when no parameter can come from the body. */
      readonly bodyInspection?: BodyInspection;
    };

/**
 * Parses the parameters of a request, grouped by their source.
 *
 * @returns `null` when it is not certain what the origin parses, so that the request cannot be validated
 */
export function parseParameters(
  { resolved }: IncomingRequest,
  body: BodyParameters,
): RequestParameters | null {
  const { match, target } = resolved;
  if (body.kind !== 'complete' || match.kind !== 'found') return null;
  const query = parseQueryParameters(target.query);
  // Only the origin can write a JSONP response, an error response included.
  if (query === null || query.has('_jsonp')) return null;
  return { json: body.json, form: body.form, query, path: toPathParameters(match.params) };
}

/** Maximum length of a body whose text is searched. */
const MAX_SEARCHED_LENGTH = 64 * 1024;

/** Joins all that a client chose in a request; `null` if a part of it is not known, such as the files of a form. */
export function joinSentText(
  { hasBody = false, head: { headers }, resolved }: IncomingRequest,
  parameters: RequestParameters | null,
): string | null {
  if (parameters === null) return null;
  const { form, json, path, query } = parameters;
  const length = parseContentLength(headers) ?? Number.POSITIVE_INFINITY;
  const { essence } = parseMediaType(fieldValue(headers, 'content-type') ?? null);
  const isUnread = json.size + form.size === 0 || essence === MULTIPART;
  if (hasBody && (isUnread || length > MAX_SEARCHED_LENGTH)) return null;
  const fields = headers.filter(
    (text, at) => at % 2 === 1 || findRequestField(text.toLowerCase()) === undefined,
  );
  // Nothing states the encoding of other characters in fields.
  if (fields.some((text) => /[^ -~]|%[89a-f]/i.test(text))) return null;
  const credentials = decodeCredentials(fieldValue(headers, 'authorization') ?? '');
  const values = JSON.stringify([json, form, query, path].map((source) => [...source]));
  return [resolved.target.query, ...fields, credentials, values.replace(/\\(?:u\w{4}|.)/g, ' ')].join(' ');
}

/** Decodes the user name of `Basic`, or the claims of a token. */
function decodeCredentials(authorization: string): string {
  const decoded = authorization.split(/[ .]/).map((part) => {
    try {
      return atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    } catch {
      return '';
    }
  });
  return decoded.join(' ').replace(/[^ -~]/g, ' ');
}

/** Creates the response to an invalid request, with the code, message and data that the site would send. */
export function toInvalidRequestProblem(
  request: IncomingRequest,
  { brokenRules, code, data, message, status }: InvalidRequest,
): Problem {
  return createInterfaceProblem(request, { status, code, message, data, brokenRules });
}

/** Whether the client asked for the response in an envelope (`_envelope`). */
export function isEnvelopeRequested({ resolved }: IncomingRequest): boolean {
  const { query } = resolved.target;
  return query.includes('_envelope') && parseQueryParameters(query)?.has('_envelope') === true;
}

/** Header fields of every response of the REST interface (`serve_request()`). A browser's script needs them to read an error. */
const INTERFACE_HEADERS: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
  vary: 'Origin',
};

/** Creates the response to a batch that the gateway refuses as a whole. Its body has one response for each subrequest. */
export function createRefusedBatchProblem(
  request: IncomingRequest,
  { body, status }: Required<Pick<Problem, 'body' | 'status'>>,
): Problem {
  const message = 'No request of the batch was run.';
  return createInterfaceProblem(request, { status, body, code: 'rest_batch_refused', message });
}

/** Creates the response to `OPTIONS` for a route that does not exist (`rest_handle_options_request()`). */
export function createUnknownRouteOptionsProblem(request: IncomingRequest): Problem {
  const message = 'No route was found matching the URL.';
  return createInterfaceProblem(request, { status: 200, body: [], code: 'rest_no_route', message });
}

/** Creates an error response of the REST interface, with the CORS fields that it sends (`rest_send_cors_headers()`). */
function createInterfaceProblem(request: IncomingRequest, problem: Problem): Problem {
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

/** Maximum bytes of a body that are buffered for observation only. A longer body is forwarded without validation. */
const OBSERVED_BODY_LIMIT = 1024 * 1024;

/**
 * Validates the parameters of a request. Its body is parsed as the origin parses it: buffered before it is forwarded, or while
 * it streams. A request without parameters in its body is validated at once.
 */
export abstract class ParameterValidation implements RequestValidation {
  protected readonly request: IncomingRequest;
  /** See the body of the response, from its head on. */
  protected readonly observers: Required<Pick<ResponseObserver, 'write' | 'end' | 'fail'>>[] = [];
  /** Maximum length of a body that is parsed, in bytes. */
  readonly #maxLength: number;

  constructor(request: IncomingRequest, maxLength: number) {
    this.request = request;
    this.#maxLength = maxLength;
  }

  abstract head(head: ResponseHead): void;

  write(chunk: Uint8Array): void {
    for (const observer of this.observers) observer.write(chunk);
  }

  end(): void {
    for (const observer of this.observers) void observer.end();
  }

  fail(failure: UpstreamFailure): void {
    for (const observer of this.observers) observer.fail(failure);
  }

  /** Called once, with the parameters of the body; with {@link NO_BODY_PARAMETERS} when there are none. */
  abstract validate(body: BodyParameters): Problem | null;
  /** Whether invalid requests are rejected, so that a body is buffered up to the limit even if a longer one is forwarded. */
  protected abstract get rejectsInvalid(): boolean;
  /** Whether a request with a body that is too large is refused. */
  protected abstract get refusesTooLarge(): boolean;
  /** Counts a request that is too complex to validate. Returns whether it is refused. */
  protected abstract countTooComplex(): boolean;

  validateHead(hasBody: boolean): HeadDecision {
    if (!hasBody) return toHeadDecision(this.#validateWithinLimit(() => NO_BODY_PARAMETERS));
    const { head, resolved } = this.request;
    const { headers, method: requestMethod } = head;
    const contentType = fieldValue(headers, 'content-type') ?? null;
    if (!isUnambiguousBody(headers)) {
      return toHeadDecision(this.#validateWithinLimit(() => UNKNOWN_BODY_PARAMETERS));
    }
    const plan = planBody({ requestMethod, method: resolved.target.method, contentType }, this.#maxLength);
    switch (plan.kind) {
      case 'ignored':
        return toHeadDecision(this.#validateWithinLimit(() => NO_BODY_PARAMETERS));
      case 'buffered': {
        const problem = this.refusesTooLarge
          ? toInvalidRequestProblem(this.request, bodyTooLargeError(plan.limit))
          : null;
        // A body whose announced length exceeds the limit is rejected before any of it is read.
        if (problem !== null && Number(fieldValue(headers, 'content-length')) > plan.limit) {
          return { kind: 'refused', problem };
        }
        return {
          kind: 'passes',
          bodyInspection: {
            kind: 'whole',
            maxLength: this.rejectsInvalid ? plan.limit : Math.min(plan.limit, OBSERVED_BODY_LIMIT),
            tooLargeProblem: problem,
            createReader: plan.createReader,
            validate: (_bytes, parse) => this.#validateWithinLimit(parse),
          },
        };
      }
      case 'multipart':
        return { kind: 'passes', bodyInspection: this.#inspectMultipart(plan) };
    }
  }

  #inspectMultipart(plan: Extract<BodyPlan, { kind: 'multipart' }>): BodyInspection {
    return {
      kind: 'parts',
      isRequired: this.refusesTooLarge,
      createInspector: () => {
        const reader = plan.createReader();
        return {
          get retainedBytes() {
            return reader.retainedBytes;
          },
          write(chunk) {
            reader.write(chunk);
            return null;
          },
          end: () => this.#validateWithinLimit(() => reader.end()),
        };
      },
    };
  }

  /**
   * Parses and validates as long as the event loop may be blocked. A request that takes longer may be valid at the site, so
   * its mode decides whether it is refused.
   */
  #validateWithinLimit(parse: () => BodyParameters): Problem | null {
    const refuse = (): Problem | null =>
      this.countTooComplex() ? toInvalidRequestProblem(this.request, bodyTooComplexError()) : null;
    return limitWork(
      DEFAULT_WORK_LIMIT,
      () => {
        const body = parse();
        return body === TOO_COMPLEX_BODY_PARAMETERS ? refuse() : this.validate(body);
      },
      refuse,
    );
  }
}

const PASSES: HeadDecision = { kind: 'passes' };

function toHeadDecision(problem: Problem | null): HeadDecision {
  return problem === null ? PASSES : { kind: 'refused', problem };
}

/** The validation of a request that is not a batch. */
export class OperationValidation extends ParameterValidation {
  readonly #operation: ObservedOperation;
  readonly #context: ObservationContext;
  #decision: RequestDecision | null = null;
  #siteRefusal: SiteRefusal | null = null;
  #refusalListener: ((refusal: SiteRefusal) => void) | null = null;

  constructor(operation: ObservedOperation, context: ObservationContext, request: IncomingRequest) {
    super(request, context.bodyLimit);
    this.#operation = operation;
    this.#context = context;
  }

  override validateHead(hasBody: boolean): HeadDecision {
    const known = hasBody ? undefined : this.request.memo?.validation;
    if (known === undefined) return super.validateHead(hasBody);
    return toHeadDecision(this.#decide(known));
  }

  protected get rejectsInvalid(): boolean {
    const { mode, stats } = this.#operation;
    return rejectsRequests(mode) && canEnforce(stats, [], this.#context.afterAgreement);
  }

  /** The site may take more than PHP's default limit, so `enforce` refuses by a limit of the configuration only. */
  protected get refusesTooLarge(): boolean {
    return this.rejectsInvalid && (this.#operation.mode === 'strict' || this.#context.isBodyLimitStated);
  }

  /** The site may take it, so only `strict` refuses it. */
  protected countTooComplex(): boolean {
    const isRefused = this.rejectsInvalid && this.#operation.mode === 'strict';
    this.#context.tooComplexRequests.count(this.#operation, isRefused);
    return isRefused;
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
    this.#decision = this.#operation.decide(validation);
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
    if (head.status < 400 && !enveloped) {
      // Most responses. Their body says nothing about the parameters.
      const summary = summarizeHead(head);
      this.#record(decision, parseOriginVerdict(summary), summary);
      return;
    }
    const observer = new OriginVerdictObserver(enveloped, this.#context.decode, (verdict, summary) =>
      this.#record(decision, verdict, summary),
    );
    this.observers.push(observer);
    observer.head(head);
  }

  #record(decision: RequestDecision, verdict: OriginVerdict, summary: OriginResponseSummary): void {
    const code = summary.status < 400 ? '' : readErrorCode(summary.body);
    if (code !== '') {
      this.#siteRefusal = { code, rules: listRefusedRules(verdict) };
      this.#refusalListener?.(this.#siteRefusal);
    }
    const getSentText = (): string | null => joinSentText(this.request, decision.parameters);
    this.#operation.record(decision, verdict, summary, getSentText);
  }

  onSiteRefusal(listener: (refusal: SiteRefusal) => void): void {
    if (this.#siteRefusal === null) this.#refusalListener = listener;
    else listener(this.#siteRefusal);
  }
}

/** Before WordPress 5.5 a refusal has no codes of the parameters. */
function listRefusedRules(verdict: OriginVerdict): SiteRefusal['rules'] {
  if (verdict.kind !== 'refused') return [];
  const { codes, params, stage } = verdict;
  return params.map((param) => ({ param, rule: codes?.get(param) ?? stage }));
}

function summarizeHead({ headers, status }: ResponseHead): OriginResponseSummary {
  return {
    status,
    mediaType: parseMediaType(fieldValue(headers, 'content-type') ?? null).essence,
    hasAllow: (fieldValue(headers, 'allow') ?? '') !== '',
  };
}

/** Bytes of a response that are parsed. Errors are small; a longer envelope, such as one of a list, is undecided. */
const MAX_OBSERVED_LENGTH = 64 * 1024;

/** Derives the origin's verdict on the parameters of a request from its response as it is relayed. */
export class OriginVerdictObserver implements ResponseObserver {
  readonly #isEnveloped: boolean;
  readonly #decode: ContentDecoder;
  readonly #onVerdict: (verdict: OriginVerdict, response: OriginResponseSummary) => void;
  #body: JsonBodyObserver | null = null;

  /**
   * @param isEnveloped whether the body contains the status of the response (`_envelope`)
   * @param onVerdict called once, unless the origin sends no response, with the body of an error
   */
  constructor(
    isEnveloped: boolean,
    decode: ContentDecoder,
    onVerdict: (verdict: OriginVerdict, response: OriginResponseSummary) => void,
  ) {
    this.#isEnveloped = isEnveloped;
    this.#decode = decode;
    this.#onVerdict = onVerdict;
  }

  head(head: ResponseHead): void {
    const summary = summarizeHead(head);
    const { status } = summary;
    const isDecided = status < 400 ? !this.#isEnveloped : !isJsonMediaType(summary.mediaType);
    if (isDecided) this.#onVerdict(parseOriginVerdict(summary), summary);
    else {
      const onBody = (body: Json | undefined): void => this.#decide(summary, body);
      this.#body = new JsonBodyObserver(head, MAX_OBSERVED_LENGTH, this.#decode, onBody);
    }
  }

  write(chunk: Uint8Array): void {
    this.#body?.write(chunk);
  }

  end(): void {
    this.#body?.end();
  }

  fail(): void {
    this.#body?.fail();
  }

  #decide(outer: OriginResponseSummary, body: Json | undefined): void {
    const summary =
      this.#isEnveloped && outer.status === 200 ? parseEnvelopedResponse(body) : { ...outer, body };
    const verdict = summary === null ? UNDECIDED : parseOriginVerdict(summary);
    this.#onVerdict(verdict, summary ?? outer);
  }
}

/** Reads the code of an error. One that is no identifier may contain a value. */
function readErrorCode(body: Json | undefined): string {
  const code = isJsonObject(body) ? body['code'] : undefined;
  return typeof code === 'string' && /^[\w-]{1,80}$/.test(code) ? code : '';
}

/** Parses an envelope (`WP_REST_Server::envelope_response()`), as used for `_envelope` and in the response to a batch. */
export function parseEnvelopedResponse(envelope: Json | undefined): OriginResponseSummary | null {
  if (!isJsonObject(envelope)) return null;
  const { status, headers, body } = envelope;
  if (typeof status !== 'number') return null;
  const hasAllow = isJsonObject(headers) && headers['Allow'] !== undefined;
  return { status, mediaType: 'application/json', hasAllow, body };
}

/** Buffers a response body as it is relayed, up to a limit, and parses it as JSON. */
export class JsonBodyObserver {
  readonly #limit: number;
  readonly #decode: ContentDecoder;
  readonly #onBody: (body: Json | undefined) => void;
  readonly #coding: string;
  #collected: BodyBuffer | null;

  /**
   * @param limit maximum length in bytes, before decoding
   * @param decode removes the content coding
   * @param onBody called once; with `undefined` when the body exceeds the limit, breaks off, has an unsupported content
   * coding, is not JSON, or would take too long to parse
   */
  constructor(
    { headers }: ResponseHead,
    limit: number,
    decode: ContentDecoder,
    onBody: (body: Json | undefined) => void,
  ) {
    this.#limit = limit;
    this.#collected = new BodyBuffer(limit);
    this.#decode = decode;
    this.#onBody = onBody;
    this.#coding = (fieldValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
  }

  write(chunk: Uint8Array): void {
    if (this.#collected?.add(chunk) === false) this.fail();
  }

  end(): void {
    const bytes = this.#collected?.bytes();
    if (bytes === undefined) return;
    this.#collected = null;
    const parse = (decoded: Uint8Array | null): void => {
      const isCostly = decoded === null || estimateJsonCost(decoded) > DEFAULT_WORK_LIMIT;
      this.#onBody(isCostly ? undefined : parseJsonBytes(decoded));
    };
    if (this.#coding === 'identity') parse(bytes);
    else void this.#decode(this.#coding, bytes, 4 * this.#limit).then(parse);
  }

  fail(): void {
    if (this.#collected === null) return;
    this.#collected = null;
    this.#onBody(undefined);
  }
}
