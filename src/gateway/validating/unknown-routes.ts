import type { ContentDecoder } from '../../http/content-decoding.ts';
import { noRouteError } from '../../validation/request/result.ts';
import {
  type HeadDecision,
  type IncomingRequest,
  isEnvelopeRequested,
  OriginVerdictObserver,
  type RequestValidation,
  toInvalidRequestProblem,
} from './request-validation.ts';

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

/**
 * Rejects requests to routes that the document does not declare, once the origin has shown that they do not exist.
 *
 * An index can hide routes (`show_in_index`), so a route that it omits may exist. Requests to a namespace are therefore
 * forwarded until the origin has responded `rest_no_route` often enough, and again at intervals after that. A namespace
 * with one hidden route may have more, so none of its routes is rejected any more.
 */
export class UnknownRouteRejection {
  readonly #requiredAgreement: number;
  readonly #decode: ContentDecoder;
  readonly #onHiddenRoute: (route: string) => void;
  readonly #byNamespace = new Map<string, NamespaceEvidence>();

  /**
   * @param requiredAgreement how many `rest_no_route` responses are required before routes of a namespace are rejected
   * @param decode removes the content coding of the origin's responses
   * @param onHiddenRoute called with the first hidden route of a namespace
   */
  constructor(requiredAgreement: number, decode: ContentDecoder, onHiddenRoute: (route: string) => void) {
    this.#requiredAgreement = requiredAgreement;
    this.#decode = decode;
    this.#onHiddenRoute = onHiddenRoute;
  }

  createRequestValidation(request: IncomingRequest): RequestValidation {
    const { route } = request.resolved.target;
    const evidence = this.#getEvidence(route);
    const isRejected = evidence !== null && this.#countAndCheckRejection(evidence);
    const observer = new OriginVerdictObserver(isEnvelopeRequested(request), this.#decode, (verdict) => {
      if (evidence === null || verdict.kind === 'undecided') return;
      if (verdict.kind === 'refused' && verdict.stage === 'rest_no_route') {
        evidence.agreed += 1;
      } else if (!evidence.hasHiddenRoute) {
        evidence.hasHiddenRoute = true;
        this.#onHiddenRoute(route);
      }
    });
    return Object.assign(observer, {
      validateHead: (): HeadDecision =>
        isRejected
          ? { kind: 'refused', problem: toInvalidRequestProblem(request, noRouteError()) }
          : { kind: 'passes' },
    });
  }

  #getEvidence(route: string): NamespaceEvidence | null {
    const namespace = guessNamespace(route);
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined || this.#byNamespace.size >= MAX_NAMESPACES) return known ?? null;
    const created = { agreed: 0, hasHiddenRoute: false, refused: 0 };
    this.#byNamespace.set(namespace, created);
    return created;
  }

  #countAndCheckRejection(evidence: NamespaceEvidence): boolean {
    if (evidence.hasHiddenRoute || evidence.agreed < this.#requiredAgreement) return false;
    evidence.refused += 1;
    return evidence.refused % RETEST_INTERVAL !== 0;
  }
}

/** Returns the first two segments of a route, which are the namespace in most plugins. */
export function guessNamespace(route: string): string {
  return route.toLowerCase().split('/', 3).slice(1).join('/');
}
