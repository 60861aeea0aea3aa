import type { ReferenceOperation } from './document-operations.ts';

/** An operation, and those that differ from it in their method alone. */
export interface OperationGroup<Operation extends ReferenceOperation> {
  readonly operation: Operation;
  readonly equivalents: readonly Operation[];
}

const EDITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** WordPress registers one callback for POST, PUT and PATCH. The reference shows it once, under the method that forms send. */
export function groupEquivalents<Operation extends ReferenceOperation>(
  operations: readonly Operation[],
): readonly OperationGroup<Operation>[] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { method, path, value } = operation;
    const key = EDITING_METHODS.has(method)
      ? JSON.stringify([path, value['parameters'], value['requestBody']])
      : `${method} ${path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [operation]);
    else group.push(operation);
  }
  return Array.from(groups.values(), (group) => {
    const operation = group.find(({ method }) => method === 'POST') ?? group[0];
    return operation === undefined
      ? []
      : [{ operation, equivalents: group.filter((other) => other !== operation) }];
  }).flat();
}

/** The operations that a page lists: of those that differ in their method alone, one. */
export function listShown<Operation extends ReferenceOperation>({
  operations,
}: {
  readonly operations: readonly Operation[];
}): readonly Operation[] {
  return groupEquivalents(operations).map(({ operation }) => operation);
}
