import { getNamespaces } from '../document-extensions.ts';
import { groupBy } from '../group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, mapMembers } from '../json.ts';
import { removeParameterNames } from '../model/templates.ts';
import { findNamespace, listOperations, type Operation, pathsOf } from '../openapi/operations.ts';
import { flattenSchema } from '../openapi/schema-view.ts';
import NAMES from './sample-names.json' with { type: 'json' };

/** Where a sample stands. */
export interface SamplePlace {
  /** The path of the operation: `/wc/v3/products/{id}`. */
  readonly path: string;
  /** URL that the paths follow, without a slash at its end. */
  readonly requestUrl: string;
  readonly document: JsonObject;
  /** The values of the parameters of the path, by name. */
  readonly values: ReadonlyMap<string, string>;
}

/** What links of a created example lead to. */
const PLACEHOLDER = 'https://example.com/';

/** The value of path parameters that an example does not tell. */
const ID = '42';

/** What a sample shows of an index: routes, arguments of each, and namespaces. */
const [MAX_ROUTES, MAX_ARGUMENTS, MAX_NAMESPACES] = [2, 3, 5];

/**
 * Leads the links of a created example to the resource of its operation, and names the site's own namespaces and routes in an index:
 * the schemas of both are the same for every resource.
 */
export function placeSample(example: Json, place: SamplePlace): Json {
  return placeLinks(placeIndex(example, place), place);
}

function placeLinks(value: Json, place: SamplePlace): Json {
  if (Array.isArray(value)) return value.map((item: Json) => placeLinks(item, place));
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (name, member) =>
    name === '_links' && isJsonObject(member) ? leadLinks(member, value, place) : placeLinks(member, place),
  );
}

function leadLinks(
  links: JsonObject,
  item: JsonObject,
  { document, path, requestUrl, values }: SamplePlace,
): JsonObject {
  const own = path.replace(/\/batch$/, '');
  // The parameter of a parent has another name there: /templates/{parent}/autosaves/{id}.
  const namespaces = new Set(getNamespaces(document));
  const shapes = new Set(pathsOf(document).map(removeParameterNames));
  const shape = `${removeParameterNames(own)}/{`;
  const isList = [...shapes].some((each) => each.startsWith(shape));
  const isItem = own.endsWith('}');
  const collection = isList && !isItem ? own : own.slice(0, own.lastIndexOf('/'));
  const named = isItem ? values.get(own.slice(own.lastIndexOf('{') + 1, -1)) : undefined;
  const id = [named, item['id'], item['slug'], item['name']].find(
    (each) =>
      typeof each === 'number' || (typeof each === 'string' && (each === named || /^[\w-]+$/.test(each))),
  );
  const self = isList || isItem ? `${collection}/${String(id ?? ID)}` : own;
  const up = collection.slice(0, collection.lastIndexOf('/'));
  const targets = new Map([
    ['self', self],
    ['collection', collection],
    ['up', up],
    ['parent', up],
    ['predecessor-version', `${self}/revisions/${ID}`],
  ]);
  // A relation that leads to no path of the document is left out.
  return Object.fromEntries(
    Object.entries(links).flatMap(([relation, link]): [string, Json][] => {
      if (!isPlaceholder(link)) return [[relation, link]];
      const target = targets.get(relation) ?? findTarget(relation, item, self, shapes, namespaces);
      const href = target?.replace(/\{([^{}]*)\}/g, (_, name: string) => values.get(name) ?? ID);
      return href === undefined ? [] : [[relation, [{ href: requestUrl + href }]]];
    }),
  );
}

/** Where relations of WordPress lead: below the item itself, or to an item of another collection whose id a member has. */
const RELATIONS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries(NAMES.relations),
);

/**
 * @param shapes of the paths of the document, without names of parameters
 * @returns `undefined` if the document has no path for the relation
 */
function findTarget(
  relation: string,
  item: JsonObject,
  self: string,
  shapes: ReadonlySet<string>,
  namespaces: ReadonlySet<string>,
): string | undefined {
  const own = relation.replace(/^.*[:/]/, '').replaceAll('_', '-');
  const namespace = `/${findNamespace(self, namespaces)}`;
  for (const [target = '', member] of [...(RELATIONS.get(relation) ?? []), [`./${own}`]]) {
    const id = member === undefined ? undefined : item[member];
    if (member !== undefined && typeof id !== 'string' && typeof id !== 'number') continue;
    const base = target.startsWith('.') ? self + target.slice(1) : `${namespace}/${target}`;
    const shape = target.startsWith('.')
      ? removeParameterNames(self).replace(/[^/]*$/, '{}') + target.slice(1)
      : base;
    if (shapes.has(id === undefined ? shape : `${shape}/{}`))
      return id === undefined ? base : `${base}/${id}`;
  }
  return undefined;
}

function isPlaceholder(link: Json): boolean {
  const [first] = jsonItems(link);
  return isJsonObject(first) && first['href'] === PLACEHOLDER;
}

/** Names the namespaces and the first routes of the site in an index of them. */
function placeIndex(example: Json, { document, path }: SamplePlace): Json {
  if (!isJsonObject(example) || !isJsonObject(example['routes'])) return example;
  const isRoot = path === '/';
  const isOwn = (operation: Operation): boolean =>
    isRoot ? operation.namespace !== '' : operation.path.startsWith(`${path}/`);
  const routes = [...groupBy(listOperations(document).filter(isOwn), (operation) => operation.path)];
  const [shown] = Object.values(example['routes']);
  if (routes.length === 0 || !isJsonObject(shown)) return example;
  const stated: JsonObject = {
    namespace: path.slice(1),
    namespaces: getNamespaces(document).slice(0, MAX_NAMESPACES),
    routes: Object.fromEntries(
      routes.slice(0, MAX_ROUTES).map(([each, operations]) => {
        const route: JsonObject = {
          namespace: isRoot ? (operations[0]?.namespace ?? '') : path.slice(1),
          methods: operations.map(({ method }) => method),
          endpoints: operations.map((operation) => toEndpoint(operation, document)),
        };
        return [operations[0]?.pattern ?? each, mapMembers(shown, (name, member) => route[name] ?? member)];
      }),
    ),
  };
  return mapMembers(example, (name, member) => stated[name] ?? member);
}

/** An endpoint as an index lists it, with its first arguments. */
function toEndpoint({ allowBatch, bodySchema, method, parameters }: Operation, document: JsonObject): Json {
  const body = flattenSchema(bodySchema, document).schema;
  const fields = jsonMembers(body['properties']).map(([name, schema]) => {
    return { name, schema, required: jsonItems(body['required']).includes(name) };
  });
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const args = [...query, ...fields].slice(0, MAX_ARGUMENTS).map(({ name, required, schema }) => {
    const { type } = flattenSchema(schema, document).schema;
    return [name, { ...(type !== undefined && { type }), required }];
  });
  return {
    methods: [method],
    args: Object.fromEntries(args),
    ...(allowBatch ? { allow_batch: { v1: true } } : {}),
  };
}
