import { type Json, pointerToken } from '../../json.ts';
import { type KeywordContext, matchesNode, toArray } from './applicators.ts';
import { classifyTypeMismatch, jsonTypeOf } from './finding.ts';
import type { Attempt, ResponseWalk, SchemaCheck, SchemaNode } from './node.ts';

/** Keywords that apply other schemas to the same value. */
export const COMBINATIONS: Readonly<Record<string, (from: KeywordContext) => SchemaCheck<Json> | null>> = {
  $ref: ({ keywordValue, schemas }) => {
    if (typeof keywordValue !== 'string') return null;
    let target: SchemaNode | undefined | null = null;
    return (value, walk, use) => {
      // Resolved on first use, because the target may be a schema that is being compiled.
      target = target === null ? schemas.resolve(keywordValue) : target;
      if (target !== undefined) walk.validate(target, value, use);
    };
  },
  allOf: (from) => {
    const nodes = compileMembers('allOf', from);
    return (value, walk) => {
      for (const node of nodes) walk.validate(node, value);
    };
  },
  anyOf: (from) => {
    const nodes = compileMembers('anyOf', from);
    return (value, walk, use) => {
      const attempts: Attempt[] = [];
      for (const node of nodes) {
        const attempt = walk.attempt(node, value);
        if (isClean(attempt)) return walk.adopt(attempt);
        attempts.push(attempt);
      }
      reportFailedAlternatives({ nodes, attempts, keyword: 'anyOf', value, walk, use });
    };
  },
  oneOf: (from) => {
    const nodes = compileMembers('oneOf', from);
    return (value, walk, use) => {
      const attempts = nodes.map((node) => walk.attempt(node, value));
      const [first, second] = attempts.filter(isClean);
      if (second !== undefined) walk.report('alternatives', 'oneOf', jsonTypeOf(value), from.pointer);
      else if (first !== undefined) walk.adopt(first);
      else reportFailedAlternatives({ nodes, attempts, keyword: 'oneOf', value, walk, use });
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
    schemas.get(each, `${pointer}/${keyword}${pointerToken(index)}`),
  );
}

function isClean({ wrong, tolerated }: Attempt): boolean {
  return wrong === 0 && tolerated === 0;
}

interface FailedAlternatives {
  readonly nodes: readonly SchemaNode[];
  readonly attempts: readonly Attempt[];
  readonly keyword: string;
  readonly value: Json;
  readonly walk: ResponseWalk;
  readonly use: string;
}

/**
 * Reports a value that matches no alternative: the findings of the alternative of its type with the fewest, or a type
 * mismatch when no alternative accepts its type.
 */
function reportFailedAlternatives({ nodes, attempts, keyword, value, walk, use }: FailedAlternatives): void {
  const type = jsonTypeOf(value);
  let best: Attempt | undefined;
  let types = 0;
  for (const [index, attempt] of attempts.entries()) {
    const allowed = nodes[index]?.acceptedTypes ?? 0;
    types |= allowed;
    if (classifyTypeMismatch(allowed, value, type) !== null) continue;
    const isBetter =
      best === undefined ||
      attempt.wrong < best.wrong ||
      (attempt.wrong === best.wrong && attempt.tolerated < best.tolerated);
    if (isBetter) best = attempt;
  }
  if (best !== undefined) walk.adopt(best);
  else walk.report(classifyTypeMismatch(types, value, type) ?? 'type', keyword, type, use);
}
