import type { Finding } from './run.mjs';

export interface Summary {
  readonly sent: number;
  readonly operations: number;
  /** Number of requests that the site refused for their parameters. */
  readonly refused: number;
  /** Number of these that the gateway refused with the same status, code and names, without forwarding. */
  readonly agreed: number;
  /** `agreed / refused`; 1 if the site refused none. */
  readonly share: number;
  /** Requests that the gateway refused and the site accepts. */
  readonly wrong: readonly Finding[];
  /** Number of requests that the gateway refused and for which the site returned a 5xx. */
  readonly failed: number;
  readonly changed: readonly Finding[];
  readonly missed: readonly Reason[];
  readonly different: readonly Reason[];
}

export interface Reason {
  readonly reason: string;
  readonly count: number;
  readonly example: Finding | undefined;
}

export function summarize(findings: readonly Finding[]): Summary;
/** @param limit maximum number of findings shown of each kind */
export function describe(summary: Summary, limit?: number): string;
