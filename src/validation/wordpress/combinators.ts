import type { Json } from '../../json.ts';
import type { Combinator, CompiledSchema } from './compiled-schema.ts';
import { toObjectMembers } from './php-types.ts';
import type { SanitizeResult } from './sanitize.ts';
import { validateValue } from './validate.ts';
import { createViolation, joinWithAnd, type SchemaViolation } from './violation.ts';
import { NS_PER_MEMBER, spendWork } from './work-limit.ts';

/** A value with the type that it is validated as. `undefined` means that no schema states a type. */
export interface TypedValue {
  readonly value: Json;
  readonly type: CompiledSchema['type'];
}

export type CombinatorResult =
  | ({ readonly ok: true } & TypedValue)
  | { readonly ok: false; readonly violation: SchemaViolation };

type Sanitizer = (
  value: Json,
  schema: CompiledSchema,
  param: string,
  type: CompiledSchema['type'],
) => SanitizeResult;

/**
 * Applies a schema's `anyOf` and `oneOf` to a value. A type that the schema does not state is taken from the member
 * that matches.
 *
 * @param sanitize sanitises the value by each member that matches; without it the value is not changed
 */
export function applyCombinators(
  typed: TypedValue,
  { combinators }: CompiledSchema,
  param: string,
  sanitize?: Sanitizer,
): CombinatorResult {
  let { value, type } = typed;
  for (const combinator of combinators) {
    const match = matchMember({ value, type }, combinator, param);
    if (!match.ok) return match;
    if (sanitize !== undefined) {
      const sanitized = sanitize(value, match.schema, param, match.type);
      if (!sanitized.ok) return sanitized;
      value = sanitized.value;
    }
    type ??= match.type;
  }
  return { ok: true, value, type };
}

type MemberMatch =
  | { readonly ok: true; readonly schema: CompiledSchema; readonly type: CompiledSchema['type'] }
  | { readonly ok: false; readonly violation: SchemaViolation };

/** The validation of a value by one member of a combinator. */
interface MemberAttempt {
  readonly schema: CompiledSchema;
  readonly type: CompiledSchema['type'];
  readonly index: number;
  readonly violation: SchemaViolation | null;
}

/** Finds the first member that matches; when members exclude each other, the only one. */
function matchMember(typed: TypedValue, { isExclusive, members }: Combinator, param: string): MemberMatch {
  const attempts: MemberAttempt[] = [];
  const matches: MemberAttempt[] = [];
  for (const [index, member] of members.entries()) {
    const attempt = attemptMember(typed, member(), index, param);
    attempts.push(attempt);
    if (attempt.violation !== null) continue;
    matches.push(attempt);
    if (!isExclusive) break;
  }
  const [first] = matches;
  if (first === undefined) return { ok: false, violation: describeMismatch(typed.value, param, attempts) };
  return matches.length === 1
    ? { ok: true, schema: first.schema, type: first.type }
    : { ok: false, violation: describeMultipleMatches(param, matches) };
}

function attemptMember(
  { value, type: parentType }: TypedValue,
  schema: CompiledSchema,
  index: number,
  param: string,
): MemberAttempt {
  // A member without a type inherits its parent's.
  const type = schema.type ?? parentType;
  return { schema, type, index, violation: validateValue(value, schema, param, type) };
}

function describeMultipleMatches(param: string, matches: readonly MemberAttempt[]): SchemaViolation {
  const positions = matches.map(({ index }) => index);
  const titles = getTitles(matches);
  const message =
    titles === null
      ? `${param} matches more than one of the expected formats.`
      : `${param} matches ${joinWithAnd(titles)}, but should match only one.`;
  return createViolation('rest_one_of_multiple_matches', message, { positions });
}

/** `rest_get_combining_operation_error()`: the most specific of the members' violations. */
function describeMismatch(value: Json, param: string, attempts: readonly MemberAttempt[]): SchemaViolation {
  const [only] = attempts;
  if (only !== undefined && attempts.length === 1) return describeSingleMismatch(param, only);
  const informative = attempts.filter(
    ({ violation }) =>
      violation?.code !== 'rest_invalid_type' || (violation.data?.['param'] ?? param) !== param,
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

function describeSingleMismatch(param: string, { schema, index, violation }: MemberAttempt): SchemaViolation {
  const reason = `Reason: ${violation?.message ?? ''}`;
  const message =
    schema.title === undefined
      ? `${param} does not match the expected format. ${reason}`
      : `${param} is not a valid ${schema.title}. ${reason}`;
  return createViolation('rest_no_matching_schema', message, { position: index });
}

/** Finds the first attempt whose schema declares most of the value's properties; `undefined` when none declares any. */
function findClosestAttempt(value: Json, attempts: readonly MemberAttempt[]): MemberAttempt | undefined {
  const names = (toObjectMembers(value) ?? []).map(([name]) => name);
  spendWork(NS_PER_MEMBER * names.length * attempts.length);
  let most = 0;
  let closest: MemberAttempt | undefined;
  for (const attempt of attempts) {
    const declared = names.filter((name) => attempt.schema.properties.has(name)).length;
    if (declared > most) [most, closest] = [declared, attempt];
  }
  return closest;
}

/** Returns `null` unless all of the schemas have a title. */
function getTitles(attempts: readonly MemberAttempt[]): readonly string[] | null {
  const titles = attempts.flatMap(({ schema }) => schema.title ?? []);
  return titles.length === attempts.length && titles.length > 0 ? titles : null;
}
