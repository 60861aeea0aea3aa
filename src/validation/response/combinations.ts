import { type Json, pointerToken } from '../../json.ts';
import { fits, listOf, type Stated } from './applicators.ts';
import { typeOf, wrongType } from './finding.ts';
import type { Attempt, Check, SchemaNode, Walk } from './node.ts';

/** Keywords that hold the same value against other schemas. */
export const COMBINATIONS: Readonly<Record<string, (from: Stated) => Check<Json> | null>> = {
  $ref: ({ stated, schemas }) => {
    if (typeof stated !== 'string') return null;
    let target: SchemaNode | undefined | null = null;
    return (value, walk, use) => {
      // Looked up late: what it leads to may be prepared just now.
      target = target === null ? schemas.follow(stated) : target;
      if (target !== undefined) walk.same(target, value, use);
    };
  },
  allOf: (from) => {
    const nodes = members('allOf', from);
    return (value, walk) => {
      for (const node of nodes) walk.same(node, value);
    };
  },
  anyOf: (from) => {
    const nodes = members('anyOf', from);
    return (value, walk, use) => {
      const attempts: Attempt[] = [];
      for (const node of nodes) {
        const attempt = walk.attempt(node, value);
        if (isClean(attempt)) return walk.adopt(attempt);
        attempts.push(attempt);
      }
      report({ nodes, attempts, keyword: 'anyOf', value, walk, use });
    };
  },
  oneOf: (from) => {
    const nodes = members('oneOf', from);
    return (value, walk, use) => {
      const attempts = nodes.map((node) => walk.attempt(node, value));
      const [first, second] = attempts.filter(isClean);
      if (second !== undefined) walk.found('alternatives', 'oneOf', typeOf(value), from.pointer);
      else if (first !== undefined) walk.adopt(first);
      else report({ nodes, attempts, keyword: 'oneOf', value, walk, use });
    };
  },
  not: ({ stated, pointer, schemas }) => {
    const node = schemas.at(stated, `${pointer}/not`);
    return (value, walk) => {
      if (fits(walk, node, value)) walk.found('other', 'not', typeOf(value), pointer);
    };
  },
  if: ({ stated, schema, pointer, schemas }) => {
    const condition = schemas.at(stated, `${pointer}/if`);
    const then = schemas.at(schema['then'], `${pointer}/then`);
    const otherwise = schemas.at(schema['else'], `${pointer}/else`);
    return (value, walk) => walk.same(fits(walk, condition, value) ? then : otherwise, value);
  },
};

function members(keyword: string, { stated, pointer, schemas }: Stated): readonly SchemaNode[] {
  return listOf(stated).map((each, index) => schemas.at(each, `${pointer}/${keyword}${pointerToken(index)}`));
}

function isClean({ wrong, tolerated }: Attempt): boolean {
  return wrong === 0 && tolerated === 0;
}

interface NoneFits {
  readonly nodes: readonly SchemaNode[];
  readonly attempts: readonly Attempt[];
  readonly keyword: string;
  readonly value: Json;
  readonly walk: Walk;
  readonly use: string;
}

/**
 * No alternative fits. Where one takes values of this type, what keeps the value from it is what is wrong: of several,
 * the one that lacks least. Otherwise the value is one for which there is no alternative.
 */
function report({ nodes, attempts, keyword, value, walk, use }: NoneFits): void {
  const type = typeOf(value);
  let best: Attempt | undefined;
  let types = 0;
  for (const [index, attempt] of attempts.entries()) {
    const allowed = nodes[index]?.takes ?? 0;
    types |= allowed;
    if (wrongType(allowed, value, type) !== null) continue;
    const isBetter =
      best === undefined ||
      attempt.wrong < best.wrong ||
      (attempt.wrong === best.wrong && attempt.tolerated < best.tolerated);
    if (isBetter) best = attempt;
  }
  if (best !== undefined) walk.adopt(best);
  else walk.found(wrongType(types, value, type) ?? 'type', keyword, type, use);
}
