import { inferNamespace } from '../../cache/wordpress/resource-map.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import { LedgerEntry } from '../../validation/evidence/ledger.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import { noRouteError } from '../../validation/request/result.ts';
import {
  type IncomingRequest,
  isEnvelopeRequested,
  observeVerdict,
  type RequestValidation,
  toInvalidRequestProblem,
} from './request-validation.ts';
import type { BodyObserver } from './response-bodies.ts';

/** Clients choose the routes that they request, so the number of namespaces with evidence is limited. */
const MAX_NAMESPACES = 500;

/**
 * Rejects requests to routes that the document does not declare, once the origin has shown that they do not exist.
 *
 * An index can hide routes (`show_in_index`), so a route that it omits may exist. Requests to a namespace are therefore
 * forwarded until the origin has responded `rest_no_route` often enough, and a sample of them after that. A namespace with one
 * hidden route may have more, so none of its routes is rejected any more. The entries are kept in memory only.
 */
export class UnknownRouteRejection {
  readonly #requiredAgreement: number;
  readonly #decode: ContentDecoder;
  readonly #onHiddenRoute: (route: string) => void;
  readonly #byNamespace = new Map<string, LedgerEntry>();

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
    const entry = this.#getEntry(inferNamespace(route));
    const isEstablished =
      entry?.status === 'confirmed' && entry.counts.traffic.confirmed >= this.#requiredAgreement;
    const isRejected = isEstablished && !entry.countRefusal();
    let body: BodyObserver | null = null;
    return {
      validateHead: () =>
        isRejected
          ? { kind: 'refused', problem: toInvalidRequestProblem(request, noRouteError()) }
          : { kind: 'passes' },
      head: (head) => {
        const isEnveloped = isEnvelopeRequested(request);
        body = observeVerdict(head, isEnveloped, this.#decode, (verdict, { status }) => {
          if (entry !== null && verdict.kind !== 'undecided') this.#learn(entry, route, verdict, status);
        });
      },
      write: (chunk) => body?.write(chunk),
      end: () => body?.end(),
      fail: (failure) => body?.fail(failure),
    };
  }

  #learn(entry: LedgerEntry, route: string, verdict: OriginVerdict, status: number): void {
    const isUnknown = verdict.kind === 'refused' && verdict.stage === 'rest_no_route';
    if (!isUnknown && entry.status !== 'suspended') this.#onHiddenRoute(route);
    const agreement = isUnknown ? 'agreed' : 'disagreed';
    entry.learn({ agreement, isConfirmed: isUnknown }, 'traffic', () => ({ value: '', status }));
  }

  #getEntry(namespace: string): LedgerEntry | null {
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined || this.#byNamespace.size >= MAX_NAMESPACES) return known ?? null;
    const key = { namespace, use: 'read', param: '', fingerprint: '', rule: 'rest_no_route' } as const;
    const created = new LedgerEntry(key);
    this.#byNamespace.set(namespace, created);
    return created;
  }
}
