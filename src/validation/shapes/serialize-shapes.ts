import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { forgetMapNames } from './map-shapes.ts';
import type { SeenResponses } from './response-shapes.ts';
import {
  EMPTY_SHAPE,
  isPropertyName,
  type ListsShape,
  MAX_SHAPE_DEPTH,
  MAX_SHAPE_MEMBERS,
  type ObjectsShape,
  type Shape,
  type StringsShape,
} from './shape.ts';
import { STRING_FORMATS } from './string-formats.ts';

/** Converts shapes to JSON. It contains no words of enumerations and no names of maps. */
export function shapesToJson(responses: readonly SeenResponses[]): readonly JsonObject[] {
  return responses.map(({ method, route, shape, statuses, variant }) => ({
    method,
    route,
    ...(variant === '' ? {} : { variant }),
    statuses: Object.fromEntries(Array.from(statuses, ([status, count]) => [String(status), count])),
    shape: toJson(forgetMapNames(shape)),
  }));
}

function toJson({ booleans, count, fractions, integers, lists, nulls, objects, strings }: Shape): JsonObject {
  return omitUndefined({
    count,
    nulls: nulls || undefined,
    booleans: booleans || undefined,
    integers: integers || undefined,
    fractions: fractions || undefined,
    strings: strings === null ? undefined : stringsToJson(strings),
    lists: lists === null ? undefined : listsToJson(lists),
    objects: objects === null ? undefined : objectsToJson(objects),
  });
}

function stringsToJson({ count, formats }: StringsShape): JsonObject {
  const names = STRING_FORMATS.filter((_, bit) => (formats & (1 << bit)) !== 0).map(({ name }) => name);
  return names.length === 0 ? { count } : { count, formats: names };
}

function listsToJson({ count, empty, items }: ListsShape): JsonObject {
  return omitUndefined({ count, empty, items: items === null ? undefined : toJson(items) });
}

function objectsToJson({ count, isCut, isMap, isSelfKeyed, members, others }: ObjectsShape): JsonObject {
  const sorted = [...members].sort(([one], [other]) => (one < other ? -1 : 1));
  return omitUndefined({
    count,
    members: Object.fromEntries(sorted.map(([name, member]) => [name, toJson(member)])),
    others: others === null ? undefined : toJson(others),
    isMap: isMap || undefined,
    isSelfKeyed: isSelfKeyed || undefined,
    isCut: isCut || undefined,
  });
}

/** Reads shapes from JSON of unknown origin. Parts that are no shapes are left out. */
export function parseShapes(responses: Json | undefined): readonly SeenResponses[] {
  return jsonItems(responses)
    .map(parseResponse)
    .filter((response) => response !== null);
}

/** Version of the report. */
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

function parseShape(value: Json | undefined, depth: number): Shape | null {
  if (!isJsonObject(value) || depth > MAX_SHAPE_DEPTH) return null;
  const { booleans, count, fractions, integers, lists, nulls, objects, strings } = value;
  return {
    count: toCount(count),
    nulls: toCount(nulls),
    booleans: toCount(booleans),
    integers: toCount(integers),
    fractions: toCount(fractions),
    strings: isJsonObject(strings) ? parseStrings(strings) : null,
    lists: isJsonObject(lists) ? parseLists(lists, depth) : null,
    objects: isJsonObject(objects) ? parseObjects(objects, depth) : null,
  };
}

function parseStrings({ count, formats }: JsonObject): StringsShape {
  const names = new Set(jsonItems(formats));
  const mask = STRING_FORMATS.reduce(
    (bits, { name }, bit) => (names.has(name) ? bits | (1 << bit) : bits),
    0,
  );
  return { count: toCount(count), formats: mask, words: new Map(), hasUnknownWords: true };
}

function parseLists({ count, empty, items }: JsonObject, depth: number): ListsShape {
  return { count: toCount(count), empty: toCount(empty), items: parseShape(items, depth + 1) };
}

function parseObjects(
  { count, isCut, isMap, isSelfKeyed, members, others }: JsonObject,
  depth: number,
): ObjectsShape {
  const named = jsonMembers(members)
    .filter(([name]) => isPropertyName(name))
    .slice(0, MAX_SHAPE_MEMBERS)
    .flatMap(([name, value]): [string, Shape][] => {
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
