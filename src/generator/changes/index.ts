export { compareDocuments, isComparable } from './compare-documents.ts';
export type { ComparisonResult } from './context.ts';
export { countChanges, formatChange, formatChanges } from './context.ts';
export { SEVERITIES } from './rules.ts';
