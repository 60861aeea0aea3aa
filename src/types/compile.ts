import type { CompilerSchema } from './compiler-schema.ts';
import { parseTypes, type TypeNode } from './parse-types.ts';
import type { TypeShape } from './shape.ts';

/** A function that returns the compiled type of a shape; `unknown` if the shape was not compiled. */
export type CompiledTypeLookup = (shape: TypeShape) => TypeNode;

/** Schemas per compiler call. The compiler's memory is freed between calls. */
const BATCH_SIZE = 250;

/**
 * Compiles the schemas of shapes with json-schema-to-typescript. The compiler is loaded on the first call, because a
 * gateway needs no types.
 */
export async function compileSchemas(schemas: Iterable<CompilerSchema>): Promise<CompiledTypeLookup> {
  const { compile } = await import('json-schema-to-typescript');
  const types = new Map<CompilerSchema, TypeNode>();
  const waiting = [...schemas];
  for (let start = 0; start < waiting.length; start += BATCH_SIZE) {
    const batch = waiting.slice(start, start + BATCH_SIZE);
    const properties = Object.fromEntries(batch.map((schema, number) => [`s${number}`, schema]));
    const root = { type: 'object' as const, properties, required: Object.keys(properties) };
    const nodes = parseTypes(await compile(root, 'Batch', COMPILER_OPTIONS));
    batch.forEach((schema, number) => {
      types.set(schema, nodes.get(`s${number}`) ?? { kind: 'atom', text: 'unknown' });
    });
  }
  return ({ schema }) => types.get(schema) ?? { kind: 'atom', text: 'unknown' };
}

/** The compiler resolves no reference (its input contains none) and reads no file. */
const COMPILER_OPTIONS = {
  additionalProperties: false,
  bannerComment: '',
  cwd: '/',
  format: false,
  ignoreMinAndMaxItems: true,
  $refOptions: {
    resolve: { external: false, file: false, http: false },
    dereference: { excludedPathMatcher: () => true },
  },
} as const;
