import { EXTENSION_NAMES, extensionOf } from '../../base/document-extensions.ts';
import { groupBy } from '../../base/group-by.ts';
import type { JsonObject } from '../../base/json.ts';
import { listOperations, type Operation } from './operations.ts';

export interface OperationGroup<Member extends Operation> {
  readonly operation: Member;
  readonly equivalents: readonly Member[];
}

/** WordPress registers one callback for these methods. */
export const EDITING_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** Operations that differ in their method only, beside the first, as the document marks them. */
export function groupEquivalents<Member extends Operation>(
  operations: readonly Member[],
): readonly OperationGroup<Member>[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const headOf = (operation: Member): Member | undefined => {
    const head = byId.get(String(extensionOf(operation.shared, 'twinOf')));
    return head === operation ? undefined : head;
  };
  const equivalents = groupBy(operations, headOf);
  return (equivalents.get(undefined) ?? []).map((operation) => ({
    operation,
    equivalents: equivalents.get(operation) ?? [],
  }));
}

function describeArguments({ parameters, requestBody }: JsonObject): string {
  return JSON.stringify([parameters, requestBody], (name, member) =>
    /^examples?$/.test(name) ? undefined : member,
  );
}

/** Without those that differ from another in their method only. */
export function listShown<Member extends Operation>(operations: readonly Member[]): readonly Member[] {
  return groupEquivalents(operations).map(({ operation }) => operation);
}

export function countOperations(document: JsonObject): number {
  return listShown(listOperations(document)).length;
}

/** Marks the members of a path item that differ from another in their method only. Readers hide `x-internal`. */
export function markTwins(objects: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, JsonObject> {
  const heads = new Map<string, JsonObject>();
  const twins = EDITING_METHODS.flatMap((method): [string, JsonObject][] => {
    const object = objects.get(method);
    if (object === undefined) return [];
    const text = describeArguments(object);
    const head = heads.get(text);
    if (head === undefined) heads.set(text, object);
    const marks = { [EXTENSION_NAMES.twinOf]: head?.['operationId'] ?? '', 'x-internal': true };
    return head === undefined ? [] : [[method, { ...object, ...marks }]];
  });
  return new Map([...objects, ...twins]);
}
