import type { JsonObject } from '../json.ts';
import type { SitePath } from '../model/site.ts';

/** What belongs to no namespace: the root index and the batch route. */
const ROOT_TAG = 'site';

/** Tags group the operations of one namespace, under its own name. */
export function tagName(namespace: string): string {
  return namespace === '' ? ROOT_TAG : namespace;
}

/** The Tag Objects of a document, in the order of the paths. */
export function createTags(paths: readonly SitePath[]): readonly JsonObject[] {
  const namespaces = paths.flatMap(({ operations }) => operations.map(({ routes }) => routes[0].namespace));
  return [...new Set(namespaces)].map((namespace) => ({
    name: tagName(namespace),
    description:
      namespace === ''
        ? 'What the site answers outside of all namespaces.'
        : `The namespace \`${namespace}\`.`,
  }));
}
