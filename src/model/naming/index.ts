export type { OperationFacts } from './facts.ts';
export { assignNames, type Nameable, operationName } from './names.ts';
export { summaryOf } from './summary.ts';
