import { isJsonObject, type Json } from '../../json.ts';
import { CROSS_INVALIDATIONS } from './cross-invalidation.ts';
import { mentionedBy } from './mention-tags.ts';
import { changedListTags, type SiteWrite, toResourceChange } from './resource-change.ts';
import { isCoreResource, type ResourceMap } from './resource-map.ts';
import { OPAQUE_REFERENCES_TAG, OPAQUE_TAG, tagNames } from './tag-names.ts';

export type { SiteWrite } from './resource-change.ts';

/**
 * A group of stored responses. `core`: responses of WordPress's own routes whose dependencies are known. `other`: all
 * other responses, those of plugins' routes, pages, and core responses with fields of plugins.
 */
export type ResponseGroupName = 'core' | 'other';

/** What a write invalidates. */
export interface WriteInvalidation {
  /** Tags of responses that are known to depend on the write. */
  readonly tags: readonly string[];
  /** Groups of responses that may depend on it. */
  readonly groups: readonly ResponseGroupName[];
}

const OTHER_GROUP: readonly ResponseGroupName[] = ['other'];
export const ALL_GROUPS: readonly ResponseGroupName[] = ['core', 'other'];

/** Computes what a write invalidates that the site may have run. */
export function computeWriteInvalidation(write: SiteWrite, resources: ResourceMap): WriteInvalidation {
  const { location, responseBody, sentParameters, status } = write;
  const isCore = isCoreResource(location);
  // A post type that a plugin adds changes at least what one of WordPress would.
  const tags = [
    ...(location.kind === 'other' ? [] : coreTags(write, resources)),
    ...(isCore ? [] : pluginTags(write)),
  ];
  const ids = possibleIds(sentParameters, responseBody);
  return {
    tags: [...new Set([...tags, ...mentionedBy(location.path, ids)])],
    // A write that failed may have done more than one that succeeds: a part, or the same to other items.
    groups: isCore && isSuccess(status) ? OTHER_GROUP : ALL_GROUPS,
  };
}

/** Whether the response shows that the write was done. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function coreTags(write: SiteWrite, resources: ResourceMap): readonly string[] {
  const { location } = write;
  // Resources below a user, such as application passwords, appear only in responses for that user.
  if (location.kind === 'users' && location.isBelowItem) return [location.path];
  const change = toResourceChange(write);
  const effects = CROSS_INVALIDATIONS[location.kind].filter(
    ({ concernsHiddenItems = false }) => concernsHiddenItems || !change.isHidden,
  );
  return [
    OPAQUE_TAG,
    // A new item changes nothing below its collection.
    ...(change.itemPath === null ? [location.path] : [change.itemPath]),
    ...(change.isHidden ? [] : changedListTags(change, resources)),
    ...effects.flatMap((effect) => effect.getTags(change, resources)),
  ];
}

/**
 * Returns the tags that a write to a plugin's resource invalidates for certain: its own route and all below, its item, the
 * lists of its collection, and items whose ids were sent. Everything else that it may change is in the groups.
 */
function pluginTags({ location, responseBody, sentParameters }: SiteWrite): readonly string[] {
  const { collectionPath, itemPath, namespace, path } = location;
  const tags = [OPAQUE_TAG, OPAQUE_REFERENCES_TAG, path, tagNames.exactRoute(collectionPath)];
  if (namespace === '') tags.push('/');
  if (itemPath !== null) tags.push(itemPath, tagNames.reference(itemPath));
  // A write that moves a task to another board sends the id of that board.
  for (const id of possibleIds(sentParameters, responseBody)) tags.push(`${collectionPath}/${id}`);
  return tags;
}

/** Maximum number of values that are treated as possible ids. */
const MAX_IDS = 100;

/** Collects possible ids of items: the numbers and single words that were sent, and the `id` of the response. */
function possibleIds(
  sentParameters: ReadonlyMap<string, Json> | null,
  responseBody: Json | undefined,
): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (value: Json): void => {
    if (ids.size >= MAX_IDS) return;
    if (typeof value === 'number' || typeof value === 'string') {
      if (/^[\w-]{1,64}$/.test(String(value))) ids.add(String(value).toLowerCase());
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  for (const value of sentParameters?.values() ?? []) visit(value);
  if (isJsonObject(responseBody)) visit(responseBody['id'] ?? null);
  return ids;
}
