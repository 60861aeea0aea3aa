import type { JsonObject } from '../json.ts';
import { breakAliasCycles, type TypeDeclaration } from '../types/alias-cycles.ts';
import { toSingleLine } from '../types/comment.ts';
import type { CompilerSchema } from '../types/compiler-schema.ts';
import { createTypeNameAllocator } from '../types/names.ts';
import { readDocumentOperations } from '../types/operations.ts';
import { declareBytes, declareSchema, declareSharedQuery, findSharedQueryParameters } from '../types/plan.ts';
import { createReferenceResolver, type ReferenceResolver } from '../types/references.ts';
import { createShapeCache, type ShapeCache } from '../types/shape-cache.ts';
import { type ClientEntry, createEntryFactory, type TypeAlias } from './client-entries.ts';
import { toClientOperation } from './client-operations.ts';
import { createReadBackFinder } from './read-back.ts';
import { separateRelations } from './relations.ts';

/** The methods that have a map of operations. Lists with totals are in a map of their own. */
export const OPERATION_MAPS = [
  { name: 'PagedOperations', method: 'get', pages: true },
  { name: 'GetOperations', method: 'get', pages: false, extends: 'PagedOperations' },
  { name: 'PostOperations', method: 'post' },
  { name: 'PutOperations', method: 'put' },
  { name: 'PatchOperations', method: 'patch' },
  { name: 'DeleteOperations', method: 'delete' },
] as const;

/** The content of a generated client before its types are compiled, without the runtime. */
export interface ClientPlan {
  /** The name of the site on one line; empty if it has none. */
  readonly title: string;
  readonly entries: readonly ClientEntry[];
  /** Types of queries, bodies, and responses without a component. */
  readonly declarations: readonly TypeDeclaration[];
  /** Types of the components that operations use, directly or through others. */
  readonly schemas: readonly TypeDeclaration[];
  readonly aliases: readonly TypeAlias[];
  /** Path templates with parameters whose values may contain `/`. */
  readonly slashes: readonly (readonly [path: string, names: readonly string[]])[];
  readonly compilerSchemas: Iterable<CompilerSchema>;
}

/** @param reserved names that no type of the site may have */
export function planClient(stated: JsonObject, reserved: readonly string[], name?: string): ClientPlan {
  const { document, relationsOf } = separateRelations(stated);
  const names = createTypeNameAllocator(reserved);
  const sharedName = names.allocate('SharedQuery');
  const references = createReferenceResolver(document, names);
  const shapes = createShapeCache(references);
  const operations = readDocumentOperations(document, references)
    .filter(({ method }) => OPERATION_MAPS.some((map) => map.method === method))
    .map((operation) => toClientOperation(operation, references));
  const sharedQuery = findSharedQueryParameters(
    sharedName,
    operations.map(({ query }) => ({ parameters: query })),
  );
  const factory = createEntryFactory({
    names,
    references,
    shapes,
    sharedQuery,
    relationsOf,
    findReadBack: createReadBackFinder(operations, references),
  });
  const entries = operations.map(factory.createEntry);
  const shared = [...declareSharedQuery(sharedQuery, shapes)];
  const declarations = [...shared, ...factory.declarations];
  const schemas = declareReached(references, shapes, factory.reachedNames(declarations));
  return {
    title: toSingleLine(name ?? titleOf(document)),
    entries,
    declarations: [...declarations, ...declareBytes(shapes)],
    schemas: breakAliasCycles(schemas, shapes),
    aliases: factory.aliases,
    slashes: [...new Map(operations.map(({ operation, slashes }) => [operation.path, slashes]))].filter(
      ([, names]) => names.length > 0,
    ),
    compilerSchemas: shapes.compilerSchemas,
  };
}

function titleOf({ info }: JsonObject): string | undefined {
  const title = typeof info === 'object' && info !== null && 'title' in info ? info['title'] : undefined;
  return typeof title === 'string' ? title : undefined;
}

/** Declares the schemas that some names reach, in the document's order, components first. */
function declareReached(
  references: ReferenceResolver,
  shapes: ShapeCache,
  names: Iterable<string>,
): readonly TypeDeclaration[] {
  const reached = new Map<string, TypeDeclaration>();
  const waiting = new Set(names);
  // The loop also visits the names that it adds, and references may name further schemas meanwhile.
  for (const name of waiting) {
    const named = [...references.componentSchemas, ...references.additionalSchemas].find(
      ({ typeName }) => typeName === name,
    );
    if (named === undefined) continue;
    const declaration = declareSchema(named, shapes);
    reached.set(name, declaration);
    for (const used of declaration.shape.typeNames) waiting.add(used);
  }
  return [...references.componentSchemas, ...references.additionalSchemas].flatMap(
    ({ typeName }) => reached.get(typeName) ?? [],
  );
}
