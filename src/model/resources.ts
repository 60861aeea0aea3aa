import type { IndexRoute } from '../discovery/site.ts';
import { groupBy } from '../group-by.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonTexts,
  memberAt,
  ownMember,
  toJsonObject,
} from '../json.ts';
import { getOrCreate } from '../memoize.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { type Steps, visitInSteps } from '../steps.ts';
import { rootIndexPointer } from './analyze-route.ts';
import { applyResourceConvention } from './conventions/apply-convention.ts';
import { withKnownTypes } from './conventions/argument-conventions.ts';
import {
  type EmbeddableRelation,
  findResourceConvention,
  listNames,
  type ResourceConvention,
} from './conventions/resource-conventions.ts';
import { removeUntrueFormats } from './conventions/response-formats.ts';
import { RESERVED_SCHEMA_NAMES, toSchemaName } from './naming/names.ts';
import {
  compareOwners,
  type NameOwner,
  NameRegistry,
  ownerOf,
  qualifyWords,
  titleWords,
} from './naming/namespaces.ts';
import { singularizeLastWord, splitWords, toPascalCase } from './naming/words.ts';
import type { Normalizer } from './schema/normalizer.ts';
import type { EmbeddedRelation, ResourceContext, SiteResource } from './site.ts';

/** The resources of a site. Routes of one namespace that state equal schemas share one resource. */
export class ResourceRegistry {
  readonly #normalizer: Normalizer;
  /** By namespace and by normalized schema. The normalizer returns the identical object for equal schemas. */
  readonly #resources = new Map<string, Map<JsonObject, UnnamedResource>>();
  readonly #drafts: UnnamedResource[] = [];

  constructor(normalizer: Normalizer) {
    this.#normalizer = normalizer;
  }

  /**
   * Returns the resource of a route, and creates it if no earlier route has an equal schema. It has a unique name when the
   * registry is complete. Returns `undefined` if the route states no schema.
   *
   * @param anonymousTemplate The route's first template without parameter names.
   */
  getOrCreate(route: IndexRoute, anonymousTemplate: string): SiteResource | undefined {
    const { schema: declared, namespace, pattern } = route;
    if (declared === undefined) return undefined;
    const location = { route: pattern, pointer: `${rootIndexPointer(route)}/schema` };
    const normalized = this.#normalizer.normalizeSchema(declared, location);
    const ofNamespace = getOrCreate(this.#resources, namespace, () => new Map<JsonObject, UnnamedResource>());
    const convention = findResourceConvention(declared, namespace);
    if (convention?.isInherited === true) return undefined;
    const existing = ofNamespace.get(normalized);
    if (existing !== undefined) return existing.resource;
    const title = typeof declared['title'] === 'string' ? declared['title'] : '';
    const words = titleWords(namespace, title, declared);
    const place = { namespace, words, owner: ownerOf(namespace, title), anonymousTemplate };
    const schema = withKnownTypes(normalized, namespace);
    const contexts = describeContexts(declared, schema, convention);
    const resource = { name: '', contexts: [], ...omitUndefined({ convention }), embedded: [] };
    const created = { resource, place, contexts, schema, namespace, anonymousTemplate };
    this.#drafts.push(created);
    ofNamespace.set(normalized, created);
    return created.resource;
  }

  /** Names all resources and sets their embedded relations, in steps. Call it when all of them are created. */
  *complete(): Steps<void> {
    yield* nameResources(this.#drafts);
    resolveEmbeddedRelations(this.#drafts);
  }
}

interface NamingPlace {
  readonly namespace: string;
  /** The words of the title; empty if it is no name. */
  readonly words: readonly string[];
  readonly owner: NameOwner;
  readonly anonymousTemplate: string;
}

interface UnnamedResource extends DraftResource {
  readonly resource: { -readonly [Key in keyof SiteResource]: SiteResource[Key] };
  readonly place: NamingPlace;
  readonly contexts: DescribedContexts;
}

/** Names resources owner by owner, so that the order of their routes does not decide who has a name that two of them want. */
function* nameResources(drafts: readonly UnnamedResource[]): Steps<void> {
  const registry = new NameRegistry(RESERVED_SCHEMA_NAMES);
  const texts = new Map<string, JsonObject>();
  /** Returns the first schema that is equal. */
  const findEqual = (schema: JsonObject): JsonObject =>
    getOrCreate(texts, JSON.stringify(schema), () => schema);
  /** Names of components by owner and by the first of equal schemas. Equal schemas of an owner share a component. */
  const componentsOf = new Map<string, Map<JsonObject, string>>();
  const ranked = [...drafts].sort((a, b) => compareOwners(a.place.owner, b.place.owner));
  yield* visitInSteps(ranked, ({ contexts, place, resource }) => {
    const existing = getOrCreate(componentsOf, place.owner.id, () => new Map<JsonObject, string>());
    const equals = contexts.map(({ schema }) => findEqual(schema));
    const add = (candidate: string): Map<JsonObject, string> => {
      const added = new Map<JsonObject, string>();
      contexts.forEach(({ context }, index) => {
        const schema = equals[index];
        if (schema === undefined || existing.has(schema) || added.has(schema)) return;
        const name = index === 0 ? candidate : candidate + toPascalCase(splitWords(context));
        added.set(schema, [...added.values()].includes(name) ? `${name}${index + 1}` : name);
      });
      return added;
    };
    const { owner } = place;
    const name = registry.find(
      owner,
      (qualifier) => deriveCandidates(place, qualifier),
      (candidate) => [candidate, `Deleted${candidate}`, `${candidate}Embedded`, ...add(candidate).values()],
    );
    for (const [schema, component] of add(name)) {
      existing.set(schema, component);
      registry.take(component, owner);
    }
    registry.take(name, owner);
    resource.name = name;
    resource.contexts = contexts.map((each) => ({
      ...each,
      name: existing.get(findEqual(each.schema)) ?? name,
    }));
  });
}

/** Contexts of a resource's schema after the conventions, still without names. */
type DescribedContexts = readonly Omit<ResourceContext, 'name'>[];

function describeContexts(
  declared: JsonObject,
  normalized: JsonObject,
  convention: ResourceConvention | undefined,
): DescribedContexts {
  const base = removeUntrueFormats(normalized, listNames(convention?.keepsFormat));
  const contexts = listContexts(declared);
  return (contexts.length === 0 ? [''] : contexts).map((context) => {
    const filtered = context === '' ? base : filterByContext(declared, base, context, contexts);
    return { context, schema: convention ? applyResourceConvention(filtered, convention) : filtered };
  });
}

/**
 * Generates names for a resource, the best first: its title, the words of its path, both. Two schemas of a namespace can share a
 * title: WordPress names revisions and autosaves both `post-revision`.
 */
function* deriveCandidates(place: NamingPlace, qualifier: readonly string[]): Generator<string> {
  const { anonymousTemplate, namespace, words } = place;
  const path =
    namespace !== '' && anonymousTemplate.startsWith(`/${namespace}`)
      ? anonymousTemplate.slice(namespace.length + 1)
      : anonymousTemplate;
  const pathWords = path.split('/').flatMap((literal) => singularizeLastWord(splitWords(literal)));
  const fallback = pathWords.length === 0 ? ['resource'] : pathWords;
  if (words.length > 0) yield toSchemaName(qualifyWords(qualifier, words));
  yield toSchemaName(qualifyWords(qualifier, fallback));
  if (words.length > 0) yield toSchemaName(qualifyWords(qualifier, [...fallback, ...words]));
}

/** The contexts of WordPress itself. `view` is the default. */
const WORDPRESS_CONTEXTS = ['view', 'edit', 'embed'];

/** Maximum number of contexts of a resource; no site was seen to use more. Further ones are ignored. */
const MAX_CONTEXTS = 8;

/** Maximum nesting depth of the filter. Deeper schemas keep all properties, which is safe. */
const MAX_DEPTH = 32;

/** Lists the contexts that the properties of a schema name, `view` first. Returns an empty list if they name none. */
export function listContexts(schema: JsonObject): readonly string[] {
  const named = new Set<string>();
  for (const property of Object.values(readProperties(schema))) {
    for (const context of readContextKeyword(property) ?? []) {
      if (/^[\w-]{1,40}$/.test(context)) named.add(context);
    }
  }
  const usual = WORDPRESS_CONTEXTS.filter((context) => named.delete(context));
  return [...usual, ...named].slice(0, MAX_CONTEXTS);
}

/**
 * Reduces a resource's schema to one context, as `rest_filter_response_by_context` does with a response. A property that
 * lists contexts is removed from all others. Properties that list no contexts are kept and not filtered recursively.
 *
 * An operation states the schema of one context only, so the result must also accept responses in the other contexts. An object
 * that lost a property no longer forbids unknown properties. A property is required only if every context contains it (sites
 * use `required` for writing).
 *
 * @param original The schema as the site states it, whose properties list their contexts.
 * @param normalized The same schema after normalization, from which the result is built.
 * @param allContexts The contexts of the resource.
 * @returns `normalized` itself if nothing is removed
 */
export function filterByContext(
  original: JsonObject,
  normalized: JsonObject,
  context: string,
  allContexts: readonly string[],
  depth = 0,
): JsonObject {
  if (depth > MAX_DEPTH) return normalized;
  const filterChild = (originalProperty: Json | undefined, normalizedChild: Json): Json =>
    isJsonObject(originalProperty) && isJsonObject(normalizedChild)
      ? filterByContext(originalProperty, normalizedChild, context, allContexts, depth + 1)
      : normalizedChild;
  const properties = readProperties(normalized);
  const kept = changeMembers(properties, (property, name) => {
    const originalProperty = ownMember(readProperties(original), name);
    const named = readContextKeyword(originalProperty);
    if (named === null) return property;
    return named.includes(context) ? filterChild(originalProperty, property) : undefined;
  });
  const isReduced = Object.keys(kept).length < Object.keys(properties).length;
  const isAlways = (name: Json): boolean =>
    isInEveryContext(ownMember(readProperties(original), String(name)), allContexts);
  return changeMembers(normalized, (value, keyword) => {
    switch (keyword) {
      case 'properties':
        return isJsonObject(value) ? kept : value;
      case 'additionalProperties':
        return isReduced && value === false ? undefined : filterChild(original[keyword], value);
      case 'items':
        return filterChild(original[keyword], value);
      case 'required': {
        const required = jsonItems(value).filter(isAlways);
        if (required.length === jsonItems(value).length) return value;
        return required.length === 0 ? undefined : required;
      }
      default:
        return value;
    }
  });
}

/** Reads the contexts that a property lists. Returns `null` if it has no list, so that every context contains it. */
function readContextKeyword(property: Json | undefined): readonly string[] | null {
  const named = memberAt(property, 'context');
  return Array.isArray(named) ? jsonTexts(named) : null;
}

function isInEveryContext(property: Json | undefined, allContexts: readonly string[]): boolean {
  const named = readContextKeyword(property);
  return named === null || allContexts.every((context) => named.includes(context));
}

function readProperties({ properties }: JsonObject): JsonObject {
  return toJsonObject(properties);
}

/** A resource whose embedded relations are not resolved yet. */
interface DraftResource {
  readonly resource: Omit<SiteResource, 'embedded'> & { embedded: readonly EmbeddedRelation[] };
  /** The normalized schema with the properties of all contexts. */
  readonly schema: JsonObject;
  readonly namespace: string;
  /** The template of the first route that states the schema, without parameter names. */
  readonly anonymousTemplate: string;
}

/** Maximum number of resources of one relation. The values of a relation with more are left open. */
const MAX_TARGETS = 8;

/** Sets the embedded relations of resources by the conventions, once all resources of the site are known. */
function resolveEmbeddedRelations(drafts: readonly DraftResource[]): void {
  const byKind = groupBy(drafts, ({ resource }) => resource.convention?.kind);
  for (const draft of drafts) {
    const links = draft.resource.convention?.links;
    if (links === undefined) continue;
    draft.resource.embedded = links.embeddable.map((relation) => ({
      relation: relation.relation,
      isCollection: relation.isCollection,
      resources: findTargets(relation, draft, byKind),
    }));
  }
}

function findTargets(
  { target }: EmbeddableRelation,
  source: DraftResource,
  byKind: ReadonlyMap<string | undefined, readonly DraftResource[]>,
): readonly SiteResource[] {
  if (target.includes('same')) return [source.resource];
  const isTerms = target.includes('terms');
  const kinds = isTerms ? ['term'] : target;
  const candidates = kinds.flatMap((kind) => byKind.get(kind) ?? []);
  const nearby = candidates.filter(({ namespace }) => namespace === source.namespace);
  // A post has a property for each of its taxonomies, which has the name of the taxonomy's route.
  const found = (nearby.length === 0 ? candidates : nearby).filter(
    ({ anonymousTemplate: path }) =>
      !isTerms || memberAt(source.schema['properties'], path.slice(path.lastIndexOf('/') + 1)) !== undefined,
  );
  return found.length > MAX_TARGETS ? [] : found.map(({ resource }) => resource);
}
