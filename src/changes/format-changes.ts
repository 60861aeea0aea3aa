import { countOf } from '../count-of.ts';
import type { ComparisonResult, DocumentChange } from './context.ts';
import type { ChangeSeverity } from './rules.ts';

/** Number of operations that a line names. The rest are counted. */
const NAMED_OPERATIONS = 2;

const SUFFIXES: Readonly<Record<ChangeSeverity, string>> = {
  breaking: ' (breaking)',
  compatible: '',
  cosmetic: ' (text only)',
};

/** Formats a change in one line: `GET /wp/v2/posts: query parameter "order": the value "x" was removed (breaking)`. */
export function formatChange({ operations, severity, subject, text }: DocumentChange): string {
  const parts = [formatOperations(operations), subject, text].filter((part) => part !== '');
  return parts.join(': ') + SUFFIXES[severity];
}

/** Formats a comparison: a line for each change, and the number of those left out. */
export function formatChanges({ changes, omitted }: ComparisonResult, limit: number): readonly string[] {
  const more = Math.max(0, changes.length - limit) + omitted;
  const lines = changes.slice(0, limit).map(formatChange);
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

/** Counts the changes in words: `2 breaking changes, 1 other change`. */
export function countChanges({ changes }: ComparisonResult): string {
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  const others = changes.length - breaking;
  return [
    ...(breaking === 0 ? [] : [countOf(breaking, 'breaking change')]),
    ...(others === 0 ? [] : [countOf(others, 'other change')]),
  ].join(', ');
}

/** Names a few operations. Paths come from the site, so control characters are escaped as in JSON. */
function formatOperations(operations: readonly string[]): string {
  const named = operations.slice(0, NAMED_OPERATIONS).map((name) => JSON.stringify(name).slice(1, -1));
  const more = operations.length - named.length;
  if (more <= 0) return named.join(' and ');
  return `${named.join(', ')} and ${more} more`;
}
