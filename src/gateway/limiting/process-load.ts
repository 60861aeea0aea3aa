import type { RequestGate } from '../../upstream/site-connections.ts';

/** What a process has too much of. While it has, it sends no requests to the sites, and goes on with what is stored. */
type OverloadReason = 'requests' | 'event-loop' | 'memory' | 'descriptors';

/** Name of the metric that says whether a process is overloaded. */
export const OVERLOADED = 'waygate_overloaded';

/** The load of this process, as its server measures it. Without a server there is none. */
export class ProcessLoad implements RequestGate {
  /** Requests whose responses are not complete. */
  inFlight = 0;
  /** Past it, nothing is sent to the sites. */
  maxInFlight: number = Number.POSITIVE_INFINITY;
  /** Set by the server, which measures it. */
  pressure: Exclude<OverloadReason, 'requests'> | null = null;
  readonly #refused = new Map<OverloadReason, number>();

  get overload(): OverloadReason | null {
    return this.inFlight > this.maxInFlight ? 'requests' : this.pressure;
  }

  countRefusedRequest(): OverloadReason {
    const reason = this.overload ?? 'requests';
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
    return reason;
  }

  report(): readonly (readonly [series: string, value: number])[] {
    return [
      [OVERLOADED, Number(this.overload !== null)],
      ...Array.from(
        this.#refused,
        ([reason, count]) => [`waygate_overload_refused_total{reason="${reason}"}`, count] as const,
      ),
    ];
  }
}
