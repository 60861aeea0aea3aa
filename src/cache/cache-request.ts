import type { CacheStatus, ForwardReason } from '../http/cache-status.ts';
import type { Exchange, ResponseHead, ResponseSink } from '../http/exchange.ts';
import type { OriginRequest, StoragePolicy } from './policy/storability.ts';
import type { StoredResponse } from './store.ts';

/** A request that the cache can serve. It has no credentials: requests with credentials never reach the cache. */
export interface CacheRequest extends OriginRequest {
  /** Cache key: the same for all requests for a resource, however they are written (`wordpress/cache-key.ts`). */
  readonly key: string;
  /** Flat list name, value, as the client sent it: with conditions, range, cache directives and accepted codings. */
  readonly headers: readonly string[];
  readonly policy: EntryPolicy;
  /** Derives the names by which a complete response can be purged. */
  getTags(head: ResponseHead, body: Uint8Array): readonly string[];
  /**
   * Whether the origin's validators are known to change with a response. Otherwise it is requested whole. Optional: they are
   * believed.
   */
  trustsValidators?(stored: StoredResponse): boolean;
  /** Whether the request to the origin lacked one of these fields, in lower case, or changed it. Optional: none. */
  withholds?(names: readonly string[]): boolean;
}

/** How the responses of a resource are stored and shared. None of it depends on the client. */
export interface EntryPolicy extends StoragePolicy {
  /** Separates the keys of one site from those of others in the store. */
  readonly storeScope: string;
  /** Takes out of the head of a response what need not keep it from the store. Optional; called once, before all else. */
  prepareHead?(head: ResponseHead): ResponseHead;
  /**
   * Finds a reason not to store or share a response, apart from the rules of HTTP. Each collapsed request is then
   * forwarded separately.
   *
   * @returns the reason as the `detail` of `Cache-Status`; `null` if there is none
   */
  findUnshareableReason(head: ResponseHead): string | null;
  /**
   * Finds a reason in the body of a storable response not to store or share it. Optional.
   *
   * @returns the reason as the `detail` of `Cache-Status`; `null` if there is none
   */
  readonly findUnshareableBodyReason?: ((head: ResponseHead, body: Uint8Array) => string | null) | undefined;
  /** Whether a response that claims to be good is broken: it is not stored, and counts as an error of the origin. Optional. */
  isBroken?(head: ResponseHead, body: Uint8Array): boolean;
  /** Whether a stored response gets an entity tag if the origin sends none, so that clients can revalidate it. @default false */
  readonly addsEntityTag?: boolean;
  /**
   * Whether requests for everyone lack what describes the client, so that a response that is not everyone's is one that no client has asked
   * for: it gets the response to its own request (`Upstream.pass`). @default false
   */
  readonly hidesClient?: boolean;
  /**
   * Why requests are passed as their clients sent them (`Upstream.pass`) until a response says that it is everyone's, as the `detail` of
   * `Cache-Status`. Optional: they are asked for everyone.
   */
  readonly unknownDetail?: string | undefined;
  /** Addresses of one kind, such as the pages of a site. Where none of the last ones were everyone's, all are passed. @default none */
  readonly kindOfAddress?: string;
  /** Called once when all addresses of the kind are passed for a while. @param detail why the last response was not everyone's */
  reportPassedKind?(detail: string): void;
  /** Whether stored responses get the fields by which other caches purge them. The client waits for the body. @default false */
  readonly addsSurrogateKeys?: boolean;
}

/** How the cache changes a client's request before it is forwarded. */
export interface FetchOptions {
  /** Flat list of fields that replace the client's conditions and range. `null`: the request is forwarded unchanged. */
  readonly revalidationConditions: readonly string[] | null;
  /**
   * Names, in lower case, of the fields by which stored responses of the key vary. The origin gets those of the client,
   * because their values are part of the key.
   */
  readonly vary: readonly string[];
  /** Whether no client waits for the response. Such a request continues after the client has gone. */
  readonly isBackground: boolean;
}

/**
 * The way to the origin. The sink gets heads that are ready for clients: without hop-by-hop fields and with rewritten
 * addresses. It gets `complete` if the whole response arrived at once.
 */
export interface Upstream<Request extends CacheRequest = CacheRequest> {
  /** Forwards a request. The cache can call it several times for one request, even after the client has gone. */
  fetch(request: Request, options: FetchOptions, sink: ResponseSink): Exchange;
  /**
   * Forwards a request as its client sent it. The response is for this client. Optional: {@link fetch} is called.
   *
   * @param passed why; `null` if no response has said that it is everyone's (`EntryPolicy.unknownDetail`)
   */
  pass?(request: Request, passed: PassedReason | null, sink: ResponseSink): Exchange;
}

/** Why a request is passed. */
export interface PassedReason {
  /** Why the last response was not everyone's, as the `detail` of `Cache-Status`. */
  readonly reason: string;
  readonly status: CacheStatus;
}

/** Decision of the cache if a request came at this moment. */
export interface LookupExplanation {
  /** All stored responses of the key, newest first. */
  readonly responses: readonly StoredResponse[];
  readonly selected: StoredResponse | undefined;
  /** Why the request would be forwarded (RFC 9211 §2.2); `undefined` if the store would serve it. */
  readonly forwardReason: ForwardReason | undefined;
  /** The `detail` of `Cache-Status`. */
  readonly forwardDetail: string | undefined;
}
