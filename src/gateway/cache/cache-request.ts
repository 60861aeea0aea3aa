import type { Exchange, ForwardReason, ResponseHead, ResponseSink } from '../../base/http/message.ts';
import type { OriginRequest, StoragePolicy } from './policy/storability.ts';
import type { StoredResponse } from './store.ts';

export interface CacheRequest extends OriginRequest {
  /** Cache key: the same for all spellings of a resource's address (`wordpress/cache-key.ts`). */
  readonly key: string;
  readonly headers: readonly string[];
  readonly policy: EntryPolicy;
  /** Removes from a head what need not prevent storing. Called once. */
  prepareHead?(head: ResponseHead): ResponseHead;
  /** Whether the origin lacked a client's field, by lower-case name. @default false */
  withholds?(names: readonly string[]): boolean;
}

export interface EntryPolicy extends StoragePolicy {
  readonly storeScope: string;
  /** The target as the origin gets it; other spellings have the same key. @default there are no others */
  readonly spelling?: string;
  getTags(head: ResponseHead, body: Uint8Array): readonly string[];
  /** Whether the origin's validators change with its responses. @default true */
  trustsValidators?(stored: StoredResponse): boolean;
  findUnshareableReason(head: ResponseHead): string | null;
  readonly findUnshareableBodyReason?: ((head: ResponseHead, body: Uint8Array) => string | null) | undefined;
  /** Whether a response with a good status is an unstorable error. */
  isBroken?(head: ResponseHead, body: Uint8Array): boolean;
  /** Whether stored responses without an entity tag get one. @default false */
  readonly addsEntityTag?: boolean;
  /** Whether requests for everyone lack what describes the client (see `Upstream.pass`). @default false */
  readonly hidesClient?: boolean;
  /** Called for each passed response that could not be everyone's. @returns `detail` of `Cache-Status` */
  countPassed?(reason: string, isHitForPass: boolean): string;
  /** Whether stored responses get `Surrogate-Key` and `Cache-Tag`; the client waits for the body. */
  readonly addsSurrogateKeys?: boolean;
}

export interface FetchOptions {
  /** Fields that replace the client's conditions. `null`: the request is forwarded unchanged. */
  readonly revalidationConditions: readonly string[] | null;
  /** In lower case: fields by which stored responses of the key vary. */
  readonly vary: readonly string[];
  readonly isBackground: boolean;
}

export interface Upstream<Request extends CacheRequest = CacheRequest> {
  /** Can be called several times for one request, even after the client has gone. */
  fetch(request: Request, options: FetchOptions, sink: ResponseSink): Exchange;
  pass(request: Request, sink: ResponseSink): Exchange;
  /** Whether its responses are no longer those of the origin, e.g. after a reload. @default false */
  isOutdated?(request: Request): boolean;
}

export interface LookupExplanation {
  /** Newest first. */
  readonly responses: readonly StoredResponse[];
  readonly selected: StoredResponse | undefined;
  /** RFC 9211 §2.2; `undefined` if the store would serve the request. */
  readonly forwardReason: ForwardReason | undefined;
  readonly forwardDetail: string | undefined;
}
