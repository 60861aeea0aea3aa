import type { ParameterRule } from '../../validation/request/result.ts';

/**
 * Who caused an error response: `gateway` refused the request, `failure`: the site did not respond, `site` responded with an
 * error.
 */
export type ProblemSource = 'gateway' | 'failure' | 'site';

/** An error response, without values, credentials and queries. */
export interface RecordedProblem {
  /** Increases by one with each problem of the site. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Id of the request in the log. */
  readonly requestId: string;
  readonly source: ProblemSource;
  readonly method: string;
  /** Path template in the document; for other routes and pages the first two segments of the path. */
  readonly route: string;
  /** `operationId`; `null` if no operation of the document matches. */
  readonly operation: string | null;
  readonly status: number;
  /** WordPress's or the gateway's error code; empty if unknown. */
  readonly code: string;
  /** Rules that the request violates. */
  readonly rules: readonly ParameterRule[];
  /** Kind of a failed exchange with the site; empty if there was none. */
  readonly cause: string;
  /** Message of the underlying error; may name hosts and ports. */
  readonly detail: string;
  /** The response's `Cache-Status`; empty without one. */
  readonly cacheStatus: string;
}

/** What an error response of the site states: its code, and the parameters that it refuses. */
export type SiteRefusal = Pick<RecordedProblem, 'code' | 'rules'>;

/** Maximum problems of one source that are kept for a site. The rarer source is not displaced by the other ones. */
export const MAX_PROBLEMS = 200;
/** Maximum rules of one problem. */
const MAX_RULES = 8;
/** Maximum length of a text that a client or the site chose. */
const MAX_TEXT = 160;

/** The recent error responses of one site. */
export class SiteProblems {
  readonly #now: () => number;
  readonly #rings: Readonly<Record<ProblemSource, RecordedProblem[]>> = {
    gateway: [],
    failure: [],
    site: [],
  };
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns the number of the problem */
  record(problem: Omit<RecordedProblem, 'number' | 'time'>): number {
    const ring = this.#rings[problem.source];
    this.#count += 1;
    // The array is short, so moving its members costs less than an index.
    if (ring.length >= MAX_PROBLEMS) ring.shift();
    ring.push({
      ...problem,
      number: this.#count,
      time: this.#now(),
      method: cut(problem.method),
      route: cut(problem.route),
      detail: cut(problem.detail),
      cacheStatus: cut(problem.cacheStatus),
      ...cutRefusal(problem),
    });
    return this.#count;
  }

  /** Adds what the body of an error response of the site says, which may be read after the problem was recorded. */
  complete(number: number, refusal: SiteRefusal): void {
    const ring = this.#rings.site;
    const at = ring.findIndex((problem) => problem.number === number);
    const problem = ring[at];
    if (problem !== undefined) ring[at] = { ...problem, ...cutRefusal(refusal) };
  }

  /** Number of problems since the start. */
  get count(): number {
    return this.#count;
  }

  /** Lists the problems that are kept, the latest first. */
  list(): readonly RecordedProblem[] {
    const { failure, gateway, site } = this.#rings;
    return [...gateway, ...failure, ...site].sort((one, other) => other.number - one.number);
  }

  find(number: number): RecordedProblem | undefined {
    return this.list().find((problem) => problem.number === number);
  }
}

function cutRefusal({ code, rules }: SiteRefusal): SiteRefusal {
  return {
    code: cut(code),
    rules: rules.slice(0, MAX_RULES).map(({ param, rule }) => ({ param: cut(param), rule: cut(rule) })),
  };
}

/** Cuts a text, and copies it: a part of a long text would keep all of it in memory. */
function cut(text: string): string {
  return text.length > MAX_TEXT ? ` ${text.slice(0, MAX_TEXT - 1)}`.slice(1).concat('…') : text;
}
