import { getNamespaces } from '../document-extensions.ts';
import { groupBy } from '../group-by.ts';
import { isJsonObject, type JsonObject, jsonMembers } from '../json.ts';
import { listPathItemOperations } from '../openapi/path-items.ts';
import { toPlainText } from '../ui/text.ts';

/** An operation of the document, as the reference lists it. */
export interface ReferenceOperation {
  /** `operationId`; the method and the path if the document states none. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The namespace that contains the path; empty for paths outside all namespaces. */
  readonly namespace: string;
  /** Its summary; method and path if it has none. At most 200 characters. */
  readonly title: string;
  /** The Operation Object. */
  readonly value: JsonObject;
  /** The Path Item Object that contains it. */
  readonly pathItem: JsonObject;
}

const MAX_TITLE_LENGTH = 200;

/** Lists all operations of a document in its order. Parts that are no objects are left out. */
export function listReferenceOperations(document: JsonObject): readonly ReferenceOperation[] {
  const namespaces = new Set(getNamespaces(document));
  return jsonMembers(document['paths']).flatMap(([path, pathItem]) => {
    if (!isJsonObject(pathItem) || !path.startsWith('/')) return [];
    const namespace = findNamespace(path, namespaces);
    return listPathItemOperations(pathItem).flatMap(({ method, operation: value }) => {
      if (!isJsonObject(value)) return [];
      const { operationId, summary } = value;
      const name = `${method} ${path}`;
      const id = typeof operationId === 'string' && operationId !== '' ? operationId : name;
      const title = toPlainText(summary, MAX_TITLE_LENGTH) || toPlainText(name, MAX_TITLE_LENGTH);
      return [{ id, method, path, namespace, title, value, pathItem }];
    });
  });
}

/** Returns the longest namespace that contains a path; empty if none does. */
function findNamespace(path: string, namespaces: ReadonlySet<string>): string {
  // Namespaces have few segments, so that a path of many segments costs no more.
  let end = 0;
  let found = '';
  for (let segments = 0; segments < 8 && end >= 0; segments += 1) {
    end = path.indexOf('/', end + 1);
    const candidate = end < 0 ? path.slice(1) : path.slice(1, end);
    if (namespaces.has(candidate)) found = candidate;
  }
  return found;
}

/** An operation, and those that differ from it in their method alone. */
export interface OperationGroup<Operation extends ReferenceOperation> {
  readonly operation: Operation;
  readonly equivalents: readonly Operation[];
}

/** Methods that WordPress treats alike. */
export const EDITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** WordPress registers one callback for POST, PUT and PATCH. The reference shows it once, under the method that forms send. */
export function groupEquivalents<Operation extends ReferenceOperation>(
  operations: readonly Operation[],
): readonly OperationGroup<Operation>[] {
  const editingByPath = groupBy(operations.filter(isEditing), ({ path }) => path);
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
