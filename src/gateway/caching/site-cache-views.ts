import type { PurgeLabels, PurgeSelection, StoredResponse } from '../../cache/store.ts';
import { createSelectionMatcher } from '../../cache/stores/selection-matcher.ts';
import type { CacheBypass } from '../../cache/wordpress/cache-bypass.ts';
import { templateOfReadKind } from '../../cache/wordpress/request-kinds.ts';
import { toTagPath } from '../../cache/wordpress/tag-names.ts';
import type { RequestHead } from '../../http/request-head.ts';
import { normalizeRoute } from '../../php/route-spelling.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { CacheableResource } from './cacheable-resource.ts';
import {
  type ChangedRoute,
  describeExternalWrite,
  describeNamespaceChange,
  READING_METHODS,
} from './invalidation.ts';
import type { SiteCacheProfile } from './site-cache-profile.ts';
import type { WritePurges } from './write-purges.ts';

/** Reads the cache of one site for the operator. Nothing is counted or changed. */
export interface SiteCacheViews {
  /** Begins the keys of the site in the store. Its tags have a space after it, its keys a line feed. */
  getStoreScope(snapshot: Snapshot): string;
  /** Returns what `SiteCaching.getResource` returns. */
  findResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
  ): CacheableResource | CacheBypass;
  /** Names the route of a stored response: the path template, or what stands for routes without one and for pages. */
  nameRoute(snapshot: Snapshot, key: string, response: StoredResponse): string;
  /** Returns what `SiteCaching.purgeTags` selects. */
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection;
  /** Returns what `SiteCaching.purgeRoute` selects. */
  selectRoute(snapshot: Snapshot, route: string): PurgeSelection;
  /** Lists documented writes, and whether each purges a response with these labels. */
  listWrites(snapshot: Snapshot, labels: PurgeLabels): readonly WriteEffect[];
}

/** Whether a write purges a response. */
export interface WriteEffect extends ChangedRoute {
  /** Namespace of the route. */
  readonly namespace: string;
  readonly purges: boolean;
  /** Whether it purges the response by a tag: the response is known to depend on it. */
  readonly isKnown: boolean;
}

/** Names of what has no path template. No template begins with a letter. */
export const UNNAMED_ROUTES = { pages: 'pages', others: 'other routes' } as const;

/** Maximum writes that are looked at. */
const MAX_WRITES = 3_000;

/** What {@link createSiteCacheViews} uses of a site's cache. */
export interface SiteCacheViewsOptions {
  readonly getProfile: (snapshot: Snapshot) => SiteCacheProfile;
  readonly purges: WritePurges;
  readonly findResource: (
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
    hasBody: boolean,
  ) => CacheableResource | CacheBypass;
}

export function createSiteCacheViews({
  findResource,
  getProfile,
  purges,
}: SiteCacheViewsOptions): SiteCacheViews {
  const selectTags: SiteCacheViews['selectTags'] = (snapshot, tags) => ({
    kind: 'tags',
    tags: getProfile(snapshot).toStoredTags(new Set(tags)),
  });
  return {
    getStoreScope: (snapshot) => getProfile(snapshot).storeScope,
    findResource: (snapshot, resolved, head) => findResource(snapshot, resolved, head, false),
    nameRoute: nameRouteOf,
    selectTags,
    selectRoute(snapshot, route) {
      const path = toTagPath(normalizeRoute(route));
      const profile = getProfile(snapshot);
      if (!profile.namespaces.has(path.slice(1))) return selectTags(snapshot, [path]);
      return purges.preview(profile, [describeNamespaceChange(path.slice(1))]);
    },
    listWrites(snapshot, labels) {
      const profile = getProfile(snapshot);
      const itemPaths = labels.tags.flatMap((tag) => toItemPath(tag, profile.storeScope));
      return listCandidates(snapshot, itemPaths).map(({ method, namespace, route }) => {
        const writes = describeExternalWrite({ method, route }, profile.resources);
        const selection = purges.preview(profile, writes);
        const isKnown = createSelectionMatcher({ kind: 'tags', tags: selection.tags })(labels);
        return {
          method,
          route,
          namespace,
          isKnown,
          purges: isKnown || createSelectionMatcher(selection)(labels),
        };
      });
    },
  };
}

/** Key: scope, the gateway's URL, and the resource, separated by line feeds. */
function nameRouteOf({ matcher }: Snapshot, key: string, { group }: StoredResponse): string {
  const template = templateOfReadKind(group?.readKind ?? '');
  if (template !== '') return template;
  const resource = key.split('\n', 3)[2] ?? '';
  if (!resource.startsWith('R"')) return UNNAMED_ROUTES.pages;
  const match = matcher.match('GET', readRoute(resource));
  return match.kind === 'found' ? match.operation.path : UNNAMED_ROUTES.others;
}

/** Reads the route at the beginning of the name of a resource (`createRouteKey`). */
export function readRoute(resource: string): string {
  const text = /^R("(?:[^"\\]|\\.)*")/.exec(resource)?.[1];
  const route: unknown = text === undefined ? '' : JSON.parse(text);
  return typeof route === 'string' ? route : '';
}

/** Returns the path of an item or a collection that a stored tag names. */
function toItemPath(storedTag: string, scope: string): readonly string[] {
  const tag = storedTag.slice(scope.length + 1);
  return /^\/[^?#*]+$/.test(tag) ? [tag] : [];
}

interface CandidateWrite extends ChangedRoute {
  readonly namespace: string;
}

/** Lists the documented writes to routes without parameters, and those to the given paths. */
function listCandidates(
  { matcher, requestValidators }: Snapshot,
  paths: readonly string[],
): readonly CandidateWrite[] {
  const candidates = new Map<string, CandidateWrite>();
  const add = (candidate: CandidateWrite): void => {
    if (candidates.size < MAX_WRITES) candidates.set(`${candidate.method} ${candidate.route}`, candidate);
  };
  const methods = new Set<string>();
  for (const { operation, route } of requestValidators?.listOperations() ?? []) {
    if (READING_METHODS.has(operation.method)) continue;
    methods.add(operation.method);
    if (operation.path.includes('{')) continue;
    add({ method: operation.method, route: operation.path, namespace: route.namespace });
  }
  for (const path of paths) {
    for (const method of methods) {
      const match = matcher.match(method, path);
      if (match.kind === 'found') add({ method, route: path, namespace: match.route.namespace });
    }
  }
  return [...candidates.values()];
}
