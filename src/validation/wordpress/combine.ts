import type { Json } from '../../json.ts';
import { type CompiledSchema, type LazySchemas, PERMISSIVE_SCHEMA } from './compiled-schema.ts';
import { toObjectMembers } from './php-types.ts';
import { validateValue } from './validate.ts';
import { createViolation, joinWords, type SchemaViolation } from './violation.ts';

/** The member of an `anyOf` or `oneOf` by which a value is taken, with the type that it is judged as. */
export type Matching =
  | { readonly ok: true; readonly schema: CompiledSchema; readonly type: CompiledSchema['type'] }
  | { readonly ok: false; readonly refusal: SchemaViolation };

interface Tried {
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
): Matching {
  const tried: Tried[] = [];
  for (const index of members.keys()) {
    const attempt = tryMember(value, members, index, type, param);
    if (attempt.refusal === null) return { ok: true, schema: attempt.schema, type: attempt.type };
    tried.push(attempt);
  }
  return { ok: false, refusal: explain(value, param, tried) };
}

/** The one that fits; a refusal where two do. */
export function matchOne(
  value: Json,
  members: LazySchemas,
  type: CompiledSchema['type'],
  param: string,
): Matching {
  const tried = [...members.keys()].map((index) => tryMember(value, members, index, type, param));
  const matching = tried.filter((attempt) => attempt.refusal === null);
  const [first, second] = matching;
  if (first === undefined) return { ok: false, refusal: explain(value, param, tried) };
  if (second === undefined) return { ok: true, schema: first.schema, type: first.type };
  const positions = matching.map(({ index }) => index);
  const titles = titlesOf(matching);
  const message =
    titles === null
      ? `${param} matches more than one of the expected formats.`
      : `${param} matches ${joinWords(titles)}, but should match only one.`;
  return { ok: false, refusal: createViolation('rest_one_of_multiple_matches', message, { positions }) };
}

function tryMember(
  value: Json,
  members: LazySchemas,
  index: number,
  parent: CompiledSchema['type'],
  param: string,
): Tried {
  const schema = members[index]?.() ?? PERMISSIVE_SCHEMA;
  // A member without a type inherits its parent's.
  const type = schema.type ?? parent;
  return { schema, type, index, refusal: validateValue(value, schema, param, type) };
}

/** `rest_get_combining_operation_error()`: the refusal that says most. */
function explain(value: Json, param: string, tried: readonly Tried[]): SchemaViolation {
  const [only] = tried;
  if (only !== undefined && tried.length === 1) return sayOne(param, only);
  const telling = tried.filter(
    ({ refusal: found }) => found?.code !== 'rest_invalid_type' || (found.data?.['param'] ?? param) !== param,
  );
  const [first, second] = telling;
  if (first !== undefined && second === undefined) return sayOne(param, first);
  if (first?.type === 'object') {
    const closest = mostAlike(value, telling);
    if (closest !== undefined) return sayOne(param, closest);
  }
  const titles = titlesOf(tried);
  return createViolation(
    'rest_no_matching_schema',
    titles === null
      ? `${param} does not match any of the expected formats.`
      : `${param} is not a valid ${joinWords(titles)}.`,
  );
}

function sayOne(param: string, { schema, index, refusal: found }: Tried): SchemaViolation {
  const reason = `Reason: ${found?.message ?? ''}`;
  const message =
    schema.title === undefined
      ? `${param} does not match the expected format. ${reason}`
      : `${param} is not a valid ${schema.title}. ${reason}`;
  return createViolation('rest_no_matching_schema', message, { position: index });
}

/** The first of those that know most of the value's properties; undefined where none knows any. */
function mostAlike(value: Json, tried: readonly Tried[]): Tried | undefined {
  const names = (toObjectMembers(value) ?? []).map(([name]) => name);
  let most = 0;
  let found: Tried | undefined;
  for (const attempt of tried) {
    const known = names.filter((name) => attempt.schema.properties.has(name)).length;
    if (known > most) [most, found] = [known, attempt];
  }
  return found;
}

/** Null unless all of them have one. */
function titlesOf(tried: readonly Tried[]): readonly string[] | null {
  const titles = tried.flatMap(({ schema }) => schema.title ?? []);
  return titles.length === tried.length && titles.length > 0 ? titles : null;
}
