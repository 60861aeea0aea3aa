import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { collectReferences, getSchemaComponentKey } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { countAllResponses, type UntypedOperation } from './untyped-operations.ts';

/** Creates the actions that add components, without those that nothing refers to. */
export function createComponentActions(
  document: OpenApiDocument,
  schemas: ReadonlyMap<string, JsonObject>,
  actions: readonly OverlayAction[],
  untyped: readonly UntypedOperation[],
): readonly OverlayAction[] {
  const used = new Set<string>();
  const users = new Map<string, Set<string>>();
  const use = (value: Json, operations: readonly string[]): void => {
    for (const reference of collectReferences(value)) {
      const name = getSchemaComponentKey(reference);
      const schema = name === undefined ? undefined : schemas.get(name);
      if (name === undefined || schema === undefined) continue;
      const known = users.get(name) ?? new Set();
      users.set(name, known);
      const isNew = operations.some((operation) => !known.has(operation)) || !used.has(name);
      for (const operation of operations) known.add(operation);
      used.add(name);
      if (isNew) use(schema, operations);
    }
  };
  for (const action of actions) use(action, readOperations(action));
  const counts = new Map(
    untyped.map(({ operation: { id }, variants }) => [id, countAllResponses(variants.values())]),
  );
  const stated = new Map(listSchemaComponents(document));
  return [...schemas]
    .filter(([name]) => used.has(name) && !stated.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const operations = [...(users.get(name) ?? [])];
      const responses = operations.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
      return createInferenceAction(
        ['components', 'schemas'],
        { [name]: schema },
        `A component ${name}, inferred from samples.`,
        { kind: 'inferred', responses, operations },
      );
    });
}

function readOperations(action: OverlayAction): readonly string[] {
  const evidence = action[EXTENSION_NAMES.evidence];
  const [first] = Array.isArray(evidence) ? evidence : [];
  const operations = isJsonObject(first) ? first['operations'] : undefined;
  return Array.isArray(operations)
    ? operations.filter((each): each is string => typeof each === 'string')
    : [];
}
