import { extensionOf, getStatedPatternProperties } from '../../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonType,
  jsonMembers,
  jsonTypeOf,
  toPointerSegment,
} from '../../json.ts';
import { getOrCreate } from '../../memoize.ts';
import { BOUNDS } from '../../model/schema/bounds.ts';
import { canonicalText } from '../../model/schema/values.ts';
import { referenceOf, resolveReference } from '../../openapi/document-references.ts';
import { choicesOf } from '../../openapi/schema-view.ts';
import { compilePattern, countExpandedNodes, parseArgumentPattern } from '../../pcre/index.ts';
import { validateFormat } from '../wordpress/keywords.ts';
import {
  ANY_TYPE_MASK,
  classifyTypeMismatch,
  FINDING_SEVERITIES,
  keyOfFinding,
  type ResponseFinding,
  type ResponseFindingKind,
  toTypeMask,
} from './finding.ts';

export interface WalkLimits {
  /** Maximum number of steps; a schema, a member and a keyword each take one. */
  readonly maxSteps: number;
  /** Maximum depth of nested schemas, both of child values and in place. */
  readonly maxDepth: number;
}

/** A list of ten posts takes 1,000 steps. As many steps as the limit block other requests for about 10 ms. */
export const WALK_LIMITS: WalkLimits = { maxSteps: 40_000, maxDepth: 200 };

/** Thrown when the validation of a response exceeds its limits. */
export class ValidationBudgetError extends Error {
  override readonly name = 'ValidationBudgetError';
  readonly reason: 'too-deep' | 'too-costly';

  constructor(reason: 'too-deep' | 'too-costly') {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Collects the differences between a value and its schema. Each combination of location and kind counts once.
 *
 * @param isPartial whether the client selected properties with `_fields`, so that missing properties are no findings
 * @throws {ValidationBudgetError} when the limits are exceeded; incomplete findings are discarded
 */
export function collectFindings(
  value: Json,
  node: SchemaNode,
  limits: WalkLimits,
  isPartial: boolean,
): readonly ResponseFinding[] {
  const walk = new ValueWalk(limits, isPartial);
  walk.visit(node, value);
  return [...walk.found.byKey.values()];
}

/** Steps that a finding takes in addition, because its pointer has to be built. */
const STEPS_PER_FINDING = 4;

const MAX_FINDINGS = 1_000;

/** Findings of a response, or of one alternative at one location. */
class FindingSet {
  readonly byKey: Map<string, ResponseFinding> = new Map();
  wrongCount = 0;
  toleratedCount = 0;

  get isClean(): boolean {
    return this.wrongCount === 0 && this.toleratedCount === 0;
  }

  add(key: string, finding: ResponseFinding): void {
    if (this.byKey.has(key) || this.byKey.size >= MAX_FINDINGS) return;
    this.byKey.set(key, finding);
    const severity = FINDING_SEVERITIES[finding.kind];
    if (severity === 'wrong') this.wrongCount += 1;
    else if (severity === 'tolerated') this.toleratedCount += 1;
  }
}

/** A running validation: the location in the value, the findings so far, and the work that is left. */
class ValueWalk {
  readonly isPartial: boolean;
  found: FindingSet = new FindingSet();
  readonly #path: string[] = [];
  readonly #maxDepth: number;
  #steps: number;
  #depth = 0;

  constructor({ maxSteps, maxDepth }: WalkLimits, isPartial: boolean) {
    this.isPartial = isPartial;
    this.#steps = maxSteps;
    this.#maxDepth = maxDepth;
  }

  /** Takes steps from the budget. @throws {ValidationBudgetError} when it is exhausted */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new ValidationBudgetError('too-costly');
  }

  /** Validates a new location. Undeclared properties are reported here once, not by each schema of the location. */
  visit(node: SchemaNode, value: Json): void {
    this.validate(node, value);
    if (!isJsonObject(value)) return;
    const { names, isOpen, declaringPointer } = node.properties;
    if (isOpen) return;
    for (const name of Object.keys(value)) {
      if (names.has(name) || HAL_MEMBERS.has(name)) continue;
      this.report('extra', 'properties', jsonTypeOf(value[name] ?? null), declaringPointer, redactName(name));
    }
  }

  /** Validates a member or an item of the current value. @param token reference token of the child (RFC 6901) */
  visitChild(token: string, node: SchemaNode, value: Json): void {
    this.#path.push(token);
    this.visit(node, value);
    this.#path.pop();
  }

  /**
   * Validates the value at the current location by a schema.
   *
   * @param referencePointer JSON Pointer to the `$ref` that led to the schema, or to the schema itself; reported for a wrong type
   */
  validate(node: SchemaNode, value: Json, referencePointer: string = node.pointer): void {
    this.spend(1);
    const type = jsonTypeOf(value);
    const mismatch = classifyTypeMismatch(node.ownTypeMask, value, type);
    if (mismatch !== null) {
      this.report(mismatch, 'type', type, referencePointer);
      return;
    }
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) throw new ValidationBudgetError('too-deep');
    const { checks } = node;
    for (const check of checks.any) check(value, this, referencePointer);
    if (typeof value === 'string') for (const check of checks.string) check(value, this, referencePointer);
    else if (typeof value === 'number')
      for (const check of checks.number) check(value, this, referencePointer);
    else if (isJsonObject(value)) for (const check of checks.object) check(value, this, referencePointer);
    else if (Array.isArray(value)) for (const check of checks.array) check(value, this, referencePointer);
    this.#depth -= 1;
  }

  /** Validates the current value by a schema, and returns the findings without reporting them. */
  attempt(node: SchemaNode, value: Json): FindingSet {
    const before = this.found;
    const found = new FindingSet();
    this.found = found;
    this.validate(node, value);
    this.found = before;
    return found;
  }

  adopt({ byKey }: FindingSet): void {
    for (const [key, finding] of byKey) this.found.add(key, finding);
  }

  /** Reports a finding at the current location. @param token reference token of a child that the finding is about */
  report(
    kind: ResponseFindingKind,
    keyword: string,
    actual: JsonType | 'nothing',
    schema: string,
    token?: string,
  ): void {
    this.spend(STEPS_PER_FINDING);
    const path = this.#path.map(toPointerSegment).join('');
    const pointer = token === undefined ? path : path + toPointerSegment(token);
    const finding = { kind, pointer, actual, keyword, schema };
    this.found.add(keyOfFinding(finding), finding);
  }
}

/** Members of HAL that the site adds to every resource. Schemas do not declare them. */
export const HAL_MEMBERS: ReadonlySet<string> = new Set(['_links', '_embedded']);

/** Replaces a name from a response by `*` unless it looks like a property name, so that no content is reported. */
function redactName(name: string): string {
  return /^[A-Za-z_][\w.:-]{0,63}$/.test(name) ? name : '*';
}

/** The compiled schemas of a document, by pointer. All references to a schema share its node, so recursion is finite. */
export class SchemaRegistry {
  readonly document: JsonObject;
  readonly #referredTo: SchemaRegistry;
  readonly #nodes = new Map<string, SchemaNode>();

  /** @param referredTo the registry of the schemas that are referred to. @default this one */
  constructor(document: JsonObject, referredTo?: SchemaRegistry) {
    this.document = document;
    this.#referredTo = referredTo ?? this;
  }

  /** Returns the node of a schema, compiled on first use. */
  get(schema: Json | undefined, pointer: string): SchemaNode {
    return getOrCreate(this.#nodes, pointer, () => new SchemaNode(schema, pointer, this));
  }

  /** Resolves a `$ref`; `undefined` when its target does not exist. */
  resolve(reference: string): SchemaNode | undefined {
    const target = resolveReference(this.document, reference);
    return target === undefined ? undefined : this.#referredTo.get(target, reference.slice(1));
  }

  /** Compiles a schema that is not part of the document, such as a response in another context, but refers to its schemas. */
  compileDetached(schema: Json, pointer: string): SchemaNode {
    return new SchemaRegistry(this.document, this).get(schema, pointer);
  }
}

/** A schema, compiled for validation when a value first reaches it: each member is computed on first use. */
export class SchemaNode {
  /** JSON Pointer to the schema in the document. */
  readonly pointer: string;
  readonly schema: JsonObject;
  readonly registry: SchemaRegistry;
  /** Bit mask of the types that the keyword `type` allows. */
  readonly ownTypeMask: number;
  #acceptedTypeMask: number | undefined;
  #checks: ChecksByType | undefined;
  #properties: DeclaredProperties | undefined;

  constructor(schema: Json | undefined, pointer: string, registry: SchemaRegistry) {
    this.pointer = pointer;
    // `false` rejects every value. Other values that are not schemas accept every value.
    this.schema = isJsonObject(schema) ? schema : {};
    this.ownTypeMask = schema === false ? 0 : toTypeMask(this.schema['type']);
    this.registry = registry;
  }

  /** Bit mask of the types that the schema allows, with its references, `anyOf` and `oneOf`. */
  get acceptedTypeMask(): number {
    this.#acceptedTypeMask ??=
      this.ownTypeMask & computeAcceptedTypeMask(this.schema, this.registry.document);
    return this.#acceptedTypeMask;
  }

  get checks(): ChecksByType {
    this.#checks ??= {
      any: compileChecks(this, ANY_KEYWORDS),
      string: compileChecks(this, STRING_KEYWORDS),
      number: compileChecks(this, NUMBER_KEYWORDS),
      array: compileChecks(this, ARRAY_KEYWORDS),
      object: compileChecks(this, OBJECT_KEYWORDS),
    };
    return this.#checks;
  }

  /** The properties that the schema declares, with its references and alternatives. */
  get properties(): DeclaredProperties {
    this.#properties ??= collectDeclaredProperties(this.schema, this.pointer, this.registry.document);
    return this.#properties;
  }

  /** Returns the node of a schema inside of this one. @param path keyword, and name or index */
  child(schema: Json | undefined, ...path: readonly (string | number)[]): SchemaNode {
    return this.registry.get(schema, this.pointer + path.map(toPointerSegment).join(''));
  }

  namedChildren(keyword: string): readonly (readonly [name: string, node: SchemaNode])[] {
    return jsonMembers(this.schema[keyword]).map(([name, each]) => [name, this.child(each, keyword, name)]);
  }

  listedChildren(keyword: string): readonly SchemaNode[] {
    return toArray(this.schema[keyword] ?? []).map((each, index) => this.child(each, keyword, index));
  }
}

/** Checks a value by one keyword and reports findings to the walk. */
type SchemaCheck<Value extends Json> = (value: Value, walk: ValueWalk, referencePointer: string) => void;

/** The checks of a schema, grouped by the type of the value that they apply to. */
interface ChecksByType {
  readonly any: readonly SchemaCheck<Json>[];
  readonly string: readonly SchemaCheck<string>[];
  readonly number: readonly SchemaCheck<number>[];
  readonly array: readonly SchemaCheck<readonly Json[]>[];
  readonly object: readonly SchemaCheck<JsonObject>[];
}

/** Compiles a keyword to a check; `null` for an unusable value. */
type Keyword<Value extends Json> = (
  stated: Json,
  node: SchemaNode,
  name: string,
) => SchemaCheck<Value> | null;

type Keywords<Value extends Json> = Readonly<Record<string, Keyword<Value>>>;

function compileChecks<Value extends Json>(
  node: SchemaNode,
  keywords: Keywords<Value>,
): readonly SchemaCheck<Value>[] {
  return Object.entries(node.schema).flatMap(([name, stated]) => {
    const compile = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    return compile?.(stated, node, name) ?? [];
  });
}

/** A keyword that applies no other schema. @param compile returns the test of values; `null` for an unusable value */
function assertion<Value extends Json>(
  kind: ResponseFindingKind,
  compile: (stated: Json, schema: JsonObject) => ((value: Value, walk: ValueWalk) => boolean) | null,
): Keyword<Value> {
  return (stated, { pointer, schema }, name) => {
    const holds = compile(stated, schema);
    if (holds === null) return null;
    return (value, walk) => {
      walk.spend(1);
      if (!holds(value, walk)) walk.report(kind, name, jsonTypeOf(value), pointer);
    };
  };
}

/** A keyword that limits a measure of values. */
const BOUND_KEYWORDS: Keywords<Json> = Object.fromEntries(
  Array.from(BOUNDS, ([keyword, bound]): [string, Keyword<Json>] => [
    keyword,
    assertion('range', (limit) => {
      if (typeof limit !== 'number') return null;
      return (value, walk) => {
        if (typeof value === 'string') walk.spend(value.length >> 6);
        return bound(value, limit);
      };
    }),
  ]),
);

/** Keywords of all values; most apply other schemas to the same value. */
const ANY_KEYWORDS: Keywords<Json> = {
  ...BOUND_KEYWORDS,
  enum: assertion('enum', (stated) => isMemberOf(toArray(stated))),
  const: assertion('enum', (stated) => isMemberOf([stated])),
  $ref: (reference, { registry }) => {
    if (typeof reference !== 'string') return null;
    let target: SchemaNode | undefined | null = null;
    return (value, walk, referencePointer) => {
      // Resolved on first use, because the target may be a schema that is being compiled.
      target = target === null ? registry.resolve(reference) : target;
      if (target !== undefined) walk.validate(target, value, referencePointer);
    };
  },
  allOf: (_, node) => {
    const members = node.listedChildren('allOf');
    return (value, walk) => {
      for (const member of members) walk.validate(member, value);
    };
  },
  anyOf: (_, node) => {
    const members = node.listedChildren('anyOf');
    return (value, walk, referencePointer) => {
      const attempts: FindingSet[] = [];
      for (const member of members) {
        const attempt = walk.attempt(member, value);
        if (attempt.isClean) return walk.adopt(attempt);
        attempts.push(attempt);
      }
      reportFailedAlternatives('anyOf', members, attempts, value, walk, referencePointer);
    };
  },
  oneOf: (_, node) => {
    const members = node.listedChildren('oneOf');
    return (value, walk, referencePointer) => {
      const attempts = members.map((member) => walk.attempt(member, value));
      const [first, second] = attempts.filter(({ isClean }) => isClean);
      if (second !== undefined) walk.report('alternatives', 'oneOf', jsonTypeOf(value), node.pointer);
      else if (first !== undefined) walk.adopt(first);
      else reportFailedAlternatives('oneOf', members, attempts, value, walk, referencePointer);
    };
  },
  not: (stated, node) => {
    const excluded = node.child(stated, 'not');
    return (value, walk) => {
      if (walk.attempt(excluded, value).isClean) walk.report('other', 'not', jsonTypeOf(value), node.pointer);
    };
  },
};

/**
 * Reports a value that matches no alternative: the findings of the alternative of its type with the fewest, or a type
 * mismatch when no alternative accepts its type.
 */
function reportFailedAlternatives(
  keyword: string,
  members: readonly SchemaNode[],
  attempts: readonly FindingSet[],
  value: Json,
  walk: ValueWalk,
  referencePointer: string,
): void {
  const type = jsonTypeOf(value);
  let best: FindingSet | undefined;
  let types = 0;
  for (const [index, attempt] of attempts.entries()) {
    const allowed = members[index]?.acceptedTypeMask ?? 0;
    types |= allowed;
    if (classifyTypeMismatch(allowed, value, type) !== null) continue;
    const isBetter =
      best === undefined ||
      attempt.wrongCount < best.wrongCount ||
      (attempt.wrongCount === best.wrongCount && attempt.toleratedCount < best.toleratedCount);
    if (isBetter) best = attempt;
  }
  if (best !== undefined) walk.adopt(best);
  else walk.report(classifyTypeMismatch(types, value, type) ?? 'type', keyword, type, referencePointer);
}

const STRING_KEYWORDS: Keywords<string> = {
  // `pattern` can be a translation of the site's own pattern.
  pattern: assertion('pattern', (stated, schema) =>
    compileBoundedPattern(extensionOf(schema, 'pcre') ?? stated),
  ),
  format: assertion('format', (stated) =>
    typeof stated === 'string' ? (value) => validateFormat(stated, value, '') === null : null,
  ),
};

const NUMBER_KEYWORDS: Keywords<number> = {
  multipleOf: assertion('range', (divisor) =>
    typeof divisor === 'number' ? (value) => Number.isInteger(value / divisor) : null,
  ),
};

const ARRAY_KEYWORDS: Keywords<readonly Json[]> = {
  uniqueItems: assertion('range', (stated) =>
    stated === true
      ? (value, walk) => new Set(value.map((item) => toCanonicalText(item, walk))).size === value.length
      : null,
  ),
  prefixItems: (_, node) => {
    const members = node.listedChildren('prefixItems');
    return (value, walk) => {
      for (const [index, member] of members.entries()) {
        const item = value[index];
        if (item !== undefined) walk.visitChild('*', member, item);
      }
    };
  },
  items: (stated, node) => {
    const items = node.child(stated, 'items');
    const start = toArray(node.schema['prefixItems'] ?? []).length;
    return (value, walk) => {
      for (let index = start; index < value.length; index += 1)
        walk.visitChild('*', items, value[index] ?? null);
    };
  },
};

const OBJECT_KEYWORDS: Keywords<JsonObject> = {
  required: (stated, { pointer }) => {
    const names = toArray(stated).map(String);
    return (value, walk) => {
      if (walk.isPartial) return;
      for (const name of names)
        if (!Object.hasOwn(value, name)) walk.report('missing', 'required', 'nothing', pointer, name);
    };
  },
  properties: (_, node) => {
    const members = node.namedChildren('properties');
    return (value, walk) => {
      walk.spend(members.length >> 2);
      for (const [name, member] of members)
        if (Object.hasOwn(value, name)) walk.visitChild(name, member, value[name] ?? null);
    };
  },
  patternProperties: (_, node) => {
    const members = node.namedChildren('patternProperties').map(([source, member]) => ({
      matches: compileBoundedPattern(getOriginPattern(node.schema, source)),
      member,
    }));
    return (value, walk) => {
      for (const [name, each] of Object.entries(value)) {
        for (const { matches, member } of members)
          if (matches?.(name, walk) === true) walk.visitChild('*', member, each);
      }
    };
  },
  additionalProperties: (stated, node) => {
    const { schema, pointer } = node;
    const named = new Set(jsonMembers(schema['properties']).map(([name]) => name));
    const patterns = jsonMembers(schema['patternProperties']).map(([source]) =>
      compileBoundedPattern(getOriginPattern(schema, source)),
    );
    const others = node.child(stated, 'additionalProperties');
    return (value, walk) => {
      for (const [name, member] of Object.entries(value)) {
        // A pattern that cannot be matched may declare the name.
        if (named.has(name) || patterns.some((matches) => matches === null || matches(name, walk))) continue;
        if (stated !== false) walk.visitChild('*', others, member);
        else if (!HAL_MEMBERS.has(name))
          walk.report('forbidden', 'additionalProperties', jsonTypeOf(member), pointer, redactName(name));
      }
    };
  },
};

/** Returns the site's own pattern for a key of `patternProperties`, which can be a translation. */
function getOriginPattern(schema: JsonObject, source: string): Json {
  const patterns = getStatedPatternProperties(schema);
  return patterns !== undefined && Object.hasOwn(patterns, source) ? (patterns[source] ?? source) : source;
}

function toArray(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

function isMemberOf(members: readonly Json[]): (value: Json, walk: ValueWalk) => boolean {
  const scalars = new Set<Json>(members.filter((member) => typeof member !== 'object' || member === null));
  const others = new Set(
    members
      .filter((member) => typeof member === 'object' && member !== null)
      .map((member) => toCanonicalText(member)),
  );
  return (value, walk) =>
    scalars.has(value) ||
    (others.size > 0 && typeof value === 'object' && others.has(toCanonicalText(value, walk)));
}

const MAX_COMPARED_DEPTH = 64;

/** @throws {ValidationBudgetError} when the value nests too deeply, or takes more steps than the walk has */
function toCanonicalText(value: Json, walk?: ValueWalk): string {
  return canonicalText(value, (inner, depth) => {
    if (depth > MAX_COMPARED_DEPTH) throw new ValidationBudgetError('too-deep');
    walk?.spend(typeof inner === 'string' ? 1 + (inner.length >> 6) : 1);
  });
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
function compileBoundedPattern(source: Json): ((text: string, walk: ValueWalk) => boolean) | null {
  if (typeof source !== 'string' || source.length > MAX_PATTERN_LENGTH) return null;
  const parsed = parseArgumentPattern(source);
  if (!parsed.ok || parsed.rejectionReason !== undefined) return null;
  if (countExpandedNodes(parsed.root) > MAX_PATTERN_LENGTH) return null;
  const matcher = compilePattern(source);
  if (!matcher.exact) return null;
  return (text, walk) => {
    if (text.length > MAX_TEXT_LENGTH) return true;
    walk.spend((text.length * matcher.stepsPerCharacter) >> 4);
    return matcher.test(text);
  };
}

/** Maximum number of schemas that are visited, so that recursive references and nested alternatives end. */
const MAX_SCHEMAS = 500;

/** Computes the bit mask of the types that a schema allows, with its references and alternatives. */
function computeAcceptedTypeMask(schema: Json | undefined, document: JsonObject): number {
  let remainingSchemas = MAX_SCHEMAS;
  const computeMask = (given: Json | undefined): number => {
    remainingSchemas -= 1;
    if (remainingSchemas < 0) return ANY_TYPE_MASK;
    if (!isJsonObject(given)) return given === false ? 0 : ANY_TYPE_MASK;
    const reference = referenceOf(given);
    let typeMask = toTypeMask(given['type']);
    if (reference !== undefined) typeMask &= computeMask(resolveReference(document, reference));
    for (const members of [given['anyOf'], given['oneOf']]) {
      if (!Array.isArray(members)) continue;
      typeMask &= members.reduce<number>((all, each: Json) => all | computeMask(each), 0);
    }
    return typeMask;
  };
  return computeMask(schema);
}

interface DeclaredProperties {
  readonly names: ReadonlySet<string>;
  /** Whether undeclared properties are no findings, because the schema describes them or declares no properties at all. */
  readonly isOpen: boolean;
  /** JSON Pointer to the schema whose `properties` an undeclared property should be added to. */
  readonly declaringPointer: string;
}

/** Collects the properties that a schema declares, with all schemas that apply to the same object. */
function collectDeclaredProperties(
  schema: JsonObject,
  pointer: string,
  document: JsonObject,
): DeclaredProperties {
  const names = new Set<string>();
  let remainingSchemas = MAX_SCHEMAS;
  let isOpen = false;
  const collect = (given: Json | undefined): void => {
    remainingSchemas -= 1;
    if (remainingSchemas < 0) isOpen = true;
    if (isOpen || !isJsonObject(given)) return;
    const { additionalProperties, patternProperties, properties, allOf } = given;
    // Undeclared properties of a map are valid, and `additionalProperties: false` reports forbidden ones itself.
    if (isJsonObject(additionalProperties) || additionalProperties === false) isOpen = true;
    if (isJsonObject(patternProperties)) isOpen = true;
    for (const [name] of jsonMembers(properties)) names.add(name);
    const reference = referenceOf(given);
    if (reference !== undefined) collect(resolveReference(document, reference));
    for (const each of [...toArray(allOf ?? []), ...choicesOf(given)]) collect(each);
  };
  collect(schema);
  return {
    names,
    isOpen: isOpen || names.size === 0,
    declaringPointer: findDeclaringPointer(schema, pointer, document),
  };
}

/** Follows references from schemas without `properties` to the schema that declares them. */
function findDeclaringPointer(schema: JsonObject, pointer: string, document: JsonObject): string {
  let current: Json | undefined = schema;
  let declaringPointer = pointer;
  for (let hops = 0; hops < MAX_SCHEMAS; hops += 1) {
    const reference = referenceOf(current);
    if (reference === undefined || (isJsonObject(current) && isJsonObject(current['properties']))) break;
    current = resolveReference(document, reference);
    declaringPointer = reference.slice(1);
  }
  return declaringPointer;
}
