/**
 * What a write does, in order:
 *
 * 1. Seen: `mayWrite` tells whether a request may change the site. Its `WriteObserver` reads the parameters from its body, and the
 *    response.
 * 2. Refused: a write that no handler ran changes nothing.
 * 3. Effect: `cache/dependencies/` decides which responses it may have changed, by their tags and groups: for a route
 *    (`route-writes.ts`) or a page (`page-writes.ts`), with tables of what WordPress and plugins do.
 * 4. Purge: those responses are purged before the client has the end of its own (`site-writes.ts`).
 */

import { type ItemState, readItemState } from '../../cache/dependencies/item-states.ts';
import { findLaterWork } from '../../cache/dependencies/known-writes.ts';
import {
  findWrittenForm,
  isWritingRead,
  listPageWrites,
  readsPageResponse,
  toPlainPath,
} from '../../cache/dependencies/page-writes.ts';
import {
  createUnknownWrite,
  type InvalidatingWrite,
  listRouteWrites,
  type WriteOutcome,
  type WrittenForm,
  widen,
} from '../../cache/dependencies/route-writes.ts';
import { EVERYTHING, tagNames, toTagPath } from '../../cache/dependencies/tags.ts';
import { getInvalidatedUris } from '../../cache/policy/unsafe-methods.ts';
import { whenResolved } from '../../cache/store.ts';
import { createAddressKey } from '../../cache/wordpress/cache-key.ts';
import type { CacheBypassRules } from '../../cache/wordpress/shared-requests.ts';
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
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../json.ts';
import { parseQueryParameters } from '../../php/query.ts';
import { endsWithin } from '../../ports.ts';
import { isNotConnected } from '../../upstream/failures.ts';
import { hasOnlyCoreArguments } from '../../validation/evidence/core-rules.ts';
import {
  type BodyParameters,
  isUnambiguousBody,
  NO_BODY_PARAMETERS,
  planBody,
} from '../../validation/request/parameters.ts';
import type { RequestBodyValidator } from '../exchange/request-body-validator.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import type { DocumentCacheTags } from './document-cache-tags.ts';
import { type BegunWrite, type SiteWrites, UNFINISHED_DELAYS } from './site-writes.ts';

export function mayWrite(snapshot: Snapshot, resolved: RouteRequest | PageRequest, method: string): boolean {
  if (!SAFE_METHODS.has(method)) return true;
  if (resolved.kind === 'route') return !SAFE_METHODS.has(resolved.target.method);
  return snapshot.isDiscovered && isWritingRead(resolved.target.path, resolved.target.query);
}

/** Bytes of a request body, and of a response body, that are read to find what a write changed. */
const MAX_BODY_BYTES = 256 * 1024;

/** Responses that show a post of which nothing is known, from which on it is read. */
const MIN_SHOWN = 4;

/** Milliseconds that a write waits for what its item was before. A slow site may send a later read first. */
const MAX_DELAY = 200;

/** Milliseconds that the response to a form waits for what it has written. */
const MAX_READ_DURATION = 2_000;

/** Failures of requests that were not sent, beside those without a connection. */
const NOT_SENT: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  ...(['invalid-request', 'circuit-open', 'overloaded', 'not-stored'] as const),
]);

interface ObservedWrite {
  readonly snapshot: Snapshot;
  readonly resolved: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly requestId: string;
  /** Knows which fields and parameters may identify the client. */
  readonly bypassRules: CacheBypassRules;
  readonly readRoute: ItemReader;
}

/** Reads a route at the site, as a client without a session. May reject. */
export type ItemReader = (
  snapshot: Snapshot,
  route: string,
  signal: AbortSignal,
) => Promise<Json | undefined>;

/**
 * One write of a client: reads its parameters and its response, and invalidates what it changed before the client has the
 * end of the response.
 */
export class WriteObserver implements ResponseObserver {
  /** The site completes a write after its client disconnects, so the write must be invalidated then too. */
  readonly outlivesClient = true;
  readonly #writes: SiteWrites;
  readonly #documentTags: DocumentCacheTags;
  readonly #write: ObservedWrite;
  /** The method that the site runs. */
  readonly #method: string;
  readonly #begunWrite: BegunWrite;
  /** Parses the body of the request; `null` if it was not read. Called after the response, and only if something is stored. */
  #parseBody: (() => BodyParameters) | null = null;
  #hasUnreadBody = false;
  /** Whether what was there before decides what the write has changed. */
  #usesBefore = false;
  /** Ends with the read of what the item is before the write, or after {@link MAX_DELAY}; `undefined` if it is not read. */
  #reading: Promise<unknown> | undefined;
  /** The item that the site has sent before the write or while it ran; `null` if it is not needed, or has not come yet. */
  #readMeanwhile: JsonObject | null = null;
  #head: ResponseHead | null = null;
  /** `null` if the body of the response is too long, or is not read. */
  #body: BodyBuffer | null = null;

  constructor(writes: SiteWrites, documentTags: DocumentCacheTags, write: ObservedWrite) {
    const { head, resolved } = write;
    this.#writes = writes;
    this.#documentTags = documentTags;
    this.#write = write;
    this.#method = resolved.kind === 'route' ? resolved.target.method : head.method;
    this.#begunWrite = writes.begin(documentTags);
    const match = resolved.kind === 'route' ? resolved.match : null;
    const isOfItem = match?.kind === 'found' && match.operation.path.endsWith('}');
    // Another process may write without this one knowing it.
    const isOwn = writes.cache.store.inspector?.isShared === false;
    if (isOfItem && isOwn && this.#begunWrite.logged !== null) this.#readUnknownItem();
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
      ready: this.#reading,
      validate: (body, parseOnce) => {
        this.#parseBody = parseOnce;
        return validation?.validate(body, parseOnce) ?? null;
      },
    };
  }

  /** The site does not receive the write. */
  cancel(): void {
    this.#writes.cancel(this.#begunWrite);
  }

  head(head: ResponseHead): void {
    this.#head = head;
    const { resolved, snapshot } = this.#write;
    // Those of a plain origin never depend on it.
    if (!snapshot.isDiscovered || snapshot.isProvisional) return;
    if (resolved.kind === 'route' || readsPageResponse(resolved.target.path, head.status))
      this.#body = new BodyBuffer(MAX_BODY_BYTES);
  }

  write(chunk: Uint8Array): void {
    if (this.#body?.add(chunk) === false) this.#body = null;
  }

  end(): void | Promise<void> {
    const status = this.#head?.status ?? null;
    // A site that goes on working changes what is fetched from now on.
    const isOver = this.#findLaterDelays(status).length === 0;
    const isSkipped = isOver && this.#writes.skip(this.#documentTags, this.#begunWrite);
    return isSkipped ? undefined : this.#invalidateEnded(status);
  }

  /** The client does not know whether its write has happened, and may look at once. */
  clientGone(): void {
    const outcome = this.#createOutcome({ status: null, responseBody: undefined }, null);
    void this.#invalidate(outcome, this.#writes.begin(this.#documentTags));
  }

  fail(failure: UpstreamFailure): void {
    const isSent = failure.isUnsent !== true && !NOT_SENT.has(failure.kind) && !isNotConnected(failure);
    if (isSent) void this.#invalidateEnded(null);
    else this.cancel();
  }

  #invalidateEnded(status: number | null): void | Promise<void> {
    const bytes = this.#body?.bytes() ?? null;
    const isRoute = this.#write.resolved.kind === 'route';
    const body = bytes !== null && isRoute ? parseJson(bytes) : undefined;
    const responseText = bytes === null || isRoute ? null : new TextDecoder().decode(bytes);
    const response = this.#hasEnvelope() ? readEnvelope(body) : { status, responseBody: body };
    const outcome = this.#createOutcome(response, responseText);
    const write = this.#begunWrite;
    if (isRoute || !this.#writes.isAlone(write)) return this.#invalidate(outcome, write, true);
    const form = findWrittenForm(this.#write.resolved.target.path, outcome, this.#documentTags.resources);
    if (form === null) return this.#invalidate(outcome, write, true);
    return this.#readItem(form).then((written) => this.#invalidate({ ...outcome, written }, write, true));
  }

  /**
   * Reads a post at the site, if nothing says what it was before, and so many responses show it that all of them would cost the site more.
   * The write waits for it, but not long.
   */
  #readUnknownItem(): void {
    const { readRoute, resolved, snapshot } = this.#write;
    const { resources, toStoredTag } = this.#documentTags;
    const location = resolved.kind === 'route' ? resources.locateKnown(resolved.target.route) : null;
    const { collectionPath = '', itemPath = null, kind, path = '' } = location ?? {};
    if (itemPath !== path || (kind !== 'posts' && kind !== 'media')) return;
    const shownBy = toStoredTag(tagNames.post(path.slice(collectionPath.length + 1)));
    const shown = this.#writes.cache.store.inspector?.countTag(shownBy) ?? 0;
    if (shown < MIN_SHOWN || this.#writes.itemStates.mayKnow(toStoredTag(path))) return;
    const read = readRoute(snapshot, path, AbortSignal.timeout(MAX_READ_DURATION))
      .catch(() => undefined)
      .then((item) => {
        this.#readMeanwhile = isJsonObject(item) ? item : null;
      });
    this.#reading = endsWithin(MAX_DELAY, read, this.#writes.cache.clock);
  }

  /** What the item of the write was before it. Each update of a post sets its date, so the site has sent it before if that differs. */
  #getReadBefore(responseBody: Json | undefined): ItemState | null {
    const [before, after] = [this.#readMeanwhile, responseBody];
    if (before === null || !isJsonObject(after) || !this.#writes.isAlone(this.#begunWrite)) return null;
    const isBefore = before['id'] === after['id'] && before['modified_gmt'] !== after['modified_gmt'];
    return isBefore && typeof after['modified_gmt'] === 'string' ? readItemState(before) : null;
  }

  /** Reads what a form has written: what differs from before is what was written. The purge of the write waits for it. */
  async #readItem(form: WrittenForm): Promise<NonNullable<WriteOutcome['written']> | null> {
    const { readRoute, snapshot } = this.#write;
    const signal = AbortSignal.timeout(MAX_READ_DURATION);
    const item = await readRoute(snapshot, form.location.path, signal).catch(() => undefined);
    return isJsonObject(item) ? { form, item } : null;
  }

  /** @param isEnded whether the exchange is over. A site that has not responded may still be running the write */
  #invalidate(outcome: WriteOutcome, write: BegunWrite, isEnded = false): void | Promise<void> {
    const documentTags = this.#documentTags;
    const { requestId, resolved, snapshot } = this.#write;
    const { origin } = snapshot;
    const delays = this.#findLaterDelays(outcome.status);
    const decided = this.#decide(outcome);
    // What such a write leaves unchanged does not show in what is fetched before the last purge, so nothing is learned of it.
    const writes = delays.length === 0 ? decided : decided.map((write) => ({ ...write, kind: null }));
    const target = origin + resolved.upstreamTarget;
    // Without response the request may have succeeded.
    const response = { status: outcome.status ?? 200, headers: outcome.headers ?? [] };
    const uris = getInvalidatedUris(this.#method, target, response);
    const addresses = uris.map((uri) => createAddressKey(uri.slice(origin.length)));
    const isFailed = this.#head === null || GATEWAY_ERRORS.has(this.#head.status);
    const decideAgain = this.#usesBefore ? () => this.#decide(outcome) : undefined;
    const purge = this.#writes.purgeAfterWrite(
      documentTags,
      writes,
      addresses,
      write,
      isFailed,
      requestId,
      decideAgain,
    );
    if (isEnded && writes.length > 0) {
      const repeated = { documentTags, writes, addresses };
      this.#writes.repeatLater(() => repeated, delays);
    }
    let isKnownAfter = false;
    for (const { written } of writes) isKnownAfter ||= written !== undefined;
    if (!isKnownAfter) return purge;
    const { cache, itemStates } = this.#writes;
    // The purge itself may be of this millisecond.
    const afterPurge = cache.clock.now() + 1;
    return whenResolved<void>(purge, () => {
      // Another process may have purged since this one knows that all have the purge.
      const since = purge === undefined ? afterPurge : Math.min(afterPurge, cache.clock.now());
      for (const { written } of writes) {
        // Another write may have changed it since the site sent it.
        if (written !== undefined && this.#writes.isAlone(write))
          itemStates.setAfter(documentTags.toStoredTag(written.itemPath), written.readAfter(), since);
      }
    });
  }

  /** Returns the milliseconds after which the purge is repeated; empty if the site has done all of the work. */
  #findLaterDelays(status: number | null): readonly number[] {
    // Its own server has given up waiting.
    if (status === null || status === 502 || status === 504) return UNFINISHED_DELAYS;
    const { resolved } = this.#write;
    const address =
      resolved.kind === 'route' ? toTagPath(resolved.target.route) : toPlainPath(resolved.target.path);
    return findLaterWork(address, () => this.#collectFields(this.#parseBody?.() ?? NO_BODY_PARAMETERS));
  }

  /** Decides what was written: nothing if no handler ran. */
  #decide(outcome: WriteOutcome): readonly InvalidatingWrite[] {
    const { resolved, snapshot } = this.#write;
    // A shared store may have responses of the site, stored by a gateway that has a document or before this one started.
    if (snapshot.isProvisional)
      return [createUnknownWrite(this.#method, resolved.upstreamTarget, [EVERYTHING])];
    if (!snapshot.isDiscovered) return [];
    const { isCautious } = this.#writes;
    const getBefore = (itemPath: string): ItemState | null => {
      const known = this.#writes.getBefore(this.#documentTags.toStoredTag(itemPath), this.#begunWrite);
      const before = known ?? this.#getReadBefore(outcome.responseBody);
      this.#usesBefore ||= before !== null;
      return before;
    };
    const site = { resources: this.#documentTags.resources, isCautious, getBefore, hasOnlyCoreArguments };
    const found = resolved.kind === 'route' && resolved.match.kind === 'found' ? resolved.match : null;
    const operation = { namespace: found?.route.namespace, template: found?.operation.path };
    const writes =
      resolved.kind === 'route'
        ? listRouteWrites({ ...resolved.target, ...operation }, outcome, site)
        : listPageWrites({ ...resolved, ...resolved.target, method: this.#method }, outcome, site);
    return isCautious ? writes.map(widen) : writes;
  }

  #createOutcome(
    response: Pick<WriteOutcome, 'status' | 'responseBody'>,
    responseText: string | null,
  ): WriteOutcome {
    const { bypassRules, head, resolved } = this.#write;
    const fields = bypassRules.listIdentifyingFields(head.headers);
    const isAnonymous = fields.length === 0 && bypassRules.checkQuery(resolved.target.query) === null;
    return {
      ...response,
      isAnonymous,
      hasUnknownIdentity: !isAnonymous && !fields.some((name) => CREDENTIAL_FIELDS.has(name)),
      headers: this.#head?.headers ?? [],
      sentParameters: this.#parseBody === null ? null : this.#collectFields(this.#parseBody()),
      hasUnreadBody: this.#hasUnreadBody,
      responseText,
    };
  }

  /** Whether the response may be in an envelope: a query of unknown content may ask for one (`isset( $_GET['_envelope'] )`). */
  #hasEnvelope(): boolean {
    const { kind, target } = this.#write.resolved;
    return kind === 'route' && (parseQueryParameters(target.query)?.has('_envelope') ?? true);
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

/** Fields that identify the client to WordPress. */
const CREDENTIAL_FIELDS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-wp-nonce']);

/** Reads the response within an envelope (`_envelope`), whose own status is always 200. */
function readEnvelope(envelope: Json | undefined): Pick<WriteOutcome, 'status' | 'responseBody'> {
  const { body, status } = isJsonObject(envelope) ? envelope : {};
  return { status: typeof status === 'number' ? status : null, responseBody: body };
}
