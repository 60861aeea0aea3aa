import { isJsonObject, type Json } from '../../json.ts';
import { CROSS_INVALIDATIONS } from './cross-invalidation.ts';
import { changedListTags, type SiteWrite, toResourceChange } from './resource-change.ts';
import { CORE_NAMESPACES, type ResourceMap } from './resource-map.ts';
import { OPAQUE_REFERENCES_TAG, OPAQUE_TAG, tagNames } from './tag-names.ts';

export type { SiteWrite } from './resource-change.ts';

/** The tags that a write invalidates. */
export interface WriteInvalidation {
  readonly tags: readonly string[];
  /** `soft` if it is unknown whether the write happened: the stored responses are then revalidated. */
  readonly mode: 'hard' | 'soft';
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Computes the tags that a write invalidates.
 *
 * @returns `null` if nothing can have changed: the method is safe, or the site rejected the request
 */
export function computeWriteInvalidation(write: SiteWrite, resources: ResourceMap): WriteInvalidation | null {
  const { location, method, status } = write;
  if (SAFE_METHODS.has(method)) return null;
  if (status !== null && status >= 400 && status < 500) return null;
  const isCore = CORE_NAMESPACES.has(location.namespace) && location.kind !== 'other';
  return {
    tags: [...new Set(isCore ? coreTags(write, resources) : pluginTags(write, resources))],
    mode: status !== null && status >= 200 && status < 400 ? 'hard' : 'soft',
  };
}

function coreTags(write: SiteWrite, resources: ResourceMap): readonly string[] {
  const { location } = write;
  // Resources below a user, such as application passwords, appear only in responses for that user.
  if (location.kind === 'users' && location.isBelowItem) return [location.path];
  const change = toResourceChange(write);
  return [
    OPAQUE_TAG,
    // A new item changes nothing below its collection.
    ...(change.itemPath === null ? [location.path] : [change.itemPath]),
    ...changedListTags(change, resources),
    ...CROSS_INVALIDATIONS[location.kind].flatMap((effect) => effect.getTags(change, resources)),
  ];
}

/**
 * Returns the tags that a write to a plugin's resource invalidates. The dependencies of these resources are unknown, so a
 * write invalidates the whole namespace except the paths below other items of the same collection: a write to
 * `/boards/3/tasks` does not invalidate `/boards/4/tasks`.
 */
function pluginTags(
  { location, responseBody, sentParameters, status }: SiteWrite,
  resources: ResourceMap,
): readonly string[] {
  const namespace = location.namespace === '' ? null : location.namespace;
  if (namespace === null) return ['/'];
  const collections = resources.collectionsInNamespace(namespace);
  const keepsSiblings = location.itemPath !== null || status === 201;
  const tags = [OPAQUE_TAG, OPAQUE_REFERENCES_TAG, location.path, tagNames.outsideItems(namespace)];
  for (const collection of collections) {
    if (!keepsSiblings || collection !== location.collectionPath) tags.push(tagNames.belowItems(collection));
  }
  if (location.itemPath !== null) tags.push(location.itemPath, tagNames.reference(location.itemPath));
  // A write that moves a task to another board sends the id of that board.
  for (const id of possibleIds(sentParameters, responseBody)) tags.push(`${location.collectionPath}/${id}`);
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
