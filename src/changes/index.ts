export type { ComparisonResult, DocumentChange } from './collector.ts';
export { compareDocuments, compareDocumentsInSteps } from './compare-documents.ts';
export { countChanges, formatChange, formatChanges } from './format-changes.ts';
export { isComparable } from './is-comparable.ts';
export { CHANGE_RULES, type ChangeRuleName, type ChangeSeverity } from './rules.ts';
