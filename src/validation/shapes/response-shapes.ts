import { sortByKey } from '../../group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import {
  countShapeNodes,
  EMPTY_SHAPE,
  forgetDataNames,
  type InferredSchema,
  isPropertyName,
  type ListsShape,
  listStringFormats,
  MAX_SHAPE_DEPTH,
  MAX_SHAPE_MEMBERS,
  mergeShapes,
  type ObjectsShape,
  parseStringFormats,
  pruneShape,
  type StringsShape,
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

  countResponses(key: ResponseShapeKey): number {
    return countStatuses(this.#shapes.get(toKeyText(key))?.response);
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

/** Converts shapes to JSON. It contains no words of enumerations and no names of maps. */
export function shapesToJson(responses: readonly SeenResponses[]): readonly JsonObject[] {
  return responses.map(({ method, route, shape, statuses, variant }) => ({
    method,
    route,
    ...(variant === '' ? {} : { variant }),
    statuses: Object.fromEntries(Array.from(statuses, ([status, count]) => [String(status), count])),
    shape: toJson(forgetDataNames(shape, false)),
  }));
}

function toJson(shape: InferredSchema): JsonObject {
  const { lists, objects, strings } = shape;
  const names = listStringFormats(strings?.formats ?? 0);
  const formats = names.length === 0 ? null : names;
  return withoutZeros({
    ...shape,
    strings: strings && withoutZeros({ count: strings.count, empty: strings.empty, formats }),
    lists: lists && withoutZeros({ ...lists, items: lists.items && toJson(lists.items) }),
    objects:
      objects &&
      withoutZeros({
        ...objects,
        members: Object.fromEntries(sortByKey(objects.members).map(([name, each]) => [name, toJson(each)])),
        others: objects.others && toJson(objects.others),
      }),
  });
}

/** Copies an object without what its reader assumes: 0, `false` and `null`. */
function withoutZeros(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => Boolean(value)));
}

/** Reads shapes from JSON of unknown origin. Parts that are no shapes are left out. */
export function parseShapes(responses: Json | undefined): readonly SeenResponses[] {
  return jsonItems(responses)
    .map(parseResponse)
    .filter((response) => response !== null);
}

const REPORT_FORMAT = 1;

/** Creates the report of a gateway about the responses of a site, for `waygate reconcile --from`. */
export function createShapesReport(site: string, responses: readonly SeenResponses[]): JsonObject {
  return { format: REPORT_FORMAT, site, responses: shapesToJson(responses) };
}

/** Reads the report of a gateway; `null` if it is another format. */
export function parseShapesReport(
  content: Json,
): { readonly site: string; readonly responses: readonly SeenResponses[] } | null {
  if (!isJsonObject(content) || content['format'] !== REPORT_FORMAT) return null;
  const { responses, site } = content;
  return { site: typeof site === 'string' ? site : '', responses: parseShapes(responses) };
}

function parseResponse(item: Json): SeenResponses | null {
  if (!isJsonObject(item)) return null;
  const { method, route, shape, statuses, variant = '' } = item;
  if (typeof method !== 'string' || !/^[A-Z-]{1,20}$/.test(method)) return null;
  if (typeof route !== 'string' || typeof variant !== 'string' || !/^[\w-]{0,32}$/.test(variant)) return null;
  const counted = jsonMembers(statuses)
    .filter(([status]) => /^2\d\d$/.test(status))
    .map(([status, count]) => [Number(status), toCount(count)] as const);
  return { method, route, variant, statuses: new Map(counted), shape: parseShape(shape, 0) ?? EMPTY_SHAPE };
}

function parseShape(value: Json | undefined, depth: number): InferredSchema | null {
  if (!isJsonObject(value) || depth > MAX_SHAPE_DEPTH) return null;
  const { booleans, count, digits, fractions, integers, lists, nulls, objects, strings, trues } = value;
  const [least, greatest] = jsonItems(digits).map(toCount);
  return {
    count: toCount(count),
    nulls: toCount(nulls),
    booleans: toCount(booleans),
    trues: toCount(trues),
    integers: toCount(integers),
    fractions: toCount(fractions),
    digits: least === undefined || greatest === undefined ? null : [least, greatest],
    strings: isJsonObject(strings) ? parseStrings(strings) : null,
    lists: isJsonObject(lists) ? parseLists(lists, depth) : null,
    objects: isJsonObject(objects) ? parseObjects(objects, depth) : null,
  };
}

function parseStrings({ count, empty, formats }: JsonObject): StringsShape {
  const mask = parseStringFormats(new Set(jsonItems(formats)));
  return {
    count: toCount(count),
    empty: toCount(empty),
    formats: mask,
    words: new Map(),
    hasUnknownWords: true,
  };
}

function parseLists({ count, empty, items }: JsonObject, depth: number): ListsShape {
  return { count: toCount(count), empty: toCount(empty), items: parseShape(items, depth + 1) };
}

function parseObjects(object: JsonObject, depth: number): ObjectsShape {
  const { count, isCut, isMap, isSelfKeyed, members, others } = object;
  const named = jsonMembers(members)
    .filter(([name]) => isPropertyName(name))
    .slice(0, MAX_SHAPE_MEMBERS)
    .flatMap(([name, value]): [string, InferredSchema][] => {
      const member = parseShape(value, depth + 1);
      return member === null ? [] : [[name, member]];
    });
  return {
    count: toCount(count),
    members: new Map(isMap === true ? [] : named),
    others: parseShape(others, depth + 1),
    isMap: isMap === true,
    isSelfKeyed: isSelfKeyed === true,
    isCut: isCut === true,
  };
}

/** Counts are added up, so each is limited: the sum of a million of them is still exact. */
function toCount(value: Json | undefined): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, 1e9) : 0;
}
