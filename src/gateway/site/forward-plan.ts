import { addVaryOrigin } from '../../cache/wordpress/response-sharing.ts';
import type { ResponseHead, Timeouts, UpstreamFailure } from '../../http/exchange.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { SendGuard } from '../../upstream/circuit-breaker-guard.ts';
import { FAILURE_RESPONSES } from '../../upstream/failures.ts';
import { isForwardedUnchanged, type RequestHeaders } from '../../upstream/request-headers.ts';
import { toClientHeaders } from '../../upstream/response-headers.ts';
import { createBodyRewriter } from '../../upstream/rewrite-body.ts';
import type { Prepared, SentRequest } from '../caching/cacheable-resource.ts';
import type { SiteCaching } from '../caching/site-caching.ts';
import type { BodyInspection } from '../plan/body-inspection.ts';
import type { ForwardPlan, RelayedHead, RequestAttributes, ResponseObserver } from '../plan/plan.ts';
import type { Problem } from '../plan/problem.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What all plans of a site have in common. */
export interface SitePlanOptions {
  readonly mount: string;
  readonly rewriteBodies: boolean;
  readonly timeouts: Timeouts;
  /** What answers in the site's place; `null` where all is asked of the site. */
  readonly caching: SiteCaching | null;
  /** Keeps a site that fails from being asked; `null` where nothing does. */
  readonly guard: SendGuard | null;
}

/** What a plan is made from. */
interface PlanParts {
  readonly snapshot: Snapshot;
  readonly reading: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly fields: RequestHeaders;
  readonly hasBody: boolean;
  /** `null` where the store has no part in it. */
  readonly prepared: Prepared | null;
  /** The caller in them is the peer. */
  readonly facts: RequestAttributes;
  readonly judging: ResponseObserver | null;
  readonly sample: ResponseObserver | null;
  readonly write: ResponseObserver | null;
  readonly inspection: BodyInspection | undefined;
  readonly publicBase: string;
}

/** What is for the site alone is made when it is asked: mostly the store answers. */
export class SiteForwardPlan implements ForwardPlan {
  readonly kind = 'proxy';
  readonly request: SiteRequest;
  readonly cached: ForwardPlan['cached'];
  readonly facts: RequestAttributes;
  readonly #options: SitePlanOptions;
  readonly #parts: PlanParts;

  constructor(options: SitePlanOptions, parts: PlanParts) {
    const { facts, fields, head, prepared, publicBase } = parts;
    const { mount, operation, requestId, route } = facts;
    this.#options = options;
    this.#parts = parts;
    this.request = new SiteRequest(options, parts);
    this.cached =
      options.caching === null || prepared === null
        ? undefined
        : { cache: options.caching.cache, request: prepared.request(head, publicBase, this.request) };
    this.facts = { requestId, client: fields.client.address, mount, route, operation };
  }

  get origin(): string {
    return this.#parts.snapshot.origin;
  }

  get timeouts(): Timeouts {
    return this.#options.timeouts;
  }

  get inspection(): BodyInspection | undefined {
    return this.#parts.inspection;
  }

  get observers(): readonly ResponseObserver[] {
    const { judging, sample, write } = this.#parts;
    return [judging, sample, write].filter((observer) => observer !== null);
  }

  get guard(): SendGuard | undefined {
    return this.#options.guard ?? undefined;
  }

  answer(answered: ResponseHead): RelayedHead {
    const { prepared, publicBase, snapshot } = this.#parts;
    const { bases: siteUrls } = snapshot;
    const { headers, rewriteBody } = toClientHeaders(answered, {
      siteUrls,
      publicBase,
      rewriteBodies: this.#options.rewriteBodies,
    });
    if (prepared?.parts.isRoute === true) addVaryOrigin(headers);
    return rewriteBody ? { headers, rewrite: createBodyRewriter(siteUrls, publicBase) } : { headers };
  }

  failure(failure: UpstreamFailure): Problem {
    return problemOf(failure);
  }
}

/** Methods that a site may be sent twice (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request as it goes to the site. */
class SiteRequest implements SentRequest {
  readonly method: string;
  readonly hasBody: boolean;
  readonly #options: SitePlanOptions;
  readonly #parts: PlanParts;
  #headers: string[] | undefined;

  constructor(options: SitePlanOptions, parts: PlanParts) {
    this.method = parts.head.method;
    this.hasBody = parts.hasBody;
    this.#options = options;
    this.#parts = parts;
  }

  get target(): string {
    return this.#parts.prepared?.parts.address ?? this.#parts.reading.address;
  }

  get retryable(): boolean {
    const { reading } = this.#parts;
    const effective = reading.kind === 'route' ? reading.target.method : this.method;
    return !this.hasBody && SAFE.has(effective) && SAFE.has(this.method);
  }

  get headers(): string[] {
    this.#headers ??= this.#make();
    return this.#headers;
  }

  passesOn(names: readonly string[]): boolean {
    return !this.#parts.fields.hasConnectionFields && names.every(isForwardedUnchanged);
  }

  #make(): string[] {
    const { facts, fields, prepared, snapshot } = this.#parts;
    const { mount, rewriteBodies } = this.#options;
    const identityEncoding = rewriteBodies || prepared?.parts.isRoute === true;
    const headers = fields.toUpstream({ host: snapshot.host, mount, identityEncoding }, facts.requestId);
    return prepared?.sent(headers) ?? headers;
  }
}

function problemOf({ kind, retryAfter }: UpstreamFailure): Problem {
  if (retryAfter === undefined) return FAILURE_RESPONSES[kind];
  return { ...FAILURE_RESPONSES[kind], headers: { 'retry-after': String(retryAfter) } };
}
