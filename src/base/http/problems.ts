export interface DeclaredProblem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `404 rest_no_route: There is no such route.`, in a list with header fields if it has any. */
type ProblemData = string | readonly (string | Readonly<Record<string, string>>)[];

export function parseProblems<Name extends string>(
  table: Readonly<Record<Name, ProblemData>>,
): Readonly<Record<Name, DeclaredProblem>> {
  const problems = Object.entries<ProblemData>(table).map(([name, declared]) => {
    const [text, headers] = typeof declared === 'string' ? [declared] : declared;
    const [, status, code = '', message = ''] = /^(\d{3}) (\w+): (.*)$/s.exec(String(text)) ?? [];
    const problem = { status: Number(status), code, message };
    return [name, typeof headers === 'object' ? { ...problem, headers } : problem];
  });
  return Object.fromEntries(problems) as Readonly<Record<Name, DeclaredProblem>>;
}
