import { countOf, formatNumber } from '../../count-of.ts';
import type { Reference } from './reference.ts';

/** Counts the operations in words: `59 operations (67 with each method)`. */
export function describeOperationCount({
  documentedCount,
  operationCount,
}: Pick<Reference, 'documentedCount' | 'operationCount'>): string {
  const count = countOf(operationCount, 'operation');
  return documentedCount === operationCount
    ? count
    : `${count} (${formatNumber(documentedCount)} with each method)`;
}
