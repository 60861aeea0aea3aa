import { isJsonObject, type Json, type JsonObject, mapMembers, ownMember } from '../../json.ts';
import plugins from './plugin-conventions.json' with { type: 'json' };
import data from './resource-conventions.json' with { type: 'json' };
import { expandSchema } from './schema-notation.ts';

/**
 * Behaviour of WordPress or a plugin for one kind of resource, with its source. An index states the
 * properties of a resource and the contexts that show them. It does not state which properties are always there. Names in one text
 * are separated by spaces; `*` stands for every name.
 */
export interface ResourceConvention {
  readonly kind: string;
  /** The code that the entry was read from, or the observation that proves it. */
  readonly source: string;
  /** The namespaces of the plugin that has it. Absent: it is WordPress's own, in any namespace. */
  readonly namespaces?: string;
  /** The titles of its schemas. `*-revision` stands for every title with this end. Absent: any title. */
  readonly titles?: string;
  /** Properties that the schema of every such resource has. With the title they identify it in a renamed namespace. */
  readonly signature?: string;
  /** Properties of which a resource has at most some: with all of them it is another one of the same title. */
  readonly unless?: string;
  /** Properties that are in every response whose context shows them. */
  readonly always?: string;
  /** Whether lists of integers are always there too: the terms of a post, by taxonomy, whose names a site chooses. */
  readonly hasTermLists?: boolean;
  /** Members of properties that are objects, which are there whenever the property is, by names of properties. */
  readonly members?: { readonly [properties: string]: string };
  /** Paths of objects whose members are all there, if the object is: `line_items[].taxes[]`. */
  readonly complete?: string;
  /** Paths of members that might be absent although `complete` has their object: `totals.segments`. */
  readonly optional?: string;
  /**
   * Keywords by path (`line_items[].image.id`) that replace those of the schema, because it states what can be written, or is
   * wrong. A keyword of null is removed.
   */
  readonly corrections?: { readonly [path: string]: JsonObject };
  /** Schemas by path of members that responses can have although the schema does not name them: `fee_lines[].amount`. */
  readonly additions?: { readonly [path: string]: JsonObject };
  /** Paths of values that are null where there is none, although the schema does not say so. */
  readonly nullable?: string;
  /** Values that responses have beside those of the property's `enum`, which lists what can be written. */
  readonly furtherValues?: { readonly [property: string]: string };
  /** Paths of values that are an empty list if they have no members, the innermost first: PHP has one array type. */
  readonly maybeEmpty?: string;
  /** Properties whose values keep the format that the schema states. */
  readonly keepsFormat?: string;
  /** Absent: responses have no links. */
  readonly links?: LinkConvention;
  /** Paths whose `GET`, `POST` and `PUT` return a list, although they look like those of an item: `/wc/v3/taxes/classes/{}`. */
  readonly lists?: string;
  /** Writes (`created`, `updated`, `deleted`) whose response is in the context `view`. All others are in `edit`. */
  readonly isViewedAfter?: string;
  /** The member that confirms a deletion for good. @default deleted */
  readonly deletedFlag?: string;
  /** Whether the resource has no trash, so that each deletion is final. */
  readonly isDeletedForGood?: boolean;
  /** Whether its route answers one object, although its arguments are those of a collection. */
  readonly isSingle?: boolean;
  /** Whether the routes have the schema of a class that they inherit from, and answer something else. */
  readonly isInherited?: boolean;
  /** Whether the response to a deletion is the resource itself, also after `force=true`. */
  readonly returnsDeleted?: boolean;
  /** Whether the site refuses (501) to delete the resource without `force=true`. */
  readonly needsForce?: boolean;
}

/** How the tables state a convention. */
interface DeclaredConvention extends Omit<ResourceConvention, 'additions' | 'corrections' | 'links'> {
  /** The kind of an entry, or one of the bases, that has what this one does not state. Its corrections apply too. */
  readonly extends?: string;
  /** The keywords and schemas in the notation of `schema-notation.ts`. */
  readonly corrections?: { readonly [path: string]: Json };
  readonly additions?: { readonly [path: string]: Json };
  /** Relations, with `?` those that some resources have. `#shop-item`: the links of that name. */
  readonly links?: string;
  /** The name of the links. @default the kind of the resource */
  readonly linksName?: string;
  /** Targets by embeddable relation, with `[]` collections. */
  readonly embeds?: { readonly [relation: string]: string };
}

/** The links of a resource by relation, as they are in `_links`: `wp:term` for `https://api.w.org/term`. */
export interface LinkConvention {
  /** Base name of the component: the kind of resource that states the links, or what several have in common. */
  readonly name: string;
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
  readonly embeddable: readonly EmbeddableRelation[];
}

/** A relation that `_embed` adds to `_embedded`. */
export interface EmbeddableRelation {
  readonly relation: string;
  /**
   * The kinds of resources that the links lead to. `same`: a resource of the same schema. `terms`: the terms of the
   * taxonomies that the resource has a property for.
   */
  readonly target: readonly string[];
  /** Whether each link leads to a collection, so that each embedded value is a list. */
  readonly isCollection: boolean;
}

export function listNames(names: string | undefined): readonly string[] {
  return names === undefined || names === '' ? [] : names.split(' ');
}

export function includesName(names: string | undefined, name: string): boolean {
  return names === '*' || listNames(names).includes(name);
}

/** Conventions of plugins come first: a schema of theirs can have the properties of one of WordPress. */
const STATED: readonly DeclaredConvention[] = [...plugins.conventions, ...data];
const BASES: { readonly [name: string]: Partial<DeclaredConvention> } = plugins.bases;

function withBase<Declared extends Partial<DeclaredConvention>>(declared: Declared): Declared {
  const { extends: name = '' } = declared;
  const base = BASES[name] ?? STATED.find((other) => other.kind === name && other.extends !== name);
  if (base === undefined) return declared;
  const inherited = withBase(base);
  return { ...inherited, ...declared, corrections: { ...inherited.corrections, ...declared.corrections } };
}

const COMPLETE = STATED.map(withBase);

function toLinks({ embeds = {}, kind, links, linksName = kind }: DeclaredConvention): LinkConvention {
  return {
    name: linksName,
    always: listNames(links).filter((each) => !each.endsWith('?')),
    sometimes: listNames(links).flatMap((each) => (each.endsWith('?') ? [each.slice(0, -1)] : [])),
    embeddable: Object.entries(embeds).map(([relation, declared]) => ({
      relation,
      target: listNames(declared.replace('[]', '')),
      isCollection: declared.endsWith('[]'),
    })),
  };
}

/** The links by name, or by the kind that states its own. */
const LINKS: ReadonlyMap<string, LinkConvention> = new Map(
  COMPLETE.filter(({ links = '#' }) => !links.startsWith('#'))
    .map(toLinks)
    .map((links) => [links.name, links]),
);

/** Every convention about a resource. The first that matches a schema applies to it. */
export const RESOURCE_CONVENTIONS: readonly ResourceConvention[] = COMPLETE.map((declared) => {
  const { additions = {}, corrections = {}, links = '', ...rest } = declared;
  const found = LINKS.get(links.startsWith('#') ? links.slice(1) : (declared.linksName ?? declared.kind));
  return {
    ...rest,
    corrections: mapMembers(corrections, (_, schema) => expandSchema(schema, plugins.definitions)),
    additions: mapMembers(additions, (_, schema) => expandSchema(schema, plugins.definitions)),
    ...(found === undefined ? {} : { links: found }),
  };
});

/**
 * Finds the convention of a resource by the title and the properties of its schema, so that it is found in a renamed
 * namespace too. Those of a plugin apply in its namespaces only.
 *
 * @param schema the schema as the site states it
 */
export function findResourceConvention(
  schema: JsonObject,
  namespace: string,
): ResourceConvention | undefined {
  const { properties, title } = schema;
  if (!isJsonObject(properties)) return undefined;
  const hasAll = (names: string | undefined): boolean =>
    listNames(names).every((name) => ownMember(properties, name) !== undefined);
  return RESOURCE_CONVENTIONS.find(
    ({ namespaces, signature, titles, unless }) =>
      (namespaces === undefined || includesName(namespaces, namespace)) &&
      (titles === undefined || listNames(titles).some((each) => hasTitle(title, each))) &&
      hasAll(signature) &&
      !(unless !== undefined && hasAll(unless)),
  );
}

function hasTitle(title: Json | undefined, expected: string): boolean {
  if (!expected.startsWith('*')) return title === expected;
  return typeof title === 'string' && title.endsWith(expected.slice(1));
}
