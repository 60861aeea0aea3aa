export { compareDocuments, isComparable } from './compare-documents.ts';
export type { ComparisonResult, DocumentChange } from './context.ts';
export { countChanges, formatChange, formatChanges, SEVERITIES } from './context.ts';
export { CHANGE_RULES, type ChangeRuleName, type ChangeSeverity } from './rules.ts';
