import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { groupBy } from '../../base/group-by.ts';
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
} from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type Steps, visitInSteps } from '../../base/steps.ts';
import type { IndexRoute } from '../discovery/site.ts';
import { applyResourceConvention, orEmptyList } from './conventions/apply-convention.ts';
import { withKnownTypes } from './conventions/argument-conventions.ts';
import data from './conventions/known-responses.json' with { type: 'json' };
import {
  type EmbeddableRelation,
  findResourceConvention,
  listNames,
  type PluginSigns,
  type ResourceConvention,
  withPluginMembers,
} from './conventions/resource-conventions.ts';
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
import { rootIndexPointer } from './routes.ts';
import { compareKeywords, KEYWORD_KINDS, typesOf } from './schema/keywords.ts';
import type { Normalizer } from './schema/normalizer.ts';
import type { ResourceContext, SiteResource } from './site.ts';

export class ResourceRegistry {
  readonly #normalizer: Normalizer;
  readonly #signs: PluginSigns;
  readonly #resources = new Map<string, Map<JsonObject, DraftResource>>();
  readonly #drafts: DraftResource[] = [];

  constructor(normalizer: Normalizer, signs: PluginSigns) {
    this.#normalizer = normalizer;
    this.#signs = signs;
  }

  getOrCreate(route: IndexRoute, anonymousTemplate: string): SiteResource | undefined {
    const { schema: stated, namespace, pattern } = route;
    if (stated === undefined) return undefined;
    const items = listItemsOf(stated);
    const described = items ?? stated;
    const pointer = `${rootIndexPointer(route)}/schema${items === undefined ? '' : '/items'}`;
    const location = { route: pattern, pointer };
    const convention = findResourceConvention(described, namespace);
    const declared = withPluginMembers(described, convention?.kind, this.#signs);
    const normalized = this.#normalizer.normalizeSchema(declared, location);
    const ofNamespace = getOrCreate(this.#resources, namespace, () => new Map<JsonObject, DraftResource>());
    if (convention?.isInherited === true) return undefined;
    const existing = ofNamespace.get(normalized);
    if (existing !== undefined) return existing.resource;
    const title = typeof declared['title'] === 'string' ? declared['title'] : '';
    const schema = withKnownTypes(normalized, namespace);
    const created: DraftResource = {
      resource: { name: '', contexts: [], ...omitUndefined({ convention }), embedded: [] },
      contexts: describeContexts(declared, schema, convention),
      words: titleWords(namespace, title, declared),
      owner: ownerOf(namespace, title),
      ...{ schema, namespace, anonymousTemplate },
    };
    this.#drafts.push(created);
    ofNamespace.set(normalized, created);
    return created.resource;
  }

  *complete(): Steps<void> {
    yield* nameResources(this.#drafts);
    resolveEmbeddedRelations(this.#drafts);
  }
}

export function listItemsOf(schema: JsonObject | undefined): JsonObject | undefined {
  const { items, properties, title } = schema ?? {};
  const [type, ...others] = typesOf(schema).filter((each) => each !== 'null');
  if (type !== 'array' || others.length > 0) return undefined;
  // PHP writes items without keywords as an empty list; a list with members is a tuple.
  const isOpen = properties === undefined && !isJsonObject(items) && jsonItems(items).length === 0;
  const item = isOpen ? {} : items;
  if (!isJsonObject(item)) return undefined;
  return title === undefined ? item : { title, ...item };
}

interface DraftResource {
  readonly resource: { -readonly [Key in keyof SiteResource]: SiteResource[Key] };
  readonly contexts: readonly Omit<ResourceContext, 'name'>[];
  readonly words: readonly string[];
  readonly owner: NameOwner;
  readonly schema: JsonObject;
  readonly namespace: string;
  readonly anonymousTemplate: string;
}

/** By owner, so that the order of routes doesn't decide who gets a name. */
function* nameResources(drafts: readonly DraftResource[]): Steps<void> {
  const registry = new NameRegistry(RESERVED_SCHEMA_NAMES);
  const texts = new Map<string, JsonObject>();
  const findEqual = (schema: JsonObject): JsonObject =>
    getOrCreate(texts, JSON.stringify(schema), () => schema);
  const componentsOf = new Map<string, Map<JsonObject, string>>();
  const ranked = [...drafts].sort((a, b) => compareOwners(a.owner, b.owner));
  yield* visitInSteps(ranked, (draft) => {
    const { contexts, owner, resource } = draft;
    const existing = getOrCreate(componentsOf, owner.id, () => new Map<JsonObject, string>());
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
    const name = registry.find(
      owner,
      (qualifier) => deriveCandidates(draft, qualifier),
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

function describeContexts(
  declared: JsonObject,
  normalized: JsonObject,
  convention: ResourceConvention | undefined,
): DraftResource['contexts'] {
  const base = removeUntrueFormats(normalized, listNames(convention?.keepsFormat));
  const contexts = listContexts(declared);
  return (contexts.length === 0 ? [''] : contexts).map((context) => {
    const filtered = context === '' ? base : filterByContext(declared, base, context, contexts);
    const applied = convention ? applyResourceConvention(filtered, convention) : filtered;
    return { context, schema: withEmptyLists(applied) };
  });
}

/** PHP encodes an object without members as an empty list: a map, an object of unknown members, a default. */
function withEmptyLists(schema: JsonObject, isWrapped = false): JsonObject {
  const members = jsonItems(schema['anyOf']);
  const isCovered = members.some((member) => memberAt(member, 'maxItems') === 0);
  const inner = changeSubschemas(schema, (member, keyword) =>
    withEmptyLists(member, keyword === 'anyOf' && isCovered),
  );
  const { default: absent, minProperties = 0, properties, required } = inner;
  const [type, ...others] = typesOf(inner).filter((each) => each !== 'null');
  const isObject = type === 'object' && others.length === 0 && required === undefined && minProperties === 0;
  const isAbsent = isJsonObject(absent) && Object.keys(absent).length === 0;
  return isObject && (properties === undefined || isAbsent) && !isWrapped ? orEmptyList(inner) : inner;
}

/** The title, the words of the path, both: WordPress names revisions and autosaves `post-revision`. */
function* deriveCandidates(
  { anonymousTemplate, namespace, words }: DraftResource,
  qualifier: readonly string[],
): Generator<string> {
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

const WORDPRESS_CONTEXTS = ['view', 'edit', 'embed'];

const MAX_CONTEXTS = 8;

function listContexts(schema: JsonObject): readonly string[] {
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
 * Removes what only other contexts show (`rest_filter_response_by_context`). An operation states one context, but must accept the
 * responses of all: objects that lost a property allow unknown ones, and a property is required only if every context has it.
 */
function filterByContext(
  original: JsonObject,
  normalized: JsonObject,
  context: string,
  allContexts: readonly string[],
): JsonObject {
  const filterChild = (originalProperty: Json | undefined, normalizedChild: Json): Json =>
    isJsonObject(originalProperty) && isJsonObject(normalizedChild)
      ? filterByContext(originalProperty, normalizedChild, context, allContexts)
      : normalizedChild;
  const properties = readProperties(normalized);
  const kept = changeMembers(properties, (property, name) => {
    const originalProperty = ownMember(readProperties(original), name);
    const named = readContextKeyword(originalProperty);
    if (named === null) return property;
    return named.includes(context) ? filterChild(originalProperty, property) : undefined;
  });
  const isReduced = Object.keys(kept).length < Object.keys(properties).length;
  const isAlways = (name: Json): boolean => {
    const named = readContextKeyword(ownMember(readProperties(original), String(name)));
    return named === null || allContexts.every((context) => named.includes(context));
  };
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

/** `null` without a list: every context contains the property. */
function readContextKeyword(property: Json | undefined): readonly string[] | null {
  const named = memberAt(property, 'context');
  return Array.isArray(named) ? jsonTexts(named) : null;
}

function readProperties({ properties }: JsonObject): JsonObject {
  return toJsonObject(properties);
}

/** With more resources, a relation's values are left open. */
const MAX_TARGETS = 8;

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
  // A post has a property for each taxonomy, named after the taxonomy's route.
  const found = (nearby.length === 0 ? candidates : nearby).filter(
    ({ anonymousTemplate: path }) =>
      !isTerms || memberAt(source.schema['properties'], path.slice(path.lastIndexOf('/') + 1)) !== undefined,
  );
  return found.length > MAX_TARGETS ? [] : found.map(({ resource }) => resource);
}

/** Formats that values of responses often don't have. `note` is added to the description. */
const UNTRUE_FORMATS: {
  readonly [format: string]: { readonly reason: string; readonly note?: string; readonly source: string };
} = data.untrueFormats;

function removeUntrueFormats(schema: JsonObject, kept: readonly string[] = []): JsonObject {
  const inner = changeSubschemas(schema, (member, keyword, name = '') =>
    keyword === 'properties' && kept.includes(name) ? member : removeUntrueFormats(member),
  );
  const { format } = inner;
  const untrue = typeof format === 'string' ? ownMember(UNTRUE_FORMATS, format) : undefined;
  if (untrue === undefined || format === undefined) return inner;
  const { format: _removed, ...rest } = inner;
  const { note } = untrue;
  const described = note === undefined ? {} : { description: joinSentences(schema['description'], note) };
  const keywords = { ...rest, [EXTENSION_NAMES.format]: format, ...described };
  return Object.fromEntries(Object.entries(keywords).sort(([a], [b]) => compareKeywords(a, b)));
}

/** Changes the schemas that a schema contains, but the one of `not`. */
function changeSubschemas(
  schema: JsonObject,
  change: (subschema: JsonObject, keyword: string, name?: string) => Json,
): JsonObject {
  return changeMembers(schema, (child, keyword) => {
    const kind = KEYWORD_KINDS.get(keyword);
    const changeOne = (member: Json, name?: string): Json =>
      isJsonObject(member) ? change(member, keyword, name) : member;
    if (kind === 'schema') return keyword === 'not' ? child : changeOne(child);
    if (kind === 'schemas-by-name' && isJsonObject(child)) return changeMembers(child, changeOne);
    const members = kind === 'schemas' ? jsonItems(child) : [];
    const changed = members.map((member) => changeOne(member));
    return changed.some((member, index) => member !== members[index]) ? changed : child;
  });
}

function joinSentences(description: Json | undefined, note: string): string {
  if (typeof description !== 'string' || description.trim() === '') return note;
  const first = description.trim();
  return `${first}${/[.!?。]$/.test(first) ? '' : '.'} ${note}`;
}
