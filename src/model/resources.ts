import type { IndexRoute } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';
import { filterByContext, listContexts } from './contexts.ts';
import { applyResourceConvention } from './conventions/apply-convention.ts';
import { type DraftResource, resolveEmbeddedRelations } from './conventions/embedded-relations.ts';
import { findResourceConvention } from './conventions/find-convention.ts';
import type { ResourceConvention } from './conventions/resource-convention.ts';
import { removeUntrueFormats } from './conventions/response-formats.ts';
import { createEqualSchemaSearch } from './equal-schemas.ts';
import { toSchemaName } from './naming/names.ts';
import { singularizeLastWord, splitWords, toPascalCase } from './naming/words.ts';
import { rootIndexPointer } from './reachable-endpoints.ts';
import type { Normalizer } from './schema/normalizer.ts';
import type { ResourceContext, SiteResource } from './site.ts';

/** The resources of a site. Routes of one namespace that state equal schemas share one resource. */
export interface ResourceRegistry {
  /**
   * Returns the resource of a route, and creates it under a unique name if no earlier route has an equal schema. Returns
   * `undefined` if the route states no schema.
   *
   * @param anonymousTemplate The route's first template without parameter names.
   */
  getOrCreate(route: IndexRoute, anonymousTemplate: string): SiteResource | undefined;
  /** Sets the embedded relations of all resources. Call it when all of them are created. */
  resolveRelations(): void;
}

/** Creates the registry of one site. */
export function createResourceRegistry(normalizer: Normalizer): ResourceRegistry {
  /** By namespace and normalized schema. The normalizer returns the identical object for equal schemas. */
  const resources = new Map<string, Map<JsonObject, SiteResource>>();
  const drafts: DraftResource[] = [];
  /** By normalized schema. Plugins repeat the schemas of WordPress in their namespaces. */
  const descriptions = new Map<JsonObject, DescribedResource>();
  /** In lower case: tools write a file for each schema, and some file systems ignore case. */
  const takenNames = new Set<string>();
  /** The next number to try as a suffix, by name in lower case. */
  const nextNumbers = new Map<string, number>();
  const findEqual = createEqualSchemaSearch();
  /**
   * Names of components by namespace and by the first of equal schemas. Equal schemas of a namespace share a component,
   * even in different resources.
   */
  const componentsOf = new Map<string, Map<JsonObject, string>>();

  return {
    getOrCreate(route, anonymousTemplate) {
      const { schema, namespace, pattern } = route;
      if (schema === undefined) return undefined;
      const location = { route: pattern, pointer: `${rootIndexPointer(route)}/schema` };
      const normalized = normalizer.normalizeSchema(schema, location);
      const ofNamespace = resources.get(namespace) ?? new Map<JsonObject, SiteResource>();
      resources.set(namespace, ofNamespace);
      const existing = ofNamespace.get(normalized);
      if (existing !== undefined) return existing;
      const described = descriptions.get(normalized) ?? describeResource(schema, normalized);
      descriptions.set(normalized, described);
      const { convention, schemas } = described;
      const names = nameResource(schemas, candidateNames(route, anonymousTemplate, nextNumbers), namespace);
      const created = { ...names, ...(convention === undefined ? {} : { convention }), embedded: [] };
      drafts.push({ resource: created, schema: normalized, namespace, anonymousTemplate });
      ofNamespace.set(normalized, created);
      return created;
    },
    resolveRelations: () => resolveEmbeddedRelations(drafts),
  };

  /** Uses the first candidate for which the names of all new components are free. */
  function nameResource(
    schemas: readonly Omit<ResourceContext, 'name'>[],
    candidates: Iterable<string>,
    namespace: string,
  ): Pick<SiteResource, 'name' | 'contexts'> {
    const existing = componentsOf.get(namespace) ?? new Map<JsonObject, string>();
    componentsOf.set(namespace, existing);
    const equals = schemas.map(({ schema }) => findEqual(schema));
    for (const candidate of candidates) {
      const added = new Map<JsonObject, string>();
      schemas.forEach(({ context }, index) => {
        const schema = equals[index];
        if (schema === undefined || existing.has(schema) || added.has(schema)) return;
        const name = index === 0 ? candidate : candidate + toPascalCase(splitWords(context));
        added.set(schema, [...added.values()].includes(name) ? `${name}${index + 1}` : name);
      });
      const names = [candidate, ...added.values()].map((name) => name.toLowerCase());
      if (names.some((name) => takenNames.has(name))) continue;
      for (const name of names) takenNames.add(name);
      for (const [schema, name] of added) existing.set(schema, name);
      const nameOf = (schema: JsonObject): string => existing.get(findEqual(schema)) ?? candidate;
      return { name: candidate, contexts: schemas.map((each) => ({ ...each, name: nameOf(each.schema) })) };
    }
    throw new Error('unreachable: the candidate names are infinite');
  }
}

/** What conventions make of the schema of a resource, before it has names. */
interface DescribedResource {
  readonly convention: ResourceConvention | undefined;
  readonly schemas: readonly Omit<ResourceContext, 'name'>[];
}

function describeResource(stated: JsonObject, normalized: JsonObject): DescribedResource {
  const convention = findResourceConvention(stated);
  const base = removeUntrueFormats(normalized, convention?.keepsFormat);
  const contexts = listContexts(stated);
  const described = new Map<JsonObject, JsonObject>();
  const schemas = (contexts.length === 0 ? [''] : contexts).map((context) => {
    const filtered = context === '' ? base : filterByContext(stated, base, context, contexts);
    if (convention === undefined) return { context, schema: filtered };
    const schema = described.get(filtered) ?? applyResourceConvention(filtered, convention);
    described.set(filtered, schema);
    return { context, schema };
  });
  return { convention, schemas };
}

/**
 * Generates names for a resource, the best first: its title, then the words of its path, then the title with a number.
 * Two schemas of a namespace may share a title: WordPress names revisions and autosaves both `post-revision`. As in
 * operation names, every namespace but the site's own is part of the name, so that a new namespace renames nothing.
 */
function* candidateNames(
  { schema, namespace }: IndexRoute,
  anonymousTemplate: string,
  nextNumbers: Map<string, number>,
): Generator<string> {
  const isSiteNamespace = namespace === '' || namespace === 'wp/v2' || namespace === 'core/v2';
  const prefix = isSiteNamespace ? [] : splitWords(namespace.replaceAll('/', '-'));
  const title = schema?.['title'];
  const titleWords = typeof title === 'string' ? splitWords(title) : [];
  const path =
    namespace !== '' && anonymousTemplate.startsWith(`/${namespace}`)
      ? anonymousTemplate.slice(namespace.length + 1)
      : anonymousTemplate;
  const pathWords = path.split('/').flatMap((literal) => singularizeLastWord(splitWords(literal)));
  const fallback = pathWords.length === 0 ? ['resource'] : pathWords;
  const best = toSchemaName([...prefix, ...(titleWords.length === 0 ? fallback : titleWords)]);
  const next = toSchemaName([...prefix, ...fallback]);
  yield best;
  if (next !== best) yield next;
  for (;;) {
    const number = nextNumbers.get(best.toLowerCase()) ?? 2;
    nextNumbers.set(best.toLowerCase(), number + 1);
    yield `${best}${number}`;
  }
}
