import type { Json } from '../../json.ts';
import { ANY_FIELD, LIST_DEPENDENCIES } from './list-dependencies.ts';
import type { ResourceLocation, ResourceMap } from './resource-map.ts';
import { pathHierarchy, tagNames } from './tag-names.ts';

/** A filter with more values than this is treated as no filter. */
const MAX_FILTER_VALUES = 20;

/** The query of a list request, interpreted as the site does. */
export interface ListQuery {
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
