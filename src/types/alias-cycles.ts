import type { CompilerSchema } from './compiler-schema.ts';
import type { TypeShape } from './shape.ts';
import type { ShapeCache } from './shape-cache.ts';

/** One exported type of the module. */
export interface TypeDeclaration {
  readonly name: string;
  /** Text of the comment above the type. */
  readonly comment: string;
  readonly shape: TypeShape;
  /** Text after `extends`: a base type with further members. */
  readonly extends?: string;
}

/**
 * Replaces aliases that refer to themselves with no object or list between (`type A = B; type B = A`), which TypeScript
 * rejects. Such a schema constrains nothing, so its type becomes `unknown`.
 */
export function breakAliasCycles(
  declarations: readonly TypeDeclaration[],
  shapes: ShapeCache,
): readonly TypeDeclaration[] {
  const links = new Map(declarations.map(({ name, shape }) => [name, directReferences(shape)]));
  const circular = withoutLeaves(withoutLeaves(links), true);
  return declarations.map((declaration) =>
    circular.has(declaration.name) ? { ...declaration, shape: shapes.shapeOf(true, 'read') } : declaration,
  );
}

type ReferenceGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** Removes the nodes without outgoing references until none is left (Kahn's algorithm). */
function withoutLeaves(links: ReferenceGraph, reversed = false): ReferenceGraph {
  const forward = reversed ? reverseGraph(links) : links;
  const backward = reversed ? links : reverseGraph(links);
  const degrees = new Map(
    [...forward].map(([name, targets]) => [
      name,
      [...targets].filter((target) => forward.has(target)).length,
    ]),
  );
  const waiting = [...degrees].filter(([, degree]) => degree === 0).map(([name]) => name);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    degrees.delete(name);
    for (const source of backward.get(name) ?? []) {
      const degree = degrees.get(source);
      if (degree !== undefined) {
        degrees.set(source, degree - 1);
        if (degree === 1) {
          waiting.push(source);
        }
      }
    }
  }
  return new Map([...links].filter(([name]) => degrees.has(name)));
}

function reverseGraph(links: ReferenceGraph): ReferenceGraph {
  const reversed = new Map([...links.keys()].map((name) => [name, new Set<string>()]));
  for (const [name, targets] of links) {
    for (const target of targets) {
      reversed.get(target)?.add(name);
    }
  }
  return reversed;
}

function directReferences({ schema, typeNames }: TypeShape): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = ({ tsType, anyOf, allOf }: CompilerSchema): void => {
    const reference = tsType?.startsWith('R') ? typeNames[Number(tsType.slice(1))] : undefined;
    if (reference !== undefined) {
      found.add(reference);
    }
    for (const member of [...(anyOf ?? []), ...(allOf ?? [])]) {
      visit(member);
    }
  };
  visit(schema);
  return found;
}
