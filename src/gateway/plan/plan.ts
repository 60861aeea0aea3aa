import type { CacheRequest, HttpCache } from '../../cache/cache.ts';
import type { ResponseHead, Timeouts, UpstreamFailure } from '../../http/exchange.ts';
import type { SendGuard } from '../../upstream/circuit-breaker-guard.ts';
import type { BodyRewriter } from '../../upstream/rewrite-body.ts';
import type { BodyInspection } from './body-inspection.ts';
import type { Problem } from './problem.ts';

/** What becomes of a request, decided from its head alone. Making a plan touches nothing; carrying it out does. */
export type Plan = LocalPlan | ForwardPlan;

/** The gateway answers itself. */
export interface LocalPlan {
  readonly kind: 'answer';
  /** @param request what was asked, with its body, which may be read once */
  readonly respond: (request: Request) => Response | Promise<Response>;
  readonly facts: RequestAttributes;
}

/** The site is asked, and its answer passed on. Whoever writes it to the caller adds the request's id. */
export interface ForwardPlan {
  readonly kind: 'proxy';
  /** Scheme, host and port to ask: one transport each. */
  readonly origin: string;
  readonly timeouts: Timeouts;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: string[];
    readonly retryable: boolean;
    readonly hasBody: boolean;
  };
  /** The header section as it goes out or is stored, and what is done to the body on the way. */
  answer(head: ResponseHead): RelayedHead;
  /** What the caller is told when the site gave no answer. */
  failure(failure: UpstreamFailure): Problem;
  /** Judges the body, where there is one (`hasBody`), before the site has all of it. Absent: it passes unread. */
  readonly inspection?: BodyInspection | undefined;
  /** See the site's own answer as it passes, not one from the store. */
  readonly observers?: readonly ResponseObserver[] | undefined;
  /** The store that may answer instead of the site. Absent: none on this way. */
  readonly cached?: { readonly cache: HttpCache; readonly request: CacheRequest } | undefined;
  /** Keeps the site from being asked while it fails. Absent: nothing does. */
  readonly guard?: SendGuard | undefined;
  readonly facts: RequestAttributes;
}

/** Sees one answer of the site, as the site sent it. Calls come as those of an `AnswerSink`. */
export interface ResponseObserver {
  /** Has to know how it ends: a caller who leaves does not end it then. @default false */
  readonly outlives?: boolean;
  head(head: ResponseHead): void;
  /** See `AnswerSink.write`. */
  write?(chunk: Uint8Array): void;
  /** The answer was whole. The caller does not have the last of it until the promise has settled, however it settles. */
  end?(): void | Promise<void>;
  /** There is no answer, or only a part of one; also where the caller has left (`client-gone`). */
  fail?(failure: UpstreamFailure): void;
}

export interface RelayedHead {
  readonly headers: string[];
  /** Changes the body while it streams; absent where it passes as it is. */
  readonly rewrite?: BodyRewriter;
}

/** What the access log and the metrics say of a request beside its method, target and outcome. */
export interface RequestAttributes {
  readonly requestId: string;
  /** The caller as believed (behind trusted proxies). */
  readonly client: string;
  /** Mount of the site: `/content`; empty for none. */
  readonly mount: string;
  /** The route path as the site sees it, where the request is one to the interface. */
  readonly route: string | null;
  /** `operationId` of the document, where the request is one of its operations. */
  readonly operation: string | null;
}
