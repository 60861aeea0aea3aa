import { isJsonObject, type Json, type JsonObject, mapMembers, ownMember } from '../../json.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import plugins from './plugin-conventions.json' with { type: 'json' };
import data from './resource-conventions.json' with { type: 'json' };
import { expandSchema } from './schema-notation.ts';

/**
 * What WordPress' own code does with one kind of resource, and where that can be read. An index states the properties of
 * a resource and the contexts that show them. It does not state which properties are always there.
 */
export interface ResourceConvention {
  readonly kind: string;
  /** The code that the entry was read from, or the observation that proves it. */
  readonly source: string;
  /** The namespaces of the plugin that has it. Absent: it is WordPress's own, in any namespace. */
  readonly namespaces?: readonly string[];
  /** The titles of its schemas. `*-revision` stands for every title with this end. Absent: any title. */
  readonly titles?: readonly string[];
  /** Properties that the schema of every such resource has. With the title they identify it in a renamed namespace. */
  readonly signature: readonly string[];
  /** Properties of which a resource has at most some: with all of them it is another one of the same title. */
  readonly unless?: readonly string[];
  /** Properties that are in every response whose context shows them. `all`: each one of the schema. */
  readonly always: readonly string[] | 'all';
  /** Whether lists of integers are always there too: the terms of a post, by taxonomy, whose names a site chooses. */
  readonly hasTermLists?: boolean;
  /** Members of properties that are objects, which are there whenever the property is. `all`: each one of the schema. */
  readonly members?: { readonly [property: string]: readonly string[] | 'all' };
  /** Paths of objects whose members are all there, if the object is: `line_items[].taxes[]`. */
  readonly complete?: readonly string[];
  /** Paths of members that may be absent although `complete` has their object: `totals.segments`. */
  readonly optional?: readonly string[];
  /**
   * Keywords that replace those of a property, or of a value below it (`line_items[].image.id`), because the schema states what may be written, or is wrong. A keyword of
   * null is removed.
   */
  readonly corrections?: { readonly [property: string]: JsonObject };
  /** Properties that are null where there is no value, although the schema does not say so, or values below them. `all`: each one. */
  readonly nullable?: readonly string[] | 'all';
  /** Values that responses have beside those of the property's `enum`, which lists what may be written. */
  readonly furtherValues?: { readonly [property: string]: readonly string[] };
  /** Properties whose value is an empty list if it has no members: PHP has one array type. */
  readonly maybeEmpty?: readonly string[];
  /** Properties whose values keep the format that the schema states. */
  readonly keepsFormat?: readonly string[];
  readonly links: LinkConvention | 'none';
  /** Paths whose `GET` returns a list, although they look like those of an item: `/wc/v3/taxes/classes/{}`. */
  readonly lists?: readonly string[];
  /** Writes whose response is in the context `view`. The controllers return all others in `edit`. */
  readonly isViewedAfter?: readonly ('created' | 'updated' | 'deleted')[];
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

/** The links of a resource by relation, as they are in `_links`: `wp:term` for `https://api.w.org/term`. */
export interface LinkConvention {
  /** What the component is named after: the kind of resource that states the links, or what several have in common. */
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
  readonly target: readonly string[] | 'same' | 'terms';
  /** Whether each link leads to a collection, so that each embedded value is a list. */
  readonly isCollection: boolean;
}

/** How the data state the members of a type: names are separated by spaces, and `*` stands for all. */
type Stated<T> = {
  readonly [Key in keyof T]: Exclude<T[Key], undefined> extends readonly string[] | 'all' ? string : T[Key];
};

/** How `resource-conventions.json` states a convention. */
interface ConventionData
  extends Omit<Stated<ResourceConvention>, 'corrections' | 'furtherValues' | 'links' | 'members'> {
  /** The kind of an entry, or one of the bases, that has what this one does not state. Its corrections apply too. */
  readonly extends?: string;
  /** Names of members by names of properties. */
  readonly members?: Readonly<Record<string, string>>;
  readonly furtherValues?: Readonly<Record<string, string>>;
  readonly corrections?: Readonly<Record<string, Json>>;
  /** Relations, with `?` those that some resources have. `#shop-item`: the links of that name. */
  readonly links?: string;
  /** The name of the links. @default the kind of the resource */
  readonly linksName?: string;
  /** Targets by embeddable relation, with `[]` collections. */
  readonly embeds?: Readonly<Record<string, string>>;
}

type StatedData = Partial<ConventionData> & Pick<ConventionData, 'kind' | 'source'>;

/** Those of plugins come first: a schema of theirs can have the properties of one of WordPress. */
const STATED: readonly StatedData[] = [...plugins.conventions, ...data];
const BASES: Readonly<Record<string, Partial<ConventionData>>> = plugins.bases;

function complete(stated: Partial<ConventionData>): Partial<ConventionData> {
  const { extends: base, ...own } = stated;
  if (base === undefined) return own;
  const extended = BASES[base] ?? STATED.find((other) => other !== stated && other.kind === base);
  const inherited = complete(extended ?? {});
  return { ...inherited, ...own, corrections: { ...inherited.corrections, ...own.corrections } };
}

const DATA: readonly ConventionData[] = STATED.map((stated) => ({
  signature: '',
  always: '',
  ...complete(stated),
  kind: stated.kind,
  source: stated.source,
}));

function toNames(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

function toOptionalNames(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : toNames(text);
}

function toNamesOrAll(text: string): readonly string[] | 'all' {
  return text === '*' ? 'all' : toNames(text);
}

function toLinkConvention({ embeds, kind, links = '', linksName = kind }: ConventionData): LinkConvention {
  return {
    name: linksName,
    always: toNames(links).filter((each) => !each.endsWith('?')),
    sometimes: toNames(links).flatMap((each) => (each.endsWith('?') ? [each.slice(0, -1)] : [])),
    embeddable: Object.entries(embeds ?? {}).map(([relation, stated]): EmbeddableRelation => {
      const target = stated.replace('[]', '');
      return {
        relation,
        target: target === 'same' || target === 'terms' ? target : toNames(target),
        isCollection: target !== stated,
      };
    }),
  };
}

/** The links by name, or by the kind that states its own. */
const LINKS: ReadonlyMap<string, LinkConvention> = new Map(
  DATA.filter(({ links = '#' }) => !links.startsWith('#'))
    .map(toLinkConvention)
    .map((links) => [links.name, links]),
);

const WRITES = ['created', 'updated', 'deleted'] as const;

function toConvention(stated: ConventionData): ResourceConvention {
  const {
    corrections,
    embeds: _,
    furtherValues,
    isViewedAfter,
    links,
    linksName = stated.kind,
    members,
    ...rest
  } = stated;
  return omitUndefined({
    ...rest,
    namespaces: toOptionalNames(rest.namespaces),
    titles: toOptionalNames(rest.titles),
    unless: toOptionalNames(rest.unless),
    complete: toOptionalNames(rest.complete),
    optional: toOptionalNames(rest.optional),
    nullable: rest.nullable === undefined ? undefined : toNamesOrAll(rest.nullable),
    lists: toOptionalNames(rest.lists),
    signature: toNames(rest.signature),
    always: toNamesOrAll(rest.always),
    corrections: corrections && mapMembers(corrections, (_, schema) => expandSchema(schema)),
    members:
      members &&
      Object.fromEntries(
        Object.entries(members).flatMap(([properties, names]) =>
          toNames(properties).map((property) => [property, toNamesOrAll(names)]),
        ),
      ),
    furtherValues: furtherValues && mapMembers(furtherValues, (_, values) => toNames(values)),
    maybeEmpty: toOptionalNames(rest.maybeEmpty),
    keepsFormat: toOptionalNames(rest.keepsFormat),
    links: LINKS.get(links?.startsWith('#') ? links.slice(1) : linksName) ?? ('none' as const),
    isViewedAfter: WRITES.filter((write) => toNames(isViewedAfter ?? '').includes(write)),
  });
}

/** Every convention about a resource. The first that matches a schema applies to it. */
export const RESOURCE_CONVENTIONS: readonly ResourceConvention[] = DATA.map(toConvention);

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
  return RESOURCE_CONVENTIONS.find(
    ({ namespaces, signature, titles, unless }) =>
      (namespaces === undefined || namespaces.includes(namespace)) &&
      // Nearly all conventions fail here, at the first name.
      signature.every((name) => ownMember(properties, name) !== undefined) &&
      (titles === undefined || (typeof title === 'string' && titles.some((each) => hasTitle(title, each)))) &&
      !(unless?.every((name) => ownMember(properties, name) !== undefined) ?? false),
  );
}

function hasTitle(title: string, expected: string): boolean {
  return expected.startsWith('*') ? title.endsWith(expected.slice(1)) : title === expected;
}
