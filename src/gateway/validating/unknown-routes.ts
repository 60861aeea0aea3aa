import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import { noRouteError } from '../../validation/request/result.ts';
import {
  type HeadDecision,
  type IncomingRequest,
  isEnvelopeRequested,
  type RequestValidation,
  toInvalidRequestProblem,
} from './incoming-request.ts';
import { OriginVerdictObserver } from './origin-verdict-observer.ts';

/**
 * Rejects requests to routes that the document does not declare, once the origin has shown that they do not exist.
 *
 * An index can hide routes (`show_in_index`), so a route that it omits may exist. Requests to a namespace are therefore
 * forwarded until the origin has responded `rest_no_route` often enough, and again at intervals after that. A namespace
 * with one hidden route may have more, so none of its routes is rejected any more.
 */
export interface UnknownRouteRejection {
  createRequestValidation(request: IncomingRequest): RequestValidation;
}

/** One in this many rejections is forwarded instead, so that a route that was added later is found. */
const RETEST_INTERVAL = 20;
/** Clients choose the routes that they request, so the number of namespaces with evidence is limited. */
const MAX_NAMESPACES = 500;

interface NamespaceEvidence {
  /** Number of requests to which the origin responded `rest_no_route`. */
  agreed: number;
  hasHiddenRoute: boolean;
  refused: number;
}

/** Dependencies of {@link createUnknownRouteRejection}. */
export interface UnknownRouteOptions {
  /** Removes the content coding of the origin's responses. */
  readonly decode: ContentDecoder;
  /** Called with the first hidden route of a namespace. */
  onHiddenRoute(route: string): void;
}

/** @param requiredAgreement how many `rest_no_route` responses are required before routes of a namespace are rejected */
export function createUnknownRouteRejection(
  requiredAgreement: number,
  { decode, onHiddenRoute }: UnknownRouteOptions,
): UnknownRouteRejection {
  const byNamespace = new Map<string, NamespaceEvidence>();

  function getEvidence(route: string): NamespaceEvidence | null {
    const namespace = guessNamespace(route);
    const known = byNamespace.get(namespace);
    if (known !== undefined || byNamespace.size >= MAX_NAMESPACES) return known ?? null;
    const created = { agreed: 0, hasHiddenRoute: false, refused: 0 };
    byNamespace.set(namespace, created);
    return created;
  }

  function countAndCheckRejection(evidence: NamespaceEvidence): boolean {
    if (evidence.hasHiddenRoute || evidence.agreed < requiredAgreement) return false;
    evidence.refused += 1;
    return evidence.refused % RETEST_INTERVAL !== 0;
  }

  return {
    createRequestValidation(request) {
      const { route } = request.resolved.target;
      const evidence = getEvidence(route);
      const isRejected = evidence !== null && countAndCheckRejection(evidence);
      return new UnknownRouteValidation(request, { isRejected, decode }, (verdict) => {
        if (evidence === null || verdict.kind === 'undecided') return;
        if (verdict.kind === 'refused' && verdict.stage === 'rest_no_route') {
          evidence.agreed += 1;
        } else if (!evidence.hasHiddenRoute) {
          evidence.hasHiddenRoute = true;
          onHiddenRoute(route);
        }
      });
    },
  };
}

/** Returns the first two segments of a route, which are the namespace in most plugins. */
export function guessNamespace(route: string): string {
  return route.toLowerCase().split('/', 3).slice(1).join('/');
}

class UnknownRouteValidation implements RequestValidation {
  readonly #request: IncomingRequest;
  readonly #isRejected: boolean;
  readonly #verdictObserver: OriginVerdictObserver;

  constructor(
    request: IncomingRequest,
    { decode, isRejected }: { readonly isRejected: boolean; readonly decode: ContentDecoder },
    onVerdict: (verdict: OriginVerdict) => void,
  ) {
    this.#request = request;
    this.#isRejected = isRejected;
    this.#verdictObserver = new OriginVerdictObserver(isEnvelopeRequested(request), decode, onVerdict);
  }

  validateHead(): HeadDecision {
    if (!this.#isRejected) return { kind: 'passes' };
    return { kind: 'refused', problem: toInvalidRequestProblem(this.#request, noRouteError()) };
  }

  head(head: ResponseHead): void {
    this.#verdictObserver.head(head);
  }

  write(chunk: Uint8Array): void {
    this.#verdictObserver.write(chunk);
  }

  end(): void {
    this.#verdictObserver.end();
  }

  fail(): void {
    this.#verdictObserver.fail();
  }
}
