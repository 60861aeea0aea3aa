export { compareDocuments, isComparable } from './compare-documents.ts';
export type { ComparisonResult, DocumentChange } from './context.ts';
export { countChanges, formatChange, formatChanges } from './context.ts';
export { SEVERITIES, SEVERITY_TITLES } from './rules.ts';
