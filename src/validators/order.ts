import { findStrongComponents } from '../pcre/strongly-connected-components.ts';
import type { ReducedSchema } from './checked-schema.ts';
import type { NamedValidator } from './plan.ts';

/** Sorts schemas so that each stands below those that it refers to, as far as there are no cycles. */
export function sortByReferences(components: readonly NamedValidator[]): readonly NamedValidator[] {
  const indexes = new Map(components.map(({ name }, index) => [name, index]));
  const next = components.map(({ schema }) =>
    [...namesIn(schema)].flatMap((name) => indexes.get(name) ?? []),
  );
  // A component is numbered after all that it leads to (Tarjan's order).
  const numbers = findStrongComponents(next);
  return components
    .map((component, index) => ({ component, number: numbers[index] ?? 0, index }))
    .sort((a, b) => a.number - b.number || a.index - b.index)
    .map(({ component }) => component);
}

function namesIn(schema: ReducedSchema, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof schema === 'boolean') return found;
  if (schema.$ref !== undefined) found.add(schema.$ref);
  const inside = [
    schema.items,
    schema.additionalProperties,
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  for (const member of inside) if (member !== undefined) namesIn(member, found);
  return found;
}
