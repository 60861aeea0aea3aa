import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { groupBy, sortByKey } from '../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../base/json.ts';
import { contentSchemaOf, type JsonLocation } from '../openapi/document-objects.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../openapi/index.ts';
import { toJsonPath } from '../openapi/json-path.ts';
import type { ResponseFindingKind } from '../validation/response/schema.ts';
import { mergeShapes, observeValue, type ValueShape } from './inference/shape.ts';
import { getDefaultContext, type RouteSample } from './sample.ts';

export interface SeenResponses {
  readonly method: string;
  readonly route: string;
  readonly variant: string;
  readonly statuses: ReadonlyMap<number, number>;
  readonly shape: ValueShape;
}

export function mergeSamples(samples: readonly RouteSample[]): readonly SeenResponses[] {
  const merged = new Map<string, SeenResponses>();
  for (const { content, context: wanted, operation, route, status } of samples) {
    if (content === undefined) continue;
    const context = wanted === getDefaultContext(operation) ? null : wanted;
    const { method } = operation;
    const variant = variantOf(method, context, content);
    const key = `${route}\n${method}\n${variant}`;
    const response = {
      ...{ method, route, variant },
      statuses: new Map([[status, 1]]),
      shape: observeValue(content),
    };
    const known = merged.get(key);
    merged.set(key, known === undefined ? response : mergeResponses(known, response));
  }
  return sortByKey(merged).map(([, response]) => response);
}

export function mergeResponses(one: SeenResponses, other: SeenResponses): SeenResponses {
  const statuses = new Map(one.statuses);
  for (const [status, count] of other.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return { ...one, statuses, shape: mergeShapes(one.shape, other.shape) };
}

export function countResponses(responses: Iterable<SeenResponses>): number {
  return [...responses].reduce((sum, { shape }) => sum + shape.count, 0);
}

/** `{ deleted: true, previous }` of `WP_REST_Posts_Controller::delete_item()` */
export const FORCED_VARIANT = 'forced';

function variantOf(method: string, context: string | null, body: Json): string {
  if (method === 'DELETE') {
    const isForced = isJsonObject(body) && body['deleted'] === true && Object.hasOwn(body, 'previous');
    return isForced ? FORCED_VARIANT : '';
  }
  return method === 'GET' && context !== null && /^[\w-]{1,32}$/.test(context) ? context : '';
}

export interface UntypedOperation {
  readonly operation: Operation;
  readonly responses: readonly SeenResponses[];
}

export function listUntypedOperations(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly UntypedOperation[] {
  return listRouteOperations(document).flatMap((operation) => {
    if (isTyped(operation)) return [];
    const seen = shapes.filter(
      ({ method, route }) => method === operation.method && route === routeOf(operation),
    );
    const groups = groupBy(seen, ({ variant }) => (variant === FORCED_VARIANT ? variant : ''));
    const responses = Array.from(groups, ([variant, group]) => ({
      ...group.reduce(mergeResponses),
      variant,
    }));
    return responses.length === 0 ? [] : [{ operation, responses }];
  });
}

export function routeOf({ path, pattern }: Operation): string {
  return pattern ?? path;
}

export function isTyped({ isAlternative, object }: Operation): boolean {
  if (isAlternative) return isStatement(object['response']);
  return jsonMembers(object['responses']).some(([status, response]) => {
    if (!/^2(?:\d\d|XX)$/.test(status) || !isJsonObject(response)) return false;
    if (status === '204') return true;
    return '$ref' in response || isStatement(contentSchemaOf(response)) || isFile(response);
  });
}

function isFile({ content }: JsonObject): boolean {
  return jsonMembers(content).some(([mediaType]) => !/[/+]json\b/.test(mediaType));
}

export function isStatement(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && Object.keys(schema).some((keyword) => !SILENT_KEYWORDS.test(keyword));
}

const SILENT_KEYWORDS =
  /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|x-.*|\$comment)$/;

export function findingsLabel({ id }: Operation, context: string | null): string {
  return context === null ? id : `${id}?context=${context}`;
}

export interface OverlayAction extends JsonObject {
  readonly target: string;
  readonly description: string;
  readonly [EXTENSION_NAMES.evidence]: Json;
}

interface Evidence {
  readonly kind: 'inferred' | 'required' | ResponseFindingKind;
  readonly actual?: string;
  readonly responses: number;
  /** Number of responses that were compared. */
  readonly of: number;
  readonly operations: readonly string[];
}

/** @param change is merged into what is at the place; `null` removes that */
export function createAction(
  at: JsonLocation | string,
  change: JsonObject | null,
  description: string,
  evidence: readonly Evidence[],
): OverlayAction {
  return {
    target: typeof at === 'string' ? at : toJsonPath(at),
    description,
    ...(change === null ? { remove: true } : { update: change }),
    [EXTENSION_NAMES.evidence]: evidence.map((each) => ({ ...each })),
  };
}

export function evidenceOf(
  responses: number,
  operations: readonly string[],
  kind: 'inferred' | 'required' = 'inferred',
): readonly Evidence[] {
  return [{ kind, responses, of: responses, operations: [...new Set(operations)].sort() }];
}
