/**
 * Steps of a write; ARCHITECTURE.md says what it purges.
 * 1. `mayWrite` (`target-memos.ts`) selects requests that can change the site. A `WriteObserver` reads body and response.
 * 2. `SiteTags` purges what waygate.php names, and nothing else. Without it `users.ts`, `cache.writes` and `writes.ts` decide.
 * 3. `SiteWrites` purges before the client has the end of its response.
 */

import { readBasicUser } from '../../../base/http/basic-credentials.ts';
import { BodyBuffer } from '../../../base/http/body.ts';
import {
  GATEWAY_ERRORS,
  type IncomingRequestHead,
  type ResponseHead,
  SAFE_METHODS,
  type UpstreamFailure,
} from '../../../base/http/exchange.ts';
import { fieldValue } from '../../../base/http/fields.ts';
import type { UpstreamFailureKind } from '../../../base/http/network-errors.ts';
import { type Json, memberAt, parseJson } from '../../../base/json.ts';
import { lazy } from '../../../base/memoize.ts';
import { isJsonContentType, parseQueryParameters, toByteString } from '../../../base/php/request.ts';
import { isCoreEndpoint } from '../../../generator/validation/request/core-arguments.ts';
import {
  type BodyParameters,
  isUnambiguousBody,
  NO_BODY_PARAMETERS,
  planBody,
} from '../../../generator/validation/request/validator.ts';
import type { RequestBodyValidator } from '../../exchange/request-body-validator.ts';
import type { ResponseObserver } from '../../exchange/response-relay.ts';
import { toSubsiteRoot } from '../../router/target.ts';
import { isNotConnected } from '../../upstream/failures.ts';
import { anyQueryRouteTag, atSubsite, EVERYTHING } from '../../wordpress/cache-names.ts';
import {
  findLaterWork,
  isNamedByTable,
  isProvenCall,
  isRefused,
  isStaticFile,
  isXmlRpc,
  keepsAddress,
  type PurgedByWrite,
  readBatch,
  readsPageResponse,
  type SiteWrite,
  toPlainPath,
  type WriteTarget,
} from '../../wordpress/writes.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import type { IgnoredCookies } from './cache-entry.ts';
import type { SiteTags, SiteWrites } from './site-purges.ts';
import { type AskingRequest, listCredentials, type Question } from './users.ts';

const MAX_BODY_BYTES = 256 * 1024;

/** Failures of requests that were not sent, besides those to connect. */
const NOT_SENT: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  ...(['invalid-request', 'circuit-open', 'overloaded', 'not-stored'] as const),
]);

/** Methods such as WebDAV's that read (RFC 9110 §16.1.1). */
const OTHER_SAFE_METHODS: ReadonlySet<string> = new Set(['PROPFIND', 'REPORT', 'SEARCH', 'QUERY', 'PRI']);

export interface WritingRequest extends AskingRequest {
  readonly requestId: string;
  readonly publicBase: string;
}

interface ObservedWrite {
  /** `null` if nothing of the address is stored. */
  readonly getAddressTag: (resolved: RouteRequest | PageRequest) => string | null;
  readonly siteTags: SiteTags | null;
  readonly ignoredCookies: IgnoredCookies | null;
  readonly snapshot: Snapshot;
  readonly resolved: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly request: WritingRequest;
}

export class WriteObserver implements ResponseObserver {
  /** The site completes a write after its client disconnects. */
  readonly outlivesClient = true;
  readonly #writes: SiteWrites;
  readonly #write: ObservedWrite;
  readonly #target: WriteTarget;
  readonly #credentials: readonly string[];
  /** Called after the response; `null` if the body was not read. */
  #parseBody: (() => BodyParameters) | null = null;
  #sent: Uint8Array | null = null;
  #head: ResponseHead | null = null;
  #body: BodyBuffer | null = null;

  constructor(writes: SiteWrites, write: ObservedWrite) {
    const { head, resolved } = write;
    this.#writes = writes;
    this.#write = write;
    const isRoute = resolved.kind === 'route';
    this.#target = {
      method: isRoute ? resolved.target.method : head.method,
      address: toPlainPath(isRoute ? resolved.target.route : resolved.target.path),
      names: resolved.target.names,
      query: resolved.target.query,
    };
    this.#credentials = listCredentials(head.headers);
  }

  createBodyValidator(
    hasBody: boolean,
    validation: RequestBodyValidator | undefined,
  ): RequestBodyValidator | undefined {
    const { head, resolved } = this.#write;
    if (!hasBody) this.#parseBody = () => NO_BODY_PARAMETERS;
    // One that validation streams is not read again; one that servers parse differently is unknown.
    if (!hasBody || validation?.kind === 'parts' || !isUnambiguousBody(head.headers)) return validation;
    const contentType = fieldValue(head.headers, 'content-type') ?? null;
    const plan =
      validation === undefined
        ? planBody({ requestMethod: head.method, method: this.#target.method, contentType })
        : undefined;
    const length = Number(fieldValue(head.headers, 'content-length') ?? Number.NaN);
    if (plan?.kind === 'multipart' && !(length <= MAX_BODY_BYTES)) return undefined;
    const parse = validation?.parse ?? (plan?.kind === 'buffered' ? plan.parse : undefined);
    // Pages read forms; other bodies need a handler.
    const isParsed = parse !== undefined && (resolved.kind === 'route' || resolved.target.hasFormBody);
    return {
      kind: 'whole',
      maxLength: validation?.maxLength ?? MAX_BODY_BYTES,
      tooLargeProblem: validation?.tooLargeProblem ?? null,
      ...(parse === undefined ? {} : { parse }),
      ...(validation?.longer === undefined ? {} : { longer: validation.longer }),
      validate: (body, parseOnce) => {
        if (body.byteLength <= MAX_BODY_BYTES) {
          this.#sent = body;
          if (isParsed) this.#parseBody = parseOnce;
        }
        return validation?.validate(body, parseOnce) ?? null;
      },
    };
  }

  head(head: ResponseHead): void {
    this.#head = head;
    const { ignoredCookies, resolved, snapshot } = this.#write;
    ignoredCookies?.noteWrite([], head.headers);
    if (!snapshot.isDiscovered) return;
    if (resolved.kind === 'route' || isXmlRpc(this.#target) || readsPageResponse(this.#target))
      this.#body = new BodyBuffer(MAX_BODY_BYTES);
  }

  write(chunk: Uint8Array): void {
    if (this.#body?.add(chunk) === false) this.#body = null;
  }

  end(): void | Promise<void> {
    const { siteTags } = this.#write;
    if (this.#head !== null && siteTags?.namesChanges(this.#head) === true) return undefined;
    return this.#purge(this.#head?.status ?? null);
  }

  fail(failure: UpstreamFailure): void {
    const isSent = failure.isUnsent !== true && !NOT_SENT.has(failure.kind) && !isNotConnected(failure);
    if (isSent) void this.#purge(null);
  }

  #purge(status: number | null): void | Promise<void> {
    const { head, resolved, snapshot } = this.#write;
    const isPage = resolved.kind === 'page';
    // Another site's link must not purge anything.
    const isForeignLink =
      isPage && SAFE_METHODS.has(head.method) && fieldValue(head.headers, 'sec-fetch-site') === 'cross-site';
    const hasNothing =
      isForeignLink ||
      (isPage && isStaticFile(this.#target.address)) ||
      (!isUnfinished(status) && this.#writes.hasNothingToPurge);
    if (hasNothing && !(snapshot.isDiscovered && this.#isLater)) return undefined;
    const write = this.#describe(status);
    const isEditor = this.#isEditor(write);
    if (typeof isEditor === 'boolean') return this.#carryOut(write, isEditor);
    return isEditor.then((answer) => {
      if (answer === null) this.#purgeLater();
      return this.#carryOut(write, answer === true);
    });
  }

  #purgeLater(times = 1): void {
    const { snapshot } = this.#write;
    this.#writes.purgeLater(() => snapshot, this.#cause, times);
  }

  #isEditor(write: SiteWrite): boolean | Promise<boolean | null> {
    const { editors } = this.#writes;
    const isAllowed = this.#isAllowed(write);
    if (this.#credentials.length === 0) return isAllowed;
    const question = this.#findQuestion();
    if (isAllowed) editors.prove(question);
    if (editors.isProven(question)) return true;
    if (String(this.#decide(write, true)) === String(this.#decide(write, false))) return false;
    return editors.ask(this.#write.request, question);
  }

  /** Whether the site has done what it refuses those who may not edit. */
  #isAllowed({ body, status }: SiteWrite): boolean {
    const { resolved } = this.#write;
    if (status === null || status >= 300 || SAFE_METHODS.has(this.#target.method)) return false;
    const bytes = this.#body?.bytes() ?? new Uint8Array();
    if (resolved.kind === 'page')
      return isXmlRpc(this.#target) && body !== null && isProvenCall(body, toByteString(bytes));
    // A firewall answers with a page, and with 200.
    const type = fieldValue(this.#head?.headers ?? [], 'content-type') ?? null;
    if (resolved.match.kind !== 'found' || !isJsonContentType(type)) return false;
    const { pattern: route } = resolved.match.route;
    if (WOOCOMMERCE_ROUTE.test(this.#target.address)) return true;
    return !OPEN_ENDPOINTS.test(route) && isCoreEndpoint({ method: this.#target.method, route });
  }

  /** `get_items_permissions_check()` of WP_REST_Post_Types_Controller: needs `edit_posts` of a type. */
  #findQuestion(): Question {
    const { head, resolved, snapshot } = this.#write;
    const credentials = this.#credentials;
    const { base, root } = snapshot.siteAddress;
    const basePath = new URL(base).pathname;
    const known = basePath + this.#subsite.slice(1);
    // Of a subsite that has not answered yet, or the folder of WordPress itself.
    const [, folder = known] = /^([^?]*?\/)wp-admin\//.exec(resolved.upstreamTarget) ?? [];
    // Each site has the other spelling.
    const isUsual = !snapshot.isProvisional && folder === known;
    const address = toSubsiteRoot({ base, root: isUsual ? root : `${base}?rest_route=/` }, folder);
    const target = `${address}wp/v2/types${address.includes('?') ? '&' : '?'}context=edit`;
    const isPassword = credentials[0]?.startsWith('authorization ') === true;
    const isRest = resolved.kind === 'route' || resolved.target.route !== null;
    const hasNonce = isRest && fieldValue(head.headers, 'x-wp-nonce') !== undefined;
    if (isPassword || hasNonce) return { credentials, target, nonceTarget: null };
    // With a cookie alone, a REST request is anonymous.
    return { credentials, target, nonceTarget: `${folder}wp-admin/admin-ajax.php?action=rest-nonce` };
  }

  /** Known by the response at the latest. */
  get #subsite(): string {
    const { resolved, snapshot } = this.#write;
    return snapshot.subsites.find(resolved.target.path);
  }

  #carryOut(write: SiteWrite, isEditor: boolean): void | Promise<void> {
    const { head, request, resolved, snapshot } = this.#write;
    // PHP works on for 30 seconds and more after its server gave up.
    if (isEditor && isUnfinished(write.status)) this.#purgeLater(2);
    const name = isEditor ? readBasicUser(fieldValue(head.headers, 'authorization') ?? '') : undefined;
    const { client, requestId } = request;
    const purged = this.#decide(write, isEditor);
    const isLimited = !isEditor && snapshot.isDiscovered;
    const isAdmitted = (): boolean => !isLimited || this.#writes.admitStranger(client);
    const addresses = purged === 'everything' ? [] : this.#listAddresses(write, purged).filter(isAdmitted);
    // Anybody can make the site answer as it answers an order (`wp-login.php?action=postpass`).
    const isByTable = isLimited && typeof purged === 'object' && isNamedByTable(write);
    const isTooMuch = isByTable && addresses.length === 0 && !isAdmitted();
    const isOfAll = snapshot.subsites.count === 0 || OF_ALL_SUBSITES.test(this.#target.address);
    return this.#writes.purge(snapshot, {
      subsites: isOfAll ? null : snapshot.subsites.listWritten(resolved.target.path, request.publicBase),
      folder: this.#subsite,
      purged: isTooMuch ? 'later' : purged,
      addresses,
      // An editor can withdraw a text, which must not come back while the site fails.
      isProven: isEditor && !isUnfinished(write.status),
      cause: this.#cause,
      requestId,
      client: [client, name && `user ${name}`].filter((part) => part !== '').join(', '),
    });
  }

  /** RFC 9111 §4.4: "the target URI […] when it receives a non-error status code", and the page that it was sent from. */
  #listAddresses(write: SiteWrite, purged: PurgedByWrite): readonly string[] {
    const { getAddressTag, resolved } = this.#write;
    const isInvalidated = ({ headers, method, status }: SiteWrite): boolean =>
      (!SAFE_METHODS.has(method) || (resolved.kind === 'page' && this.#credentials.length > 0)) &&
      !OTHER_SAFE_METHODS.has(method) &&
      status !== null &&
      status < 500 &&
      !isRefused({ headers, status });
    if (write.parts === undefined && (!isInvalidated(write) || keepsAddress(write))) return [];
    const own = write.parts
      ?.filter(isInvalidated)
      .map(({ address }) => anyQueryRouteTag(atSubsite(this.#subsite, address)));
    const page = purged === 'page' ? this.#findSender() : null;
    const all = [...(own ?? [getAddressTag(resolved)]), page && getAddressTag(page)];
    return [...new Set(all.filter((tag) => tag !== null))];
  }

  /** The page that the write was sent from. */
  #findSender(): PageRequest | null {
    const { head, request, snapshot } = this.#write;
    const [, host, target = ''] = ADDRESS.exec(fieldValue(head.headers, 'referer') ?? '') ?? [];
    // No page shows the answer to a beacon.
    const isBeacon = fieldValue(head.headers, 'sec-fetch-mode') === 'no-cors';
    if (host === undefined || isBeacon || host !== ADDRESS.exec(request.publicBase)?.[1]) return null;
    const resolved = snapshot.resolveRequest({ method: 'GET', target: target || '/', headers: [] });
    return resolved.kind === 'page' ? resolved : null;
  }

  /** Whether the site works on after its response, as far as it has shown that it does. */
  get #isLater(): boolean {
    const { siteTags, snapshot } = this.#write;
    const work = findLaterWork(this.#target);
    return work !== null && siteTags?.isAnswering !== true && this.#writes.believes(work, snapshot);
  }

  #decide(write: SiteWrite, isEditor: boolean): PurgedByWrite {
    const { resolved, snapshot } = this.#write;
    if (!snapshot.isDiscovered || OTHER_SAFE_METHODS.has(this.#target.method)) return 'nothing';
    const isRead = resolved.kind === 'route' && SAFE_METHODS.has(this.#target.method);
    // A handler of reads runs (`_method=GET`), and plugins read `$_POST`.
    if (isRead && !resolved.target.hasFormBody) return 'nothing';
    const purged = this.#writes.decide(write, isEditor);
    // A shared store can have responses of a gateway with a document.
    const isLess = typeof purged !== 'string' && !purged.includes(EVERYTHING);
    return snapshot.isProvisional && isLess ? 'everything' : purged;
  }

  #describe(status: number | null): SiteWrite {
    const { resolved } = this.#write;
    const { query } = resolved.target;
    const parameters = this.#parseBody === null ? null : this.#collectFields(this.#parseBody());
    const json = lazy(() => {
      const bytes = this.#body?.bytes();
      return bytes === undefined ? undefined : parseJson(bytes);
    });
    const isRoute = resolved.kind === 'route';
    // With `_envelope` the status is always 200.
    const isEnvelope = isRoute && (parseQueryParameters(query)?.has('_envelope') ?? true);
    const inner = isEnvelope && status !== null ? memberAt(json(), 'status') : status;
    const parts = isRoute ? readBatch(this.#target.address, parameters, status, json) : null;
    return {
      ...{ ...this.#target, parameters, json, isLater: this.#isLater },
      body: this.#sent === null ? null : toByteString(this.#sent),
      status: typeof inner === 'number' ? inner : null,
      query: addAction(query, parameters),
      headers: this.#head?.headers ?? [],
      ...(parts === null ? {} : { parts: parts.map((part) => ({ body: null, ...part })) }),
    };
  }

  get #cause(): string {
    const { resolved } = this.#write;
    return `${this.#target.method} ${resolved.kind === 'route' ? resolved.target.route : resolved.upstreamTarget}`;
  }

  /** `null` if they cannot be parsed as the site parses them. */
  #collectFields(body: BodyParameters): ReadonlyMap<string, Json> | null {
    const { head, resolved } = this.#write;
    const inQuery = parseQueryParameters(resolved.target.query);
    if (inQuery === null || body.kind !== 'complete') return null;
    if (resolved.kind === 'route') return new Map([...inQuery, ...body.form, ...body.json]);
    // Pages read `$_REQUEST`: no JSON, and forms only of a `POST`.
    return head.method === 'POST' ? new Map([...inQuery, ...body.form]) : inQuery;
  }
}

/** An address as browsers send it: without user, fragment and upper case in the host. */
const ADDRESS = /^https?:\/\/([^/?#]+)(\/[^#]*)?/;

const isUnfinished = (status: number | null): boolean => status === null || GATEWAY_ERRORS.has(status);

/** What a network's admin changes, and names of users. */
const OF_ALL_SUBSITES = /\/wp-admin\/(?:network\/|profile\.php|user)|^\/wp\/v2\/users\b/;

/** WooCommerce's own routes, which need its API key, e.g. in the query. Below `/wc/v3/` plugins have webhooks open to anybody. */
const WOOCOMMERCE_ROUTE =
  /^\/wc\/v\d+\/(?:coupons|customers|orders|products|shipping|taxes|webhooks)(?:\/(?:\d+|attributes|batch|categories|classes|locations|methods|notes|refunds|reviews|shipping_classes|tags|terms|variations|zones))*$/;

/** Routes that also take writes of those who may not edit. Plugins decide who runs an ability; each part of a batch is decided by itself. */
const OPEN_ENDPOINTS = /^\/batch\/v1$|\/comments$|^\/wp\/v2\/users\b|^\/wp-abilities\//;

function addAction(query: string, parameters: ReadonlyMap<string, Json> | null): string {
  const action = parameters?.get('action');
  if (typeof action !== 'string' || /(?:^|&)action=/.test(query)) return query;
  return `${query}${query === '' ? '' : '&'}action=${action}`;
}
