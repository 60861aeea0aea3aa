import { sortByKey } from '../../group-by.ts';
import { isJsonObject, type Json } from '../../json.ts';
import {
  countShapeNodes,
  EMPTY_SHAPE,
  type InferredSchema,
  MAX_SHAPE_DEPTH,
  mergeShapes,
  pruneShape,
} from './shape.ts';

/** Identifies the responses that have one schema: those of an operation, in one of its variants. */
export interface ResponseShapeKey {
  readonly method: string;
  /** The site's route pattern. */
  readonly route: string;
  /** The context of the request; empty for the default. `forced`: the item was deleted for good. */
  readonly variant: string;
}

/** What the successful responses of one key have in common. */
export interface SeenResponses extends ResponseShapeKey {
  readonly statuses: ReadonlyMap<number, number>;
  /** Inferred schema of the bodies. A response without a body is not part of it. */
  readonly shape: InferredSchema;
}

const RESPONSE_SHAPE_LIMITS = {
  maxKeys: 5_000,
  /** Maximum number of nodes of one shape. A larger one is cut to less nesting. */
  maxNodes: 2_000,
  /** Maximum number of nodes of all shapes. A node takes about 200 bytes. */
  maxTotalNodes: 200_000,
};

interface BoundedShape {
  readonly response: SeenResponses;
  readonly nodes: number;
  /** Nesting at which the shape is cut. Once reduced, it stays so: the parts that were cut are incomplete. */
  readonly depth: number;
}

/** The shapes of a site's responses, within bounds of memory. */
export class ResponseShapes {
  readonly #limits: typeof RESPONSE_SHAPE_LIMITS;
  readonly #shapes = new Map<string, BoundedShape>();
  #totalNodes = 0;

  constructor(limits: typeof RESPONSE_SHAPE_LIMITS = RESPONSE_SHAPE_LIMITS) {
    this.#limits = limits;
  }

  /** Adds responses to those of the same key. Responses of a new key are dropped if there are too many keys. */
  add(response: SeenResponses): void {
    const { maxKeys, maxNodes, maxTotalNodes } = this.#limits;
    const key = toKeyText(response);
    const known = this.#shapes.get(key);
    const isFull = this.#shapes.size >= maxKeys || this.#totalNodes >= maxTotalNodes;
    if (known === undefined && isFull) return;
    const others = this.#totalNodes - (known?.nodes ?? 0);
    const next = boundShape(
      known === undefined ? response : mergeResponses(known.response, response),
      known?.depth ?? MAX_SHAPE_DEPTH,
      Math.min(maxNodes, maxTotalNodes - others),
    );
    this.#totalNodes = others + next.nodes;
    this.#shapes.set(key, next);
  }

  /** All shapes, sorted by route, method and variant. */
  list(): readonly SeenResponses[] {
    return sortByKey(this.#shapes).map(([, { response }]) => response);
  }
}

export function mergeResponses(one: SeenResponses, other: SeenResponses): SeenResponses {
  const statuses = new Map(one.statuses);
  for (const [status, count] of other.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return {
    ...one,
    statuses: new Map([...statuses].sort(([first], [second]) => first - second)),
    shape: mergeShapes(one.shape, other.shape),
  };
}

/** The number of responses that a shape was made from. */
export function countStatuses(response: Pick<SeenResponses, 'statuses'> | undefined): number {
  return [...(response?.statuses.values() ?? [])].reduce((sum, count) => sum + count, 0);
}

/** The variant of a deletion for good: `{ deleted: true, previous }` (`WP_REST_Posts_Controller::delete_item()`). */
export const FORCED_VARIANT = 'forced';

/** Determines the variant of a response. @param context the context that the client requested */
export function variantOf(method: string, context: string | null, body: Json | undefined): string {
  if (method === 'DELETE') {
    const isForced = isJsonObject(body) && body['deleted'] === true && Object.hasOwn(body, 'previous');
    return isForced ? FORCED_VARIANT : '';
  }
  return method === 'GET' && context !== null && /^[\w-]{1,32}$/.test(context) ? context : '';
}

function boundShape(response: SeenResponses, depth: number, maxNodes: number): BoundedShape {
  let level = depth;
  let shape = depth < MAX_SHAPE_DEPTH ? pruneShape(response.shape, depth) : response.shape;
  let nodes = countShapeNodes(shape);
  while (nodes > maxNodes && level > 0) {
    level -= 1;
    shape = pruneShape(shape, level);
    nodes = countShapeNodes(shape);
  }
  return { response: { ...response, shape }, nodes, depth: level };
}

function toKeyText({ method, route, variant }: ResponseShapeKey): string {
  return `${route}\n${method}\n${variant}`;
}

/** Creates the shape of one response. @param shape `EMPTY_SHAPE` for a response without a body */
export function toResponseShape(
  key: ResponseShapeKey,
  status: number,
  shape: InferredSchema = EMPTY_SHAPE,
): SeenResponses {
  return { ...key, statuses: new Map([[status, 1]]), shape };
}
