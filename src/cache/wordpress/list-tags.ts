import type { Json } from '../../json.ts';
import { ANY_FIELD, LIST_DEPENDENCIES } from './list-dependencies.ts';
import type { ResourceLocation, ResourceMap } from './resource-map.ts';
import { pathHierarchy, tagNames } from './tag-names.ts';

/** A filter with more values than this is taken for no filter. */
const MOST_VALUES = 20;

/** What a request asks of a list, by meaning. */
export interface ListQuery {
  readonly values: ReadonlyMap<string, Json>;
  /** The `orderby` that the document declares for lists that are not asked for one. */
  readonly defaultOrder?: Json | undefined;
}

/** The tags that an answer has by its address alone, whatever is in it. */
export function routeTags(at: ResourceLocation, query: ListQuery, resources: ResourceMap): readonly string[] {
  const tags = [...pathHierarchy(at.path), tagNames.exactRoute(at.path)];
  if (at.item === null) tags.push(tagNames.outsideItems(at.namespace), ...listTags(at, query, resources));
  else tags.push(tagNames.belowItems(at.collection));
  return tags;
}

/** On what the members of a list, and their order, depend. */
export function listTags(
  { collection, kind }: ResourceLocation,
  { values, defaultOrder }: ListQuery,
  resources: ResourceMap,
): readonly string[] {
  const lists = LIST_DEPENDENCIES[kind];
  if (kind === 'search') return searchTags(collection, values);
  if (lists === undefined) return [tagNames.anyList(collection)];
  const narrowing = narrowingTags(collection, kind, values, resources);
  return [
    tagNames.anyList(collection),
    ...narrowing,
    // The terms of one post are all shown, so that each is seen by itself when it changes.
    ...(kind === 'terms' && narrowing[0] === tagNames.filteredList(collection, 'post')
      ? []
      : fieldTags(collection, kind, { values, defaultOrder }, resources)),
  ];
}

/** Searches are for posts, for terms, or for what plugins add. */
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
  const lists = LIST_DEPENDENCIES[kind];
  const order = values.get('orderby') ?? defaultOrder ?? lists?.defaultOrder;
  const fields = new Set(
    (typeof order === 'string' ? lists?.fieldsByOrder[order] : undefined) ?? [ANY_FIELD],
  );
  for (const name of values.keys()) {
    if (name !== 'orderby') for (const field of lookedAt(name, kind, resources)) fields.add(field);
  }
  return Array.from(fields, (field) => tagNames.fieldDependency(collection, field));
}

function lookedAt(
  parameter: string,
  kind: ResourceLocation['kind'],
  { taxonomies }: ResourceMap,
): readonly string[] {
  const known = LIST_DEPENDENCIES[kind]?.fieldsByParameter[parameter];
  if (known !== undefined) return known;
  const taxonomy = taxonomies.find((each) => parameter === each || parameter === `${each}_exclude`);
  return [taxonomy ?? ANY_FIELD];
}

function narrowingTags(
  collection: string,
  kind: ResourceLocation['kind'],
  values: ReadonlyMap<string, Json>,
  resources: ResourceMap,
): readonly string[] {
  for (const parameter of filterParameters(kind, resources)) {
    const asked = toScalarList(values.get(parameter));
    if (asked === null || asked.length > MOST_VALUES) continue;
    return [
      tagNames.filteredList(collection, parameter),
      ...asked.map((value) => tagNames.listFilteredTo(collection, parameter, value)),
    ];
  }
  return [tagNames.unfilteredList(collection)];
}

/** The parameters by which lists of a kind are narrowed, in the order in which they count. */
export function filterParameters(
  kind: ResourceLocation['kind'],
  { taxonomies }: ResourceMap,
): readonly string[] {
  const own = (LIST_DEPENDENCIES[kind]?.filters ?? []).map(([parameter]) => parameter);
  if (kind !== 'posts' && kind !== 'blocks') return own;
  // By its terms first: that is how most lists are asked for.
  return [...own.slice(0, 2), ...taxonomies, ...own.slice(2)];
}

/** A value as the members of a list of ids or names; null for what is no such list. */
export function toScalarList(value: Json | undefined): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object')
    return value === ''
      ? null
      : String(value)
          .toLowerCase()
          .split(/[\s,]+/);
  if (!Array.isArray(value) || value.length === 0) return null;
  const scalars = value.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each).toLowerCase()] : [],
  );
  return scalars.length === value.length ? scalars : null;
}
