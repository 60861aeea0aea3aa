import type { AnchoredOperation, ReferencePage } from './reference.ts';

/** An operation, and those that differ from it in their method alone. */
export interface OperationGroup {
  readonly operation: AnchoredOperation;
  readonly equivalents: readonly AnchoredOperation[];
}

const EDITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** WordPress registers one callback for POST, PUT and PATCH. The reference shows it once, under the method that forms send. */
export function groupEquivalents(operations: readonly AnchoredOperation[]): readonly OperationGroup[] {
  const groups = new Map<string, AnchoredOperation[]>();
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
export function listShown({ operations }: Pick<ReferencePage, 'operations'>): readonly AnchoredOperation[] {
  return groupEquivalents(operations).map(({ operation }) => operation);
}
