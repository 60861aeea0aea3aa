import type { Json } from '../../json.ts';
import { ANY_FIELD, LISTS } from './dependencies.ts';
import type { Located, Resources } from './resources.ts';
import { hierarchy, tagNames } from './tag-names.ts';

/** A filter with more values than this is taken for no filter. */
const MOST_VALUES = 20;

/** What a request asks of a list, by meaning. */
export interface ListQuery {
  readonly values: ReadonlyMap<string, Json>;
  /** The `orderby` that the document declares for lists that are not asked for one. */
  readonly defaultOrder?: Json | undefined;
}

/** The tags that an answer has by its address alone, whatever is in it. */
export function addressTags(at: Located, query: ListQuery, resources: Resources): readonly string[] {
  const tags = [...hierarchy(at.path), tagNames.exact(at.path)];
  if (at.item === null) tags.push(tagNames.loose(at.namespace), ...listTags(at, query, resources));
  else tags.push(tagNames.below(at.collection));
  return tags;
}

/** On what the members of a list, and their order, depend. */
export function listTags(
  { collection, kind }: Located,
  { values, defaultOrder }: ListQuery,
  resources: Resources,
): readonly string[] {
  const lists = LISTS[kind];
  if (kind === 'search') return searchTags(collection, values);
  if (lists === undefined) return [tagNames.anyList(collection)];
  const narrowing = narrowingTags(collection, kind, values, resources);
  return [
    tagNames.anyList(collection),
    ...narrowing,
    // The terms of one post are all shown, so that each is seen by itself when it changes.
    ...(kind === 'terms' && narrowing[0] === tagNames.narrowed(collection, 'post')
      ? []
      : fieldTags(collection, kind, { values, defaultOrder }, resources)),
  ];
}

/** Searches are for posts, for terms, or for what plugins add. */
function searchTags(collection: string, values: ReadonlyMap<string, Json>): readonly string[] {
  const type = values.get('type') ?? 'post';
  return [tagNames.narrowedTo(collection, 'type', typeof type === 'string' ? type : '')];
}

function fieldTags(
  collection: string,
  kind: Located['kind'],
  { values, defaultOrder }: ListQuery,
  resources: Resources,
): readonly string[] {
  const lists = LISTS[kind];
  const order = values.get('orderby') ?? defaultOrder ?? lists?.order;
  const fields = new Set((typeof order === 'string' ? lists?.orders[order] : undefined) ?? [ANY_FIELD]);
  for (const name of values.keys()) {
    if (name !== 'orderby') for (const field of lookedAt(name, kind, resources)) fields.add(field);
  }
  return Array.from(fields, (field) => tagNames.dependsOn(collection, field));
}

function lookedAt(parameter: string, kind: Located['kind'], { taxonomies }: Resources): readonly string[] {
  const known = LISTS[kind]?.parameters[parameter];
  if (known !== undefined) return known;
  const taxonomy = taxonomies.find((each) => parameter === each || parameter === `${each}_exclude`);
  return [taxonomy ?? ANY_FIELD];
}

function narrowingTags(
  collection: string,
  kind: Located['kind'],
  values: ReadonlyMap<string, Json>,
  resources: Resources,
): readonly string[] {
  for (const parameter of narrowingOf(kind, resources)) {
    const asked = scalarsOf(values.get(parameter));
    if (asked === null || asked.length > MOST_VALUES) continue;
    return [
      tagNames.narrowed(collection, parameter),
      ...asked.map((value) => tagNames.narrowedTo(collection, parameter, value)),
    ];
  }
  return [tagNames.plainList(collection)];
}

/** The parameters by which lists of a kind are narrowed, in the order in which they count. */
export function narrowingOf(kind: Located['kind'], { taxonomies }: Resources): readonly string[] {
  const own = (LISTS[kind]?.narrowing ?? []).map(([parameter]) => parameter);
  if (kind !== 'posts' && kind !== 'blocks') return own;
  // By its terms first: that is how most lists are asked for.
  return [...own.slice(0, 2), ...taxonomies, ...own.slice(2)];
}

/** A value as the members of a list of ids or names; null for what is no such list. */
export function scalarsOf(value: Json | undefined): readonly string[] | null {
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
