import { getStatedPatternProperties } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, toPointerSegment } from '../../json.ts';
import { referenceOf, resolveReference } from '../../openapi/document-references.ts';
import {
  ANY_ASSERTIONS,
  ARRAY_ASSERTIONS,
  compileBoundedPattern,
  type KeywordAssertion,
  NUMBER_ASSERTIONS,
  OBJECT_ASSERTIONS,
  STRING_ASSERTIONS,
  type WorkBudget,
} from './assertions.ts';
import {
  ANY_TYPE_MASK,
  classifyTypeMismatch,
  type JsonType,
  jsonTypeOf,
  type ResponseFindingKind,
  toTypeMask,
} from './finding.ts';

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
    const known = this.#nodes.get(pointer);
    if (known !== undefined) return known;
    const node = new SchemaNode(schema, pointer, this);
    this.#nodes.set(pointer, node);
    return node;
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
  /** Bit mask of the types that the keyword `type` allows. */
  readonly ownTypeMask: number;
  readonly #schema: JsonObject;
  readonly #schemas: SchemaRegistry;
  #acceptedTypeMask: number | undefined;
  #checks: ChecksByType | undefined;
  #properties: DeclaredProperties | undefined;

  constructor(schema: Json | undefined, pointer: string, schemas: SchemaRegistry) {
    this.pointer = pointer;
    // `false` rejects every value. Other values that are not schemas accept every value.
    this.#schema = isJsonObject(schema) ? schema : {};
    this.ownTypeMask = schema === false ? 0 : toTypeMask(this.#schema['type']);
    this.#schemas = schemas;
  }

  /** Bit mask of the types that the schema allows, with its references, `anyOf` and `oneOf`. */
  get acceptedTypeMask(): number {
    this.#acceptedTypeMask ??=
      this.ownTypeMask & computeAcceptedTypeMask(this.#schema, this.#schemas.document);
    return this.#acceptedTypeMask;
  }

  get checks(): ChecksByType {
    this.#checks ??= compileChecks(this.#schema, this.pointer, this.#schemas);
    return this.#checks;
  }

  /** The properties that the schema declares, with its references and alternatives. */
  get properties(): DeclaredProperties {
    this.#properties ??= collectDeclaredProperties(this.#schema, this.pointer, this.#schemas.document);
    return this.#properties;
  }
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

/** The interface of a running validation that checks use. */
export interface ResponseWalk extends WorkBudget {
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
}

/** The result of an attempt to validate a value by a schema. */
export interface SchemaAttempt {
  /** Number of findings of severity `wrong`. A value with neither count matches the schema. */
  readonly wrongCount: number;
  /** Number of findings of severity `tolerated`. */
  readonly toleratedCount: number;
}

/** A keyword in its schema, from which a check is compiled. */
interface KeywordContext {
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
const ARRAY_APPLICATORS: Readonly<Record<string, CheckFactory<readonly Json[]>>> = {
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
const OBJECT_APPLICATORS: Readonly<Record<string, CheckFactory<JsonObject>>> = {
  required: ({ keywordValue, pointer }) => {
    const names = toArray(keywordValue).map(String);
    return (value, walk) => {
      if (!walk.isPartial) reportMissing(names, value, walk, { keyword: 'required', pointer });
    };
  },
  dependentRequired: ({ keywordValue, pointer }) => {
    const dependencies = jsonMembers(keywordValue).map(
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
    const nodes = jsonMembers(keywordValue).map(
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
    const nodes = jsonMembers(keywordValue).map(([source, each]) => ({
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
    const named = new Set(jsonMembers(schema['properties']).map(([name]) => name));
    const patterns = jsonMembers(schema['patternProperties']).map(([source]) =>
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
    const nodes = jsonMembers(keywordValue).map(
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
  return isClean(walk.attempt(node, value));
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

/** Keywords that apply other schemas to the same value. */
const IN_PLACE_APPLICATORS: Readonly<Record<string, CheckFactory<Json>>> = {
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

function compileChecks(schema: JsonObject, pointer: string, schemas: SchemaRegistry): ChecksByType {
  const compile = <Value extends Json>(
    assertions: Readonly<Record<string, KeywordAssertion<Value>>>,
    applicators: Readonly<Record<string, CheckFactory<Value>>>,
  ): readonly SchemaCheck<Value>[] =>
    Object.entries(schema).flatMap(([keyword, keywordValue]) => {
      const context: KeywordContext = { keywordValue, schema, pointer, schemas };
      const assertion = Object.hasOwn(assertions, keyword) ? assertions[keyword] : undefined;
      const applicator = Object.hasOwn(applicators, keyword) ? applicators[keyword] : undefined;
      const check =
        assertion === undefined ? applicator?.(context) : createAssertionCheck(keyword, assertion, context);
      return check === undefined || check === null ? [] : [check];
    });
  return {
    any: compile(ANY_ASSERTIONS, IN_PLACE_APPLICATORS),
    string: compile(STRING_ASSERTIONS, {}),
    number: compile(NUMBER_ASSERTIONS, {}),
    array: compile(ARRAY_ASSERTIONS, ARRAY_APPLICATORS),
    object: compile(OBJECT_ASSERTIONS, OBJECT_APPLICATORS),
  };
}

/** Converts an assertion to a check that reports a finding. */
function createAssertionCheck<Value extends Json>(
  keyword: string,
  { kind, compile }: KeywordAssertion<Value>,
  { keywordValue, schema, pointer }: KeywordContext,
): SchemaCheck<Value> | null {
  const holds = compile(keywordValue, schema);
  if (holds === null) return null;
  return (value, walk) => {
    walk.spend(1);
    if (!holds(value, walk)) walk.report(kind, keyword, jsonTypeOf(value), pointer);
  };
}

/** Maximum number of schemas that are visited, so that recursive references and nested alternatives end. */
const MAX_SCHEMAS = 500;

const ALTERNATIVE_KEYWORDS = ['anyOf', 'oneOf'] as const;
const IN_PLACE_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** Computes the bit mask of the types that a schema allows, with its references and alternatives. */
function computeAcceptedTypeMask(schema: Json | undefined, document: JsonObject): number {
  let remainingSchemas = MAX_SCHEMAS;
  const computeMask = (given: Json | undefined): number => {
    remainingSchemas -= 1;
    if (remainingSchemas < 0) return ANY_TYPE_MASK;
    if (!isJsonObject(given)) return given === false ? 0 : ANY_TYPE_MASK;
    let typeMask = toTypeMask(given['type']);
    const { $ref } = given;
    if (typeof $ref === 'string') typeMask &= computeMask(resolveReference(document, $ref));
    for (const keyword of ALTERNATIVE_KEYWORDS) {
      const alternatives = given[keyword];
      if (!Array.isArray(alternatives)) continue;
      typeMask &= alternatives.reduce<number>((all, each: Json) => all | computeMask(each), 0);
    }
    return typeMask;
  };
  return computeMask(schema);
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
    const { additionalProperties, patternProperties, properties, $ref } = given;
    // Undeclared properties of a map are valid, and `additionalProperties: false` reports forbidden ones itself.
    if (isJsonObject(additionalProperties) || additionalProperties === false) isOpen = true;
    if (isJsonObject(patternProperties)) isOpen = true;
    for (const [name] of jsonMembers(properties)) names.add(name);
    if (typeof $ref === 'string') collect(resolveReference(document, $ref));
    for (const keyword of IN_PLACE_KEYWORDS) {
      const schemas = given[keyword];
      if (Array.isArray(schemas)) for (const each of schemas) collect(each);
      else collect(schemas);
    }
    for (const [, each] of jsonMembers(given['dependentSchemas'])) collect(each);
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
