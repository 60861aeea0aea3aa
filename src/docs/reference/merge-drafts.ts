import { isJsonObject } from '../../json.ts';
import { referenceOf } from '../../openapi/document-references.ts';
import { contentSchemaOf } from '../../openapi/schema-view.ts';
import type { PlacedOperation, ResourceDraft } from './resource-draft.ts';

/** A resource with fewer operations, none of them its own, has one page for all of its parts. */
const MAX_GROUP_SIZE = 6;

/**
 * Joins resources that are too small for a page of their own with the resource that contains them. `root` stays as it is,
 * but what is below it is joined.
 */
export function mergeSmallDrafts(root: ResourceDraft): void {
  for (const child of root.children.values()) mergeBelow(child);
}

function mergeBelow(draft: ResourceDraft): void {
  for (const [key, child] of draft.children) {
    mergeBelow(child);
    const isSingle = child.children.size === 0 && isOneEndpoint(child);
    if (!isSingle && !isActionsOnly(child) && !isSameResource(draft, child)) continue;
    for (const { noun, operation } of child.operations) {
      const resource = (isSingle ? findSibling(draft, child, noun) : undefined) ?? draft;
      resource.operations.push({ operation, rank: 2, noun });
    }
    for (const [grandchildKey, grandchild] of child.children) {
      if (!draft.children.has(grandchildKey)) draft.children.set(grandchildKey, grandchild);
    }
    draft.children.delete(key);
  }
  const isSmallGroup = draft.operations.length === 0 && countOperations(draft) <= MAX_GROUP_SIZE;
  if (isSmallGroup) absorbAll(draft, draft);
}

/** `/roadmaps/{id}/popular-ideas` belongs to `/roadmaps/{id}/ideas`. */
function findSibling(draft: ResourceDraft, single: ResourceDraft, noun: string): ResourceDraft | undefined {
  return [...draft.children.values()].find(
    (sibling) =>
      sibling !== single &&
      sibling.operations.length > 1 &&
      (noun === sibling.key || noun.endsWith(`-${sibling.key}`)),
  );
}

const EDITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Whether a resource has a single operation, or one that several methods run. */
function isOneEndpoint({ operations }: ResourceDraft): boolean {
  const [first] = operations;
  if (operations.length === 1) return true;
  return operations.every(
    ({ operation }) => EDITING_METHODS.has(operation.method) && operation.path === first?.operation.path,
  );
}

/** Whether nothing but actions name the resource, and none of them reads it. */
function isActionsOnly({ children, isNamedByActions, operations }: ResourceDraft): boolean {
  return (
    isNamedByActions && children.size === 0 && operations.every(({ operation }) => operation.method !== 'GET')
  );
}

/** Whether a literal selects an item of the collection before it, as `/users/me` does: both have the same schema. */
function isSameResource(draft: ResourceDraft, child: ResourceDraft): boolean {
  if (child.children.size > 0 || child.aliases.size > 0) return false;
  const schema = findSchema(child);
  return schema !== undefined && schema === findSchema(draft);
}

/** Reference of the schema that the first reading operation returns, alone or as a list. */
function findSchema({ operations }: ResourceDraft): string | undefined {
  const reading = operations.find(({ operation }) => operation.method === 'GET');
  const responses = reading?.operation.value['responses'];
  const success = isJsonObject(responses) ? responses['200'] : undefined;
  const schema = contentSchemaOf(success);
  return isJsonObject(schema) ? (referenceOf(schema) ?? referenceOf(schema['items'])) : undefined;
}

function asOthers(operations: readonly PlacedOperation[]): readonly PlacedOperation[] {
  return operations.map((placed) => ({ ...placed, rank: 2 }));
}

function countOperations({ children, operations }: ResourceDraft): number {
  return [...children.values()].reduce((sum, child) => sum + countOperations(child), operations.length);
}

function absorbAll(target: ResourceDraft, draft: ResourceDraft): void {
  for (const child of draft.children.values()) {
    target.operations.push(...asOthers(child.operations));
    absorbAll(target, child);
  }
  draft.children.clear();
}
