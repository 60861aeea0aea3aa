/**
 * An irregularity in a site's root index or in an overlay, and how the generator handled it. A diagnostic does not stop
 * the generation; a failure that does is an error (`errors.ts`).
 */
export interface Diagnostic {
  /** Stable kebab-case name of the kind of finding, such as `required-boolean` or `dead-endpoint`. */
  readonly rule: string;
  /** `info`: repaired without loss. `warning`: the document can lack something or accept more than the site. */
  readonly severity: 'info' | 'warning';
  /** The site's route pattern, if the finding belongs to one. */
  readonly route?: string;
  /** JSON pointer (RFC 6901) into the root index; empty for an overlay. Example: `/routes/~1core~1v2~1posts/endpoints/0/args/status/default`. */
  readonly pointer: string;
  /** The finding as an English sentence. */
  readonly message: string;
  /** How it was handled, as an English sentence. */
  readonly action: string;
}

/** Receives diagnostics. Modules report through it and never print. */
export type DiagnosticReporter = (diagnostic: Diagnostic) => void;

/** Maximum number of diagnostics of one rule. A hostile index can cause one for every three bytes. */
const MAX_PER_RULE = 10_000;

/** Adds diagnostics to a list; of each rule up to 10,000, and one more that says that there are others. */
export function createBoundedReporter(diagnostics: Diagnostic[]): DiagnosticReporter {
  const counts = new Map<string, number>();
  return (diagnostic) => {
    const { rule } = diagnostic;
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    if (count <= MAX_PER_RULE) diagnostics.push(diagnostic);
    const message = `The rule ${rule} applied more often than is listed.`;
    if (count === MAX_PER_RULE + 1) diagnostics.push({ ...diagnostic, rule: 'more-findings', message });
  };
}
