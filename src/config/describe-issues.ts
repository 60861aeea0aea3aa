import type { z } from 'zod';

/**
 * Describes the errors of a validation in one sentence each that begins with its location (`sites[0].url: …`).
 *
 * @param root name of the whole value
 * @param hint text after the message of an error
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  root: string,
  hint: (issue: z.core.$ZodIssue) => string = () => '',
): readonly string[] {
  return issues.map((issue) => `${formatLocation(issue.path, root)}: ${issue.message}${hint(issue)}`);
}

function formatLocation(path: readonly PropertyKey[], root: string): string {
  if (path.length === 0) return root;
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');
}
