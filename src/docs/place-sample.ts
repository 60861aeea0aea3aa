import { getNamespaces } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, mapMembers, memberAt } from '../json.ts';
import { removeParameterNames } from '../model/templates.ts';
import { findNamespace, pathsOf } from '../openapi/operations.ts';
import NAMES from './sample-names.json' with { type: 'json' };

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

/** Leads the links of a created example to the resource of its operation: the schema of links is the same for every resource. */
export function placeSample(value: Json, place: SamplePlace): Json {
  if (Array.isArray(value)) return value.map((item: Json) => placeSample(item, place));
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (name, member) =>
    name === '_links' && isJsonObject(member) ? leadLinks(member, value, place) : placeSample(member, place),
  );
}

function leadLinks(links: JsonObject, item: JsonObject, place: SamplePlace): JsonObject {
  const { document, path, requestUrl, values } = place;
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
      if (memberAt(jsonItems(link)[0], 'href') !== PLACEHOLDER) return [[relation, link]];
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
