export interface Diagnostic {
  readonly rule: string;
  /** `info`: nothing is lost. `warning`: the document can lack something or accept more than the site. */
  readonly severity: 'info' | 'warning';
  readonly route?: string;
  /** JSON pointer (RFC 6901) into the root index, e.g. `/routes/~1wp~1v2~1posts/endpoints/0`; empty for an overlay. */
  readonly pointer: string;
  readonly message: string;
  readonly action: string;
}

export type DiagnosticReporter = (diagnostic: Diagnostic) => void;

/** Diagnostics of one rule. A hostile index can cause one for every three bytes. */
const MAX_PER_RULE = 10_000;

/** Adds up to {@link MAX_PER_RULE} of each rule, and one that there are others. */
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
