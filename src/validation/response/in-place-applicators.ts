import { type Json, toPointerSegment } from '../../json.ts';
import { type KeywordContext, matchesNode, toArray } from './applicators.ts';
import { classifyTypeMismatch, jsonTypeOf } from './finding.ts';
import type { ResponseWalk, SchemaAttempt, SchemaCheck, SchemaNode } from './schema-node.ts';

/** Keywords that apply other schemas to the same value. */
export const IN_PLACE_APPLICATORS: Readonly<
  Record<string, (context: KeywordContext) => SchemaCheck<Json> | null>
> = {
  $ref: ({ keywordValue, schemas }) => {
    if (typeof keywordValue !== 'string') return null;
    let target: SchemaNode | undefined | null = null;
    return (value, walk, referencePointer) => {
      // Resolved on first use, because the target may be a schema that is being compiled.
      target = target === null ? schemas.resolve(keywordValue) : target;
      if (target !== undefined) walk.validate(target, value, referencePointer);
    };
  },
  allOf: (context) => {
    const nodes = compileMembers('allOf', context);
    return (value, walk) => {
      for (const node of nodes) walk.validate(node, value);
    };
  },
  anyOf: (context) => {
    const nodes = compileMembers('anyOf', context);
    return (value, walk, referencePointer) => {
      const attempts: SchemaAttempt[] = [];
      for (const node of nodes) {
        const attempt = walk.attempt(node, value);
        if (isClean(attempt)) return walk.reportAttempt(attempt);
        attempts.push(attempt);
      }
      reportFailedAlternatives({ nodes, attempts, keyword: 'anyOf', value, walk, referencePointer });
    };
  },
  oneOf: (context) => {
    const nodes = compileMembers('oneOf', context);
    return (value, walk, referencePointer) => {
      const attempts = nodes.map((node) => walk.attempt(node, value));
      const [first, second] = attempts.filter(isClean);
      if (second !== undefined) walk.report('alternatives', 'oneOf', jsonTypeOf(value), context.pointer);
      else if (first !== undefined) walk.reportAttempt(first);
      else reportFailedAlternatives({ nodes, attempts, keyword: 'oneOf', value, walk, referencePointer });
    };
  },
  not: ({ keywordValue, pointer, schemas }) => {
    const node = schemas.get(keywordValue, `${pointer}/not`);
    return (value, walk) => {
      if (matchesNode(walk, node, value)) walk.report('other', 'not', jsonTypeOf(value), pointer);
    };
  },
  if: ({ keywordValue, schema, pointer, schemas }) => {
    const condition = schemas.get(keywordValue, `${pointer}/if`);
    const then = schemas.get(schema['then'], `${pointer}/then`);
    const otherwise = schemas.get(schema['else'], `${pointer}/else`);
    return (value, walk) => walk.validate(matchesNode(walk, condition, value) ? then : otherwise, value);
  },
};

function compileMembers(
  keyword: string,
  { keywordValue, pointer, schemas }: KeywordContext,
): readonly SchemaNode[] {
  return toArray(keywordValue).map((each, index) =>
    schemas.get(each, `${pointer}/${keyword}${toPointerSegment(index)}`),
  );
}

function isClean({ wrongCount, toleratedCount }: SchemaAttempt): boolean {
  return wrongCount === 0 && toleratedCount === 0;
}

interface FailedAlternatives {
  readonly nodes: readonly SchemaNode[];
  readonly attempts: readonly SchemaAttempt[];
  readonly keyword: string;
  readonly value: Json;
  readonly walk: ResponseWalk;
  readonly referencePointer: string;
}

/**
 * Reports a value that matches no alternative: the findings of the alternative of its type with the fewest, or a type
 * mismatch when no alternative accepts its type.
 */
function reportFailedAlternatives({
  nodes,
  attempts,
  keyword,
  value,
  walk,
  referencePointer,
}: FailedAlternatives): void {
  const type = jsonTypeOf(value);
  let best: SchemaAttempt | undefined;
  let types = 0;
  for (const [index, attempt] of attempts.entries()) {
    const allowed = nodes[index]?.acceptedTypeMask ?? 0;
    types |= allowed;
    if (classifyTypeMismatch(allowed, value, type) !== null) continue;
    const isBetter =
      best === undefined ||
      attempt.wrongCount < best.wrongCount ||
      (attempt.wrongCount === best.wrongCount && attempt.toleratedCount < best.toleratedCount);
    if (isBetter) best = attempt;
  }
  if (best !== undefined) walk.reportAttempt(best);
  else walk.report(classifyTypeMismatch(types, value, type) ?? 'type', keyword, type, referencePointer);
}
