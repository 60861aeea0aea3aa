import { EXTENSION_NAMES } from '../../../base/document-extensions.ts';
import { sortByKey } from '../../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../../base/json.ts';
import { UniqueNames } from '../../../base/unique-names.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-responses.ts';
import { ownerOf, qualifyWords } from '../../model/naming/namespaces.ts';
import { singularizeLastWord, splitWords, toPascalCase } from '../../model/naming/words.ts';
import {
  addReachedReferences,
  collectReferences,
  eitherItemOf,
  getSchemaComponentKey,
  listSchemaComponents,
  locatePointer,
  toSchemaReference,
} from '../../openapi/document-objects.ts';
import { listRouteOperations, type OpenApiDocument } from '../../openapi/index.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import {
  createAction,
  evidenceOf,
  listUntypedOperations,
  type OverlayAction,
  type SeenResponses,
  selectSeen,
  type UntypedOperation,
} from '../seen-responses.ts';
import {
  createPropertiesSchema,
  createShapeSchema,
  EMPTY_SHAPE,
  fitsSchema,
  type InferenceOptions,
  isMapShape,
  LINK_NAME,
  LINK_REFERENCE,
  mapValues,
  mergeObjects,
  mergeShapes,
  type ObjectsShape,
  resourceNames,
  shareOfNames,
  type ValueShape,
} from './shape.ts';

export function inferResponses(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  const untyped = listUntypedOperations(document, shapes);
  const responses = untyped.map(({ operation: { id, path }, seen: { shape } }) => ({
    operation: id,
    path,
    shape,
  }));
  const { created, options } = inferComponents(responses, document);
  const actions = untyped.map((each) => describeOperation(each, options));
  const all = [...created, { name: LINK_NAME, schema: LINK_SCHEMA, responses }];
  const schemas = Object.fromEntries(all.map(({ name, schema }) => [name, schema]));
  const reached = addReachedReferences(collectReferences(actions), { components: { schemas } });
  const declared = new Map(listSchemaComponents(document));
  const components = all
    .filter(({ name }) => reached.has(toSchemaReference(name)) && !declared.has(name))
    .map(({ name, responses: seen, schema }) =>
      createAction(
        ['components', 'schemas'],
        { [name]: schema },
        `A component ${name}, inferred from samples.`,
        evidenceOf(
          seen.reduce((sum, { shape }) => sum + shape.count, 0),
          seen.map(({ operation }) => operation),
        ),
      ),
    );
  return [...components, ...actions];
}

function describeOperation({ operation, seen }: UntypedOperation, options: InferenceOptions): OverlayAction {
  const { object, id, isAlternative, location } = operation;
  const schema = createShapeSchema(seen.shape, options);
  const at = isAlternative ? location : [...location, 'responses'];
  const change = isAlternative ? { response: schema } : createResponses(object['responses'], seen, schema);
  const text = 'The response, inferred from samples.';
  return createAction(at, change, text, evidenceOf(seen.shape.count, [id]));
}

/** A sample tells whether a route returns one object or a list. An empty list can be an empty object of PHP. */
export function settleForms(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  return listRouteOperations(document).flatMap((operation) => {
    const { id, responsePointer = '', responseSchema } = operation;
    const item = responseSchema && eitherItemOf(responseSchema);
    const at = locatePointer(document, responsePointer)?.location;
    const seen = selectSeen(operation, shapes).map(({ shape }) => shape);
    const { count, lists, objects } = seen.reduce(mergeShapes, EMPTY_SHAPE);
    const isList = lists !== null && lists.empty < lists.count;
    if (item === undefined || at === undefined || isList === (objects !== null)) return [];
    const evidence = evidenceOf(count, [id]);
    const form = isList ? { type: 'array', items: item } : item;
    const what = `${isList ? 'A list' : 'One object'}, as in the samples.`;
    return [createAction([...at, 'anyOf'], null, what, evidence), createAction(at, form, what, evidence)];
  });
}

function createResponses(
  declared: Json | undefined,
  { statuses }: SeenResponses,
  schema: JsonObject,
): JsonObject {
  const known = jsonMembers(declared).filter(([status]) => /^2(?:\d\d|XX)$/.test(status) && status !== '204');
  const content = { 'application/json': { schema } };
  const all = new Map<string, Json>(
    Array.from(statuses, (status) => [String(status), { description: 'Success.', content }]),
  );
  for (const [status] of known) all.set(status, { content });
  all.delete('204');
  return Object.fromEntries(sortByKey(all));
}

interface UntypedResponse extends Pick<SeenResponses, 'shape'> {
  readonly operation: string;
  readonly path: string;
}

interface ObjectPlace {
  readonly objects: ObjectsShape;
  readonly names: ReadonlySet<string>;
  readonly response: UntypedResponse;
  /** Name of the nearest member above; empty for the response, or an item or value of it. */
  readonly memberName: string;
  readonly isItem: boolean;
  readonly depth: number;
}

interface Cluster {
  objects: ObjectsShape;
  names: ReadonlySet<string>;
  readonly places: ObjectPlace[];
}

const LEAST_COMMON_NAMES = 0.85;

const RESERVED: readonly string[] =
  `array boolean components date error file function link map number object operations paths
  promise record request response set string symbol`.split(/\s+/);

/** An object that a component of the document fits is a reference to it. */
export function createInferenceOptions(
  document: OpenApiDocument,
  created: readonly ComponentCandidate[] = [],
): InferenceOptions {
  const candidates = [...readCandidates(document), ...created];
  return {
    linkSchema: LINK_REFERENCE,
    findComponent: (objects) => findCandidate(objects, candidates, document),
  };
}

function inferComponents(responses: readonly UntypedResponse[], document: OpenApiDocument) {
  const { findComponent } = createInferenceOptions(document);
  const taken = listSchemaComponents(document).map(([name]) => name);
  const componentNames = new UniqueNames([...RESERVED, ...taken], { ignoresCase: true });
  const inPlace: InferenceOptions = { linkSchema: LINK_SCHEMA, findComponent: () => null };
  const named = clusterObjects(responses)
    .filter((cluster) => isComponent(cluster) && findComponent(cluster.objects) === null)
    .flatMap(({ names, objects, places }) =>
      places.slice(0, 1).map((place) => {
        const [first = 'Resource', ...others] = candidateNames(place.response.path, place);
        return { name: componentNames.claim(first, ...others), names, objects, places };
      }),
    );
  const candidates = named.map(
    ({ name, names, objects }): ComponentCandidate => ({
      reference: toSchemaReference(name),
      names,
      schema: createPropertiesSchema(objects, inPlace),
    }),
  );
  const options = createInferenceOptions(document, candidates);
  const created = named.map(({ name, objects, places }) => ({
    name,
    schema: createPropertiesSchema(objects, options),
    responses: [...new Set(places.map(({ response }) => response))],
  }));
  return { options, created: created.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}

function clusterObjects(responses: readonly UntypedResponse[]): readonly Cluster[] {
  const places = responses
    .flatMap(findObjectPlaces)
    .filter(({ names }) => names.size >= LEAST_NAMES)
    .sort(comparePlaces);
  const clusters: Cluster[] = [];
  for (const place of places) {
    const similar = clusters.find(({ names }) => shareOfNames(names, place.names) >= LEAST_COMMON_NAMES);
    if (similar === undefined) {
      clusters.push({ objects: place.objects, names: place.names, places: [place] });
    } else {
      similar.objects = mergeObjects(similar.objects, place.objects);
      similar.names = resourceNames(similar.objects);
      similar.places.push(place);
    }
  }
  return clusters;
}

function findObjectPlaces(response: UntypedResponse): readonly ObjectPlace[] {
  const places: ObjectPlace[] = [];
  const visit = (
    { lists, objects }: ValueShape,
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
    places.push({ objects, names: resourceNames(objects), response, memberName, isItem, depth });
    for (const [name, member] of objects.members)
      if (name !== '_links') visit(member, name, false, depth + 1);
  };
  visit(response.shape, '', false, 0);
  return places;
}

function isComponent({ places }: Cluster): boolean {
  const operations = new Set(places.map(({ response: { operation } }) => operation));
  const isResource = ({ depth, isItem, response: { path } }: ObjectPlace): boolean =>
    depth === 0 && (isItem || path.endsWith('}'));
  return operations.size > 1 || places.some(isResource);
}

/** The best names of a component first: a resource before a member, the shortest path first. */
function comparePlaces(one: ObjectPlace, other: ObjectPlace): number {
  const rank = ({ depth, memberName, response }: ObjectPlace): readonly (number | string)[] => [
    depth === 0 ? 0 : 1,
    depth,
    response.path.split('/').length,
    response.path,
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
  readonly schema: JsonObject;
}

const LEAST_NAMES: number = 4;
const LEAST_SHARE = 0.75;

function findCandidate(
  objects: ObjectsShape,
  candidates: readonly ComponentCandidate[],
  document: JsonObject,
): string | null {
  const names = resourceNames(objects);
  if (names.size < LEAST_NAMES) return null;
  return (
    candidates
      .map((candidate) => ({ ...candidate, share: shareOfNames(names, candidate.names) }))
      .filter(({ share }) => share >= LEAST_SHARE)
      .sort((one, other) => other.share - one.share)
      .find(({ schema }) => fitsSchema(objects, schema, document))?.reference ?? null
  );
}

function readCandidates(document: OpenApiDocument): readonly ComponentCandidate[] {
  const messages = listRouteOperations(document).map(
    ({ object: { response = null, responses = null, [EXTENSION_NAMES.contexts]: contexts = null } }) => [
      response,
      responses,
      contexts,
    ],
  );
  const references = addReachedReferences(collectReferences(messages), document);
  const reached = new Set(Array.from(references, getSchemaComponentKey));
  return listSchemaComponents(document).flatMap(([name, schema]): ComponentCandidate[] => {
    if (!reached.has(name) || !isJsonObject(schema)) return [];
    const properties = jsonMembers(schema['properties']).map(([property]) => property);
    const names = new Set(properties.filter((property) => !HAL_MEMBERS.has(property)));
    return names.size < LEAST_NAMES ? [] : [{ reference: toSchemaReference(name), names, schema }];
  });
}

function candidateNames(path: string, { isItem, memberName }: ObjectPlace): readonly string[] {
  // A version ends a namespace.
  const [namespace = '', rest = ''] = /^\/(.*?\/v?\d[\w.-]*|[^/]+)(?:\/(.*))?$/.exec(path)?.slice(1) ?? [];
  const [qualifier = []] = ownerOf(namespace).qualifiers;
  const segments = rest
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .map((segment) => singularizeLastWord(splitWords(segment)))
    .filter((words) => words.length > 0);
  // `{ items: [...] }` of `/shop/v1/orders` is a list of orders.
  const words = /^(?:data|items|results|rows)$/.test(memberName) ? [] : splitWords(memberName);
  if (words.length > 0) segments.push(isItem ? singularizeLastWord(words) : words);
  const names = segments.flatMap((_, index) => {
    const name = toPascalCase(qualifyWords(qualifier, segments.slice(segments.length - index - 1).flat()));
    return /^[A-Z]/.test(name) ? [name.slice(0, 80)] : [];
  });
  const [first, ...longer] = names;
  if (first === undefined || memberName !== '') return names;
  // A list's items and a single item can have different members.
  return [first, `${first}${isItem ? 'ListItem' : 'Detail'}`, ...longer];
}
