export interface StatedProblem {
  readonly status: number;
  /** WordPress's error code for the case (`rest_no_route`), or one in its spelling. */
  readonly code: string;
  /** The mistake and how to correct it. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `404 rest_no_route: There is no such route.`, in a list with header fields if it has any. */
type ProblemData = string | readonly (string | Readonly<Record<string, string>>)[];

export function parseProblems<Name extends string>(
  table: Readonly<Record<Name, ProblemData>>,
): Readonly<Record<Name, StatedProblem>> {
  const problems = Object.entries<ProblemData>(table).map(([name, stated]) => {
    const [text, headers] = typeof stated === 'string' ? [stated] : stated;
    const [, status, code = '', message = ''] = /^(\d{3}) (\w+): (.*)$/s.exec(String(text)) ?? [];
    const problem = { status: Number(status), code, message };
    return [name, typeof headers === 'object' ? { ...problem, headers } : problem];
  });
  return Object.fromEntries(problems) as Readonly<Record<Name, StatedProblem>>;
}
