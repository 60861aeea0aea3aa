/**
 * An irregularity in a site's root index or in an overlay, and how the generator handled it. A diagnostic does not stop
 * the generation; a failure that does is an error (`errors.ts`).
 */
export interface Diagnostic {
  /** Stable kebab-case name of the kind of finding, such as `required-boolean` or `dead-endpoint`. */
  readonly rule: string;
  /** `info`: repaired without loss. `warning`: the document may lack something or accept more than the site. */
  readonly severity: 'info' | 'warning';
  /** The site's route pattern, if the finding belongs to one. */
  readonly route?: string;
  /** JSON pointer (RFC 6901) into the root index; empty for an overlay. Example: `/routes/~1core~1v2~1posts/endpoints/0/args/status/default`. */
  readonly pointer: string;
  /** What was found, as an English sentence. */
  readonly message: string;
  /** How it was handled, as an English sentence. */
  readonly action: string;
}

/** Receives diagnostics. Modules report through it and never print. */
export type DiagnosticReporter = (diagnostic: Diagnostic) => void;
