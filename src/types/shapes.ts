import { isJsonObject, type Json } from '../json.ts';
import { type CompilerSchema, union } from './compiler-schema.ts';
import type { Direction } from './directions.ts';
import type { References } from './references.ts';
import { type Shape, shapeOf } from './shape.ts';

/** Takes schemas up and remembers what their shapes have in common, so that all are compiled together. */
export interface Shapes {
  take(schema: Json | undefined, direction: Direction): Shape;
  /** The shape of types that need no compiling: their union, by name. */
  named(...names: readonly string[]): Shape;
  /** Whether a shape refers to a type of that name. */
  refersTo(name: string): boolean;
  /** The schemas of all shapes, equal ones once: two shapes of equal schemas have the identical one. */
  readonly schemas: Iterable<CompilerSchema>;
}

export function shapesOf(references: References): Shapes {
  const schemas = new Map<string, CompilerSchema>();
  const referred = new Set<string>();
  // One schema of the document stands below several media types and statuses.
  const known = { read: new WeakMap<object, Shape>(), write: new WeakMap<object, Shape>() };
  const kept = (shape: Shape): Shape => {
    for (const name of shape.references) {
      referred.add(name);
    }
    const text = JSON.stringify(shape.schema);
    const before = schemas.get(text);
    if (before === undefined) {
      schemas.set(text, shape.schema);
      return shape;
    }
    return { ...shape, schema: before };
  };
  return {
    take(schema, direction) {
      const before = isJsonObject(schema) ? known[direction].get(schema) : undefined;
      if (before !== undefined) {
        return before;
      }
      const shape = kept(shapeOf(schema, direction, references));
      if (isJsonObject(schema)) {
        known[direction].set(schema, shape);
      }
      return shape;
    },
    named: (...references) =>
      kept({
        schema: union(references.map((_, at) => ({ tsType: `R${at}` }))),
        keys: [],
        comments: [],
        references,
      }),
    refersTo: (name) => referred.has(name),
    schemas: { [Symbol.iterator]: () => schemas.values() },
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
