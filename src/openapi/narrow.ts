import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { PATH_ITEM_METHODS } from './methods.ts';
import { collectReferences } from './document-access.ts';

/**
 * The part of a document that belongs to some of its namespaces: other paths are gone, and with them the tags and
 * components that nothing reaches any more. What is left is a document in its own right.
 *
 * @param namespaces As the index names them: `wp/v2`. Empty for what belongs to none.
 */
export function narrowDocument(document: JsonObject, namespaces: readonly string[]): JsonObject {
  const wanted = new Set(namespaces);
  const root = objectAt(document, 'x-waygate');
  const routes = listAt(root, 'routes').filter(isJsonObject);
  const kept = routes.filter(({ namespace }) => typeof namespace === 'string' && wanted.has(namespace));
  const patterns = new Set(kept.map(({ pattern }) => pattern));
  const paths = mapEntries(objectAt(document, 'paths'), (item) =>
    isJsonObject(item) ? narrowPathItem(item, patterns) : undefined,
  );
  const tags = new Set(
    Object.values(paths).flatMap((item) =>
      operationsOf(item).flatMap((operation) => listAt(operation, 'tags')),
    ),
  );
  const narrowed: JsonObject = mapEntries(document, (value, name) => {
    if (name === 'paths') return paths;
    if (name === 'tags')
      return listAt(document, 'tags').filter((tag) => isJsonObject(tag) && tags.has(tag['name'] ?? null));
    if (name === 'x-waygate') {
      const named = listAt(root, 'namespaces').filter((each) => typeof each === 'string' && wanted.has(each));
      return { ...root, namespaces: named, routes: kept };
    }
    return value;
  });
  return dropUnreachableComponents(narrowed);
}

/** The item without operations of other routes; undefined where none is left. */
function narrowPathItem(item: JsonObject, patterns: ReadonlySet<Json | undefined>): JsonObject | undefined {
  const belongs = (operation: Json): boolean =>
    isJsonObject(operation) &&
    [operation, ...listAt(operation, 'x-waygate-alternatives')].some(
      (each) => isJsonObject(each) && patterns.has(each['x-waygate-route']),
    );
  const left = mapEntries(item, (value, name) => {
    if (name === 'x-waygate-methods' && isJsonObject(value)) {
      const others = mapEntries(value, (operation) => (belongs(operation) ? operation : undefined));
      return Object.keys(others).length === 0 ? undefined : others;
    }
    return !PATH_ITEM_METHODS.has(name) || belongs(value) ? value : undefined;
  });
  return operationsOf(left).length === 0 ? undefined : left;
}

/** Sections keep the order of their names; security schemes stay, because requirements name them without a reference. */
function dropUnreachableComponents(document: JsonObject): JsonObject {
  const components = objectAt(document, 'components');
  const reached = new Set<string>();
  let pending: Json = mapEntries(document, (value, name) => (name === 'components' ? undefined : value));
  for (;;) {
    const fresh: readonly string[] = [...collectReferences(pending)].filter(
      (reference) => !reached.has(reference),
    );
    if (fresh.length === 0) break;
    for (const reference of fresh) reached.add(reference);
    pending = fresh.map((reference) => componentAt(components, reference) ?? null);
  }
  const sections = mapEntries(components, (section, kind) => {
    if (kind === 'securitySchemes' || !isJsonObject(section)) return section;
    const left = mapEntries(section, (content, name) =>
      reached.has(`#/components/${kind}/${name}`) ? content : undefined,
    );
    return Object.keys(left).length === 0 ? undefined : left;
  });
  return mapEntries(document, (value, name) => (name === 'components' ? sections : value));
}

function componentAt(components: JsonObject, reference: string): Json | undefined {
  const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)/.exec(reference) ?? [];
  const section = components[kind];
  return isJsonObject(section) && Object.hasOwn(section, name) ? section[name] : undefined;
}

function operationsOf(item: Json): readonly JsonObject[] {
  if (!isJsonObject(item)) return [];
  const others = objectAt(item, 'x-waygate-methods');
  const own = Object.entries(item).filter(([name]) => PATH_ITEM_METHODS.has(name));
  return [...own.map(([, operation]) => operation), ...Object.values(others)].filter(isJsonObject);
}

function mapEntries(object: JsonObject, change: (value: Json, name: string) => Json | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const changed = change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function listAt(object: JsonObject, name: string): readonly Json[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}
