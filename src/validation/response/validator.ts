import { sortByKey } from '../../group-by.ts';
import { NULL_BODY_STATUSES } from '../../http/body.ts';
import { fieldValue, parseMediaType } from '../../http/fields.ts';
import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import type { ServedOperation } from '../../openapi/served-api.ts';
import { ValidationBudgetError } from './assertions.ts';
import {
  classifyTypeMismatch,
  FINDING_SEVERITIES,
  type FindingSeverity,
  type JsonType,
  jsonTypeOf,
  type ResponseFinding,
  type ResponseFindingKind,
} from './finding.ts';
import {
  HAL_MEMBERS,
  type ResponseWalk,
  redactName,
  type SchemaAttempt,
  type SchemaCheck,
  type SchemaNode,
  SchemaRegistry,
} from './schema.ts';

/** A complete response of the origin, with the representation that the client requested. */
export interface SampledResponse {
  readonly operation: ServedOperation;
  readonly status: number;
  /** Flat list name, value, name, value. */
  readonly headers: readonly string[];
  /** Decoded: without any `Content-Encoding`. */
  readonly body: Uint8Array;
  readonly requested: RequestedRepresentation;
}

/** The parts of a request that change the shape of its response. */
export interface RequestedRepresentation {
  /** The method that the site ran, after an override. */
  readonly method: string;
  /** `context` */
  readonly context: string | null;
  /** `_fields`: the response has only some of its properties. */
  readonly hasFieldFilter: boolean;
  /** `_envelope`: the response body is `{ body, status, headers }`. */
  readonly isEnveloped: boolean;
}

/** The result of the validation of a response. A valid response has no findings. */
export type ResponseValidationResult =
  | { readonly kind: 'validated'; readonly findings: readonly ResponseFinding[] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** Why a response was not validated. */
export type SkipReason = (typeof SKIP_REASONS)[number];

export const SKIP_REASONS = [
  /** The document declares no schema for the response. */
  'no-schema',
  /** An error, a redirect, or a response without a body. */
  'status',
  'not-json',
  /** The media type is JSON, but the body is not. */
  'malformed',
  'too-deep',
  'too-costly',
  /** The body exceeds the limit for validation. */
  'too-large',
  /** The `Content-Encoding` is not supported. */
  'content-coding',
  /** The origin or the client aborted the exchange. */
  'aborted',
  /** The sampler had used up its time or memory. */
  'busy',
] as const;

export interface ResponseValidator {
  /** Never throws. Takes bounded time for every response and schema. */
  validate(response: SampledResponse): ResponseValidationResult;
}

/**
 * Creates a validator of responses by the schemas of a document, which are compiled when they are first needed.
 *
 * Values that PHP commonly writes in place of the declared type have the severity `tolerated`. Differences that the
 * client requested are no findings: properties that `_fields` omits, `_embedded`, an envelope.
 *
 * @param document the document that declares the operations
 */
export function createResponseValidator(
  document: JsonObject,
  limits: WalkLimits = WALK_LIMITS,
): ResponseValidator {
  const schemas = new SchemaRegistry(document);
  const nodesByContext = new WeakMap<ServedOperation, Map<string, SchemaNode>>();

  /** Returns the schema of a response in a `context`: with that context's component in place of the default's. */
  function getNode(operation: ServedOperation, response: JsonObject, context: string | null): SchemaNode {
    const pointer = operation.responsePointer ?? `/${operation.id}`;
    const wanted = context === null ? undefined : operation.contextReferences?.get(context);
    if (context === null || wanted === undefined) return schemas.get(response, pointer);
    const known = nodesByContext.get(operation) ?? new Map<string, SchemaNode>();
    nodesByContext.set(operation, known);
    const others = new Set(operation.contextReferences?.values());
    const node =
      known.get(context) ?? schemas.compileDetached(replaceReferences(response, others, wanted), pointer);
    known.set(context, node);
    return node;
  }

  return {
    validate({ body: bytes, headers, operation, requested, status }) {
      const { responseSchema } = operation;
      if (responseSchema === undefined) return skip('no-schema');
      if (requested.method === 'HEAD' || !isSuccess(status)) return skip('status');
      const { essence } = parseMediaType(fieldValue(headers, 'content-type') ?? null);
      if (!/^application\/(?:[\w.-]+\+)?json$/.test(essence)) return skip('not-json');
      const value = parseJsonBody(bytes);
      if (value === undefined) return skip('malformed');
      const body = requested.isEnveloped ? unwrapEnvelope(value) : value;
      if (body === undefined) return skip('status');
      try {
        const node = getNode(operation, responseSchema, requested.context);
        return {
          kind: 'validated',
          findings: collectFindings(body, node, { ...limits, isPartial: requested.hasFieldFilter }),
        };
      } catch (error) {
        if (error instanceof ValidationBudgetError) return skip(error.reason);
        throw error;
      }
    },
  };
}

function skip(reason: SkipReason): ResponseValidationResult {
  return { kind: 'skipped', reason };
}

function isSuccess(status: number): boolean {
  // The body of a 206 is a part of the representation, and that of a 226 a difference of two.
  return status >= 200 && status < 300 && status !== 206 && status !== 226 && !NULL_BODY_STATUSES.has(status);
}

function parseJsonBody(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // The body is not JSON, or is nested deeper than the runtime parses.
    return undefined;
  }
}

/** Unwraps `WP_REST_Server::envelope_response()`; `undefined` when the envelope contains an error. */
function unwrapEnvelope(value: Json): Json | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'body')) return undefined;
  const { body, status } = value;
  return typeof status === 'number' && isSuccess(status) ? body : undefined;
}

/** Maximum nesting of a response's inline schema above its references to components. */
const MAX_NESTING = 8;

/** Copies a response's schema with the references to one component's siblings in other contexts replaced by it. */
function replaceReferences(
  schema: JsonObject,
  siblings: ReadonlySet<string>,
  wanted: string,
  depth = 0,
): JsonObject {
  if (depth > MAX_NESTING) return schema;
  const inside = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inside);
    return isJsonObject(value) ? replaceReferences(value, siblings, wanted, depth + 1) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) =>
      keyword === '$ref' && siblings.has(String(value)) ? [keyword, wanted] : [keyword, inside(value)],
    ),
  );
}

/** Limits of the validation of one response. */
interface WalkLimits {
  /** Maximum number of steps; a schema, a member and a keyword each take one. */
  readonly maxSteps: number;
  /** Maximum depth of nested schemas, both of child values and in place. */
  readonly maxDepth: number;
}

/** A list of ten posts takes 1,000 steps. As many steps as the limit block other requests for about 10 ms. */
export const WALK_LIMITS: WalkLimits = { maxSteps: 40_000, maxDepth: 200 };

/** Steps that a finding takes in addition, because its pointer has to be built. */
const STEPS_PER_FINDING = 4;

/** Maximum number of findings for one response. */
const MAX_FINDINGS = 1_000;

interface WalkOptions extends WalkLimits {
  readonly isPartial: boolean;
}

/**
 * Collects the differences between a value and its schema. Each combination of location and kind counts once.
 *
 * @throws {ValidationBudgetError} when the limits are exceeded; incomplete findings are discarded
 */
export function collectFindings(
  value: Json,
  node: SchemaNode,
  options: WalkOptions,
): readonly ResponseFinding[] {
  const walk = new ValueWalk(options);
  walk.visit(node, value);
  return walk.findings;
}

/** Findings of a response, or of one alternative at one location. */
class FindingSet implements SchemaAttempt {
  readonly byKey: Map<string, ResponseFinding> = new Map();
  wrongCount = 0;
  toleratedCount = 0;

  add(key: string, finding: ResponseFinding): void {
    if (this.byKey.has(key) || this.byKey.size >= MAX_FINDINGS) return;
    this.byKey.set(key, finding);
    const weight = FINDING_SEVERITIES[finding.kind];
    if (weight === 'wrong') this.wrongCount += 1;
    else if (weight === 'tolerated') this.toleratedCount += 1;
  }
}

class ValueWalk implements ResponseWalk {
  readonly isPartial: boolean;
  readonly #depth: number;
  readonly #path: string[] = [];
  #steps: number;
  #level = 0;
  #found: FindingSet = new FindingSet();

  constructor({ isPartial, maxSteps, maxDepth }: WalkOptions) {
    this.isPartial = isPartial;
    this.#steps = maxSteps;
    this.#depth = maxDepth;
  }

  get findings(): readonly ResponseFinding[] {
    return [...this.#found.byKey.values()];
  }

  /** Validates a new location. Undeclared properties are reported here once, not by each schema of the location. */
  visit(node: SchemaNode, value: Json): void {
    this.validate(node, value);
    if (!isJsonObject(value)) return;
    const { names, isOpen, declaringPointer } = node.properties;
    if (isOpen) return;
    for (const name of Object.keys(value)) {
      if (names.has(name) || HAL_MEMBERS.has(name)) continue;
      this.report('extra', 'properties', jsonTypeOf(value[name] ?? null), declaringPointer, redactName(name));
    }
  }

  validate(node: SchemaNode, value: Json, referencePointer: string = node.pointer): void {
    this.spend(1);
    const type = jsonTypeOf(value);
    const wrong = classifyTypeMismatch(node.ownTypeMask, value, type);
    if (wrong !== null) {
      this.report(wrong, 'type', type, referencePointer);
      return;
    }
    this.#level += 1;
    if (this.#level > this.#depth) throw new ValidationBudgetError('too-deep');
    const { checks } = node;
    this.#run(checks.any, value, referencePointer);
    if (typeof value === 'string') this.#run(checks.string, value, referencePointer);
    else if (typeof value === 'number') this.#run(checks.number, value, referencePointer);
    else if (isJsonObject(value)) this.#run<JsonObject>(checks.object, value, referencePointer);
    else if (Array.isArray(value)) this.#run<readonly Json[]>(checks.array, value, referencePointer);
    this.#level -= 1;
  }

  validateChild(token: string, node: SchemaNode, value: Json): void {
    this.#path.push(token);
    this.visit(node, value);
    this.#path.pop();
  }

  attempt(node: SchemaNode, value: Json): SchemaAttempt {
    const before = this.#found;
    const found = new FindingSet();
    this.#found = found;
    this.validate(node, value);
    this.#found = before;
    return found;
  }

  reportAttempt(attempt: SchemaAttempt): void {
    if (attempt instanceof FindingSet)
      for (const [key, finding] of attempt.byKey) this.#found.add(key, finding);
  }

  report(
    kind: ResponseFindingKind,
    keyword: string,
    actual: JsonType | 'nothing',
    schemaPointer: string,
    token?: string,
  ): void {
    this.spend(STEPS_PER_FINDING);
    const path = this.#path.map(toPointerSegment).join('');
    const pointer = token === undefined ? path : path + toPointerSegment(token);
    this.#found.add(`${pointer}\n${kind}\n${actual}\n${keyword}\n${schemaPointer}`, {
      kind,
      pointer,
      actual,
      keyword,
      schema: schemaPointer,
    });
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new ValidationBudgetError('too-costly');
  }

  #run<Value extends Json>(
    checks: readonly SchemaCheck<Value>[],
    value: Value,
    referencePointer: string,
  ): void {
    for (const check of checks) check(value, this, referencePointer);
  }
}

/** Findings in the responses of a site. They contain no values of responses. */
export interface ResponseValidationReport {
  readonly validated: number;
  /** Number of responses that were not validated, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Operations with most findings first. */
  readonly operations: readonly OperationFindings[];
}

export interface OperationFindings {
  readonly operation: string;
  /** Number of its responses that were validated. */
  readonly validated: number;
  /** Number of these without a finding of severity `wrong`. */
  readonly correct: number;
  readonly findings: readonly CountedFinding[];
  /** Number of findings at locations beyond the limit. */
  readonly unlisted: number;
}

export interface CountedFinding extends ResponseFinding {
  readonly kind: ResponseFindingKind;
  readonly severity: FindingSeverity;
  /** Number of responses with this finding. */
  readonly responses: number;
}

/** Counts findings by operation, location and kind. */
export interface ResponseFindingStats {
  record(operation: string, result: ResponseValidationResult): void;
  report(): ResponseValidationReport;
}

/** Maximum number of distinct locations, because the site chooses the names of properties. */
const MAX_LOCATIONS = { operation: 400, site: 20_000 } as const;

interface OperationCounts {
  validated: number;
  correct: number;
  unlisted: number;
  readonly locations: Map<string, { readonly finding: ResponseFinding; responses: number }>;
}

/** @param before an earlier report to continue from */
export function createResponseFindingStats(previousReport?: ResponseValidationReport): ResponseFindingStats {
  const operations = new Map<string, OperationCounts>();
  const skipped = new Map<SkipReason, number>();
  let locations = 0;

  const getCounts = (operation: string): OperationCounts => {
    const known = operations.get(operation) ?? {
      validated: 0,
      correct: 0,
      unlisted: 0,
      locations: new Map(),
    };
    operations.set(operation, known);
    return known;
  };
  const count = (counted: OperationCounts, finding: ResponseFinding, responses: number): void => {
    const { kind, keyword, pointer, actual, schema } = finding;
    const key = `${pointer}\n${kind}\n${actual}\n${keyword}\n${schema}`;
    const location = counted.locations.get(key);
    if (location !== undefined) location.responses += responses;
    else if (counted.locations.size >= MAX_LOCATIONS.operation || locations >= MAX_LOCATIONS.site) {
      counted.unlisted += responses;
    } else {
      locations += 1;
      counted.locations.set(key, { finding: { kind, pointer, actual, keyword, schema }, responses });
    }
  };
  for (const reason of SKIP_REASONS) {
    const responses = previousReport?.skipped[reason];
    if (responses !== undefined) skipped.set(reason, responses);
  }
  for (const each of previousReport?.operations ?? []) {
    const counted = getCounts(each.operation);
    counted.validated += each.validated;
    counted.correct += each.correct;
    counted.unlisted += each.unlisted;
    for (const finding of each.findings) count(counted, finding, finding.responses);
  }

  return {
    record(operation, result) {
      if (result.kind === 'skipped') {
        skipped.set(result.reason, (skipped.get(result.reason) ?? 0) + 1);
        return;
      }
      const counted = getCounts(operation);
      counted.validated += 1;
      if (result.findings.every(({ kind }) => FINDING_SEVERITIES[kind] !== 'wrong')) counted.correct += 1;
      for (const finding of result.findings) count(counted, finding, 1);
    },
    report() {
      const listed = [...operations].map(([operation, counted]): OperationFindings => {
        const { validated, correct, unlisted } = counted;
        const findings = [...counted.locations.values()].map(({ finding, responses }) => ({
          ...finding,
          severity: FINDING_SEVERITIES[finding.kind],
          responses,
        }));
        findings.sort((one, other) => other.responses - one.responses || compare(one.pointer, other.pointer));
        return { operation, validated, correct, findings, unlisted };
      });
      listed.sort(
        (one, other) =>
          other.findings.length - one.findings.length || compare(one.operation, other.operation),
      );
      return {
        validated: listed.reduce((sum, { validated }) => sum + validated, 0),
        skipped: Object.fromEntries(sortByKey(skipped)),
        operations: listed,
      };
    },
  };
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
