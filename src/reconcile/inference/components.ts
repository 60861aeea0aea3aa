import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { sortByKey } from '../../group-by.ts';
import { isJsonObject, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-responses.ts';
import { singularizeLastWord, splitWords, toPascalCase } from '../../model/naming/words.ts';
import {
  addReachedReferences,
  collectReferences,
  getSchemaComponentKey,
} from '../../openapi/document-references.ts';
import { listOperations, type OpenApiDocument } from '../../openapi/index.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import { UniqueNames } from '../../unique-names.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import { FORCED_VARIANT } from '../seen-responses.ts';
import { createPropertiesSchema, type InferenceOptions } from './create-schema.ts';
import {
  EMPTY_SHAPE,
  type InferredSchema,
  isMapShape,
  mapValues,
  mergeObjects,
  type ObjectsShape,
} from './shape.ts';
import { areSameResource, fitsSchema, resourceNames, shareOfNames } from './shape-comparison.ts';

export interface UntypedResponse {
  readonly method: string;
  /** Path template in the document. */
  readonly path: string;
  readonly variant: string;
  readonly shape: InferredSchema;
}

export interface InferredComponents {
  /** New components by name, sorted. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  readonly options: InferenceOptions;
  /** Finds the component that describes objects except for their links, and its schema without them. */
  readonly findWithoutLinks: (
    objects: ObjectsShape,
  ) => { readonly name: string; readonly schema: JsonObject } | null;
}

interface ObjectPlace {
  readonly objects: ObjectsShape;
  readonly response: UntypedResponse;
  /** Name of the nearest member above; empty for the response itself, an item of its list, or a value of its map. */
  readonly memberName: string;
  /** Whether the objects are items of a list or values of a map. */
  readonly isItem: boolean;
  /** Number of members above. */
  readonly depth: number;
}

interface Cluster {
  objects: ObjectsShape;
  readonly places: ObjectPlace[];
}

/**
 * Finds the components that describe the objects of responses: those of the document that all objects of a place match,
 * and new ones for objects that are resources of a path or that several operations have in common.
 */
export function inferComponents(
  responses: readonly UntypedResponse[],
  document: OpenApiDocument,
  linkReference: JsonObject,
  leastSamples: number,
): InferredComponents {
  const known = readCandidates(document);
  const clusters = clusterObjects(responses).filter(
    (cluster) => isComponent(cluster) && findCandidate(cluster.objects, known, document) === null,
  );
  const names = new ComponentNames(document);
  const inPlace: InferenceOptions = { leastSamples, linkSchema: LINK_SCHEMA, findComponent: () => null };
  const named = clusters
    .flatMap(({ objects, places }) =>
      [...places]
        .sort(comparePlaces)
        .slice(0, 1)
        .map((place) => ({ objects, place })),
    )
    .sort((one, other) => comparePlaces(one.place, other.place))
    .map(({ objects, place }) => ({
      objects,
      name: names.forPlace(place),
    }));
  const created = named.map(
    ({ name, objects }): ComponentCandidate => ({
      reference: `#/components/schemas/${name}`,
      names: resourceNames(objects),
      schema: createPropertiesSchema(objects, inPlace),
    }),
  );
  const options: InferenceOptions = {
    leastSamples,
    linkSchema: linkReference,
    findComponent: (objects) => findCandidate(objects, [...known, ...created], document),
  };
  const schemas = named.map(({ name, objects }) => [name, createPropertiesSchema(objects, options)] as const);
  const sorted = new Map(sortByKey(schemas));
  const withoutLinks = [...known, ...created].map((each) => ({
    ...each,
    schema: omitProperties(each.schema, LINKS),
  }));
  return {
    options,
    schemas: sorted,
    findWithoutLinks(objects) {
      const reference = findCandidate(objects, withoutLinks, document);
      const name = reference === null ? undefined : getSchemaComponentKey(reference);
      if (name === undefined) return null;
      const schema = sorted.get(name) ?? known.find((each) => each.reference === reference)?.schema ?? {};
      return { name, schema: omitProperties(schema, LINKS) };
    },
  };
}

/** Puts objects of one resource together. The largest sets come first, so that others join them. */
function clusterObjects(responses: readonly UntypedResponse[]): readonly Cluster[] {
  const bySignature = new Map<string, Cluster>();
  // The resource in a deletion for good lacks its links, which would no longer be required of others.
  for (const response of responses.filter(({ variant }) => variant !== FORCED_VARIANT)) {
    for (const place of findObjectPlaces(response)) {
      const names = [...resourceNames(place.objects)].sort();
      if (names.length < LEAST_NAMES) continue;
      const signature = names.join('\n');
      const known = bySignature.get(signature);
      // Equal names with other types are another resource.
      const isOther = known !== undefined && !areSameResource(known.objects, place.objects);
      const key = isOther ? `${signature}\n${bySignature.size}` : signature;
      const cluster = bySignature.get(key);
      if (cluster === undefined) bySignature.set(key, { objects: place.objects, places: [place] });
      else addPlaces(cluster, place.objects, [place]);
    }
  }
  const clusters: Cluster[] = [];
  const ordered = [...bySignature].sort(
    ([key, one], [otherKey, other]) => other.objects.count - one.objects.count || (key < otherKey ? -1 : 1),
  );
  for (const [, next] of ordered) {
    const similar = clusters.find(({ objects }) => areSameResource(objects, next.objects));
    if (similar === undefined) clusters.push(next);
    else addPlaces(similar, next.objects, next.places);
  }
  return clusters;
}

function addPlaces(cluster: Cluster, objects: ObjectsShape, places: readonly ObjectPlace[]): void {
  cluster.objects = mergeObjects(cluster.objects, objects);
  cluster.places.push(...places);
}

/** Finds all objects of a response that are records. */
function findObjectPlaces(response: UntypedResponse): readonly ObjectPlace[] {
  const places: ObjectPlace[] = [];
  const visit = (
    { lists, objects }: InferredSchema,
    memberName: string,
    isItem: boolean,
    depth: number,
  ): void => {
    if (lists?.items) visit(lists.items, memberName, true, depth);
    if (objects === null) return;
    if (isMapShape(objects)) {
      visit(mapValues(objects), memberName, true, depth);
      return;
    }
    places.push({ objects, response, memberName, isItem, depth });
    for (const [name, member] of objects.members)
      if (name !== '_links') visit(member, name, false, depth + 1);
  };
  visit(response.shape, '', false, 0);
  return places;
}

/** Whether objects get a component: the resource of an item's or a list's path, or objects that operations share. */
function isComponent({ places }: Cluster): boolean {
  const operations = new Set(places.map(({ response: { method, path } }) => `${method} ${path}`));
  const isResource = ({ depth, isItem, response: { path } }: ObjectPlace): boolean =>
    depth === 0 && (isItem || path.endsWith('}'));
  return operations.size > 1 || places.some(isResource);
}

/** Compares places that could name a component: a resource comes before a member, the shortest path first. */
function comparePlaces(one: ObjectPlace, other: ObjectPlace): number {
  const rank = ({ depth, memberName, response }: ObjectPlace): readonly (number | string)[] => [
    depth === 0 ? 0 : 1,
    response.method === 'GET' ? 0 : 1,
    depth,
    response.path.split('/').length,
    response.path,
    response.variant,
    response.method,
    memberName,
  ];
  const otherRanks = rank(other);
  for (const [index, value] of rank(one).entries()) {
    const compared = otherRanks[index] ?? '';
    if (value !== compared) return value < compared ? -1 : 1;
  }
  return 0;
}

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
  const shape: InferredSchema = { ...EMPTY_SHAPE, count: objects.count, objects };
  return (
    candidates
      .map((candidate) => ({ ...candidate, share: shareOfNames(names, candidate.names) }))
      .filter(({ share }) => share >= LEAST_SHARE)
      .sort((one, other) => other.share - one.share)
      .find(({ schema }) => fitsSchema(shape, schema, document))?.reference ?? null
  );
}

/** The links of HAL, which responses that are no resources lack. */
const LINKS: ReadonlySet<string> = new Set(['_links']);

/** A schema without some of its properties. */
export function omitProperties(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { properties, required, ...rest } = schema;
  const left = jsonItems(required).filter((name) => !names.has(String(name)));
  return {
    ...rest,
    properties: Object.fromEntries(jsonMembers(properties).filter(([name]) => !names.has(name))),
    ...(left.length === 0 ? {} : { required: left }),
  };
}

/** The components that responses of the document refer to, at any depth, and that have properties. */
function readCandidates(document: OpenApiDocument): readonly ComponentCandidate[] {
  const references = addReachedReferences(collectResponseReferences(document), document);
  const reached = new Set(Array.from(references, getSchemaComponentKey));
  return listSchemaComponents(document).flatMap(([name, schema]): ComponentCandidate[] => {
    if (!reached.has(name) || !isJsonObject(schema)) return [];
    const properties = jsonMembers(schema['properties']).map(([property]) => property);
    const names = new Set(properties.filter((property) => !HAL_MEMBERS.has(property)));
    return names.size < LEAST_NAMES ? [] : [{ reference: `#/components/schemas/${name}`, names, schema }];
  });
}

const RESPONSE_FIELDS = ['responses', 'response', EXTENSION_NAMES.contexts];

function collectResponseReferences(document: JsonObject): Set<string> {
  const found = new Set<string>();
  for (const { object } of listOperations(document).flatMap((operation) => [
    operation,
    ...operation.routes,
  ])) {
    for (const name of RESPONSE_FIELDS) collectReferences(object[name] ?? null, found);
  }
  return found;
}

/** Names that types and tools reserve. */
const RESERVED: readonly string[] =
  `array boolean components date error file function link map number object operations paths
  promise record request response set string symbol`.split(/\s+/);

/** Unused names for new components of a document. */
export class ComponentNames {
  readonly #names: UniqueNames;

  constructor(document: OpenApiDocument) {
    const known = listSchemaComponents(document).map(([name]) => name);
    this.#names = new UniqueNames([...RESERVED, ...known], { ignoresCase: true });
  }

  /** Derives the name of a component: `Project` from `/boards/v2/projects/{id}`, `ProjectEdit` in the context `edit`. */
  forPlace(place: ObjectPlace): string {
    const { path, variant } = place.response;
    const suffix = variant === '' || variant === 'view' ? '' : toPascalCase(splitWords(variant));
    const [first = 'Resource', ...others] = candidateNames(path, place).map((name) => name + suffix);
    return this.#names.claim(first, ...others);
  }

  /** Derives the name of a form of a component: `BoardSummary`. */
  forForm(component: string, form: 'Summary' | 'Detail'): string {
    return this.#names.claim(`${component}${form}`);
  }
}

/** The name of the resource that a path leads to, which may be that of a component. */
export function pathResourceName(path: string): string {
  return candidateNames(path, { memberName: '', isItem: false })[0] ?? 'Resource';
}

/** Names with ever more words of the path before them. */
function candidateNames(
  path: string,
  { isItem, memberName }: Pick<ObjectPlace, 'isItem' | 'memberName'>,
): readonly string[] {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{') && !/^v\d+$/.test(segment))
    .map((segment) => singularizeLastWord(splitWords(segment)))
    .filter((words) => words.length > 0);
  const words = splitWords(memberName);
  if (words.length > 0) segments.push(isItem ? singularizeLastWord(words) : words);
  const names = segments.flatMap((_, index) => {
    const name = toPascalCase(segments.slice(segments.length - index - 1).flat());
    return /^[A-Z]/.test(name) ? [name.slice(0, 80)] : [];
  });
  const [first, ...longer] = names;
  if (first === undefined || memberName !== '') return names;
  // A list and a single item of one resource can have different members.
  return [first, `${first}${isItem ? 'ListItem' : 'Detail'}`, ...longer];
}
