import { groupBy, sortByKey } from '../../base/group-by.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../openapi/index.ts';
import { getDefaultContext, isTyped, routeOf } from './document-operations.ts';
import { mergeShapes, observeValue, type ValueShape } from './inference/shape.ts';
import type { RouteSample } from './sample.ts';

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
