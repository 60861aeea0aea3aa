import type { JsonObject } from '../../json.ts';
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
  const editingByPath = new Map<string, Operation[]>();
  for (const operation of operations.filter(isEditing)) {
    const others = editingByPath.get(operation.path);
    if (others === undefined) editingByPath.set(operation.path, [operation]);
    else others.push(operation);
  }
  const seen = new Set<Operation>();
  return operations.flatMap((first) => {
    if (seen.has(first)) return [];
    const others = isEditing(first) ? (editingByPath.get(first.path) ?? []) : [];
    const group = [first, ...others.filter((other) => other !== first && isSame(first, other))];
    for (const member of group) seen.add(member);
    const operation = group.find(({ method }) => method === 'POST') ?? first;
    return [{ operation, equivalents: group.filter((other) => other !== operation) }];
  });
}

function isEditing({ method }: ReferenceOperation): boolean {
  return EDITING_METHODS.has(method);
}

function isSame({ value: one }: ReferenceOperation, { value: other }: ReferenceOperation): boolean {
  const describe = ({ parameters, requestBody }: JsonObject): string =>
    JSON.stringify([parameters, requestBody]);
  return describe(one) === describe(other);
}

/** The operations that a page lists: of those that differ in their method alone, one. */
export function listShown<Operation extends ReferenceOperation>({
  operations,
}: {
  readonly operations: readonly Operation[];
}): readonly Operation[] {
  return groupEquivalents(operations).map(({ operation }) => operation);
}
