import type { CompilerSchema } from './compiler-schema.ts';
import type { Shape } from './shape.ts';
import type { Shapes } from './shapes.ts';

/** One exported type of the module. */
export interface Declaration {
  readonly name: string;
  /** The text of the comment above it. */
  readonly comment: string;
  readonly shape: Shape;
  /** Text after `extends`: what the type has beside its shape. */
  readonly extends?: string;
}

/**
 * TypeScript refuses an alias that leads to itself without an object or a list on the way (`type A = B; type B = A`).
 * Such a schema says nothing; its references become `unknown`.
 */
export function withoutCircles(declarations: readonly Declaration[], shapes: Shapes): readonly Declaration[] {
  const links = new Map(declarations.map(({ name, shape }) => [name, directReferences(shape)]));
  const circular = remaining(remaining(links), true);
  return declarations.map((declaration) =>
    circular.has(declaration.name) ? { ...declaration, shape: shapes.take(true, 'read') } : declaration,
  );
}

type Links = ReadonlyMap<string, ReadonlySet<string>>;

/** What is left of a graph when nodes that lead nowhere are taken away, again and again (Kahn). */
function remaining(links: Links, reversed = false): Links {
  const forward = reversed ? reverse(links) : links;
  const backward = reversed ? links : reverse(links);
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

function reverse(links: Links): Links {
  const reversed = new Map([...links.keys()].map((name) => [name, new Set<string>()]));
  for (const [name, targets] of links) {
    for (const target of targets) {
      reversed.get(target)?.add(name);
    }
  }
  return reversed;
}

function directReferences({ schema, references }: Shape): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = ({ tsType, anyOf, allOf }: CompilerSchema): void => {
    const reference = tsType?.startsWith('R') ? references[Number(tsType.slice(1))] : undefined;
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
