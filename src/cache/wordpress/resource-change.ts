import { splitNames } from '../../glob.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isJsonObject } from '../../json.ts';
import { LIST_DEPENDENCIES, listFilterParameters, toScalarList } from './list-tags.ts';
import { type ResourceLocation, type ResourceMap, tagNames } from './resource-map.ts';

/** A request that may have changed the site, with its outcome. */
export interface SiteWrite {
  /** The method that the site ran. */
  readonly method: string;
  readonly location: ResourceLocation;
  /** `null` if there was no response. */
  readonly status: number | null;
  /** The parameters of the request by name; `null` if they are unknown, so that any field may have changed. */
  readonly sentParameters: ReadonlyMap<string, Json> | null;
  /** The response's body, if it was JSON. */
  readonly responseBody: Json | undefined;
}

/** The kind of a change of an item. */
export type ChangeEvent = 'create' | 'update' | 'delete';

/** A change of an item, derived from a write. */
export interface ResourceChange {
  readonly event: ChangeEvent;
  readonly location: ResourceLocation;
  /** Id of the item; `null` if it is unknown. */
  readonly itemId: string | null;
  /** Path of the item, such as `/wp/v2/posts/12`; `null` if its id is unknown. */
  readonly itemPath: string | null;
  /** Whether the item may have been added to lists or removed from them. */
  readonly changesMembership: boolean;
  /** The fields that were written; `null` if they are unknown. */
  readonly writtenFields: readonly string[] | null;
  /** Whether the field may have changed. Always true for a created or deleted item. */
  changesField(field: string): boolean;
  /** Whether one of the fields may have changed. */
  changesAnyField(fields: ReadonlySet<string>): boolean;
  /** Whether anonymous clients see the item neither before nor after the change: a draft that is created or edited. */
  readonly isHidden: boolean;
  /** The parameters of the request by name; `null` if they are unknown. */
  readonly sentParameters: SiteWrite['sentParameters'];
  /** The item after the change, or before its deletion; undefined if it is unknown, or only some of its fields are. */
  readonly fields: JsonObject | undefined;
}

/** Parameters of writes that are no fields of the item. */
const CONTROL_PARAMETERS = new Set(
  splitNames('context force id _fields _embed _envelope _locale _method _wpnonce'),
);

/** Revisions and autosaves of a post. Writing them changes the post but no field that lists read. */
const HISTORY_ROUTE = /\/(?:revisions|autosaves)(?:\/|$)/;

/** Interprets a write: which item it created, updated or deleted, and which fields it changed. */
export function toResourceChange({
  method,
  location,
  sentParameters,
  responseBody,
}: SiteWrite): ResourceChange {
  const shown = itemOf(responseBody);
  // The response then lacks fields, which says nothing about the item.
  const fields = sentParameters === null || sentParameters.has('_fields') ? undefined : shown;
  // Editing an image creates a new item.
  const creates =
    location.itemPath === null || (location.kind === 'media' && location.path.endsWith('/edit'));
  const event: ChangeEvent = creates
    ? 'create'
    : method === 'DELETE' && !location.isBelowItem
      ? 'delete'
      : 'update';
  const itemId =
    location.isBelowItem && !creates
      ? lastSegment(location.itemPath)
      : (idOf(shown) ?? (creates ? null : lastSegment(location.itemPath)));
  const writtenFields = getWrittenFields(location, sentParameters);
  const changesField = (field: string): boolean =>
    event !== 'update' || writtenFields === null || writtenFields.includes(field);
  return {
    event,
    location,
    itemId,
    itemPath: itemId === null ? null : `${location.collectionPath}/${itemId.toLowerCase()}`,
    changesMembership:
      event !== 'update' || (LIST_DEPENDENCIES[location.kind]?.membershipFields.some(changesField) ?? true),
    writtenFields,
    changesField,
    changesAnyField: (names) =>
      event !== 'update' || writtenFields === null || writtenFields.some((name) => names.has(name)),
    isHidden: isHidden(location, event, writtenFields, fields, responseBody),
    sentParameters,
    fields,
  };
}

/** Statuses of posts in which only clients with permission see them. */
const HIDDEN_STATUSES: ReadonlySet<Json | undefined> = new Set(
  splitNames('auto-draft draft future pending private trash'),
);
/** Fields that may have changed the status of a post to the one in the response. */
const STATUS_FIELDS: readonly string[] = ['status', 'date', 'date_gmt'];

function isHidden(
  { kind }: ResourceLocation,
  event: ChangeEvent,
  writtenFields: readonly string[] | null,
  fields: JsonObject | undefined,
  responseBody: Json | undefined,
): boolean {
  if ((kind !== 'posts' && kind !== 'blocks') || !HIDDEN_STATUSES.has(fields?.['status'])) return false;
  if (event === 'create') return true;
  // Without `deleted` the response shows the post in the bin, not before.
  if (event === 'delete') return isJsonObject(responseBody) && responseBody['deleted'] === true;
  return writtenFields !== null && !STATUS_FIELDS.some((name) => writtenFields.includes(name));
}

/** The fields of the item that a write changes; `null` if they are unknown. */
function getWrittenFields(
  location: ResourceLocation,
  sentParameters: ReadonlyMap<string, Json> | null,
): readonly string[] | null {
  if (location.isBelowItem) return HISTORY_ROUTE.test(location.path) ? [] : null;
  if (sentParameters === null) return null;
  return [...sentParameters.keys()].filter((name) => !CONTROL_PARAMETERS.has(name));
}

/** Returns the item in a response. The response to a deletion is `{"deleted":true,"previous":{…}}`. */
function itemOf(body: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const { previous } = body;
  return body['deleted'] === true && isJsonObject(previous) ? previous : body;
}

function idOf(fields: JsonObject | undefined): string | null {
  const id = fields?.['id'];
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : null;
}

function lastSegment(item: string | null): string | null {
  return item === null ? null : item.slice(item.lastIndexOf('/') + 1);
}

/** Returns the tags of the lists of the item's collection that a change may have altered. */
export function changedListTags(change: ResourceChange, resources: ResourceMap): readonly string[] {
  const { location, event, fields, changesMembership, writtenFields } = change;
  const { collectionPath, kind } = location;
  const lists = LIST_DEPENDENCIES[kind];
  if (lists === undefined || (event === 'update' && writtenFields === null)) {
    return [tagNames.anyFieldDependency(collectionPath), tagNames.anyList(collectionPath)];
  }
  const tags = [tagNames.anyFieldDependency(collectionPath)];
  if (changesMembership) tags.push(tagNames.unfilteredList(collectionPath));
  if (event === 'update') {
    for (const field of writtenFields ?? [])
      tags.push(tagNames.fieldDependency(collectionPath, withoutGmt(field)));
  }
  for (const parameter of listFilterParameters(kind, resources)) {
    const field = lists.filters.find(([name]) => name === parameter)?.[1] ?? parameter;
    // The parameter selects terms by a post, and a write of a term does not change the post.
    if (field === '') continue;
    if (event === 'update' && change.changesField(field))
      tags.push(tagNames.listFilteredBy(collectionPath, parameter));
    else if (changesMembership) tags.push(...filteredListTags(collectionPath, parameter, fields?.[field]));
  }
  return tags;
}

/** Returns the tags of lists that are filtered by `value`, or by any value if `value` is unknown. */
function filteredListTags(collection: string, parameter: string, value: Json | undefined): readonly string[] {
  if (Array.isArray(value) && value.length === 0) return [];
  const values = toScalarList(value);
  return values === null
    ? [tagNames.listFilteredBy(collection, parameter)]
    : values.map((each) => tagNames.listFilteredTo(collection, parameter, each));
}

/** Converts `date_gmt` to `date`, the name of both in {@link LIST_DEPENDENCIES}. */
function withoutGmt(field: string): string {
  return field.endsWith('_gmt') ? field.slice(0, -4) : field;
}
