import type { Json, JsonObject } from '../../json.ts';
import { isJsonObject } from '../../json.ts';
import { LIST_DEPENDENCIES } from './list-dependencies.ts';
import { filterParameters, toScalarList } from './list-tags.ts';
import type { ResourceLocation, ResourceMap } from './resource-map.ts';
import { tagNames } from './tag-names.ts';

/** A request that may have changed the site, and what came of it. */
export interface SiteWrite {
  /** As the site ran it. */
  readonly method: string;
  readonly location: ResourceLocation;
  /** Null where there was no answer, or none that says. */
  readonly status: number | null;
  /** The names of what was sent; null where that is not known, and it may have been anything. */
  readonly sentFields: ReadonlyMap<string, Json> | null;
  /** What came back, where it was JSON. */
  readonly responseBody: Json | undefined;
}

/** What a write did to an item. */
export type ChangeEvent = 'create' | 'update' | 'delete';

/** A write, read: which item of which collection, and what of it is another now. */
export interface ResourceChange {
  readonly event: ChangeEvent;
  readonly location: ResourceLocation;
  /** Null where it is not known. */
  readonly id: string | null;
  /** `/wp/v2/posts/12` */
  readonly item: string | null;
  /** Whether lists may have gained or lost the item. */
  readonly changesMembership: boolean;
  /** The fields that were written; null where it is not known which, and it may be all of them. */
  readonly writtenFields: readonly string[] | null;
  changesField(field: string): boolean;
  changesAnyField(fields: ReadonlySet<string>): boolean;
  /** The item as it is now, or was before it went; undefined where it is not known. */
  readonly fields: JsonObject | undefined;
}

/** What is sent with a write and is no field of what is written. */
const NO_FIELDS = new Set([
  'context',
  'force',
  'id',
  '_fields',
  '_embed',
  '_envelope',
  '_locale',
  '_method',
  '_wpnonce',
]);

/** Below a post, these change it without changing what lists look at: they are its history. */
const HISTORY = /\/(?:revisions|autosaves)(?:\/|$)/;

export function toResourceChange({ method, location, sentFields, responseBody }: SiteWrite): ResourceChange {
  const fields = itemOf(responseBody);
  // An edited picture is a new one.
  const creates = location.item === null || (location.kind === 'media' && location.path.endsWith('/edit'));
  const event: ChangeEvent = creates
    ? 'create'
    : method === 'DELETE' && !location.isBelowItem
      ? 'delete'
      : 'update';
  const id =
    location.isBelowItem && !creates
      ? lastSegment(location.item)
      : (idOf(fields) ?? (creates ? null : lastSegment(location.item)));
  const writtenFields = !location.isBelowItem
    ? sentFields === null
      ? null
      : fieldsSent(sentFields)
    : HISTORY.test(location.path)
      ? []
      : null;
  const changesField = (field: string): boolean =>
    event !== 'update' || writtenFields === null || writtenFields.includes(field);
  return {
    event,
    location,
    id,
    item: id === null ? null : `${location.collection}/${id.toLowerCase()}`,
    changesMembership:
      event !== 'update' || (LIST_DEPENDENCIES[location.kind]?.membershipFields.some(changesField) ?? true),
    writtenFields,
    changesField,
    changesAnyField: (names) =>
      event !== 'update' || writtenFields === null || writtenFields.some((name) => names.has(name)),
    fields,
  };
}

function fieldsSent(sent: ReadonlyMap<string, Json>): readonly string[] {
  return [...sent.keys()].filter((name) => !NO_FIELDS.has(name));
}

/** `{"deleted":true,"previous":{…}}` tells what is no more. */
function itemOf(answer: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { previous } = answer;
  return answer['deleted'] === true && isJsonObject(previous) ? previous : answer;
}

function idOf(fields: JsonObject | undefined): string | null {
  const id = fields?.['id'];
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : null;
}

function lastSegment(item: string | null): string | null {
  return item === null ? null : item.slice(item.lastIndexOf('/') + 1);
}

/** The lists of its own collection that a change may have made another. */
export function changedListTags(change: ResourceChange, resources: ResourceMap): readonly string[] {
  const { location, event, fields, changesMembership, writtenFields } = change;
  const { collection, kind } = location;
  const lists = LIST_DEPENDENCIES[kind];
  if (lists === undefined || (event === 'update' && writtenFields === null)) {
    return [tagNames.anyFieldDependency(collection), tagNames.anyList(collection)];
  }
  const tags = [tagNames.anyFieldDependency(collection)];
  if (changesMembership) tags.push(tagNames.unfilteredList(collection));
  if (event === 'update') {
    for (const field of writtenFields ?? [])
      tags.push(tagNames.fieldDependency(collection, withoutZone(field)));
  }
  for (const parameter of filterParameters(kind, resources)) {
    const field = lists.filters.find(([name]) => name === parameter)?.[1] ?? parameter;
    // The terms of a post are another's to write.
    if (field === '') continue;
    if (event === 'update' && change.changesField(field))
      tags.push(tagNames.filteredList(collection, parameter));
    else if (changesMembership) tags.push(...narrowedLists(collection, parameter, fields?.[field]));
  }
  return tags;
}

/** Of an item that is known, the lists of its own values; else all that the parameter narrows. */
function narrowedLists(collection: string, parameter: string, value: Json | undefined): readonly string[] {
  if (Array.isArray(value) && value.length === 0) return [];
  const values = toScalarList(value);
  return values === null
    ? [tagNames.filteredList(collection, parameter)]
    : values.map((each) => tagNames.listFilteredTo(collection, parameter, each));
}

/** Lists look at a date by one name. */
function withoutZone(field: string): string {
  return field.endsWith('_gmt') ? field.slice(0, -4) : field;
}
