import type { CompilerSchema, SchemaInterner } from './compiler-schema.ts';
import { layOutType } from './print.ts';
import type { TypeNode } from './shape.ts';

export type CompiledTypeLookup = (shape: TypeNode, indent?: string) => string;

/** Schemas per compiler call, between which its memory is freed. */
const BATCH_SIZE = 250;

/** The comment before each type of a batch; no text of a site contains it. */
const START = '\u0000';

/**
 * Compiles schemas with json-schema-to-typescript, unformatted because its formatter is slow. It is loaded
 * late, because a gateway needs no types.
 */
export async function compileSchemas(
  nodes: SchemaInterner,
  schemas: Iterable<CompilerSchema>,
): Promise<CompiledTypeLookup> {
  const { compile } = await import('json-schema-to-typescript');
  const texts = new Map<CompilerSchema, string>();
  const all = [...new Set([...schemas, ...nodes.readonlyItems.keys()])];
  for (let start = 0; start < all.length; start += BATCH_SIZE) {
    const batch = all.slice(start, start + BATCH_SIZE);
    const members = batch.map((schema, at) => [`s${at}`, { ...schema, description: START }] as const);
    const root = { type: 'object' as const, properties: Object.fromEntries(members) };
    const text = await compile(root, 'Batch', COMPILER_OPTIONS);
    const types = text
      .replace(/\n}\n$/, '')
      .split(`/**\n * ${START}\n */\n`)
      .slice(1);
    types.forEach((type, at) => {
      const schema = batch[at];
      if (schema !== undefined) texts.set(schema, type.slice(type.indexOf(': ') + 2).trimEnd());
    });
  }
  const itemsByMark = new Map(Array.from(nodes.readonlyItems, ([items, mark]) => [mark, items]));
  const textOf = (schema: CompilerSchema): string =>
    (texts.get(schema) ?? schema.tsType ?? 'unknown').replace(/\u0001\d+\u0001/g, (mark) => {
      const items = itemsByMark.get(mark);
      const text = items === undefined ? 'unknown' : textOf(items);
      return `readonly ${text.startsWith('readonly ') ? `(${text})` : text}[]`;
    });
  return ({ schema }, indent = '') => layOutType(textOf(schema)).replaceAll('\n', `\n${indent}`);
}

/** The input has no references, and no file is read. */
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
