export { compareDocuments, compareDocumentsInSteps, isComparable } from './compare-documents.ts';
export type { ComparisonResult } from './context.ts';
export { countChanges, formatChange, formatChanges, SEVERITIES } from './context.ts';
