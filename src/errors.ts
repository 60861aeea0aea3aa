/**
 * The faults that waygate throws. Outcomes that a caller should expect (no route, a refusal) are values, not errors.
 * Every message says what was asked, what came and what to try.
 */
export abstract class WaygateError extends Error {
  /** The exit code of the command line for this fault. */
  abstract readonly exitCode: 2 | 3;
}

/** Wrong usage or configuration: exit code 2. */
export class ConfigurationError extends WaygateError {
  override readonly name = 'ConfigurationError';
  readonly exitCode = 2;
}

/** A site, or its stored document, could not be read: exit code 3. */
export class DiscoveryError extends WaygateError {
  override readonly name = 'DiscoveryError';
  readonly exitCode = 3;
  /** What kind of failure it was, for programs: `not-json`, `unauthorized`, `truncated`, `dns`, `tls`, … */
  readonly reason: string;
  /** What was asked, in the order of asking: each address with what came of it. */
  readonly attempts: readonly DiscoveryAttempt[];

  constructor(
    message: string,
    options: { reason: string; attempts?: readonly DiscoveryAttempt[]; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason;
    this.attempts = options.attempts ?? [];
  }
}

export interface DiscoveryAttempt {
  /** The address that was asked, without credentials. */
  readonly url: string;
  /** What came, in a few words: `404`, `200 text/html, not JSON`, `connection refused`. */
  readonly outcome: string;
}
