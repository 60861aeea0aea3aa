import { fieldValue } from '../../http/fields.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { BODILESS } from '../../http/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/served.ts';
import type { ResponseFinding } from './finding.ts';
import { Exhausted, type SchemaNode } from './node.ts';
import { createSchemas, nodeApart } from './schemas.ts';
import { findIn, WALK_LIMITS, type WalkLimits } from './walk.ts';

/** A whole answer of the site, and what the request for it asked for. */
export interface SiteAnswer {
  readonly operation: ServedOperation;
  readonly status: number;
  /** Flat list name, value, name, value. */
  readonly headers: readonly string[];
  /** Decoded: without any `Content-Encoding`. */
  readonly body: Uint8Array;
  readonly asked: Asked;
}

/** What of a request changes what its answer looks like. */
export interface Asked {
  /** The method that the site ran. */
  readonly method: string;
  /** `context` */
  readonly context: string | null;
  /** `_fields`: the answer has some fields only. */
  readonly fields: boolean;
  /** `_envelope`: the answer is `{ body, status, headers }`. */
  readonly envelope: boolean;
}

export type Judgement =
  | { readonly kind: 'judged'; readonly findings: readonly ResponseFinding[] }
  | { readonly kind: 'unjudged'; readonly reason: UnjudgedReason };

/** Why nothing is said of an answer. */
export type UnjudgedReason = (typeof UNJUDGED)[number];

export const UNJUDGED = [
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

export interface ResponseJudge {
  /** Never throws, and takes bounded time whatever the answer and the schema. */
  judge(answer: SiteAnswer): Judgement;
}

/**
 * Judges answers by the schemas of a document. Schemas are prepared when they are first needed.
 *
 * What sites of this kind write for what their schemas mean is found as a kind of its own (`tolerated`), and what a
 * caller asked for is not found at all: fields that `_fields` left out, `_embedded`, an envelope.
 *
 * @param document the document that the operations were read from
 */
export function createResponseJudge(document: JsonObject, limits: WalkLimits = WALK_LIMITS): ResponseJudge {
  const schemas = createSchemas(document);
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
      known.get(context) ?? nodeApart(replaced(response, others, wanted), pointer, document, schemas);
    known.set(context, node);
    return node;
  }

  return {
    judge(answer) {
      const { operation, asked } = answer;
      const { response } = operation;
      if (response === undefined) return unjudged('no-schema');
      if (asked.method === 'HEAD' || !isSuccess(answer.status)) return unjudged('status');
      const { essence } = parseMediaType(fieldValue(answer.headers, 'content-type') ?? null);
      if (!/^application\/(?:[\w.-]+\+)?json$/.test(essence)) return unjudged('not-json');
      const value = read(answer.body);
      if (value === undefined) return unjudged('malformed');
      const body = asked.envelope ? unwrapped(value) : value;
      if (body === undefined) return unjudged('status');
      try {
        const node = nodeFor(operation, response, asked.context);
        return { kind: 'judged', findings: findIn(body, node, { ...limits, partial: asked.fields }) };
      } catch (error) {
        if (error instanceof Exhausted) return unjudged(error.reason);
        throw error;
      }
    },
  };
}

function unjudged(reason: UnjudgedReason): Judgement {
  return { kind: 'unjudged', reason };
}

function isSuccess(status: number): boolean {
  // 206 is a part of an answer, 226 a difference of two.
  return status >= 200 && status < 300 && status !== 206 && status !== 226 && !BODILESS.has(status);
}

function read(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Not JSON, or nested deeper than the platform reads.
    return undefined;
  }
}

/** `WP_REST_Server::envelope_response`; undefined where it is a refusal that lies in it. */
function unwrapped(value: Json): Json | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'body')) return undefined;
  const { body, status } = value;
  return typeof status === 'number' && isSuccess(status) ? body : undefined;
}

/** How deep a response's own schema nests before it refers to a component: a list of them, or alternatives. */
const DEEPEST = 8;

/** A response's schema with one component in place of its siblings in other contexts. */
function replaced(schema: JsonObject, siblings: ReadonlySet<string>, wanted: string, depth = 0): JsonObject {
  if (depth > DEEPEST) return schema;
  const inside = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inside);
    return isJsonObject(value) ? replaced(value, siblings, wanted, depth + 1) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) =>
      keyword === '$ref' && siblings.has(String(value)) ? [keyword, wanted] : [keyword, inside(value)],
    ),
  );
}
