import type { Finding } from './run.mjs';

export interface Summary {
  readonly sent: number;
  readonly operations: number;
  /** How many the site refused for their parameters. */
  readonly refused: number;
  /** How many of these the gateway refused without asking, with the same status, code and names. */
  readonly agreed: number;
  /** `agreed` of `refused`. */
  readonly share: number;
  /** What the gateway refused and the site accepts. */
  readonly wrong: readonly Finding[];
  /** How many the gateway refused over which the site's program broke down. */
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
/** @param limit how many of each are shown */
export function describe(summary: Summary, limit?: number): string;
