/**
 * Steps of a write:
 *
 * 1. `mayWrite` tells whether a request can change the site. Its `WriteObserver` reads its body and the
 * response.
 * 2. With a session, a credential or a nonce it purges everything of its site; an anonymous one its own
 * address. Exceptions are rows of `wordpress/writes.json` and `cache.writes` (`writes.ts`), and what
 * waygate.php names in the response (`site-tags.ts`).
 * 3. `site-writes.ts` purges before the client has the end of its response.
 */

import type { RequestBodyValidator } from '../../exchange/request-body-validator.ts';
import type { ResponseObserver } from '../../exchange/response-relay.ts';
import { readBasicUser } from '../../http/basic-credentials.ts';
import { BodyBuffer } from '../../http/chunks.ts';
import {
  GATEWAY_ERRORS,
  type IncomingRequestHead,
  type ResponseHead,
  SAFE_METHODS,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { type Json, parseJson } from '../../json.ts';
import { lazy } from '../../memoize.ts';
import { toByteString } from '../../php/encoding.ts';
import { parseQueryParameters } from '../../php/query.ts';
import { isNotConnected } from '../../upstream/failures.ts';
import { hasOnlyCoreArguments } from '../../validation/request/core-rules.ts';
import {
  type BodyParameters,
  isUnambiguousBody,
  NO_BODY_PARAMETERS,
  planBody,
} from '../../validation/request/parameters.ts';
import { namesCredentialInBody } from '../../wordpress/shared-requests.ts';
import { anyQueryRouteTag, UNTAGGED } from '../../wordpress/tags.ts';
import {
  findLaterWork,
  isWritingRead,
  type LaterWork,
  type PurgedByWrite,
  readsPageResponse,
  type SiteWrite,
  toPlainPath,
} from '../../wordpress/writes.ts';
import { readBatch } from '../limiting/batch.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import type { SiteCachePolicy } from './cache-entry.ts';
import { type SiteWrites, UNFINISHED } from './site-writes.ts';

export function mayWrite(snapshot: Snapshot, resolved: RouteRequest | PageRequest, method: string): boolean {
  if (!SAFE_METHODS.has(method)) return true;
  if (resolved.kind === 'route') return !SAFE_METHODS.has(resolved.target.method);
  const { path, query, unclear } = resolved.target;
  return unclear === 'write' || (snapshot.isDiscovered && isWritingRead(path, query));
}

const MAX_BODY_BYTES = 256 * 1024;

/** Failures of requests that were not sent, beside those without a connection. */
const NOT_SENT: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  ...(['invalid-request', 'circuit-open', 'overloaded', 'not-stored'] as const),
]);

/** WebDAV and others (RFC 9110 §16.1.1), by which a plugin can write all the same. */
const OTHER_SAFE_METHODS: ReadonlySet<string> = new Set(['PROPFIND', 'REPORT', 'SEARCH', 'QUERY', 'PRI']);

interface ObservedWrite extends Pick<SiteCachePolicy, 'bypassRules' | 'siteTags'> {
  /** @param withQuery `false` for a route with any query @returns `null` if nothing is stored for it */
  readonly getAddressTag: (withQuery: boolean) => string | null;
  readonly snapshot: Snapshot;
  readonly resolved: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly requestId: string;
  readonly client: string;
}

/** Purges what one write might have changed before the client has the end of the response. */
export class WriteObserver implements ResponseObserver {
  /** The site completes a write after its client disconnects. */
  readonly outlivesClient = true;
  readonly #writes: SiteWrites;
  readonly #write: ObservedWrite;
  readonly #method: string;
  /** Decoded and in lower case. */
  readonly #address: string;
  /** Called after the response; `null` if the body was not read. */
  #parseBody: (() => BodyParameters) | null = null;
  /** `null` if it was not read. */
  #sent: Uint8Array | null = null;
  /** Whether the body was too long to be read: it can name a credential. */
  #isUnread = false;
  #head: ResponseHead | null = null;
  /** `null` if it is too long, or is not read. */
  #body: BodyBuffer | null = null;

  constructor(writes: SiteWrites, write: ObservedWrite) {
    const { head, resolved } = write;
    this.#writes = writes;
    this.#write = write;
    this.#method = resolved.kind === 'route' ? resolved.target.method : head.method;
    this.#address = toPlainPath(resolved.kind === 'route' ? resolved.target.route : resolved.target.path);
  }

  /** Within the body's validator or with a new one. */
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
        ? planBody({ requestMethod: head.method, method: this.#method, contentType })
        : undefined;
    // A large upload is not held back.
    const length = Number(fieldValue(head.headers, 'content-length') ?? Number.NaN);
    if (plan?.kind === 'multipart' && !(length <= MAX_BODY_BYTES)) return undefined;
    const parse = validation?.parse ?? (plan?.kind === 'buffered' ? plan.parse : undefined);
    // A page reads forms; other bodies need a handler.
    const isParsed = parse !== undefined && (resolved.kind === 'route' || resolved.target.hasFormBody);
    this.#isUnread = true;
    return {
      kind: 'whole',
      maxLength: validation?.maxLength ?? MAX_BODY_BYTES,
      tooLargeProblem: validation?.tooLargeProblem ?? null,
      ...(parse === undefined ? {} : { parse }),
      ...(validation?.longer === undefined ? {} : { longer: validation.longer }),
      validate: (body, parseOnce) => {
        this.#sent = body;
        this.#isUnread = false;
        if (isParsed) this.#parseBody = parseOnce;
        return validation?.validate(body, parseOnce) ?? null;
      },
    };
  }

  head(head: ResponseHead): void {
    this.#head = head;
    const { resolved, snapshot } = this.#write;
    // Purges of a plain origin never depend on the body.
    if (!snapshot.isDiscovered || snapshot.isProvisional) return;
    if (resolved.kind === 'route' || readsPageResponse(this.#target))
      this.#body = new BodyBuffer(MAX_BODY_BYTES);
  }

  write(chunk: Uint8Array): void {
    if (this.#body?.add(chunk) === false) this.#body = null;
  }

  end(): void | Promise<void> {
    const status = this.#head?.status ?? null;
    // It changes what is fetched from now on.
    const isOver = this.#findLaterWork(status) === null;
    return isOver && this.#writes.hasNothingToPurge ? undefined : this.#purge(status, true);
  }

  /** The client does not know whether its write has happened, and can look at once. */
  clientGone(): void {
    void this.#purge(null, false);
  }

  fail(failure: UpstreamFailure): void {
    const isSent = failure.isUnsent !== true && !NOT_SENT.has(failure.kind) && !isNotConnected(failure);
    if (isSent) void this.#purge(null, true);
  }

  /** @param isEnded whether the exchange is over. A silent site can still be running the write */
  #purge(status: number | null, isEnded: boolean): void | Promise<void> {
    const { client, head, requestId, resolved, siteTags, snapshot } = this.#write;
    const user = readBasicUser(fieldValue(head.headers, 'authorization') ?? '');
    const write = this.#describe(status);
    const decided = this.#decide(write);
    // `site-tags.ts` purges what waygate.php names. Left are responses without tags.
    const isNamed =
      decided === 'everything' &&
      !snapshot.isProvisional &&
      this.#head !== null &&
      siteTags?.namesChanges(this.#head) === true;
    const purged = isNamed ? [UNTAGGED] : decided;
    const purge = {
      purged,
      addresses: purged === 'everything' ? [] : this.#listAddresses(write, isNamed),
      isProven: this.#isProven(write),
      cause: `${this.#method} ${resolved.kind === 'route' ? resolved.target.route : resolved.upstreamTarget}`,
      requestId,
      client: [client, user && `user ${user}`].filter((part) => part !== '').join(', '),
    };
    const work = this.#findLaterWork(status);
    if (isEnded && work !== null) this.#writes.repeatLater(snapshot, purge, work);
    return this.#writes.purge(snapshot, purge);
  }

  /** RFC 9111 §4.4: "the target URI […] when it receives a non-error status code", and without response. */
  #listAddresses(write: SiteWrite, isNamed: boolean): readonly string[] {
    const isInvalidated = ({ method, status }: SiteWrite): boolean =>
      !SAFE_METHODS.has(method) &&
      !OTHER_SAFE_METHODS.has(method) &&
      (status === null || (status >= 200 && status < 400));
    const parts = write.parts?.filter(isInvalidated).map(({ address }) => anyQueryRouteTag(address));
    if (parts !== undefined) return parts;
    const own = isInvalidated(write) ? this.#write.getAddressTag(isNamed) : null;
    return own === null ? [] : [own];
  }

  #decide(write: SiteWrite): PurgedByWrite {
    const { resolved, snapshot } = this.#write;
    // A shared store can have responses of a gateway that has a document.
    if (snapshot.isProvisional) return write.isAuthenticated ? 'everything' : 'nothing';
    if (!snapshot.isDiscovered) return 'nothing';
    // A handler of reads runs (`_method=GET`), and plugins that read `$_POST`.
    if (!write.isPage && SAFE_METHODS.has(this.#method) && !resolved.target.hasFormBody) return 'nothing';
    return this.#writes.decide(write);
  }

  #describe(status: number | null): SiteWrite {
    const { bypassRules, head, resolved } = this.#write;
    const isPage = resolved.kind === 'page';
    const { query } = resolved.target;
    const bytes = this.#body?.bytes() ?? null;
    const text = bytes === null || !isPage ? null : new TextDecoder().decode(bytes);
    const body = this.#sent === null ? null : toByteString(this.#sent);
    const parameters = this.#parseBody === null ? null : this.#collectFields(this.#parseBody());
    // XML-RPC has no names for the login of a call.
    const namesCredential = (): boolean =>
      this.#isUnread ||
      (body !== null &&
        (namesCredentialInBody(body) ||
          (isPage && this.#address.includes('/xmlrpc.php') && /methodName/.test(body))));
    const hasSession = bypassRules.hasSession(head.headers);
    const isAuthenticated = hasSession || bypassRules.namesCredential(query) || namesCredential();
    // With `_envelope` the status is always 200.
    const isEnvelope = !isPage && (parseQueryParameters(query)?.has('_envelope') ?? true);
    const json = lazy(() => (bytes === null ? undefined : parseJson(bytes)));
    const parts = isPage ? null : readBatch(this.#address, parameters, status, json);
    return {
      ...{ ...this.#target, isPage, hasSession, isAuthenticated, parameters, json, text },
      body,
      status: isEnvelope ? null : status,
      isCore: this.#isCore(parameters),
      query: addAction(query, parameters),
      headers: this.#head?.headers ?? [],
      ...(parts === null
        ? {}
        : {
            parts: parts.map((part) => ({
              ...{ isPage: false, hasSession, isAuthenticated, body: null, text: null, isCore: false },
              ...part,
            })),
          }),
    };
  }

  /**
   * Whether the site has let this client write. Then nothing from before is used while the site fails: a
   * withdrawn text must not come back. A visitor's form proves nothing, and must not take away what others
   * see.
   */
  #isProven({ isAuthenticated }: SiteWrite): boolean {
    const { resolved, snapshot } = this.#write;
    const { status } = this.#head ?? { status: 502 };
    if (this.#head === null || GATEWAY_ERRORS.has(status)) return false;
    if (!snapshot.isDiscovered) return true;
    if (status >= 400 || !isAuthenticated) return false;
    if (resolved.kind === 'route') return status < 300;
    // Others send a client without a session to the login.
    const isForAll = /\/admin-(?:ajax|post)\.php$/.test(this.#address);
    const isSentAway = /\/wp-login\.php/.test(fieldValue(this.#head.headers, 'location') ?? '');
    return this.#address.includes('/wp-admin/') && !isForAll && !isSentAway;
  }

  get #target(): { readonly method: string; readonly address: string; readonly query: string } {
    return { method: this.#method, address: this.#address, query: this.#write.resolved.target.query };
  }

  /** Callbacks of plugins for other parameters can do anything. */
  #isCore(parameters: ReadonlyMap<string, Json> | null): boolean {
    const { resolved } = this.#write;
    if (resolved.kind === 'page' || resolved.match.kind !== 'found' || parameters === null) return false;
    const { pattern: route } = resolved.match.route;
    return hasOnlyCoreArguments({ method: this.#method, route }, parameters.keys());
  }

  /** Returns what the site might do after its response. */
  #findLaterWork(status: number | null): LaterWork | null {
    const work = findLaterWork(this.#target, () =>
      this.#collectFields(this.#parseBody?.() ?? NO_BODY_PARAMETERS),
    );
    // Its own server has given up waiting.
    const isUnfinished = status === null || status === 502 || status === 504;
    return isUnfinished && (work === null || work.atMostEvery === 0) ? UNFINISHED : work;
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

function addAction(query: string, parameters: ReadonlyMap<string, Json> | null): string {
  const action = parameters?.get('action');
  if (typeof action !== 'string' || /(?:^|&)action=/.test(query)) return query;
  return `${query}${query === '' ? '' : '&'}action=${action}`;
}
