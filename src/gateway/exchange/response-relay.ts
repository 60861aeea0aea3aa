import type { CacheStatus } from '../../base/http/cache-status.ts';
import {
  type Dispatch,
  type Exchange,
  GuardedSink,
  NOT_SENT_KINDS,
  NULL_BODY_STATUSES,
  type RequestHead,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
  type UpstreamRequest,
  withFailure,
} from '../../base/http/exchange.ts';
import { firstFieldValue, parseContentLength } from '../../base/http/fields.ts';
import type { Clock } from '../../base/ports.ts';
import { formatDuration, formatNumber } from '../../base/text.ts';
import {
  type KnownAddress,
  outcomeOfFailure,
  outcomeOfHead,
  type SiteCircuits,
  type SiteOutcome,
} from '../upstream/site-circuits.ts';
import { type SiteConcurrency, Slot, type SlotHolder } from '../upstream/site-concurrency.ts';
import { hasWords, ResponseWords } from './response-words.ts';

export interface ResponseObserver {
  /** Keeps the exchange running after the client has left. @default false */
  readonly outlivesClient?: boolean;
  head(head: ResponseHead): void;
  write?(chunk: Uint8Array): void;
  /** The client gets the last byte once the promise settles. */
  end?(): void | Promise<void>;
  clientGone?(): void;
  /** The exchange failed before the response's end, also because the client left (`client-gone`). */
  fail?(failure: UpstreamFailure): void;
}

export interface RelayedHead {
  readonly headers: string[];
  readonly siteFields?: readonly string[];
}

export interface RelayedRequest {
  readonly client: string;
  readonly head: Pick<RequestHead, 'method'>;
  readonly memo: KnownAddress;
  readonly site: {
    readonly circuits: SiteCircuits | null;
    readonly concurrency: SiteConcurrency;
    readonly settings: { readonly clock: Clock };
  };
  readonly forwarded: { toRelayedHead(head: ResponseHead): RelayedHead };
  /** The head can name the subsite that has responded. */
  noteHead(head: ResponseHead): void;
  /** @param head `null` without a response @param milliseconds to it, or to the failure */
  recordUpstream(head: ResponseHead | null, milliseconds: number): void;
  /** @param progress how far a response came that has begun */
  recordUpstreamFailure(failure: UpstreamFailure, progress: string): void;
  /** @param words of a failed response of the site */
  recordSiteWords(status: number, words: string): void;
  describe(): string;
}

/** The end, and the last chunk if the length is known, wait for observers' `end`, so that a write's client reads nothing stale. */
export class ResponseRelay implements ResponseSink, Exchange, SlotHolder {
  readonly #request: RelayedRequest;
  readonly #observers: readonly ResponseObserver[];
  readonly #bypassStatus: CacheStatus | undefined;
  readonly #sink: ResponseSink;
  readonly #clock: Clock;
  #circuits: SiteCircuits | null = null;
  #upstream: Exchange | undefined;
  #slot: Slot | undefined;
  #unsent: readonly [Dispatch, UpstreamRequest] | undefined;
  #started = 0;
  #isTimed = false;
  /** Still to come, if the head states the length. */
  #remainingBytes = Number.POSITIVE_INFINITY;
  /** Head, until a chunk is relayed; without known length, until what has arrived with it was read. */
  #withheldHead: ResponseHead | undefined;
  readonly #withheldChunks: Uint8Array[] = [];
  #isEnded = false;
  #isClientGone = false;
  #isAborted = false;
  #siteHead: ResponseHead | undefined;
  #words: ResponseWords | undefined;
  #receivedBytes = 0;
  #areObserversDone = false;

  constructor(
    request: RelayedRequest,
    observers: readonly ResponseObserver[],
    bypassStatus: CacheStatus | undefined,
    sink: ResponseSink,
  ) {
    this.#request = request;
    this.#observers = observers;
    this.#bypassStatus = bypassStatus;
    this.#sink = new GuardedSink(sink);
    this.#clock = request.site.settings.clock;
  }

  /** @param mayWait false for immediate refusal if the site works on too many requests */
  start(mayWait: boolean, dispatch: Dispatch, request: UpstreamRequest): void {
    const { memo, site } = this.#request;
    const { circuits, concurrency } = site;
    const retryIn = circuits?.admit(memo, this.#clock.now()) ?? 0;
    if (retryIn > 0) {
      this.fail({ kind: 'circuit-open', retryAfter: Math.ceil(retryIn / 1000) });
      return;
    }
    this.#circuits = circuits;
    this.#slot = new Slot(concurrency, this);
    this.#unsent = [dispatch, request];
    try {
      if (concurrency.enter(this.#slot, this.#request.client, mayWait)) this.send();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  send(): void {
    if (this.#unsent === undefined) return;
    const [dispatch, request] = this.#unsent;
    const { body } = request;
    this.#unsent = undefined;
    this.#started = this.#clock.now();
    const streams = body !== null && !(body instanceof Uint8Array);
    if (streams && this.#slot !== undefined) this.#slot.streamsSince = this.#started;
    try {
      this.#upstream = dispatch(request, new GuardedSink(this, this.#crash));
      // The sink can be called before the exchange is known.
      if (this.#isAborted) this.#upstream.abort();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  describe(): { readonly name: string; readonly since: number } {
    return { name: this.#request.describe(), since: this.#started };
  }

  refuse(retryAfter: number): void {
    this.fail({ kind: 'overloaded', retryAfter });
  }

  head(head: ResponseHead): void {
    const now = this.#clock.now();
    // Once for each address.
    if (!this.#request.memo.wasGood) this.#request.noteHead(head);
    this.#reportOutcome(outcomeOfHead(head, this.#bypassStatus === undefined));
    if (this.#slot?.streamsSince === Number.POSITIVE_INFINITY) this.#slot.streamsSince = now;
    this.#recordTime(head, now);
    for (const observer of this.#observers) observer.head(head);
    this.#siteHead = head;
    if (head.status >= 400 && hasWords(head)) this.#words = new ResponseWords(head);
    if (this.#isClientGone) {
      if (isEventStream(head)) this.abort();
      return;
    }
    const { headers, siteFields } = this.#request.forwarded.toRelayedHead(head);
    const plain = { status: head.status, reason: head.reason, headers };
    const cacheStatus = this.#bypassStatus;
    const known = cacheStatus === undefined ? plain : { ...plain, cacheStatus };
    const relayed = siteFields === undefined ? known : { ...known, siteFields };
    const hasNoBody = NULL_BODY_STATUSES.has(head.status) || this.#request.head.method === 'HEAD';
    const length = hasNoBody ? 0 : parseContentLength(headers);
    this.#withheldHead = relayed;
    if (length !== undefined) this.#remainingBytes = length;
    // Chunks that arrive in the same read of the socket are passed on before a microtask runs.
    else
      queueMicrotask(() => {
        if (!this.#isEnded && !this.#isClientGone && !this.#areObserversDone) this.#relayWithheld();
      });
  }

  write(chunk: Uint8Array): boolean {
    for (const observer of this.#observers) observer.write?.(chunk);
    this.#words?.add(chunk);
    this.#receivedBytes += chunk.byteLength;
    if (this.#isClientGone || chunk.byteLength === 0) return true;
    this.#remainingBytes -= chunk.byteLength;
    const isFirstOfUnknown =
      this.#remainingBytes === Number.POSITIVE_INFINITY &&
      this.#withheldHead !== undefined &&
      this.#withheldChunks.length === 0;
    if (this.#remainingBytes <= 0 || isFirstOfUnknown) {
      this.#withheldChunks.push(chunk);
      return true;
    }
    this.#relayWithheld();
    const hasCapacity = this.#sink.write(chunk);
    // From now on the client sets the pace, not the site.
    if (!hasCapacity) this.#slot?.release();
    return hasCapacity;
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.write(body);
    this.end();
  }

  end(): void {
    this.#slot?.release();
    if (this.#words !== undefined) this.#recordWords();
    const pending: Promise<void>[] = [];
    for (const observer of this.#observers) {
      const ending = observer.end?.();
      if (ending !== undefined) pending.push(ending);
    }
    // If one throws, all are told that the exchange failed.
    this.#areObserversDone = true;
    if (pending.length === 0) this.#finish();
    else void Promise.allSettled(pending).then(() => this.#finish());
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#isClientGone) return;
    const [body] = this.#withheldChunks;
    const isWhole = body !== undefined && this.#withheldChunks.length === 1;
    if (this.#withheldHead !== undefined && isWhole) {
      this.#sink.complete(this.#withheldHead, body);
      return;
    }
    this.#relayWithheld();
    this.#sink.end();
  }

  #relayWithheld(): void {
    if (this.#withheldHead !== undefined) this.#sink.head(this.#withheldHead);
    this.#withheldHead = undefined;
    for (const chunk of this.#withheldChunks.splice(0)) this.#sink.write(chunk);
  }

  fail(failure: UpstreamFailure): void {
    this.#slot?.release();
    this.#reportOutcome(outcomeOfFailure(failure));
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (!NOT_SENT_KINDS.has(failure.kind)) {
      this.#recordTime(null, this.#clock.now());
      this.#recordWords();
      this.#request.recordUpstreamFailure(failure, this.#describeProgress());
    }
    const told = this.#failObservers(failure);
    if (this.#isClientGone) return;
    const status = this.#bypassStatus;
    this.#sink.fail(status === undefined ? told : { ...told, cacheStatus: withFailure(status, told.kind) });
  }

  #recordWords(): void {
    if (this.#words === undefined || this.#siteHead === undefined) return;
    this.#request.recordSiteWords(this.#siteHead.status, this.#words.toString());
    this.#words = undefined;
  }

  #describeProgress(): string {
    if (this.#siteHead === undefined) return '';
    const length = parseContentLength(this.#siteHead.headers);
    const of = length === undefined ? '' : ` of ${formatNumber(length)}`;
    const after = formatDuration(this.#clock.now() - this.#started);
    return `its body stopped after ${formatNumber(this.#receivedBytes)}${of} bytes and ${after}`;
  }

  readonly #crash = (cause: unknown): void => {
    this.#isEnded = true;
    this.#slot?.release();
    this.#reportOutcome('none');
    this.#abortUpstream();
    const failure: UpstreamFailure = { kind: 'internal', cause };
    if (!this.#isClientGone) this.#sink.fail(failure);
    this.#failObservers(failure);
  };

  resume(): void {
    this.#upstream?.resume();
  }

  abort(): void {
    if (this.#slot?.isWaiting === true) {
      this.#slot.release();
      this.#isEnded = true;
      // Observers must know that nothing was sent: a write has changed nothing.
      this.#failObservers({ kind: 'overloaded' });
      this.#reportOutcome('none');
      return;
    }
    // An event stream can have no end, and is of no use to others.
    const isObserved =
      !isEventStream(this.#siteHead) && this.#observers.some(({ outlivesClient }) => outlivesClient === true);
    if (!this.#isEnded && !this.#areObserversDone && isObserved) {
      this.#isClientGone = true;
      for (const observer of this.#observers) observer.clientGone?.();
      // The client has paused the exchange, and will not resume it.
      this.#upstream?.resume();
      return;
    }
    this.#isEnded = true;
    this.#failObservers({ kind: 'client-gone' });
    this.#reportOutcome('none');
    this.#slot?.release();
    this.#abortUpstream();
  }

  #abortUpstream(): void {
    this.#isAborted = true;
    this.#upstream?.abort();
  }

  #reportOutcome(outcome: SiteOutcome): void {
    this.#circuits?.record(this.#request.memo, outcome, this.#clock.now());
    this.#circuits = null;
  }

  #recordTime(head: ResponseHead | null, now: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#request.recordUpstream(head, Math.max(0, now - this.#started));
  }

  /** @returns the failure, or the first error of an observer, which keeps no other from its end */
  #failObservers(failure: UpstreamFailure): UpstreamFailure {
    if (this.#areObserversDone) return failure;
    this.#areObserversDone = true;
    let told = failure;
    for (const observer of this.#observers) {
      try {
        observer.fail?.(failure);
      } catch (cause) {
        if (told === failure) told = { kind: 'internal', cause };
      }
    }
    return told;
  }
}

function isEventStream(head: ResponseHead | undefined): boolean {
  return /^text\/event-stream\b/i.test(firstFieldValue(head?.headers ?? [], 'content-type') ?? '');
}
