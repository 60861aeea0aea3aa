import type { JsonObject } from '../json.ts';
import type { SitePath } from '../model/site.ts';

/** The tag of operations outside all namespaces: the root index and the batch route. */
const ROOT_TAG = 'site';

/** The name of the tag that groups the operations of a namespace. */
export function tagName(namespace: string): string {
  return namespace === '' ? ROOT_TAG : namespace;
}

/** Creates the Tag Objects of a document, in the order of the paths. */
export function createTags(paths: readonly SitePath[]): readonly JsonObject[] {
  const namespaces = paths.flatMap(({ operations }) => operations.map(({ routes }) => routes[0].namespace));
  return [...new Set(namespaces)].map((namespace) => ({
    name: tagName(namespace),
    description: namespace === '' ? 'Operations outside all namespaces.' : `The namespace \`${namespace}\`.`,
  }));
}
