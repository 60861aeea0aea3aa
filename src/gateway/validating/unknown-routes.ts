import type { ResponseHead } from '../../http/exchange.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import { noRouteError } from '../../validation/request/index.ts';
import type { HeadDecision } from './body-inspection.ts';
import {
  type IncomingRequest,
  isEnvelopeRequested,
  type RequestValidation,
  toProblem,
} from './operation-validation.ts';
import { OriginVerdictObserver } from './origin-verdict-observer.ts';

/**
 * Routes that the document does not have. An index may hide some (`show_in_index`), so that nobody who has read it can
 * be certain that there is no such route: the site is asked until it has said so, and from time to time after that.
 * What it was seen to hide in a namespace, it may hide more of: there nothing is refused any more.
 */
export interface UnknownRoutes {
  start(request: IncomingRequest): RequestValidation;
}

/** Of so many refusals one is left to the site, so that a route which came later is found. */
const RETEST_INTERVAL = 20;
/** Callers choose the routes that they ask for, and so how many beginnings are remembered. */
const MAX_NAMESPACES = 500;

interface NamespaceEvidence {
  /** How often the site has said that there is no such route. */
  agreed: number;
  hides: boolean;
  refused: number;
}

/**
 * @param often how often the site has to have said so before it is believed
 * @param found hears of the first hidden route of a namespace
 */
export function createUnknownRoutes(often: number, found: (route: string) => void): UnknownRoutes {
  const known = new Map<string, NamespaceEvidence>();

  function getEvidence(route: string): NamespaceEvidence | null {
    const key = guessNamespace(route);
    const one = known.get(key);
    if (one !== undefined || known.size >= MAX_NAMESPACES) return one ?? null;
    const fresh = { agreed: 0, hides: false, refused: 0 };
    known.set(key, fresh);
    return fresh;
  }

  function isRefused(one: NamespaceEvidence): boolean {
    if (one.hides || one.agreed < often) return false;
    one.refused += 1;
    return one.refused % RETEST_INTERVAL !== 0;
  }

  return {
    start(request) {
      const { route } = request.resolved.target;
      const one = getEvidence(route);
      return new UnknownRouteValidation(request, one !== null && isRefused(one), (said) => {
        if (one === null || said.kind === 'undecided') return;
        if (said.kind === 'refused' && said.stage === 'rest_no_route') one.agreed += 1;
        else if (!one.hides) {
          one.hides = true;
          found(route);
        }
      });
    },
  };
}

/** The first two segments, as most namespaces have. */
export function guessNamespace(route: string): string {
  return route.toLowerCase().split('/', 3).slice(1).join('/');
}

class UnknownRouteValidation implements RequestValidation {
  readonly #request: IncomingRequest;
  readonly #isRefused: boolean;
  readonly #said: OriginVerdictObserver;

  constructor(request: IncomingRequest, isRefused: boolean, heard: (said: OriginVerdict) => void) {
    this.#request = request;
    this.#isRefused = isRefused;
    this.#said = new OriginVerdictObserver(isEnvelopeRequested(request), heard);
  }

  start(): HeadDecision {
    if (!this.#isRefused) return { kind: 'passes' };
    return { kind: 'refused', problem: toProblem(this.#request, noRouteError()) };
  }

  head(head: ResponseHead): void {
    this.#said.head(head);
  }

  write(chunk: Uint8Array): void {
    this.#said.write(chunk);
  }

  end(): void {
    this.#said.end();
  }

  fail(): void {
    this.#said.fail();
  }
}
