import { NULL_BODY_STATUSES } from '../../http/body.ts';
import { fieldValue } from '../../http/fields.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/served-api.ts';
import type { ResponseFinding } from './finding.ts';
import { type SchemaNode, ValidationBudgetError } from './schema-node.ts';
import { createDetachedNode, createSchemaRegistry } from './schema-registry.ts';
import { collectFindings, WALK_LIMITS, type WalkLimits } from './walk.ts';

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
  const schemas = createSchemaRegistry(document);
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
      known.get(context) ??
      createDetachedNode(replaceReferences(response, others, wanted), pointer, document, schemas);
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
