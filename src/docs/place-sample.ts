import { getNamespaces } from '../document-extensions.ts';
import { groupBy } from '../group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, mapMembers } from '../json.ts';
import { listOperations, type Operation, pathsOf } from '../openapi/operations.ts';
import { contentSchemaOf, flattenSchema } from '../openapi/schema-view.ts';
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

/** Routes of an index that a sample shows. */
const MAX_ROUTES = 2;

/** Arguments of a route of an index that a sample shows. */
const MAX_ARGUMENTS = 3;

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
  // What an action answers is the item of the path: /media/{id}/edit.
  const own = path.replace(/\/batch$/, '').replace(/\}\/(?:edit|post-process)$/, '}');
  // The parameter of a parent has another name there: /templates/{parent}/autosaves/{id}.
  const shapes = new Set(pathsOf(document).map(toShape));
  const shape = `${toShape(own)}/{`;
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
      const target = targets.get(relation) ?? findTarget(relation, item, self, shapes);
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
 * @param shapes of the paths of the document
 * @returns `undefined` if the document has no path for the relation
 */
function findTarget(
  relation: string,
  item: JsonObject,
  self: string,
  shapes: ReadonlySet<string>,
): string | undefined {
  const own = relation.replace(/^.*[:/]/, '').replaceAll('_', '-');
  const namespace = `/${namespaceOf(self)}`;
  for (const [target = '', member] of [...(RELATIONS.get(relation) ?? []), [`./${own}`]]) {
    const id = member === undefined ? undefined : item[member];
    if (member !== undefined && typeof id !== 'string' && typeof id !== 'number') continue;
    const base = target.startsWith('.') ? self + target.slice(1) : `${namespace}/${target}`;
    const shape = target.startsWith('.') ? toShape(self).replace(/[^/]*$/, '{}') + target.slice(1) : base;
    if (shapes.has(id === undefined ? shape : `${shape}/{}`))
      return id === undefined ? base : `${base}/${id}`;
  }
  return undefined;
}

function toShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

function isPlaceholder(link: Json): boolean {
  const [first] = jsonItems(link);
  return isJsonObject(first) && first['href'] === PLACEHOLDER;
}

function placeIndex(example: Json, { document, path }: SamplePlace): Json {
  if (!isJsonObject(example) || !isJsonObject(example['routes'])) return example;
  const known = getNamespaces(document);
  const prefix = path === '/' ? path : `${path}/`;
  const isListed = (each: string): boolean => known.length === 0 || known.includes(namespaceOf(each));
  const listed = listOperations(document).filter(
    (each) => each.path.startsWith(prefix) && each.path !== prefix && (path !== '/' || isListed(each.path)),
  );
  const own = [...groupBy(listed, (each) => each.path)].slice(0, MAX_ROUTES);
  const [shown] = Object.values(example['routes']);
  if (own.length === 0 || !isJsonObject(shown)) return example;
  const inRoutes = [...new Set(own.map(([each]) => namespaceOf(each)))];
  const [namespace = ''] = path === '/' ? inRoutes : [path.slice(1)];
  const routes = own.map(([each, all]): [string, Json] => {
    const operations = METHODS.flatMap((method) => all.filter((operation) => operation.method === method));
    const stated: JsonObject = {
      namespace: path === '/' ? namespaceOf(each) : namespace,
      methods: operations.map(({ method }) => method),
      endpoints: operations.map((operation) => toEndpoint(operation, document)),
    };
    const members = Object.entries(shown).map(([name, member]) => [name, stated[name] ?? member]);
    return [operations[0]?.pattern ?? each, Object.fromEntries(members)];
  });
  const stated = jsonMembers(example).map(([name, member]): [string, Json] => {
    if (name === 'routes') return [name, Object.fromEntries(routes)];
    if (name === 'namespace') return [name, namespace];
    return [name, name === 'namespaces' ? (known.length === 0 ? inRoutes : known.slice(0, 5)) : member];
  });
  return Object.fromEntries(stated);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** An endpoint as an index lists it, with its first arguments. */
function toEndpoint({ allowBatch, method, requestBody, shared }: Operation, document: JsonObject): Json {
  const body = flattenSchema(contentSchemaOf(requestBody), document).schema;
  const required = jsonItems(body['required']);
  const parameters = jsonItems(shared['parameters']).flatMap((parameter) =>
    isJsonObject(parameter) && typeof parameter['name'] === 'string'
      ? [[parameter['name'], parameter['schema'], parameter['required'] === true] as const]
      : [],
  );
  const fields = jsonMembers(body['properties'])
    .slice(0, MAX_ARGUMENTS)
    .map(([name, schema]) => [name, schema, required.includes(name)] as const);
  const args = [...parameters, ...fields].slice(0, MAX_ARGUMENTS).map(([name, schema, isRequired]) => {
    const { type } = flattenSchema(schema, document).schema;
    return [name, { ...(type !== undefined && { type }), required: isRequired }];
  });
  return {
    methods: [method],
    args: Object.fromEntries(args),
    ...(allowBatch ? { allow_batch: { v1: true } } : {}),
  };
}

/** `/wp/v2/posts/{id}` is in `wp/v2`. */
function namespaceOf(path: string): string {
  const [, versioned, first = ''] = /^\/(?:((?:[^/]+\/)*?v?\d[\w.-]*)(?:\/|$)|([^/]*))/.exec(path) ?? [];
  return versioned ?? first;
}
