import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-response-schemas.ts';
import { collectReferences, getSchemaComponentKey } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { EMPTY_SHAPE, mergeShapes, type ObjectsShape, type Shape } from '../../validation/shapes/index.ts';
import { nameComponent } from './component-names.ts';
import { createPropertiesSchema, type InferenceOptions } from './create-schema.ts';
import { findObjectPlaces, type ObjectPlace } from './object-places.ts';
import { fitsSchema } from './shape-fits.ts';
import { areSameResource, resourceNames, shareOfNames } from './similarity.ts';

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
}

/** Objects with fewer members are described in place. */
const LEAST_NAMES = 4;
/** Share of common names from which a known component can describe objects. */
const LEAST_SHARE = 0.75;

interface Cluster {
  objects: ObjectsShape;
  readonly places: (ObjectPlace & { readonly response: UntypedResponse })[];
}

interface Candidate {
  readonly reference: string;
  readonly names: ReadonlySet<string>;
  /** The schema with everything in place of references to other new components. */
  readonly schema: JsonObject;
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
  const taken = new Set(readSchemaNames(document).map((name) => name.toLowerCase()));
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
    ({ cluster, name, plain }): Candidate => ({
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
  return { options, schemas: new Map(schemas.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** Puts objects of one resource together. The largest sets come first, so that others join them. */
function clusterObjects(responses: readonly UntypedResponse[]): readonly Cluster[] {
  const bySignature = new Map<string, Cluster>();
  for (const response of responses) {
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

/** Returns the reference to the component that has most names in common with objects, all of which match it. */
function findCandidate(
  objects: ObjectsShape,
  candidates: readonly Candidate[],
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

function readSchemaNames({ components }: OpenApiDocument): readonly string[] {
  return jsonMembers(isJsonObject(components) ? components['schemas'] : undefined).map(([name]) => name);
}

/** The components that responses of the document refer to, at any depth, and that have properties. */
function readCandidates(document: OpenApiDocument): readonly Candidate[] {
  const { components, paths } = document;
  const schemas = new Map(jsonMembers(isJsonObject(components) ? components['schemas'] : undefined));
  const pending = [...collectResponseReferences(paths)];
  const reached = new Set<string>();
  for (let reference = pending.pop(); reference !== undefined; reference = pending.pop()) {
    const name = getSchemaComponentKey(reference);
    if (name === undefined || reached.has(name)) continue;
    reached.add(name);
    pending.push(...collectReferences(schemas.get(name) ?? null));
  }
  return [...schemas].flatMap(([name, schema]): Candidate[] => {
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
    if (Array.isArray(value)) return value.forEach(visit);
    for (const [name, member] of jsonMembers(value)) {
      if (RESPONSE_FIELDS.has(name)) collectReferences(member, found);
      else if (name !== 'parameters' && name !== 'requestBody') visit(member);
    }
  };
  visit(paths);
  return found;
}
