import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { sortByKey } from '../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../base/json.ts';
import { contentSchemaOf, type JsonLocation } from '../openapi/document-objects.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../openapi/index.ts';
import { toJsonPath } from '../openapi/json-path.ts';
import type { ResponseFindingKind } from '../validation/response/schema.ts';
import { mergeShapes, observeValue, type ValueShape } from './inference/shape.ts';
import { getDefaultContext, type RouteSample } from './sample.ts';

export interface SeenResponses {
  readonly route: string;
  /** Empty for the default context. */
  readonly context: string;
  readonly statuses: ReadonlySet<number>;
  readonly shape: ValueShape;
}

export function mergeSamples(samples: readonly RouteSample[]): readonly SeenResponses[] {
  const merged = new Map<string, SeenResponses>();
  for (const { content, context: wanted, operation, route, status } of samples) {
    if (content === undefined) continue;
    const context = wanted === getDefaultContext(operation) ? '' : (wanted ?? '');
    const key = `${route}\n${context}`;
    const response = { route, context, statuses: new Set([status]), shape: observeValue(content) };
    const known = merged.get(key);
    merged.set(key, known === undefined ? response : mergeResponses(known, response));
  }
  return sortByKey(merged).map(([, response]) => response);
}

function mergeResponses(one: SeenResponses, other: SeenResponses): SeenResponses {
  const statuses = new Set([...one.statuses, ...other.statuses]);
  return { ...one, statuses, shape: mergeShapes(one.shape, other.shape) };
}

export interface UntypedOperation {
  readonly operation: Operation;
  readonly seen: SeenResponses;
}

export function listUntypedOperations(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly UntypedOperation[] {
  return listRouteOperations(document).flatMap((operation) => {
    if (isTyped(operation)) return [];
    const [first, ...others] = selectSeen(operation, shapes);
    return first === undefined ? [] : [{ operation, seen: others.reduce(mergeResponses, first) }];
  });
}

export function selectSeen(operation: Operation, shapes: readonly SeenResponses[]): readonly SeenResponses[] {
  return operation.method === 'GET' ? shapes.filter(({ route }) => route === routeOf(operation)) : [];
}

function routeOf({ path, pattern }: Operation): string {
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
