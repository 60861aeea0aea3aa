import { extensionOf } from '../../base/document-extensions.ts';
import { groupBy } from '../../base/group-by.ts';
import type { JsonObject } from '../../base/json.ts';
import { toPlainText } from '../../base/text.ts';
import type { Operation } from '../openapi/operations.ts';

const MAX_TITLE_LENGTH = 200;

export function operationTitle({ method, path, shared }: Operation): string {
  return toPlainText(shared.summary, MAX_TITLE_LENGTH) || toPlainText(`${method} ${path}`, MAX_TITLE_LENGTH);
}

export interface OperationGroup<Member extends Operation> {
  readonly operation: Member;
  readonly equivalents: readonly Member[];
}

/** The document marks the operations that differ from another in their method only. The reference shows them with that one. */
export function groupEquivalents<Member extends Operation>(
  operations: readonly Member[],
): readonly OperationGroup<Member>[] {
  const shown = new Set(operations.map(({ id }) => id));
  const twins = groupBy(operations, ({ shared }) => twinOf(shared, shown));
  return (twins.get(undefined) ?? []).map((operation) => ({
    operation,
    equivalents: twins.get(operation.id) ?? [],
  }));
}

function twinOf(operation: JsonObject, shown: ReadonlySet<string>): string | undefined {
  const id = extensionOf(operation, 'twinOf');
  return typeof id === 'string' && shown.has(id) ? id : undefined;
}

export function listShown<Member extends Operation>(operations: readonly Member[]): readonly Member[] {
  return groupEquivalents(operations).map(({ operation }) => operation);
}
