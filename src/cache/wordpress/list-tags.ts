import { splitNames } from '../../glob.ts';
import type { Json } from '../../json.ts';
import {
  pathHierarchy,
  type ResourceKind,
  type ResourceLocation,
  type ResourceMap,
  tagNames,
} from './resource-map.ts';

/** A filter with more values than this is treated as no filter. */
const MAX_FILTER_VALUES = 20;

/** The query of a list request, interpreted as the site does. */
interface ListQuery {
  readonly values: ReadonlyMap<string, Json>;
  /** The default of `orderby` in the document. */
  readonly defaultOrder?: Json | undefined;
}

/** Returns the tags of a response that depend on its route and query, and not on its body. */
export function routeTags(at: ResourceLocation, query: ListQuery, resources: ResourceMap): readonly string[] {
  const tags = [...pathHierarchy(at.path), tagNames.exactRoute(at.path)];
  if (at.itemPath === null) tags.push(...listTags(at, query, resources));
  else if (hasOwnRoutes(at)) tags.push(tagNames.ownRoutes(at.itemPath));
  return tags;
}

/** Whether items of the kind have members that only responses of their own routes contain, and that other writes change. */
export function hasOwnRoutes({ kind }: ResourceLocation): boolean {
  return kind === 'terms' || kind === 'users';
}

/** Returns the tags of a list: its filter, and the fields on which its members and their order depend. */
export function listTags(
  { collectionPath, kind }: ResourceLocation,
  { values, defaultOrder }: ListQuery,
  resources: ResourceMap,
): readonly string[] {
  const dependencies = LIST_DEPENDENCIES[kind];
  if (kind === 'search') return searchTags(collectionPath, values);
  if (dependencies === undefined) return [tagNames.anyList(collectionPath)];
  const filters = filterTags(collectionPath, kind, values, resources);
  return [
    tagNames.anyList(collectionPath),
    ...filters,
    // A list of the terms of a post contains all of them, so it has the tag of each term that can change.
    ...(kind === 'terms' && filters[0] === tagNames.listFilteredBy(collectionPath, 'post')
      ? []
      : fieldTags(collectionPath, kind, { values, defaultOrder }, resources)),
  ];
}

/** Returns the tags of a search, which is for posts, for terms, or for a type that a plugin adds. */
function searchTags(collection: string, values: ReadonlyMap<string, Json>): readonly string[] {
  const type = values.get('type') ?? 'post';
  return [tagNames.listFilteredTo(collection, 'type', typeof type === 'string' ? type : '')];
}

function fieldTags(
  collection: string,
  kind: ResourceLocation['kind'],
  { values, defaultOrder }: ListQuery,
  resources: ResourceMap,
): readonly string[] {
  const dependencies = LIST_DEPENDENCIES[kind];
  const order = values.get('orderby') ?? defaultOrder ?? dependencies?.defaultOrder;
  const fields = new Set(
    (typeof order === 'string' ? dependencies?.fieldsByOrder[order] : undefined) ?? [ANY_FIELD],
  );
  for (const name of values.keys()) {
    if (name !== 'orderby') for (const field of fieldsReadBy(name, kind, resources)) fields.add(field);
  }
  return Array.from(fields, (field) => tagNames.fieldDependency(collection, field));
}

function fieldsReadBy(
  parameter: string,
  kind: ResourceLocation['kind'],
  { taxonomies }: ResourceMap,
): readonly string[] {
  const known = LIST_DEPENDENCIES[kind]?.fieldsByParameter[parameter];
  if (known !== undefined) return known;
  const taxonomy = taxonomies.find((each) => parameter === each || parameter === `${each}_exclude`);
  return [taxonomy ?? ANY_FIELD];
}

function filterTags(
  collection: string,
  kind: ResourceLocation['kind'],
  values: ReadonlyMap<string, Json>,
  resources: ResourceMap,
): readonly string[] {
  for (const parameter of listFilterParameters(kind, resources)) {
    const filterValues = toScalarList(values.get(parameter));
    if (filterValues === null || filterValues.length > MAX_FILTER_VALUES) continue;
    return [
      tagNames.listFilteredBy(collection, parameter),
      ...filterValues.map((value) => tagNames.listFilteredTo(collection, parameter, value)),
    ];
  }
  return [tagNames.unfilteredList(collection)];
}

/** Lists the parameters that filter lists of a kind, in their order of precedence. */
export function listFilterParameters(
  kind: ResourceLocation['kind'],
  { taxonomies }: ResourceMap,
): readonly string[] {
  const parameters = (LIST_DEPENDENCIES[kind]?.filters ?? []).map(([parameter]) => parameter);
  if (kind !== 'posts' && kind !== 'blocks') return parameters;
  // Taxonomies come early, because most filtered lists are filtered by a term.
  return [...parameters.slice(0, 2), ...taxonomies, ...parameters.slice(2)];
}

/** Converts a value to a list of ids or names. Returns `null` if it is no such list. */
export function toScalarList(value: Json | undefined): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (value === '') return null;
  if (typeof value !== 'object') {
    return String(value)
      .toLowerCase()
      .split(/[\s,]+/);
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  const scalars = value.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each).toLowerCase()] : [],
  );
  return scalars.length === value.length ? scalars : null;
}

/**
 * The fields on which the members of a list and their order depend, according to the controllers of WordPress
 * (wp-includes/rest-api/endpoints). A write purges a list only if it changes such a field.
 */
interface ListDependencies {
  /** Fields whose change can add an item to any list or remove it. */
  readonly membershipFields: readonly string[];
  /** Parameters that select items by the values of a field. The first one in the request determines the tags. */
  readonly filters: readonly (readonly [parameter: string, field: string])[];
  /** The fields that each parameter reads. A parameter that is missing here may read any field. */
  readonly fieldsByParameter: Readonly<Record<string, readonly string[]>>;
  /** The fields that each value of `orderby` reads. */
  readonly fieldsByOrder: Readonly<Record<string, readonly string[]>>;
  /** The default of `orderby`. */
  readonly defaultOrder: string;
}

/** Stands for any field of an item. The modification date and unknown parameters depend on it. */
const ANY_FIELD = 'any';

/** Parses a table of names, each with the fields that it reads: `search=title,content page=`. */
function parseFields(table: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    splitNames(table).map((entry) => {
      const [name = '', fields = ''] = entry.split('=');
      return [name, fields === '' ? [] : fields.split(',')];
    }),
  );
}

/** Parses a table of parameters that select items by the values of a field: `include=id`. */
function parseFilters(table: string): readonly (readonly [parameter: string, field: string])[] {
  return Object.entries(parseFields(table)).map(([parameter, [field = '']]) => [parameter, field]);
}

/** Parameters of all lists that read no field. */
const COMMON_PARAMETERS = parseFields(
  'context= page= per_page= offset= order= include= exclude= _embed= _fields= _envelope= _locale=',
);

const POSTS: ListDependencies = {
  membershipFields: splitNames('status date date_gmt'),
  filters: parseFilters('include=id slug=slug parent=parent author=author sticky=sticky'),
  fieldsByParameter: {
    ...COMMON_PARAMETERS,
    // Searches exclude protected posts.
    ...parseFields(`
      search=title,content,excerpt,password search_columns=title,content,excerpt after=date before=date
      modified_after=${ANY_FIELD} modified_before=${ANY_FIELD} author=author author_exclude=author slug=slug
      status=status parent=parent parent_exclude=parent sticky=sticky ignore_sticky=sticky menu_order=menu_order
      format=format tax_relation=`),
  },
  fieldsByOrder: parseFields(`
    author=author date=date id= include= modified=${ANY_FIELD} parent=parent relevance=title,content,excerpt slug=slug
    include_slugs=slug title=title menu_order=menu_order`),
  defaultOrder: 'date',
};

export const LIST_DEPENDENCIES: Readonly<Partial<Record<ResourceKind, ListDependencies>>> = {
  posts: POSTS,
  blocks: POSTS,
  media: {
    membershipFields: splitNames('status date date_gmt'),
    filters: parseFilters('include=id slug=slug parent=post author=author'),
    fieldsByParameter: {
      ...POSTS.fieldsByParameter,
      // No write changes the type of a file.
      ...parseFields(`
        search=title,content,excerpt,caption,description,alt_text parent=post parent_exclude=post media_type= mime_type=`),
    },
    fieldsByOrder: POSTS.fieldsByOrder,
    defaultOrder: 'date',
  },
  terms: {
    membershipFields: [],
    filters: parseFilters('post= include=id slug=slug parent=parent'),
    fieldsByParameter: {
      ...COMMON_PARAMETERS,
      ...parseFields('search=name,slug,description hide_empty=count parent=parent post=post slug=slug'),
    },
    fieldsByOrder: parseFields(`
      id= include= name=name slug=slug include_slugs=slug term_group=slug description=description count=count`),
    defaultOrder: 'name',
  },
  users: {
    membershipFields: splitNames('roles has_published_posts'),
    filters: parseFilters('include=id slug=slug'),
    fieldsByParameter: {
      ...COMMON_PARAMETERS,
      ...parseFields(`
        search=name,slug,email,url,username slug=slug roles=roles capabilities=roles who=roles has_published_posts=`),
    },
    fieldsByOrder: parseFields(`
      id= include= name=name registered_date= slug=slug include_slugs=slug email=email url=url`),
    defaultOrder: 'name',
  },
  comments: {
    membershipFields: splitNames('status date date_gmt'),
    filters: parseFilters('include=id post=post parent=parent'),
    fieldsByParameter: {
      ...COMMON_PARAMETERS,
      ...parseFields(`
        search=content,author_name,author_email,author_url after=date before=date author=author author_exclude=author
        author_email=author_email parent=parent parent_exclude=parent post=post status=status type= password=`),
    },
    fieldsByOrder: parseFields('date=date date_gmt=date id= include= post=post parent=parent type='),
    defaultOrder: 'date_gmt',
  },
};
