import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { encodeBytes } from '../../php/byte-string.ts';
import { createSchemaValidator, type ResolveReference } from '../wordpress/index.ts';
import { readBatchPath } from './batch-path.ts';
import { lookUp, NO_SOURCE, type Source, sourcesOf } from './parameters.ts';
import { pathValues, readQuery } from './read-query.ts';
import { noBatch, noRoute } from './refused.ts';
import type { Refused, RequestValues, Verdict } from './result.ts';

/** What a batch is judged with: the routes and the rules of the requests that stand alone. */
export interface BatchPorts {
  /** The operation that the site runs for a sub-request; null where the document has none, or it is not certain. */
  match(method: string, route: string): BatchMatch | null;
  /** Judges a sub-request as one that stands alone would be. */
  judge(operation: ServedOperation, values: RequestValues): Verdict;
  /** False for what would be stopped if it stood alone. `null` for a path that cannot be read in one way only. */
  allowed(method: string, route: string | null): boolean;
}

export interface BatchMatch {
  readonly operation: ServedOperation;
  /** The groups of the route, byte strings. */
  readonly params: Readonly<Record<string, string>>;
}

/** A sub-request with what is said of it. */
export interface BatchPart {
  /** Null where nobody can tell: the document has no such route, or what the site reads is not certain. */
  readonly operation: ServedOperation | null;
  readonly verdict: Verdict | { readonly kind: 'unknown' };
  /** It has no route that may be asked for: whatever else is run, this is not. */
  readonly stopped?: true;
}

export type BatchVerdict =
  /** The site is asked. */
  | { readonly kind: 'passes'; readonly parts: readonly BatchPart[] }
  /** What the site would answer: 207, with nothing run. */
  | {
      readonly kind: 'answered';
      readonly status: 207;
      readonly body: JsonObject;
      readonly parts: readonly BatchPart[];
    }
  /** The batch as a whole. */
  | Refused;

export interface BatchJudge {
  /** @param values those of a batch whose own parameters are valid */
  judge(values: RequestValues): BatchVerdict;
}

/** Whether an operation runs others: `WP_REST_Server::serve_batch_request_v1()`. */
export function isBatch({ method, path }: ServedOperation): boolean {
  return method === 'POST' && path === '/batch/v1';
}

/** Judges the requests within a batch. Its own parameters are judged as any operation's, before. */
export function createBatchJudge(
  batch: ServedOperation,
  resolve: ResolveReference,
  ports: BatchPorts,
): BatchJudge {
  const requests = createSchemaValidator(REQUESTS, resolve);

  return {
    judge(values) {
      const sources = sourcesOf(values, batch.method);
      const sanitized = requests.sanitize(lookUp('requests', sources) ?? [], 'requests');
      const given: Json = sanitized.ok ? sanitized.value : [];
      const parts: BatchPart[] = [];
      for (const part of Array.isArray(given) ? given : []) {
        const judged = isJsonObject(part) ? judgePart(part, ports) : UNKNOWN;
        if (judged === 'unclear') return noRoute();
        parts.push(judged);
      }
      const refused = parts.filter(({ verdict }) => verdict.kind === 'refused').length;
      const together = lookUp('validation', sources) === 'require-all-validate';
      const certain = parts.every(({ verdict }) => verdict.kind !== 'unknown');
      if (refused === 0 || !certain || (!together && refused < parts.length)) {
        // Nothing that would be stopped alone passes because others stand beside it.
        return parts.some(({ stopped }) => stopped) ? noRoute() : { kind: 'passes', parts };
      }
      const responses = parts.map(({ verdict }) => (verdict.kind === 'refused' ? enveloped(verdict) : null));
      const body = together ? { failed: 'validation', responses } : { responses };
      return { kind: 'answered', status: 207, body, parts };
    },
  };
}

/** What the site makes of the list before it looks at what is in it. */
const REQUESTS: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      method: { type: 'string' },
      path: { type: 'string' },
      body: { type: 'object' },
    },
  },
};

const UNKNOWN: BatchPart = { operation: null, verdict: { kind: 'unknown' } };

/** `unclear` is what may be a route that is stopped. */
function judgePart(part: JsonObject, ports: BatchPorts): BatchPart | 'unclear' {
  const method = typeof part['method'] === 'string' ? part['method'].toUpperCase() : 'POST';
  const address = readBatchPath(encodeBytes(String(part['path'] ?? '')));
  if (address.kind === 'unclear') return ports.allowed(method, null) ? UNKNOWN : 'unclear';
  const { route, query: raw } = address;
  if (!ports.allowed(method, route)) return { operation: null, verdict: noRoute(), stopped: true };
  const match = ports.match(method, route);
  if (match === null) return UNKNOWN;
  const { operation, params } = match;
  if (!operation.allowBatch) return { operation, verdict: noBatch() };
  const query = readQuery(raw);
  if (query === null) return { operation, verdict: { kind: 'unknown' } };
  const form = membersOf(part['body']);
  return {
    operation,
    verdict: ports.judge(operation, { json: NO_SOURCE, form, query, path: pathValues(params) }),
  };
}

/** `set_body_params()`: whatever the headers say, they are a form's. */
function membersOf(value: Json | undefined): Source {
  return typeof value === 'object' && value !== null ? new Map(Object.entries<Json>(value)) : NO_SOURCE;
}

/** `envelope_response()` of an error. PHP's empty list of headers is a list. */
function enveloped({ status, code, message, data }: Refused): JsonObject {
  return { body: { code, message, data: { status, ...data } }, status, headers: [] };
}
