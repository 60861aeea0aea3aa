import { EXTENSION_NAMES, extensionOf, getAlternatives } from '../../base/document-extensions.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { addReachedReferences, collectReferences } from './document-references.ts';
import { isPathItemMethod, operationMembers } from './operations.ts';

/** Keeps the routes of namespaces such as `wp/v2`; `''` selects those outside all. */
export function narrowToNamespaces(document: JsonObject, namespaces: readonly string[]): JsonObject {
  const wanted = new Set(namespaces);
  return narrowDocument(document, (_, namespace) => wanted.has(namespace));
}

export function narrowDocument(
  document: JsonObject,
  isSelected: (pattern: string, namespace: string) => boolean,
): JsonObject {
  const site = toJsonObject(extensionOf(document, 'site'));
  const routes = jsonItems(site['routes']).filter(isJsonObject);
  const keptRoutes = routes.filter(
    ({ namespace, pattern }) =>
      typeof namespace === 'string' && typeof pattern === 'string' && isSelected(pattern, namespace),
  );
  const wanted = new Set(keptRoutes.map(({ namespace }) => namespace));
  const patterns = new Set(keptRoutes.map(({ pattern }) => pattern));
  const paths = changeMembers(toJsonObject(document['paths']), (item) =>
    isJsonObject(item) ? narrowPathItem(item, patterns) : undefined,
  );
  const tags = new Set(
    Object.values(paths).flatMap((item) =>
      operationMembers(item).flatMap(([, operation]) => jsonItems(memberAt(operation, 'tags'))),
    ),
  );
  const narrowed: JsonObject = changeMembers(document, (value, name) => {
    if (name === 'paths') return paths;
    if (name === 'tags') {
      return jsonItems(value).filter((tag) => isJsonObject(tag) && tags.has(tag['name'] ?? null));
    }
    if (name === EXTENSION_NAMES.site) {
      const remaining = jsonItems(site['namespaces']).filter((namespace) => wanted.has(namespace));
      return { ...site, namespaces: remaining, routes: keptRoutes };
    }
    return value;
  });
  return dropUnreachableComponents(narrowed);
}

function narrowPathItem(item: JsonObject, patterns: ReadonlySet<Json | undefined>): JsonObject | undefined {
  const belongs = (operation: Json): boolean =>
    isJsonObject(operation) &&
    [operation, ...getAlternatives(operation)].some(
      (entry) => isJsonObject(entry) && patterns.has(extensionOf(entry, 'route')),
    );
  const remaining = changeMembers(item, (value, name) => {
    if (name === EXTENSION_NAMES.methods && isJsonObject(value)) {
      const remainingMethods = changeMembers(value, (operation) =>
        belongs(operation) ? operation : undefined,
      );
      return Object.keys(remainingMethods).length === 0 ? undefined : remainingMethods;
    }
    return !isPathItemMethod(name) || belongs(value) ? value : undefined;
  });
  return operationMembers(remaining).some(([, operation]) => isJsonObject(operation)) ? remaining : undefined;
}

/** Security schemes stay, because security requirements name them without a reference. */
function dropUnreachableComponents(document: JsonObject): JsonObject {
  const components = toJsonObject(document['components']);
  const others = changeMembers(document, (value, name) => (name === 'components' ? undefined : value));
  const reached = addReachedReferences(collectReferences(others), document);
  const sections = changeMembers(components, (section, kind) => {
    if (kind === 'securitySchemes' || !isJsonObject(section)) return section;
    const remaining = changeMembers(section, (content, name) =>
      reached.has(`#/components/${kind}/${name}`) ? content : undefined,
    );
    return Object.keys(remaining).length === 0 ? undefined : remaining;
  });
  return changeMembers(document, (value, name) => (name === 'components' ? sections : value));
}
