/**
 * Steps of a write, in order:
 *
 * 1. Seen: `mayWrite` tells whether a request can change the site. Its `WriteObserver` reads the parameters from its body, and the
 *    response.
 * 2. Decided: it purges everything of its site, unless `wordpress/writes.json` or the operator's `cache.writes` has a row for
 *    it (`writes.ts`), or waygate.php names in the response what has changed (`site-tags.ts`).
 * 3. Purged before the client has the end of its response (`site-writes.ts`).
 */

import type { RequestBodyValidator } from '../../exchange/request-body-validator.ts';
import type { ResponseObserver } from '../../exchange/response-relay.ts';
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
import { parseQueryParameters } from '../../php/query.ts';
import { isNotConnected } from '../../upstream/failures.ts';
import { hasOnlyCoreArguments } from '../../validation/request/core-rules.ts';
import {
  type BodyParameters,
  isUnambiguousBody,
  NO_BODY_PARAMETERS,
  planBody,
} from '../../validation/request/parameters.ts';
import { createAddressKey } from '../../wordpress/cache-key.ts';
import { UNTAGGED } from '../../wordpress/tags.ts';
import {
  findLaterWork,
  isWritingRead,
  type PurgedByWrite,
  readsPageResponse,
  toPlainPath,
} from '../../wordpress/writes.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import type { SiteCachePolicy } from './cache-entry.ts';
import { type SiteWrites, UNFINISHED_DELAYS } from './site-writes.ts';

export function mayWrite(snapshot: Snapshot, resolved: RouteRequest | PageRequest, method: string): boolean {
  if (!SAFE_METHODS.has(method)) return true;
  if (resolved.kind === 'route') return !SAFE_METHODS.has(resolved.target.method);
  return snapshot.isDiscovered && isWritingRead(resolved.target.path, resolved.target.query);
}

/** Bytes of a request body, and of a response body, that are read to find what a write changed. */
const MAX_BODY_BYTES = 256 * 1024;

/** Failures of requests that were not sent, beside those without a connection. */
const NOT_SENT: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  ...(['invalid-request', 'circuit-open', 'overloaded', 'not-stored'] as const),
]);

/** Safe methods (RFC 9110 §16.1.1) of WebDAV and others, by which a plugin can write all the same. */
const OTHER_SAFE_METHODS: ReadonlySet<string> = new Set(['PROPFIND', 'REPORT', 'SEARCH', 'QUERY', 'PRI']);

interface ObservedWrite extends Pick<SiteCachePolicy, 'bypassRules' | 'siteTags'> {
  readonly snapshot: Snapshot;
  readonly resolved: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly requestId: string;
}

/**
 * One write of a client: reads its parameters and its response, and purges what it might have changed before the client has the
 * end of the response.
 */
export class WriteObserver implements ResponseObserver {
  /** The site completes a write after its client disconnects, so the write must purge then too. */
  readonly outlivesClient = true;
  readonly #writes: SiteWrites;
  readonly #write: ObservedWrite;
  /** The method that the site runs. */
  readonly #method: string;
  /** Decoded and in lower case. */
  readonly #address: string;
  /** Parses the body of the request; `null` if it was not read. Called after the response. */
  #parseBody: (() => BodyParameters) | null = null;
  /** Whether the request has a body that WordPress does not parse. A handler can read it. */
  #hasUnreadBody = false;
  #head: ResponseHead | null = null;
  /** `null` if the body of the response is too long, or is not read. */
  #body: BodyBuffer | null = null;

  constructor(writes: SiteWrites, write: ObservedWrite) {
    const { head, resolved } = write;
    this.#writes = writes;
    this.#write = write;
    this.#method = resolved.kind === 'route' ? resolved.target.method : head.method;
    this.#address = toPlainPath(resolved.kind === 'route' ? resolved.target.route : resolved.target.path);
  }

  /** Reads the parameters from the request body, within the body's validator or with a new one. */
  createBodyValidator(
    hasBody: boolean,
    validation: RequestBodyValidator | undefined,
  ): RequestBodyValidator | undefined {
    const { kind, target } = this.#write.resolved;
    // A page reads forms. Another body is read by a handler alone.
    if (kind === 'page' && hasBody && !target.hasFormBody) this.#hasUnreadBody = true;
    // A body that validation parses while it streams is not read again, and one that servers parse differently is unknown.
    const isUnknown = hasBody && !isUnambiguousBody(this.#write.head.headers);
    if (validation?.kind === 'parts' || isUnknown) return validation;
    const { headers, method: requestMethod } = this.#write.head;
    const contentType = fieldValue(headers, 'content-type') ?? null;
    const plan =
      hasBody && validation === undefined
        ? planBody({ requestMethod, method: this.#method, contentType })
        : undefined;
    if (plan?.kind === 'multipart') return undefined;
    if (!hasBody || plan?.kind === 'ignored') {
      this.#hasUnreadBody ||= hasBody;
      this.#parseBody = () => NO_BODY_PARAMETERS;
      return validation;
    }
    const parse = validation === undefined ? plan?.parse : validation.parse;
    return {
      kind: 'whole',
      maxLength: validation?.maxLength ?? MAX_BODY_BYTES,
      tooLargeProblem: validation?.tooLargeProblem ?? null,
      ...(parse === undefined ? {} : { parse }),
      longer: validation?.longer,
      validate: (body, parseOnce) => {
        this.#parseBody = parseOnce;
        return validation?.validate(body, parseOnce) ?? null;
      },
    };
  }

  head(head: ResponseHead): void {
    this.#head = head;
    const { resolved, snapshot } = this.#write;
    // Purges of a plain origin never depend on it.
    if (!snapshot.isDiscovered || snapshot.isProvisional) return;
    if (resolved.kind === 'route' || readsPageResponse(this.#target))
      this.#body = new BodyBuffer(MAX_BODY_BYTES);
  }

  write(chunk: Uint8Array): void {
    if (this.#body?.add(chunk) === false) this.#body = null;
  }

  end(): void | Promise<void> {
    const status = this.#head?.status ?? null;
    // A site that goes on working changes what is fetched from now on.
    const isOver = this.#findLaterDelays(status).length === 0;
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

  /** @param isEnded whether the exchange is over. A site that has not responded can still be running the write */
  #purge(status: number | null, isEnded: boolean): void | Promise<void> {
    const { requestId, resolved, snapshot } = this.#write;
    // RFC 9111 §4.4: "A cache MUST invalidate the target URI […] when it receives a non-error status code in response to an unsafe request
    // method". Without response the request might have succeeded.
    const isSafe = SAFE_METHODS.has(this.#method) || OTHER_SAFE_METHODS.has(this.#method);
    const isInvalidated = !isSafe && (status === null || (status >= 200 && status < 400));
    const purge = {
      purged: this.#decide(status),
      addresses: isInvalidated ? [createAddressKey(resolved.upstreamTarget)] : [],
      isProven: this.#isProven(status),
      cause: `${this.#method} ${resolved.upstreamTarget}`,
      requestId,
    };
    if (isEnded) this.#writes.repeatLater(snapshot, purge, this.#findLaterDelays(status));
    return this.#writes.purge(snapshot, purge);
  }

  #decide(status: number | null): PurgedByWrite {
    const { resolved, siteTags, snapshot } = this.#write;
    // A shared store can have responses of the site, stored by a gateway that has a document or before this one started.
    if (snapshot.isProvisional) return 'everything';
    if (!snapshot.isDiscovered) return 'nothing';
    const isPage = resolved.kind === 'page';
    // The handler of a read runs (`_method=GET`), and plugins that read `$_POST`.
    if (!isPage && SAFE_METHODS.has(this.#method) && !resolved.target.hasFormBody) return 'nothing';
    const bytes = this.#body?.bytes() ?? null;
    const parameters =
      this.#parseBody === null || this.#hasUnreadBody ? null : this.#collectFields(this.#parseBody());
    const json = bytes === null || isPage ? undefined : parseJson(bytes);
    // In an envelope (`isset( $_GET['_envelope'] )`) the status is always 200.
    const isEnvelope = !isPage && (parseQueryParameters(resolved.target.query)?.has('_envelope') ?? true);
    const decided = this.#writes.decide({
      ...this.#target,
      status: isEnvelope ? null : status,
      json,
      isPage,
      isAnonymous: this.#isAnonymous,
      isCore: this.#isCore(parameters),
      parameters,
      query: addAction(resolved.target.query, parameters),
      headers: this.#head?.headers ?? [],
      text: bytes === null || !isPage ? null : new TextDecoder().decode(bytes),
    });
    // waygate.php names what the write has changed, and `site-tags.ts` purges that. Left are responses without tags.
    const isNamed =
      decided === 'everything' && this.#head !== null && siteTags?.namesChanges(this.#head) === true;
    return isNamed ? [UNTAGGED] : decided;
  }

  /**
   * Whether the response proves that the site has let this client write. Then nothing from before is used, also while the site fails: who
   * has withdrawn a text must not see it come back. A visitor who sends a form to a page, with or without a made-up cookie, proves nothing,
   * and must not take away what others see while the site fails.
   */
  #isProven(status: number | null): boolean {
    const { resolved, snapshot } = this.#write;
    if (this.#head === null || status === null || GATEWAY_ERRORS.has(status)) return false;
    if (!snapshot.isDiscovered) return true;
    if (this.#isAnonymous || status >= 400) return false;
    if (resolved.kind === 'route') return status < 300;
    // Scripts of the administration send a client without a session to the form for logging in; these two let anyone in.
    const isForAll = /\/admin-(?:ajax|post)\.php$/.test(this.#address);
    const isSentAway = /\/wp-login\.php/.test(fieldValue(this.#head.headers, 'location') ?? '');
    return this.#address.includes('/wp-admin/') && !isForAll && !isSentAway;
  }

  get #isAnonymous(): boolean {
    const { bypassRules, head, resolved } = this.#write;
    return (
      bypassRules.listIdentifyingFields(head.headers).length === 0 &&
      bypassRules.checkQuery(resolved.target.query) === null
    );
  }

  get #target(): { readonly method: string; readonly address: string; readonly query: string } {
    return { method: this.#method, address: this.#address, query: this.#write.resolved.target.query };
  }

  /** Whether WordPress's own handler runs with its own parameters alone: callbacks of plugins for others can do anything. */
  #isCore(parameters: ReadonlyMap<string, Json> | null): boolean {
    const { resolved } = this.#write;
    if (resolved.kind === 'page' || resolved.match.kind !== 'found' || parameters === null) return false;
    const { pattern: route } = resolved.match.route;
    return hasOnlyCoreArguments({ method: this.#method, route }, parameters.keys());
  }

  /** Returns the milliseconds after which the purge is repeated; empty if the site has done all of the work. */
  #findLaterDelays(status: number | null): readonly number[] {
    // Its own server has given up waiting.
    if (status === null || status === 502 || status === 504) return UNFINISHED_DELAYS;
    return findLaterWork(this.#target, () => this.#collectFields(this.#parseBody?.() ?? NO_BODY_PARAMETERS));
  }

  /** Collects all parameters by name; `null` if query or body cannot be parsed as the site parses them. */
  #collectFields(body: BodyParameters): ReadonlyMap<string, Json> | null {
    const { head, resolved } = this.#write;
    const inQuery = parseQueryParameters(resolved.target.query);
    if (inQuery === null || body.kind !== 'complete') return null;
    if (resolved.kind === 'route') return new Map([...inQuery, ...body.form, ...body.json]);
    // Pages read `$_REQUEST`, which has no JSON, and forms only of a request with the method POST.
    return head.method === 'POST' ? new Map([...inQuery, ...body.form]) : inQuery;
  }
}

/** Adds the action of a form to a query, as if it were sent there. */
function addAction(query: string, parameters: ReadonlyMap<string, Json> | null): string {
  const action = parameters?.get('action');
  if (typeof action !== 'string' || /(?:^|&)action=/.test(query)) return query;
  return `${query}${query === '' ? '' : '&'}action=${action}`;
}
