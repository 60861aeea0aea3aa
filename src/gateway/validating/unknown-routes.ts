import type { ResponseHead } from '../../http/exchange.ts';
import type { Said } from '../../validation/evidence/origin-verdict.ts';
import { noRoute } from '../../validation/request/index.ts';
import type { Beginning } from './body-inspection.ts';
import { isEnveloped, type JudgedRequest, type Judging, refusalOf } from './operation-validation.ts';
import { SiteSaid } from './origin-verdict-observer.ts';

/**
 * Routes that the document does not have. An index may hide some (`show_in_index`), so that nobody who has read it can
 * be certain that there is no such route: the site is asked until it has said so, and from time to time after that.
 * What it was seen to hide in a namespace, it may hide more of: there nothing is refused any more.
 */
export interface UnknownRoutes {
  begin(request: JudgedRequest): Judging;
}

/** Of so many refusals one is left to the site, so that a route which came later is found. */
const ASKED_ANEW = 20;
/** Callers choose the routes that they ask for, and so how many beginnings are remembered. */
const MOST = 500;

interface Known {
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
  const known = new Map<string, Known>();

  function knownOf(route: string): Known | null {
    const key = namespaceIn(route);
    const one = known.get(key);
    if (one !== undefined || known.size >= MOST) return one ?? null;
    const fresh = { agreed: 0, hides: false, refused: 0 };
    known.set(key, fresh);
    return fresh;
  }

  function isRefused(one: Known): boolean {
    if (one.hides || one.agreed < often) return false;
    one.refused += 1;
    return one.refused % ASKED_ANEW !== 0;
  }

  return {
    begin(request) {
      const { route } = request.reading.target;
      const one = knownOf(route);
      return new UnknownRoute(request, one !== null && isRefused(one), (said) => {
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
export function namespaceIn(route: string): string {
  return route.toLowerCase().split('/', 3).slice(1).join('/');
}

class UnknownRoute implements Judging {
  readonly #request: JudgedRequest;
  readonly #isRefused: boolean;
  readonly #said: SiteSaid;

  constructor(request: JudgedRequest, isRefused: boolean, heard: (said: Said) => void) {
    this.#request = request;
    this.#isRefused = isRefused;
    this.#said = new SiteSaid(isEnveloped(request), heard);
  }

  begin(): Beginning {
    if (!this.#isRefused) return { kind: 'passes' };
    return { kind: 'refused', problem: refusalOf(this.#request, noRoute()) };
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
