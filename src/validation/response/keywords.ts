import { getStatedPattern, getStatedPatternProperties } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import { compilePattern, countExpandedNodes, parseArgumentPattern } from '../../pcre/index.ts';
import { validateFormat } from '../wordpress/keywords.ts';
import { classifyTypeMismatch, type JsonType, jsonTypeOf, type ResponseFindingKind } from './finding.ts';

/** A schema of the document, compiled for validation. Each member is computed on first use. */
export interface SchemaNode {
  /** JSON Pointer to the schema in the document. */
  readonly pointer: string;
  /** Bit mask of the types that the keyword `type` allows. */
  readonly ownTypeMask: number;
  /** Bit mask of the types that the schema allows, with its references, `anyOf` and `oneOf`. */
  readonly acceptedTypeMask: number;
  readonly checks: ChecksByType;
  /** The properties that the schema declares, with its references and alternatives. */
  readonly properties: DeclaredProperties;
}

/** The checks of a schema, grouped by the type of the value that they apply to. */
export interface ChecksByType {
  readonly any: readonly SchemaCheck<Json>[];
  readonly string: readonly SchemaCheck<string>[];
  readonly number: readonly SchemaCheck<number>[];
  readonly array: readonly SchemaCheck<readonly Json[]>[];
  readonly object: readonly SchemaCheck<JsonObject>[];
}

/**
 * Checks a value by one keyword and reports findings to the walk.
 *
 * @param referencePointer JSON Pointer to the `$ref` that led to the schema, or to the schema itself; reported for a wrong type
 */
export type SchemaCheck<Value extends Json> = (
  value: Value,
  walk: ResponseWalk,
  referencePointer: string,
) => void;

/** The declared properties of an object. */
export interface DeclaredProperties {
  readonly names: ReadonlySet<string>;
  /** Whether undeclared properties are no findings, because the schema describes them or declares no properties at all. */
  readonly isOpen: boolean;
  /** JSON Pointer to the schema whose `properties` an undeclared property should be added to. */
  readonly declaringPointer: string;
}

/** The compiled schemas of a document, by pointer. All references to a schema share its node, so recursion is finite. */
export interface SchemaRegistry {
  /** Returns the node of a schema, compiled on first use. */
  get(schema: Json | undefined, pointer: string): SchemaNode;
  /** Resolves a `$ref`; `undefined` when its target does not exist. */
  resolve(reference: string): SchemaNode | undefined;
}

/** The interface of a running validation that checks use. */
export interface ResponseWalk {
  /** Whether the client selected properties with `_fields`, so that missing properties are no findings. */
  readonly isPartial: boolean;
  /** Validates the value at the current location by a schema, and reports its findings. */
  validate(node: SchemaNode, value: Json, referencePointer?: string): void;
  /** Validates a member or an item of the current value. @param token reference token of the child (RFC 6901) */
  validateChild(token: string, node: SchemaNode, value: Json): void;
  /** Validates the current value by a schema, and returns the findings without reporting them. */
  attempt(node: SchemaNode, value: Json): SchemaAttempt;
  /** Reports the findings of an attempt. */
  reportAttempt(attempt: SchemaAttempt): void;
  /** Reports a finding at the current location. @param token reference token of a child that the finding is about */
  report(
    kind: ResponseFindingKind,
    keyword: string,
    actual: JsonType | 'nothing',
    schemaPointer: string,
    token?: string,
  ): void;
  /** Takes steps from the budget. @throws {ValidationBudgetError} when it is exhausted */
  spend(steps: number): void;
}

/** The result of an attempt to validate a value by a schema. */
export interface SchemaAttempt {
  /** Number of findings of severity `wrong`. A value with neither count matches the schema. */
  readonly wrongCount: number;
  /** Number of findings of severity `tolerated`. */
  readonly toleratedCount: number;
}

/** Thrown when the validation of a response exceeds its limits. */
export class ValidationBudgetError extends Error {
  override readonly name = 'ValidationBudgetError';
  readonly reason: 'too-deep' | 'too-costly';

  constructor(reason: 'too-deep' | 'too-costly') {
    super(reason);
    this.reason = reason;
  }
}

/** A keyword in its schema, from which a check is compiled. */
export interface KeywordContext {
  readonly keywordValue: Json;
  /** The schema that contains the keyword. */
  readonly schema: JsonObject;
  /** JSON Pointer to the schema. */
  readonly pointer: string;
  readonly schemas: SchemaRegistry;
}

type CheckFactory<Value extends Json> = (context: KeywordContext) => SchemaCheck<Value> | null;

/** Members of HAL that the site adds to every resource. Schemas do not declare them. */
export const HAL_MEMBERS: ReadonlySet<string> = new Set(['_links', '_embedded']);

/** Keywords that apply schemas to the items of an array. */
export const ARRAY_APPLICATORS: Readonly<Record<string, CheckFactory<readonly Json[]>>> = {
  prefixItems: ({ keywordValue, pointer, schemas }) => {
    const nodes = toArray(keywordValue).map((each, index) =>
      schemas.get(each, `${pointer}/prefixItems${toPointerSegment(index)}`),
    );
    return (value, walk) => {
      for (const [index, node] of nodes.entries()) {
        const item = value[index];
        if (item !== undefined) walk.validateChild('*', node, item);
      }
    };
  },
  items: ({ keywordValue, schema, pointer, schemas }) => {
    const node = schemas.get(keywordValue, `${pointer}/items`);
    const context = toArray(schema['prefixItems'] ?? []).length;
    return (value, walk) => {
      for (let index = context; index < value.length; index += 1)
        walk.validateChild('*', node, value[index] ?? null);
    };
  },
  contains: ({ keywordValue, schema, pointer, schemas }) => {
    const node = schemas.get(keywordValue, `${pointer}/contains`);
    const least = numberOr(schema['minContains'], 1);
    const most = numberOr(schema['maxContains'], Number.POSITIVE_INFINITY);
    return (value, walk) => {
      const count = value.filter((item) => matchesNode(walk, node, item)).length;
      if (count < least || count > most) walk.report('other', 'contains', 'array', pointer);
    };
  },
};

/** Keywords that apply schemas to the members of an object. */
export const OBJECT_APPLICATORS: Readonly<Record<string, CheckFactory<JsonObject>>> = {
  required: ({ keywordValue, pointer }) => {
    const names = toArray(keywordValue).map(String);
    return (value, walk) => {
      if (!walk.isPartial) reportMissing(names, value, walk, { keyword: 'required', pointer });
    };
  },
  dependentRequired: ({ keywordValue, pointer }) => {
    const dependencies = toEntries(keywordValue).map(
      ([name, names]) => [name, toArray(names).map(String)] as const,
    );
    return (value, walk) => {
      if (walk.isPartial) return;
      for (const [name, names] of dependencies) {
        if (Object.hasOwn(value, name))
          reportMissing(names, value, walk, { keyword: 'dependentRequired', pointer });
      }
    };
  },
  properties: ({ keywordValue, pointer, schemas }) => {
    const nodes = toEntries(keywordValue).map(
      ([name, each]) => [name, schemas.get(each, `${pointer}/properties${toPointerSegment(name)}`)] as const,
    );
    return (value, walk) => {
      walk.spend(nodes.length >> 2);
      for (const [name, node] of nodes) {
        if (Object.hasOwn(value, name)) walk.validateChild(name, node, value[name] ?? null);
      }
    };
  },
  patternProperties: ({ keywordValue, schema, pointer, schemas }) => {
    const nodes = toEntries(keywordValue).map(([source, each]) => ({
      matches: compileBoundedPattern(getOriginPattern(schema, source)),
      node: schemas.get(each, `${pointer}/patternProperties${toPointerSegment(source)}`),
    }));
    return (value, walk) => {
      for (const [name, member] of Object.entries(value)) {
        for (const { matches, node } of nodes)
          if (matches?.(name, walk) === true) walk.validateChild('*', node, member);
      }
    };
  },
  additionalProperties: ({ keywordValue, schema, pointer, schemas }) => {
    const named = new Set(toEntries(schema['properties']).map(([name]) => name));
    const patterns = toEntries(schema['patternProperties']).map(([source]) =>
      compileBoundedPattern(getOriginPattern(schema, source)),
    );
    const node = schemas.get(keywordValue, `${pointer}/additionalProperties`);
    return (value, walk) => {
      for (const [name, member] of Object.entries(value)) {
        // A pattern that cannot be matched may declare the name.
        if (named.has(name) || patterns.some((each) => each === null || each(name, walk))) continue;
        if (keywordValue !== false) walk.validateChild('*', node, member);
        else if (!HAL_MEMBERS.has(name)) {
          walk.report('forbidden', 'additionalProperties', jsonTypeOf(member), pointer, redactName(name));
        }
      }
    };
  },
  propertyNames: ({ keywordValue, pointer, schemas }) => {
    const node = schemas.get(keywordValue, `${pointer}/propertyNames`);
    return (value, walk) => {
      const isWrong = Object.keys(value).some(
        (name) => !HAL_MEMBERS.has(name) && !matchesNode(walk, node, name),
      );
      if (isWrong) walk.report('other', 'propertyNames', 'object', pointer);
    };
  },
  dependentSchemas: ({ keywordValue, pointer, schemas }) => {
    const nodes = toEntries(keywordValue).map(
      ([name, each]) =>
        [name, schemas.get(each, `${pointer}/dependentSchemas${toPointerSegment(name)}`)] as const,
    );
    return (value, walk) => {
      for (const [name, node] of nodes) if (Object.hasOwn(value, name)) walk.validate(node, value);
    };
  },
};

/** Returns the limit that a keyword states, or the default for a value that is not a number. */
function numberOr(keywordValue: Json | undefined, otherwise: number): number {
  return typeof keywordValue === 'number' ? keywordValue : otherwise;
}

function matchesNode(walk: ResponseWalk, node: SchemaNode, value: Json): boolean {
  const { wrongCount, toleratedCount } = walk.attempt(node, value);
  return wrongCount === 0 && toleratedCount === 0;
}

function reportMissing(
  names: readonly string[],
  value: JsonObject,
  walk: ResponseWalk,
  { keyword, pointer }: { readonly keyword: string; readonly pointer: string },
): void {
  for (const name of names) {
    if (!Object.hasOwn(value, name)) walk.report('missing', keyword, 'nothing', pointer, name);
  }
}

/** Replaces a name from a response by `*` unless it looks like a property name, so that no content is reported. */
export function redactName(name: string): string {
  return /^[A-Za-z_][\w.:-]{0,63}$/.test(name) ? name : '*';
}

/** Returns the site's own pattern for a key of `patternProperties`, which can be a translation. */
function getOriginPattern(schema: JsonObject, source: string): Json {
  const patterns = getStatedPatternProperties(schema);
  return patterns !== undefined && Object.hasOwn(patterns, source) ? (patterns[source] ?? source) : source;
}

function toArray(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

function toEntries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

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

/** Tests whether a value conforms to a keyword. */
type KeywordTest<Value extends Json> = (value: Value, walk: ResponseWalk) => boolean;

/**
 * A keyword that does not apply another schema.
 *
 * `compile` returns the test for the keyword's value, and `null` for an unusable value.
 */
export interface KeywordAssertion<Value extends Json> {
  readonly kind: ResponseFindingKind;
  compile(stated: Json, schema: JsonObject): KeywordTest<Value> | null;
}

const NO_COST: Pick<ResponseWalk, 'spend'> = { spend() {} };

export const ANY_ASSERTIONS: Readonly<Record<string, KeywordAssertion<Json>>> = {
  enum: { kind: 'enum', compile: (stated) => isMemberOf(Array.isArray(stated) ? stated : [stated]) },
  const: { kind: 'enum', compile: (stated) => isMemberOf([stated]) },
};

export const STRING_ASSERTIONS: Readonly<Record<string, KeywordAssertion<string>>> = {
  minLength: bound((length, most) => length >= most, countCodePoints),
  maxLength: bound((length, most) => length <= most, countCodePoints),
  pattern: {
    kind: 'pattern',
    // `pattern` can be a translation of the site's own pattern.
    compile: (stated, schema) => compileBoundedPattern(getStatedPattern(schema) ?? stated),
  },
  format: {
    kind: 'format',
    compile: (stated) =>
      typeof stated === 'string' ? (value) => validateFormat(stated, value, '') === null : null,
  },
};

export const NUMBER_ASSERTIONS: Readonly<Record<string, KeywordAssertion<number>>> = {
  minimum: bound((value, limit) => value >= limit, identity),
  maximum: bound((value, limit) => value <= limit, identity),
  exclusiveMinimum: bound((value, limit) => value > limit, identity),
  exclusiveMaximum: bound((value, limit) => value < limit, identity),
  multipleOf: bound((value, divisor) => Number.isInteger(value / divisor), identity),
};

export const ARRAY_ASSERTIONS: Readonly<Record<string, KeywordAssertion<readonly Json[]>>> = {
  minItems: bound(
    (count, limit) => count >= limit,
    ({ length }) => length,
  ),
  maxItems: bound(
    (count, limit) => count <= limit,
    ({ length }) => length,
  ),
  uniqueItems: {
    kind: 'range',
    compile: (stated) =>
      stated === true
        ? (value, walk) => new Set(value.map((item) => toCanonicalText(item, walk))).size === value.length
        : null,
  },
};

export const OBJECT_ASSERTIONS: Readonly<Record<string, KeywordAssertion<JsonObject>>> = {
  minProperties: bound((count, limit) => count >= limit, countMembers),
  maxProperties: bound((count, limit) => count <= limit, countMembers),
};

/** Converts an assertion to a check that reports a finding. */
export function createAssertionCheck<Value extends Json>(
  keyword: string,
  { kind, compile }: KeywordAssertion<Value>,
  { keywordValue, schema, pointer }: Pick<KeywordContext, 'keywordValue' | 'schema' | 'pointer'>,
): SchemaCheck<Value> | null {
  const holds = compile(keywordValue, schema);
  if (holds === null) return null;
  return (value, walk) => {
    walk.spend(1);
    if (!holds(value, walk)) walk.report(kind, keyword, jsonTypeOf(value), pointer);
  };
}

function isMemberOf(members: readonly Json[]): KeywordTest<Json> {
  const scalars = new Set<Json>(members.filter((member) => typeof member !== 'object' || member === null));
  const others = new Set(
    members
      .filter((member) => Array.isArray(member) || isJsonObject(member))
      .map((member) => toCanonicalText(member, NO_COST)),
  );
  return (value, walk) =>
    scalars.has(value) ||
    (others.size > 0 && typeof value === 'object' && others.has(toCanonicalText(value, walk)));
}

function bound<Value extends Json>(
  holds: (measure: number, limit: number) => boolean,
  measure: (value: Value, walk: ResponseWalk) => number,
): KeywordAssertion<Value> {
  return {
    kind: 'range',
    compile: (limit) =>
      typeof limit === 'number' ? (value, walk) => holds(measure(value, walk), limit) : null,
  };
}

function identity(value: number): number {
  return value;
}

function countMembers(value: JsonObject): number {
  return Object.keys(value).length;
}

/** JSON Schema counts code points (RFC 8259 §7). */
function countCodePoints(text: string, walk: ResponseWalk): number {
  walk.spend(text.length >> 6);
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/** Maximum depth of compared values. */
const MAX_DEPTH = 64;

/** Returns the same text for values that are equal in JSON Schema (core §4.2.2). @throws {ValidationBudgetError} */
function toCanonicalText(value: Json, walk: Pick<ResponseWalk, 'spend'>, depth = 0): string {
  if (depth > MAX_DEPTH) throw new ValidationBudgetError('too-deep');
  if (typeof value === 'string') {
    walk.spend(1 + (value.length >> 6));
    return JSON.stringify(value);
  }
  walk.spend(1);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value))
    return `[${value.map((item: Json) => toCanonicalText(item, walk, depth + 1)).join()}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${toCanonicalText(member, walk, depth + 1)}`,
  );
  return `{${members.sort().join()}}`;
}

/** Maximum length of a pattern with its repetitions expanded, in characters. Longer ones take too long to compile. */
const MAX_PATTERN_LENGTH = 5_000;
/** Maximum length of a text that a pattern is matched with, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 16_384;

/**
 * Compiles a pattern of the site. Matching takes linear time. A text that exceeds {@link MAX_TEXT_LENGTH} always matches.
 *
 * @returns `null` when the pattern cannot be matched exactly as the site does, so that no value violates it
 */
function compileBoundedPattern(source: Json): ((text: string, walk: ResponseWalk) => boolean) | null {
  if (typeof source !== 'string' || source.length > MAX_PATTERN_LENGTH) return null;
  const parsed = parseArgumentPattern(source);
  if (!parsed.ok || parsed.rejectionReason !== undefined) return null;
  const size = countExpandedNodes(parsed.root);
  if (size > MAX_PATTERN_LENGTH) return null;
  const matcher = compilePattern(source);
  if (!matcher.exact) return null;
  // Matching an ambiguous pattern can take time proportional to the product of both lengths.
  const cost = matcher.ambiguity === 'none' ? 1 : size;
  return (text, walk) => {
    if (text.length > MAX_TEXT_LENGTH) return true;
    walk.spend((text.length * cost) >> 4);
    return matcher.test(text);
  };
}
