import { NULL_BODY_STATUSES } from '../../http/body.ts';
import { fieldValue } from '../../http/fields.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/served-api.ts';
import type { ResponseFinding } from './finding.ts';
import { type SchemaNode, ValidationBudgetError } from './node.ts';
import { createDetachedNode, createSchemaRegistry } from './schemas.ts';
import { collectFindings, WALK_LIMITS, type WalkLimits } from './walk.ts';

/** A whole answer of the site, and what the request for it asked for. */
export interface SampledResponse {
  readonly operation: ServedOperation;
  readonly status: number;
  /** Flat list name, value, name, value. */
  readonly headers: readonly string[];
  /** Decoded: without any `Content-Encoding`. */
  readonly body: Uint8Array;
  readonly requested: RequestedRepresentation;
}

/** What of a request changes what its answer looks like. */
export interface RequestedRepresentation {
  /** The method that the site ran. */
  readonly method: string;
  /** `context` */
  readonly context: string | null;
  /** `_fields`: the answer has some fields only. */
  readonly hasFieldFilter: boolean;
  /** `_envelope`: the answer is `{ body, status, headers }`. */
  readonly isEnveloped: boolean;
}

export type ResponseValidationResult =
  | { readonly kind: 'judged'; readonly findings: readonly ResponseFinding[] }
  | { readonly kind: 'unjudged'; readonly reason: SkipReason };

/** Why nothing is said of an answer. */
export type SkipReason = (typeof SKIP_REASONS)[number];

export const SKIP_REASONS = [
  /** The document does not say what the operation answers. */
  'no-schema',
  /** Errors, redirects, and what has no body. */
  'status',
  'not-json',
  /** It says that it is JSON, and is not. */
  'malformed',
  'too-deep',
  'too-costly',
  /** More bytes than are kept for judging. */
  'too-large',
  /** In a `Content-Encoding` that is not read here. */
  'coded',
  /** The site or the caller broke off. */
  'broken-off',
  /** The judge had used up its share of the second, or of the memory. */
  'busy',
] as const;

export interface ResponseValidator {
  /** Never throws, and takes bounded time whatever the answer and the schema. */
  validate(answer: SampledResponse): ResponseValidationResult;
}

/**
 * Judges answers by the schemas of a document. Schemas are prepared when they are first needed.
 *
 * What sites of this kind write for what their schemas mean is found as a kind of its own (`tolerated`), and what a
 * caller asked for is not found at all: fields that `_fields` left out, `_embedded`, an envelope.
 *
 * @param document the document that the operations were read from
 */
export function createResponseValidator(
  document: JsonObject,
  limits: WalkLimits = WALK_LIMITS,
): ResponseValidator {
  const schemas = createSchemaRegistry(document);
  const inContext = new WeakMap<ServedOperation, Map<string, SchemaNode>>();

  /** The response as it is in the context that was asked for: with the component of that one for the default's. */
  function nodeFor(operation: ServedOperation, response: JsonObject, context: string | null): SchemaNode {
    const pointer = operation.responsePointer ?? `/${operation.id}`;
    const wanted = context === null ? undefined : operation.contexts?.get(context);
    if (context === null || wanted === undefined) return schemas.get(response, pointer);
    const known = inContext.get(operation) ?? new Map<string, SchemaNode>();
    inContext.set(operation, known);
    const others = new Set(operation.contexts?.values());
    const node =
      known.get(context) ??
      createDetachedNode(replaceReferences(response, others, wanted), pointer, document, schemas);
    known.set(context, node);
    return node;
  }

  return {
    validate(answer) {
      const { operation, requested } = answer;
      const { response } = operation;
      if (response === undefined) return skip('no-schema');
      if (requested.method === 'HEAD' || !isSuccess(answer.status)) return skip('status');
      const { essence } = parseMediaType(fieldValue(answer.headers, 'content-type') ?? null);
      if (!/^application\/(?:[\w.-]+\+)?json$/.test(essence)) return skip('not-json');
      const value = parseJsonBody(answer.body);
      if (value === undefined) return skip('malformed');
      const body = requested.isEnveloped ? unwrapEnvelope(value) : value;
      if (body === undefined) return skip('status');
      try {
        const node = nodeFor(operation, response, requested.context);
        return {
          kind: 'judged',
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
  return { kind: 'unjudged', reason };
}

function isSuccess(status: number): boolean {
  // 206 is a part of an answer, 226 a difference of two.
  return status >= 200 && status < 300 && status !== 206 && status !== 226 && !NULL_BODY_STATUSES.has(status);
}

function parseJsonBody(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Not JSON, or nested deeper than the platform reads.
    return undefined;
  }
}

/** `WP_REST_Server::envelope_response`; undefined where it is a refusal that lies in it. */
function unwrapEnvelope(value: Json): Json | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'body')) return undefined;
  const { body, status } = value;
  return typeof status === 'number' && isSuccess(status) ? body : undefined;
}

/** How deep a response's own schema nests before it refers to a component: a list of them, or alternatives. */
const MAX_NESTING = 8;

/** A response's schema with one component in place of its siblings in other contexts. */
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
