import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-response-schemas.ts';
import { collectReferences, getSchemaComponentKey } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import {
  EMPTY_SHAPE,
  FORCED_VARIANT,
  isMapShape,
  mapValues,
  mergeShapes,
  type ObjectsShape,
  type Shape,
} from '../../validation/shapes/index.ts';
import { nameComponent, readTakenNames } from './component-names.ts';
import { createPropertiesSchema, type InferenceOptions } from './create-schema.ts';
import { areSameResource, fitsSchema, resourceNames, shareOfNames } from './shape-comparison.ts';

/** The responses of an operation without a schema. */
export interface UntypedResponse {
  readonly method: string;
  /** Path template in the document. */
  readonly path: string;
  readonly variant: string;
  readonly shape: Shape;
}

/** Components for the objects of responses. */
export interface InferredComponents {
  /** New components by name, sorted. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  readonly options: InferenceOptions;
  /** Finds the component that describes objects except for their links, and its schema without them. */
  readonly findWithoutLinks: (
    objects: ObjectsShape,
  ) => { readonly name: string; readonly schema: JsonObject } | null;
}

interface Cluster {
  objects: ObjectsShape;
  readonly places: (ObjectPlace & { readonly response: UntypedResponse })[];
}

/**
 * Finds the components that describe the objects of responses: those of the document that all objects of a place match,
 * and new ones for objects that are resources of a path or that several operations have in common.
 */
export function inferComponents(
  responses: readonly UntypedResponse[],
  document: OpenApiDocument,
  linkReference: JsonObject,
): InferredComponents {
  const known = readCandidates(document);
  const clusters = clusterObjects(responses).filter(
    (cluster) => isComponent(cluster) && findCandidate(cluster.objects, known, document) === null,
  );
  const taken = readTakenNames(document);
  const inPlace: InferenceOptions = { linkSchema: LINK_SCHEMA, findComponent: () => null };
  const named = clusters
    .map((cluster) => ({ cluster, place: mainPlace(cluster) }))
    .sort((one, other) => comparePlaces(one.place, other.place))
    .map(({ cluster, place }) => {
      const { response } = place;
      const name = nameComponent({ ...place, path: response.path, variant: response.variant }, taken);
      return { name, cluster, plain: createPropertiesSchema(cluster.objects, inPlace) };
    });
  const created = named.map(
    ({ cluster, name, plain }): ComponentCandidate => ({
      reference: `#/components/schemas/${name}`,
      names: resourceNames(cluster.objects),
      schema: plain,
    }),
  );
  const options: InferenceOptions = {
    linkSchema: linkReference,
    findComponent: (objects) => findCandidate(objects, [...known, ...created], document),
  };
  const schemas = named.map(({ cluster, name }): [string, JsonObject] => [
    name,
    createPropertiesSchema(cluster.objects, options),
  ]);
  const sorted = new Map(schemas.sort(([one], [other]) => (one < other ? -1 : 1)));
  const withoutLinks = [...known, ...created].map((each) => ({ ...each, schema: removeLinks(each.schema) }));
  return {
    options,
    schemas: sorted,
    findWithoutLinks(objects) {
      const reference = findCandidate(objects, withoutLinks, document);
      const name = reference === null ? undefined : getSchemaComponentKey(reference);
      if (name === undefined) return null;
      const schema = sorted.get(name) ?? known.find((each) => each.reference === reference)?.schema ?? {};
      return { name, schema: removeLinks(schema) };
    },
  };
}

/** Puts objects of one resource together. The largest sets come first, so that others join them. */
function clusterObjects(responses: readonly UntypedResponse[]): readonly Cluster[] {
  const bySignature = new Map<string, Cluster>();
  for (const response of responses) {
    // The resource in a deletion for good lacks its links, which would no longer be required of others.
    if (response.variant === FORCED_VARIANT) continue;
    for (const place of findObjectPlaces(response.shape)) {
      const names = [...resourceNames(place.objects)].sort();
      if (names.length < LEAST_NAMES) continue;
      const signature = names.join('\n');
      const placed = { ...place, response };
      const cluster = bySignature.get(signature);
      // Equal names with other types are another resource.
      const key =
        cluster === undefined || areSameResource(cluster.objects, place.objects)
          ? signature
          : `${signature}\n${bySignature.size}`;
      addPlace(bySignature, key, placed);
    }
  }
  const clusters: Cluster[] = [];
  const ordered = [...bySignature].sort(
    ([key, one], [otherKey, other]) => other.objects.count - one.objects.count || (key < otherKey ? -1 : 1),
  );
  for (const [, next] of ordered) {
    const similar = clusters.find(({ objects }) => areSameResource(objects, next.objects));
    if (similar === undefined) clusters.push(next);
    else {
      similar.objects = mergeObjects(similar.objects, next.objects);
      similar.places.push(...next.places);
    }
  }
  return clusters;
}

function addPlace(clusters: Map<string, Cluster>, key: string, place: Cluster['places'][number]): void {
  const cluster = clusters.get(key);
  if (cluster === undefined) clusters.set(key, { objects: place.objects, places: [place] });
  else {
    cluster.objects = mergeObjects(cluster.objects, place.objects);
    cluster.places.push(place);
  }
}

function mergeObjects(one: ObjectsShape, other: ObjectsShape): ObjectsShape {
  const merged = mergeShapes({ ...EMPTY_SHAPE, objects: one }, { ...EMPTY_SHAPE, objects: other });
  return merged.objects ?? one;
}

/** Whether objects get a component: the resource of an item's or a list's path, or objects that operations share. */
function isComponent({ places }: Cluster): boolean {
  const operations = new Set(places.map(({ response: { method, path } }) => `${method} ${path}`));
  return (
    operations.size > 1 ||
    places.some(
      ({ isItem, response: { path }, role }) => role === 'resource' && (isItem || path.endsWith('}')),
    )
  );
}

/** The place that names a component: a resource before a member, the shortest path first. */
function mainPlace({ places }: Cluster): Cluster['places'][number] {
  const [first, ...others] = places;
  if (first === undefined) throw new Error('a cluster has a place');
  return others.reduce((best, place) => (comparePlaces(place, best) < 0 ? place : best), first);
}

function comparePlaces(one: Cluster['places'][number], other: Cluster['places'][number]): number {
  const rank = ({ depth, response, role }: Cluster['places'][number]): readonly (number | string)[] => [
    role === 'resource' ? 0 : 1,
    response.method === 'GET' ? 0 : 1,
    depth,
    response.path.split('/').length,
    response.path,
    response.variant,
    response.method,
  ];
  const [ranks, otherRanks] = [
    [...rank(one), one.memberName],
    [...rank(other), other.memberName],
  ];
  for (const [index, value] of ranks.entries()) {
    const compared = otherRanks[index] ?? '';
    if (value !== compared) return value < compared ? -1 : 1;
  }
  return 0;
}

/** A component that may describe objects. */
interface ComponentCandidate {
  readonly reference: string;
  readonly names: ReadonlySet<string>;
  /** The schema with everything in place of references to other new components. */
  readonly schema: JsonObject;
}

/** Objects with fewer members are described in place. */
const LEAST_NAMES: number = 4;
/** Share of common names from which a known component can describe objects. */
const LEAST_SHARE = 0.75;

/** Returns the reference to the component that has most names in common with objects, all of which match it. */
function findCandidate(
  objects: ObjectsShape,
  candidates: readonly ComponentCandidate[],
  document: JsonObject,
): string | null {
  const names = resourceNames(objects);
  if (names.size < LEAST_NAMES) return null;
  const shape: Shape = { ...EMPTY_SHAPE, count: objects.count, objects };
  return (
    candidates
      .map((candidate) => ({ ...candidate, share: shareOfNames(names, candidate.names) }))
      .filter(({ share }) => share >= LEAST_SHARE)
      .sort((one, other) => other.share - one.share)
      .find(({ schema }) => fitsSchema(shape, schema, document))?.reference ?? null
  );
}

/** A schema without the links of HAL, which responses that are no resources lack. */
function removeLinks(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(jsonMembers(properties).filter(([name]) => name !== '_links')),
    ...(required === undefined ? {} : { required: jsonItems(required).filter((name) => name !== '_links') }),
  };
}

/** The components that responses of the document refer to, at any depth, and that have properties. */
function readCandidates(document: OpenApiDocument): readonly ComponentCandidate[] {
  const schemas = new Map(listSchemaComponents(document));
  const pending = [...collectResponseReferences(document.paths)];
  const reached = new Set<string>();
  for (let reference = pending.pop(); reference !== undefined; reference = pending.pop()) {
    const name = getSchemaComponentKey(reference);
    if (name === undefined || reached.has(name)) continue;
    reached.add(name);
    pending.push(...collectReferences(schemas.get(name) ?? null));
  }
  return [...schemas].flatMap(([name, schema]): ComponentCandidate[] => {
    if (!reached.has(name) || !isJsonObject(schema)) return [];
    const names = new Set(jsonMembers(schema['properties']).map(([property]) => property));
    names.delete('_links');
    names.delete('_embedded');
    return names.size < LEAST_NAMES ? [] : [{ reference: `#/components/schemas/${name}`, names, schema }];
  });
}

/** Fields of operations that describe responses. */
const RESPONSE_FIELDS: ReadonlySet<string> = new Set(['responses', 'response', EXTENSION_NAMES.contexts]);

/** The references in the responses of all operations. */
function collectResponseReferences(paths: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: Json): void => {
    for (const item of jsonItems(value)) visit(item);
    for (const [name, member] of jsonMembers(value)) {
      if (RESPONSE_FIELDS.has(name)) collectReferences(member, found);
      else if (name !== 'parameters' && name !== 'requestBody') visit(member);
    }
  };
  visit(paths);
  return found;
}

/** Where objects stand in the responses of an operation. */
interface ObjectPlace {
  readonly objects: ObjectsShape;
  /**
   * - `resource`: the response itself, an item of its list, or a value of its map
   * - `nested`: a member of one of those
   */
  readonly role: 'resource' | 'nested';
  /** Name of the nearest member above; empty for a resource. */
  readonly memberName: string;
  /** Whether the objects are items of a list or values of a map. */
  readonly isItem: boolean;
  /** Number of members above. */
  readonly depth: number;
}

/** Finds all objects in the shape of a response that are records. */
function findObjectPlaces(shape: Shape): readonly ObjectPlace[] {
  const places: ObjectPlace[] = [];
  collect(shape, { role: 'resource', memberName: '', isItem: false, depth: 0 }, places);
  return places;
}

function collect(shape: Shape, place: Omit<ObjectPlace, 'objects'>, places: ObjectPlace[]): void {
  const { lists, objects } = shape;
  if (lists?.items) collect(lists.items, { ...place, isItem: true }, places);
  if (objects === null) return;
  if (isMapShape(objects)) {
    collect(mapValues(objects), { ...place, isItem: true }, places);
    return;
  }
  places.push({ ...place, objects });
  for (const [memberName, member] of objects.members) {
    if (memberName === '_links') continue;
    collect(member, { role: 'nested', memberName, isItem: false, depth: place.depth + 1 }, places);
  }
}
