import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonTexts,
  mapMembers,
  memberAt,
  ownMember,
  toJsonObject,
} from '../../../base/json.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import plugins from './plugin-conventions.json' with { type: 'json' };
import data from './resource-conventions.json' with { type: 'json' };
import { expandSchema } from './schema-notation.ts';

/** Behaviour that no index states, e.g. properties that are always present. Spaces separate names, `*` is all. */
export interface ResourceConvention {
  readonly kind: string;
  readonly source: string;
  /** The plugin's namespaces. @default WordPress's own, in any namespace */
  readonly namespaces?: string;
  readonly titles?: string;
  /** Properties that every such resource has. With the title they identify it in a renamed namespace. */
  readonly signature?: string;
  /** Properties that together mark another resource of the same title. */
  readonly unless?: string;
  /** Properties that are always present in contexts that show them. */
  readonly always?: string;
  /** Whether lists of integers are always present, e.g. terms by taxonomy. */
  readonly hasTermLists?: boolean;
  readonly members?: { readonly [properties: string]: string };
  /** Paths of objects whose members are all present: `line_items[].taxes[]`. */
  readonly complete?: string;
  readonly optional?: string;
  /** Keywords by path (`line_items[].image.id`) in place of those for writing; null removes. */
  readonly corrections?: { readonly [path: string]: JsonObject };
  /** Members of responses by path that the schema doesn't name: `fee_lines[].amount`. */
  readonly additions?: { readonly [path: string]: JsonObject };
  /** Paths of values that can be null, although the schema doesn't say so. */
  readonly nullable?: string;
  /** Members that WordPress saves at installation; others without a default are null until saved. */
  readonly stored?: string;
  /** Values in responses beside the `enum`, which lists what can be written. */
  readonly furtherValues?: { readonly [property: string]: string };
  /** Paths of objects that are an empty list without members, innermost first. */
  readonly maybeEmpty?: string;
  readonly keepsFormat?: string;
  readonly links?: LinkConvention;
  /** Paths of lists that look like an item's: `/wc/v3/taxes/classes/{}`. */
  readonly lists?: string;
  /** Writes (`created`, `updated`, `deleted`) that respond in the context `view`, not `edit`. */
  readonly isViewedAfter?: string;
  readonly deletedFlag?: string;
  readonly isDeletedForGood?: boolean;
  readonly isSingle?: boolean;
  readonly isInherited?: boolean;
  readonly returnsDeleted?: boolean;
  readonly needsForce?: boolean;
}

interface DeclaredConvention extends Omit<ResourceConvention, 'additions' | 'corrections' | 'links'> {
  /** The kind, or base, with what this entry doesn't state. Its corrections apply too. */
  readonly extends?: string;
  readonly corrections?: { readonly [path: string]: Json };
  readonly additions?: { readonly [path: string]: Json };
  /** Relations; `?` marks optional ones. `#shop-item`: the links of that name. */
  readonly links?: string;
  readonly linksName?: string;
  /** `[]` marks collections. */
  readonly embeds?: { readonly [relation: string]: string };
}

/** Links by relation as in `_links`: `wp:term` for `https://api.w.org/term`. */
export interface LinkConvention {
  readonly name: string;
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
  readonly embeddable: readonly EmbeddableRelation[];
}

export interface EmbeddableRelation {
  readonly relation: string;
  readonly target: readonly string[];
  readonly isCollection: boolean;
}

export function listNames(names: string | undefined): readonly string[] {
  return names === undefined || names === '' ? [] : names.split(' ');
}

export function includesName(names: string | undefined, name: string): boolean {
  return names === '*' || listNames(names).includes(name);
}

/** Plugins first: a schema of theirs can have all properties of WordPress's. */
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

const LINKS: ReadonlyMap<string, LinkConvention> = new Map(
  COMPLETE.filter(({ links = '#' }) => !links.startsWith('#'))
    .map(toLinks)
    .map((links) => [links.name, links]),
);

const RESOURCE_CONVENTIONS: readonly ResourceConvention[] = COMPLETE.map((declared) => {
  const { additions = {}, corrections = {}, links = '', ...rest } = declared;
  const found = LINKS.get(links.startsWith('#') ? links.slice(1) : (declared.linksName ?? declared.kind));
  return {
    ...rest,
    corrections: mapMembers(corrections, (_, schema) => expandSchema(schema, plugins.definitions)),
    additions: mapMembers(additions, (_, schema) => expandSchema(schema, plugins.definitions)),
    ...(found === undefined ? {} : { links: found }),
  };
});

interface PluginMembers {
  readonly source: string;
  readonly namespace: string;
  /** An argument that only the edition with these members adds to lists, e.g. `lang` of Polylang Pro. */
  readonly argument?: string;
  readonly kinds: string;
  readonly properties: JsonObject;
}

const PLUGIN_MEMBERS: readonly PluginMembers[] = plugins.members.map(({ properties, ...row }) => ({
  ...row,
  properties: mapMembers(properties as JsonObject, (_, schema) => expandSchema(schema, plugins.definitions)),
}));

export interface PluginSigns {
  readonly namespaces: ReadonlySet<string>;
  /** Arguments of WordPress's own lists. */
  readonly argumentNames: ReadonlySet<string>;
}

/** Adds the members that plugins register without a schema, e.g. `yoast_head_json`. */
export function withPluginMembers(
  declared: JsonObject,
  kind: string | undefined,
  { argumentNames, namespaces }: PluginSigns,
): JsonObject {
  const schema = withUnsavedFields(declared);
  if (kind === undefined) return schema;
  const rows = PLUGIN_MEMBERS.filter(
    ({ argument, kinds, namespace }) =>
      namespaces.has(namespace) &&
      includesName(kinds, kind) &&
      (argument === undefined || argumentNames.has(argument)),
  );
  if (rows.length === 0) return schema;
  const stated = toJsonObject(schema['properties']);
  const added = rows.flatMap(({ properties }) => Object.entries(properties));
  const lacking = added.filter(([name]) => !Object.hasOwn(stated, name));
  return { ...schema, properties: { ...stated, ...Object.fromEntries(lacking) } };
}

const ACF_DESCRIPTION = 'ACF field data';

/** States an ACF select field's choices for a single value too: `acf_field_select::validate_rest_value()` checks it. */
export function withFieldChoices(schema: JsonObject): JsonObject {
  return schema['description'] === ACF_DESCRIPTION ? changeMembers(schema, withChoices) : schema;
}

function withChoices(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withChoices);
  if (!isJsonObject(schema)) return schema;
  const { items, maxItems, minItems, type, ...rest } = schema;
  const values = jsonItems(memberAt(items, 'enum'));
  const types = jsonTexts(type);
  // A select field: the type `int` marks it, and only a list's items have its choices.
  if (values.length === 0 || !['int', 'array'].every((each) => types.includes(each)))
    return changeMembers(schema, withChoices);
  const value = { type: ['string', 'integer', 'null'], enum: [...values, null] };
  const list = omitUndefined({ type: 'array', items, maxItems, minItems });
  return { ...rest, anyOf: [value, list] };
}

/** Values of ACF that were never saved: `''` of a number, `''` or `[]` of a choice, `[]` of an object without fields. */
function withUnsavedFields(schema: JsonObject): JsonObject {
  const { acf } = toJsonObject(schema['properties']);
  if (!isJsonObject(acf) || acf['description'] !== ACF_DESCRIPTION) return schema;
  const { context, description = ACF_DESCRIPTION, ...fields } = withFieldChoices(acf);
  const anyOf = [withEmptyTexts(fields), { type: 'array', items: {}, maxItems: 0 }];
  const changed = { ...(context === undefined ? {} : { context }), description, anyOf };
  return { ...schema, properties: { ...toJsonObject(schema['properties']), acf: changed } };
}

function withEmptyTexts(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withEmptyTexts);
  if (!isJsonObject(schema)) return schema;
  const changed = changeMembers(schema, (member, keyword) =>
    keyword === 'minItems' && typeof member === 'number' ? undefined : withEmptyTexts(member),
  );
  const types = jsonTexts(schema['type']);
  const values = jsonItems(schema['enum']);
  if (!types.includes('null')) return changed;
  if (values.length > 0) return { ...changed, enum: [...new Set([...values, '', null])] };
  return types.includes('number') && !types.includes('string')
    ? { anyOf: [changed, { type: 'string', enum: [''] }] }
    : changed;
}

/** By title and properties, as a site can rename the namespace; those of plugins only in theirs. */
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
