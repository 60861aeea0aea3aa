import { isJsonObject, type Json } from '../json.ts';
import type { CompilerSchema } from './compiler-schema.ts';
import type { Direction } from './directions.ts';
import { nodesOf } from './nodes.ts';
import type { References } from './references.ts';
import { type Shape, shapeOf } from './shape.ts';

/** Takes schemas up and remembers what their shapes have in common, so that all are compiled together. */
export interface Shapes {
  take(schema: Json | undefined, direction: Direction): Shape;
  /** The shape of types that need no compiling: their union, by name. */
  named(...names: readonly string[]): Shape;
  /** Whether a shape refers to a type of that name. */
  refersTo(name: string): boolean;
  /** The schemas of all shapes; equal ones are identical. */
  readonly schemas: ReadonlySet<CompilerSchema>;
}

export function shapesOf(references: References): Shapes {
  const schemas = new Set<CompilerSchema>();
  const nodes = nodesOf();
  const referred = new Set<string>();
  // One schema of the document stands below several media types and statuses.
  const known = { read: new WeakMap<object, Shape>(), write: new WeakMap<object, Shape>() };
  const kept = (shape: Shape): Shape => {
    for (const name of shape.references) {
      referred.add(name);
    }
    schemas.add(shape.schema);
    return shape;
  };
  return {
    take(schema, direction) {
      const before = isJsonObject(schema) ? known[direction].get(schema) : undefined;
      if (before !== undefined) {
        return before;
      }
      const shape = kept(shapeOf(schema, direction, { references, nodes }));
      if (isJsonObject(schema)) {
        known[direction].set(schema, shape);
      }
      return shape;
    },
    named: (...references) =>
      kept({
        schema: nodes.union(references.map((_, at) => nodes.of({ tsType: `R${at}` }))),
        keys: [],
        comments: [],
        references,
      }),
    refersTo: (name) => referred.has(name),
    schemas,
  };
}

/** Whether two shapes of one module are the same type, word for word. */
export function isSameShape(a: Shape, b: Shape): boolean {
  return (
    a === b ||
    (a.schema === b.schema &&
      isSameList(a.keys, b.keys) &&
      isSameList(a.comments, b.comments) &&
      isSameList(a.references, b.references))
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}
