/**
 * What was found in a site's answer that is not as it should be, and what was done about it. A diagnostic never stops
 * the work: what does is an error (`errors.ts`).
 */
export interface Diagnostic {
  /** What kind of finding this is: a stable kebab-case name, such as `required-boolean` or `dead-endpoint`. */
  readonly rule: string;
  /** `info`: repaired with nothing lost. `warning`: something may be missing or wider than at the site. */
  readonly severity: 'info' | 'warning';
  /** The site's route pattern, where the finding belongs to one. */
  readonly route?: string;
  /** JSON pointer (RFC 6901) into the root index: `/routes/~1core~1v2~1posts/endpoints/0/args/status/default`. */
  readonly pointer: string;
  /** What was found, for a person. */
  readonly message: string;
  /** What was done about it, for a person. */
  readonly action: string;
}

/** Where diagnostics go while a room works. Rooms take one and never print. */
export type Report = (diagnostic: Diagnostic) => void;
