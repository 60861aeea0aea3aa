import type { JsonObject } from '../json.ts';
import type { SitePath } from '../model/site.ts';

/**
 * Tags group the operations of one resource, and sort by namespace because they begin with it: `wp/v2/posts`. The index
 * of a namespace, and what stands right below it as a parameter, is tagged with the namespace alone.
 */
export function tagOf(namespace: string, template: string): string {
  const below = namespace !== '' && template.startsWith(`/${namespace}`);
  const rest = below ? template.slice(namespace.length + 1) : template;
  const resource = /^\/([^/{}]+)(?=\/|$)/.exec(rest)?.[1];
  if (resource === undefined) return namespace === '' ? ROOT : namespace;
  return namespace === '' ? resource : `${namespace}/${resource}`;
}

/** The Tag Objects of a document, in the order of the paths. */
export function tagsOf(paths: readonly SitePath[]): readonly JsonObject[] {
  const tags = new Map<string, string>();
  for (const { template, operations } of paths) {
    for (const { routes } of operations) {
      const { namespace } = routes[0];
      const name = tagOf(namespace, template);
      if (!tags.has(name)) tags.set(name, describe(name, namespace));
    }
  }
  return [...tags].map(([name, description]) => ({ name, description }));
}

/** What belongs to no namespace and has no name of its own: the root index. */
const ROOT = 'root';

function describe(name: string, namespace: string): string {
  if (namespace === '') return name === ROOT ? "The site's own index." : 'Outside of all namespaces.';
  return name === namespace
    ? `The namespace \`${namespace}\` itself.`
    : `\`${name.slice(namespace.length + 1)}\` in the namespace \`${namespace}\`.`;
}
