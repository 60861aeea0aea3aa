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

export const EDITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** WordPress registers one callback for POST, PUT and PATCH. The reference shows it once, under the method that forms send. */
export function groupEquivalents<Member extends Operation>(
  operations: readonly Member[],
): readonly OperationGroup<Member>[] {
  const editingByPath = groupBy(operations.filter(isEditing), ({ path }) => path);
  const seen = new Set<Member>();
  return operations.flatMap((first) => {
    if (seen.has(first)) return [];
    const others = isEditing(first) ? (editingByPath.get(first.path) ?? []) : [];
    const group = [first, ...others.filter((other) => other !== first && isSame(first, other))];
    for (const member of group) seen.add(member);
    const operation = group.find(({ method }) => method === 'POST') ?? first;
    return [{ operation, equivalents: group.filter((other) => other !== operation) }];
  });
}

function isEditing({ method }: Operation): boolean {
  return EDITING_METHODS.has(method);
}

function isSame({ shared: one }: Operation, { shared: other }: Operation): boolean {
  const describe = ({ parameters, requestBody }: JsonObject): string =>
    JSON.stringify([parameters, requestBody], (name, member) =>
      /^examples?$/.test(name) ? undefined : member,
    );
  return describe(one) === describe(other);
}

export function listShown<Member extends Operation>(operations: readonly Member[]): readonly Member[] {
  return groupEquivalents(operations).map(({ operation }) => operation);
}
