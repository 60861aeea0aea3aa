import { nameWriteKind } from '../../cache/wordpress/request-kinds.ts';
import {
  isCoreResource,
  type ResourceLocation,
  type ResourceMap,
} from '../../cache/wordpress/resource-map.ts';
import { tagNames, toTagPath } from '../../cache/wordpress/tag-names.ts';
import {
  ALL_GROUPS,
  computeWriteInvalidation,
  isSuccess,
  type ResponseGroupName,
} from '../../cache/wordpress/write-invalidation.ts';
import { isRefusedByWebServer, isRefusedWrite } from '../../cache/wordpress/write-refusal.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { normalizeRoute } from '../../php/route-spelling.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import { parseBatchWrites } from './batch-writes.ts';
import { computePageInvalidation } from './page-writes.ts';
import type { WriteOutcome } from './write-observer.ts';

/** A route, and the method of the write that changed it. */
export interface ChangedRoute {
  readonly route: string;
  readonly method: string;
}

/** What one write invalidates, and what identifies the write among those of its site. */
export interface InvalidatingWrite {
  readonly method: string;
  /** Route at the site; for a page its path and query. */
  readonly address: string;
  /** Namespace of the route; empty for a page. */
  readonly namespace: string;
  /** Tags of the responses that are known to depend on the write. */
  readonly tags: readonly string[];
  /** Groups of responses that may depend on it. */
  readonly groups: readonly ResponseGroupName[];
  /** Kind of the write; `null` if it is unknown, or if its effect was not seen. */
  readonly kind: string | null;
  /** Identifies the resource that was written. */
  readonly resource: string;
  /** Tags of the responses that show the written resource. */
  readonly effectTags: readonly string[];
  /** Whether the response itself shows that something has changed: it creates or deletes. */
  readonly hasCertainEffect: boolean;
}

/** Lists the writes of a request to a REST route: none, one, or those of a batch. */
export function listRouteWrites(
  { match, target }: RouteRequest,
  outcome: WriteOutcome,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  const { method, route } = target;
  if (toTagPath(route) === '/batch/v1' && method === 'POST') return listBatchWrites(outcome, resources);
  const found = match.kind === 'found' ? match : null;
  const namespace = found?.route.namespace ?? inferNamespace(route);
  const template = found?.operation.path ?? null;
  const location = resources.locate(route, namespace, template);
  return describeRouteWrite({ method, location, template, outcome }, resources);
}

interface RouteWrite {
  readonly method: string;
  readonly location: ResourceLocation;
  readonly template: string | null;
  readonly outcome: Pick<WriteOutcome, 'isAnonymous' | 'status' | 'sentParameters' | 'responseBody'> &
    Partial<Pick<WriteOutcome, 'hasUnknownIdentity' | 'hasUnreadBody' | 'headers'>>;
}

/** Methods whose handlers only read. Plugins may register handlers for any other method, whatever its definition. */
export const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function describeRouteWrite(
  { location, method, outcome, template }: RouteWrite,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  const {
    hasUnknownIdentity = false,
    headers = [],
    isAnonymous,
    responseBody,
    sentParameters,
    status,
  } = outcome;
  if (READING_METHODS.has(method)) return [];
  const isCore = isCoreResource(location);
  if (isRefusedWrite({ ...outcome, headers, method, isCore, isDocumented: template !== null })) return [];
  const { groups, tags } = computeWriteInvalidation({ method, location, ...outcome }, resources);
  const isNamed = isSuccess(status) && !hasUnknownIdentity && outcome.hasUnreadBody !== true;
  const kind = isNamed
    ? nameWriteKind({
        method,
        template,
        path: location.path,
        sentParameters,
        isAnonymous,
        responseBody,
      })
    : null;
  const { itemPath, namespace, path } = location;
  const resource = createdResource(location, responseBody);
  // The path of a collection is a tag of all of its items, of which an unrelated one may change.
  const item = itemPath ?? (resource === path ? null : resource);
  return [
    {
      method,
      address: path,
      namespace,
      tags,
      groups,
      kind,
      resource,
      effectTags: [tagNames.exactRoute(path), ...(item === null ? [] : [item])],
      hasCertainEffect: status === 201 || (method === 'DELETE' && isSuccess(status)),
    },
  ];
}

/** Returns the route that was written; for an item that a write to its collection created, its own. */
function createdResource({ itemPath, path }: ResourceLocation, responseBody: Json | undefined): string {
  const id = isJsonObject(responseBody) ? responseBody['id'] : undefined;
  return itemPath === null && (typeof id === 'number' || typeof id === 'string') ? `${path}/${id}` : path;
}

function listBatchWrites(outcome: WriteOutcome, resources: ResourceMap): readonly InvalidatingWrite[] {
  if (isRefusedWrite({ ...outcome, method: 'POST', isCore: true, isDocumented: true })) return [];
  const writes = isSuccess(outcome.status) ? parseBatchWrites(outcome) : null;
  // Any route may have changed.
  if (writes === null) return [createUnknownWrite('POST', '/batch/v1', [])];
  return writes.flatMap(({ method, outcome: ofWrite, route }) =>
    describeRouteWrite(
      {
        method,
        location: locate(normalizeRoute(route), resources),
        template: null,
        outcome: { ...ofWrite, isAnonymous: outcome.isAnonymous },
      },
      resources,
    ),
  );
}

/** Describes a write at the site itself. Its fields and its response are unknown. */
export function describeExternalWrite(
  { method, route }: ChangedRoute,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  const outcome = { status: 200, sentParameters: null, responseBody: undefined, isAnonymous: false };
  const location = locate(normalizeRoute(route), resources);
  return describeRouteWrite({ method, location, template: null, outcome }, resources);
}

function locate(route: string, resources: ResourceMap): ResourceLocation {
  return resources.locateKnown(route) ?? resources.locate(route, inferNamespace(route), null);
}

/** Infers the namespace of a route outside the document: its first two segments, as is the convention of plugins. */
export function inferNamespace(route: string): string {
  return toTagPath(route).split('/').slice(1, 3).join('/');
}

/** Lists the writes of a request to a page of a WordPress site: none or one. */
export function listPageWrites(
  { target, upstreamTarget }: PageRequest,
  outcome: WriteOutcome,
  method: string,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  const { path, query } = target;
  if (isRefusedByWebServer(outcome)) return [];
  const found = computePageInvalidation({ ...outcome, method, path, query }, resources);
  if (found === null) return [];
  const write = createUnknownWrite(method, addressOfPage(upstreamTarget, outcome.sentParameters), found.tags);
  return [{ ...write, groups: found.groups }];
}

/** An action in the body of a form is part of the address, as if it were sent in the query. */
function addressOfPage(upstreamTarget: string, sentParameters: WriteOutcome['sentParameters']): string {
  const action = sentParameters?.get('action');
  if (typeof action !== 'string' || /[?&]action=/.test(upstreamTarget)) return upstreamTarget;
  return `${upstreamTarget}${upstreamTarget.includes('?') ? '&' : '?'}action=${action}`;
}

/** Describes a change of unknown extent in a namespace, at the site itself. */
export function describeNamespaceChange(namespace: string): InvalidatingWrite {
  const address = `/${namespace}`;
  return { ...createUnknownWrite('PUT', address, [address]), namespace };
}

function createUnknownWrite(method: string, address: string, tags: readonly string[]): InvalidatingWrite {
  const identity = { method, address, namespace: '', resource: address };
  return { ...identity, tags, effectTags: [], groups: ALL_GROUPS, kind: null, hasCertainEffect: false };
}
