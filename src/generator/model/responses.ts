import { singularize } from 'inflection';
import { memberAt, toJsonObject } from '../../base/json.ts';
import type { IndexEndpoint, IndexRoute } from '../discovery/site.ts';
import { findKnownResponse, type LendingRoute, type OperationFacts } from './conventions/known-responses.ts';
import { includesName } from './conventions/resource-conventions.ts';
import { typesOf } from './schema/keywords.ts';
import type { ResponseModel, SiteResource } from './site.ts';

export const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export interface CollectionEvidence
  extends Pick<OperationFacts, 'anonymousTemplate' | 'namespace' | 'title'> {
  readonly hasItemRoute: boolean;
  readonly lending: LendingRoute | undefined;
  readonly isReadable: boolean;
  readonly isBulk: boolean;
  readonly isList: boolean;
}

/** Infers from path, method and arguments what a method returns. The index states a route's schema, but not for which methods. */
export function inferResponseModel(
  method: string,
  endpoint: IndexEndpoint,
  path: CollectionEvidence,
  resource: SiteResource | undefined,
): ResponseModel {
  const isBatch =
    BATCH_PATHS.has(path.anonymousTemplate) && endpoint.args.some(({ name }) => name === 'requests');
  if (method === 'POST' && isBatch) return { kind: 'batch' };
  if (path.isBulk && BODY_METHODS.has(method)) return { kind: 'bulk' };
  const known = findKnownResponse({ method, endpoint, ...path });
  if (known !== undefined) return known;
  if (resource === undefined) return { kind: 'open' };
  const collection = collectionKindOf(path);
  const { createdIn, isMaybeEmpty = false, updatedIn } = path.lending ?? {};
  // WordPress's controllers return written resources in `edit`, whatever context was requested.
  const written = (kind: 'created' | 'updated' | 'deleted') => ({
    resource,
    isPaged: false,
    isMaybeEmpty: false,
    context: includesName(resource.convention?.isViewedAfter, kind) ? 'view' : 'edit',
    canSelectContext: false,
  });
  const isListed = path.isList || includesName(resource.convention?.lists, path.anonymousTemplate);
  const writtenAs = (kind: 'created' | 'updated'): ResponseModel =>
    isListed ? { kind: 'list', ...written(kind), context: 'view' } : { kind, ...written(kind) };
  switch (method) {
    case 'GET':
    case 'HEAD': {
      // As `WP_REST_Controller::get_collection_params` names them.
      const names = new Set(endpoint.args.map(({ name }) => name));
      const hasPages = names.has('per_page') || (names.has('page') && names.has('offset'));
      const isSingle = resource.convention?.isSingle === true || isEnvelope(resource, hasPages);
      const isPaged = !isSingle && hasPages;
      const kind = isSingle
        ? 'item'
        : isPaged || isListed
          ? 'list'
          : isUnrecognized(path, resource)
            ? // Another schema than of an object is the response's.
              typesOf(resource.contexts[0]?.schema).includes('object')
              ? 'either'
              : 'item'
            : (collection ?? 'item');
      return { kind, isPaged, isMaybeEmpty, resource, ...readContextArgument(endpoint) };
    }
    case 'POST':
      if (createdIn !== undefined) return { kind: 'created', ...written('created'), context: createdIn };
      if (updatedIn !== undefined) return { kind: 'updated', ...written('updated'), context: updatedIn };
      return writtenAs(collection !== null || isAction(path) ? 'created' : 'updated');
    case 'PUT':
      return writtenAs(isAction(path) ? 'created' : 'updated');
    case 'PATCH':
      return writtenAs('updated');
    case 'DELETE':
      return {
        kind: 'deleted',
        deletion: inferDeletion(endpoint, resource),
        needsForce: needsForce(endpoint, resource),
        ...written('deleted'),
      };
    default:
      return { kind: 'open' };
  }
}

/** WC_REST_Controller::batch_items(). Its index entry has the arguments of an item, which it doesn't read. */
export function isBulkRoute(anonymousTemplate: string, schema: IndexRoute['schema']): boolean {
  return (
    schema?.['title'] === 'batch' &&
    anonymousTemplate.endsWith('/batch') &&
    ['create', 'update', 'delete'].every((name) => memberAt(schema, 'properties', name) !== undefined)
  );
}

function inferDeletion(
  endpoint: IndexEndpoint,
  { convention }: SiteResource,
): Extract<ResponseModel, { readonly kind: 'deleted' }>['deletion'] {
  if (convention === undefined) return 'unknown';
  if (convention.returnsDeleted === true) return 'item';
  if (convention.isDeletedForGood === true) return 'for-good';
  return endpoint.args.some(({ name }) => name === 'force') ? 'by-force' : 'unknown';
}

/** A plugin that needs `force=true` can make that the default. Others don't have the argument. */
function needsForce(endpoint: IndexEndpoint, { convention }: SiteResource): boolean {
  const { isDeletedForGood = false, needsForce: isNeeded = isDeletedForGood } = convention ?? {};
  const force = endpoint.args.find(({ name }) => name === 'force');
  return isNeeded && force !== undefined && force.declaration['default'] !== true;
}

/**
 * One object with a list and its totals: `{ items, total }`, or the intervals of WooCommerce's
 * `Reports\*\Stats\Controller`. An item has an id or texts of its own, such as an order with its total.
 * Without pages, a nullable text or an id of another object isn't a sign of an item: a report has those of its filter.
 */
function isEnvelope({ contexts }: SiteResource, hasPages: boolean): boolean {
  const members = Object.entries(toJsonObject(contexts[0]?.schema['properties']));
  // CoCart declares the list beside `total_pages` as an object.
  const isPage = hasPages && members.some(([name]) => name === 'total_pages');
  const isContainer = (type: string): boolean => type === 'array' || (isPage && type === 'object');
  return (
    members.some(([name]) => /^(?:totals?|count|found)(?![a-z])/.test(name)) &&
    members.some(([, member]) => typesOf(member).some(isContainer)) &&
    !members.some(([name, member]) => {
      const types = typesOf(member);
      const isText = types.includes('string') && (hasPages || !types.includes('null'));
      const isId = /^u?id$/i.test(name) || (hasPages && /_u?id$|I[dD]$/.test(name));
      return isId || (isText && !/^(?:next|prev)/.test(name));
    })
  );
}

/** No index says whether a plugin's route without item routes and pages returns one object or a list. */
function isUnrecognized(
  { anonymousTemplate, hasItemRoute }: CollectionEvidence,
  resource: SiteResource,
): boolean {
  return !hasItemRoute && resource.convention === undefined && !anonymousTemplate.endsWith('}');
}

function readContextArgument(endpoint: IndexEndpoint): {
  readonly context: string;
  readonly canSelectContext: boolean;
} {
  const declared = endpoint.args.find(({ name }) => name === 'context')?.declaration;
  const context = declared?.['default'];
  return {
    context: typeof context === 'string' ? context : 'view',
    canSelectContext: declared !== undefined,
  };
}

/** Collections that WordPress returns as an object, by title: a site can rename the namespace. */
const KEYED_BY_NAME: ReadonlySet<string> = new Set(['type', 'status', 'taxonomy', 'menu-location']);

/** A path such as `/posts/{id}/duplicate` with only writes: a POST or PUT can create a resource. */
function isAction({ anonymousTemplate, isReadable }: CollectionEvidence): boolean {
  return !isReadable && !anonymousTemplate.endsWith('}');
}

function collectionKindOf(evidence: CollectionEvidence): 'list' | 'keyed' | null {
  const { anonymousTemplate, hasItemRoute, title } = evidence;
  if (hasItemRoute && KEYED_BY_NAME.has(title)) return 'keyed';
  return hasItemRoute || endsInPluralOf(anonymousTemplate, title) || isReport(anonymousTemplate, title)
    ? 'list'
    : null;
}

/** `/reports/sales` of `sales_report` is a list of one: `WC_REST_Report_Sales_V1_Controller::get_items()`. */
function isReport(anonymousTemplate: string, title: string): boolean {
  const subject = /\/reports\/([\w-]{1,80})$/.exec(anonymousTemplate)?.[1];
  return subject !== undefined && title === `${subject}_report`;
}

/** `/block-patterns/categories` and `block-pattern-category`. */
function endsInPluralOf(shape: string, title: string): boolean {
  const last = lastWord(shape.slice(shape.lastIndexOf('/') + 1));
  const singular = lastWord(title);
  return last !== '' && last !== singular && singularize(last) === singular;
}

function lastWord(text: string): string {
  return /[a-z0-9]+$/.exec(text.slice(-100).toLowerCase())?.[0] ?? '';
}

/** `WP_REST_Server::serve_batch_request_v1()`; WooCommerce's src/StoreApi/Routes/V1/Batch.php. */
const BATCH_PATHS: ReadonlySet<string> = new Set(['/batch/v1', '/wc/store/batch', '/wc/store/v1/batch']);
