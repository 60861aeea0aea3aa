import type { Json } from '../../json.ts';
import { type CompiledSchema, type LazySchemas, PERMISSIVE_SCHEMA } from './compiled-schema.ts';
import { toObjectMembers } from './php-types.ts';
import { validateValue } from './validate.ts';
import { createViolation, joinWithAnd, type SchemaViolation } from './violation.ts';

/** The member of an `anyOf` or `oneOf` by which a value is taken, with the type that it is judged as. */
export type CombinatorMatch =
  | { readonly ok: true; readonly schema: CompiledSchema; readonly type: CompiledSchema['type'] }
  | { readonly ok: false; readonly refusal: SchemaViolation };

interface CombinatorAttempt {
  readonly schema: CompiledSchema;
  readonly type: CompiledSchema['type'];
  readonly index: number;
  readonly refusal: SchemaViolation | null;
}

/** The first that fits. */
export function matchAny(
  value: Json,
  members: LazySchemas,
  type: CompiledSchema['type'],
  param: string,
): CombinatorMatch {
  const attempts: CombinatorAttempt[] = [];
  for (const index of members.keys()) {
    const attempt = attemptMember(value, members, index, type, param);
    if (attempt.refusal === null) return { ok: true, schema: attempt.schema, type: attempt.type };
    attempts.push(attempt);
  }
  return { ok: false, refusal: describeMismatch(value, param, attempts) };
}

/** The one that fits; a refusal where two do. */
export function matchOne(
  value: Json,
  members: LazySchemas,
  type: CompiledSchema['type'],
  param: string,
): CombinatorMatch {
  const attempts = [...members.keys()].map((index) => attemptMember(value, members, index, type, param));
  const matching = attempts.filter((attempt) => attempt.refusal === null);
  const [first, second] = matching;
  if (first === undefined) return { ok: false, refusal: describeMismatch(value, param, attempts) };
  if (second === undefined) return { ok: true, schema: first.schema, type: first.type };
  const positions = matching.map(({ index }) => index);
  const titles = getTitles(matching);
  const message =
    titles === null
      ? `${param} matches more than one of the expected formats.`
      : `${param} matches ${joinWithAnd(titles)}, but should match only one.`;
  return { ok: false, refusal: createViolation('rest_one_of_multiple_matches', message, { positions }) };
}

function attemptMember(
  value: Json,
  members: LazySchemas,
  index: number,
  parent: CompiledSchema['type'],
  param: string,
): CombinatorAttempt {
  const schema = members[index]?.() ?? PERMISSIVE_SCHEMA;
  // A member without a type inherits its parent's.
  const type = schema.type ?? parent;
  return { schema, type, index, refusal: validateValue(value, schema, param, type) };
}

/** `rest_get_combining_operation_error()`: the refusal that says most. */
function describeMismatch(
  value: Json,
  param: string,
  attempts: readonly CombinatorAttempt[],
): SchemaViolation {
  const [only] = attempts;
  if (only !== undefined && attempts.length === 1) return describeSingleMismatch(param, only);
  const informative = attempts.filter(
    ({ refusal: found }) => found?.code !== 'rest_invalid_type' || (found.data?.['param'] ?? param) !== param,
  );
  const [first, second] = informative;
  if (first !== undefined && second === undefined) return describeSingleMismatch(param, first);
  if (first?.type === 'object') {
    const closest = findClosestAttempt(value, informative);
    if (closest !== undefined) return describeSingleMismatch(param, closest);
  }
  const titles = getTitles(attempts);
  return createViolation(
    'rest_no_matching_schema',
    titles === null
      ? `${param} does not match any of the expected formats.`
      : `${param} is not a valid ${joinWithAnd(titles)}.`,
  );
}

function describeSingleMismatch(
  param: string,
  { schema, index, refusal: found }: CombinatorAttempt,
): SchemaViolation {
  const reason = `Reason: ${found?.message ?? ''}`;
  const message =
    schema.title === undefined
      ? `${param} does not match the expected format. ${reason}`
      : `${param} is not a valid ${schema.title}. ${reason}`;
  return createViolation('rest_no_matching_schema', message, { position: index });
}

/** The first of those that know most of the value's properties; undefined where none knows any. */
function findClosestAttempt(
  value: Json,
  attempts: readonly CombinatorAttempt[],
): CombinatorAttempt | undefined {
  const names = (toObjectMembers(value) ?? []).map(([name]) => name);
  let most = 0;
  let found: CombinatorAttempt | undefined;
  for (const attempt of attempts) {
    const known = names.filter((name) => attempt.schema.properties.has(name)).length;
    if (known > most) [most, found] = [known, attempt];
  }
  return found;
}

/** Null unless all of them have one. */
function getTitles(attempts: readonly CombinatorAttempt[]): readonly string[] | null {
  const titles = attempts.flatMap(({ schema }) => schema.title ?? []);
  return titles.length === attempts.length && titles.length > 0 ? titles : null;
}
