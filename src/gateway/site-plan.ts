import { varyByOrigin } from '../cache/wordpress/answers.ts';
import type { ResponseHead, Timeouts, UpstreamFailure } from '../http/exchange.ts';
import { answerHeaders } from '../upstream/answer.ts';
import { FAILURES } from '../upstream/failures.ts';
import { isPassedOn, type RequestFields } from '../upstream/headers.ts';
import { bodyRewriter } from '../upstream/rewrite.ts';
import type { Guard } from '../upstream/through-breaker.ts';
import type { SiteCaching } from './caching/caching.ts';
import type { Prepared, SentRequest } from './caching/prepared.ts';
import type { BodyInspection } from './inspection.ts';
import type { AnswerObserver, OutgoingHead, ProxyPlan, RequestFacts, RequestHead } from './plan.ts';
import type { Problem } from './problem.ts';
import type { PageReading, RouteReading } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

/** What all plans of a site have in common. */
export interface SitePlanOptions {
  readonly mount: string;
  readonly rewriteBodies: boolean;
  readonly timeouts: Timeouts;
  /** What answers in the site's place; `null` where all is asked of the site. */
  readonly caching: SiteCaching | null;
  /** Keeps a site that fails from being asked; `null` where nothing does. */
  readonly guard: Guard | null;
}

/** What a plan is made from. */
interface PlanParts {
  readonly snapshot: Snapshot;
  readonly reading: RouteReading | PageReading;
  readonly head: RequestHead;
  readonly fields: RequestFields;
  readonly hasBody: boolean;
  /** `null` where the store has no part in it. */
  readonly prepared: Prepared | null;
  /** The caller in them is the peer. */
  readonly facts: RequestFacts;
  readonly judging: AnswerObserver | null;
  readonly sample: AnswerObserver | null;
  readonly write: AnswerObserver | null;
  readonly inspection: BodyInspection | undefined;
  readonly publicBase: string;
}

/** What is for the site alone is made when it is asked: mostly the store answers. */
export class SitePlan implements ProxyPlan {
  readonly kind = 'proxy';
  readonly request: SiteRequest;
  readonly cached: ProxyPlan['cached'];
  readonly facts: RequestFacts;
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

  get observers(): readonly AnswerObserver[] {
    const { judging, sample, write } = this.#parts;
    return [judging, sample, write].filter((observer) => observer !== null);
  }

  get guard(): Guard | undefined {
    return this.#options.guard ?? undefined;
  }

  answer(answered: ResponseHead): OutgoingHead {
    const { prepared, publicBase, snapshot } = this.#parts;
    const { bases } = snapshot;
    const { headers, rewriteBody } = answerHeaders(answered, {
      bases,
      publicBase,
      bodies: this.#options.rewriteBodies,
    });
    if (prepared?.parts.isRoute === true) varyByOrigin(headers);
    return rewriteBody ? { headers, rewrite: bodyRewriter(bases, publicBase) } : { headers };
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

  get repeatable(): boolean {
    const { reading } = this.#parts;
    const effective = reading.kind === 'route' ? reading.target.method : this.method;
    return !this.hasBody && SAFE.has(effective) && SAFE.has(this.method);
  }

  get headers(): string[] {
    this.#headers ??= this.#make();
    return this.#headers;
  }

  passesOn(names: readonly string[]): boolean {
    return !this.#parts.fields.namesFields && names.every(isPassedOn);
  }

  #make(): string[] {
    const { facts, fields, prepared, snapshot } = this.#parts;
    const { mount, rewriteBodies } = this.#options;
    const identity = rewriteBodies || prepared?.parts.isRoute === true;
    const headers = fields.toSite({ host: snapshot.host, mount, identity }, facts.requestId);
    return prepared?.sent(headers) ?? headers;
  }
}

function problemOf({ kind, retryAfter }: UpstreamFailure): Problem {
  if (retryAfter === undefined) return FAILURES[kind];
  return { ...FAILURES[kind], headers: { 'retry-after': String(retryAfter) } };
}
