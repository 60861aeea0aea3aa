import type { JsonObject } from '../../json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-response-schemas.ts';
import { getSchemaComponentKey } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import {
  EMPTY_SHAPE,
  FORCED_VARIANT,
  mergeShapes,
  type ObjectsShape,
  type Shape,
} from '../../validation/shapes/index.ts';
import {
  type ComponentCandidate,
  findCandidate,
  LEAST_NAMES,
  readCandidates,
  removeLinks,
} from './component-candidates.ts';
import { nameComponent, readTakenNames } from './component-names.ts';
import { createPropertiesSchema, type InferenceOptions } from './create-schema.ts';
import { findObjectPlaces, type ObjectPlace } from './object-places.ts';
import { areSameResource, resourceNames } from './similarity.ts';

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
