import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { resolveReference } from '../../openapi/document-references.ts';
import { ANY_TYPE_MASK, toTypeMask } from './finding.ts';
import {
  ANY_ASSERTIONS,
  ARRAY_APPLICATORS,
  ARRAY_ASSERTIONS,
  type ChecksByType,
  createAssertionCheck,
  type DeclaredProperties,
  IN_PLACE_APPLICATORS,
  type KeywordAssertion,
  type KeywordContext,
  NUMBER_ASSERTIONS,
  OBJECT_APPLICATORS,
  OBJECT_ASSERTIONS,
  type SchemaCheck,
  type SchemaNode,
  type SchemaRegistry,
  STRING_ASSERTIONS,
} from './keywords.ts';

/** Creates the registry of a document's schemas. Each schema is compiled when a value first reaches it. */
export function createSchemaRegistry(document: JsonObject): SchemaRegistry {
  return createScopedRegistry(document, null);
}

/** Compiles a schema that is not part of the document, such as a response in another context. It refers to `schemas`. */
export function createDetachedNode(
  schema: Json,
  pointer: string,
  document: JsonObject,
  schemas: SchemaRegistry,
): SchemaNode {
  return createScopedRegistry(document, schemas).get(schema, pointer);
}

function createScopedRegistry(document: JsonObject, referredTo: SchemaRegistry | null): SchemaRegistry {
  const nodes = new Map<string, SchemaNode>();
  const schemas: SchemaRegistry = {
    get(schema, pointer) {
      const known = nodes.get(pointer);
      if (known !== undefined) return known;
      const node = new LazySchemaNode(schema, { pointer, document, schemas });
      nodes.set(pointer, node);
      return node;
    },
    resolve(reference) {
      const target = resolveReference(document, reference);
      return target === undefined ? undefined : (referredTo ?? schemas).get(target, reference.slice(1));
    },
  };
  return schemas;
}

interface SchemaLocation {
  readonly pointer: string;
  readonly document: JsonObject;
  readonly schemas: SchemaRegistry;
}

class LazySchemaNode implements SchemaNode {
  readonly pointer: string;
  readonly ownTypeMask: number;
  readonly #schema: JsonObject;
  readonly #location: SchemaLocation;
  #acceptedTypeMask: number | undefined;
  #checks: ChecksByType | undefined;
  #properties: DeclaredProperties | undefined;

  constructor(schema: Json | undefined, location: SchemaLocation) {
    this.pointer = location.pointer;
    // `false` rejects every value. Other values that are not schemas accept every value.
    this.#schema = isJsonObject(schema) ? schema : {};
    this.ownTypeMask = schema === false ? 0 : toTypeMask(this.#schema['type']);
    this.#location = location;
  }

  get acceptedTypeMask(): number {
    this.#acceptedTypeMask ??=
      this.ownTypeMask & computeAcceptedTypeMask(this.#schema, this.#location.document);
    return this.#acceptedTypeMask;
  }

  get checks(): ChecksByType {
    this.#checks ??= compileChecks(this.#schema, this.#location);
    return this.#checks;
  }

  get properties(): DeclaredProperties {
    this.#properties ??= collectDeclaredProperties(this.#schema, this.pointer, this.#location.document);
    return this.#properties;
  }
}

function compileChecks(schema: JsonObject, { pointer, schemas }: SchemaLocation): ChecksByType {
  const compile = <Value extends Json>(
    assertions: Readonly<Record<string, KeywordAssertion<Value>>>,
    applicators: Readonly<Record<string, (context: KeywordContext) => SchemaCheck<Value> | null>>,
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
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    if (typeof $ref === 'string') collect(resolveReference(document, $ref));
    for (const keyword of IN_PLACE_KEYWORDS) {
      const schemas = given[keyword];
      if (Array.isArray(schemas)) for (const each of schemas) collect(each);
      else collect(schemas);
    }
    const dependent = given['dependentSchemas'];
    if (isJsonObject(dependent)) for (const each of Object.values(dependent)) collect(each);
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
    const reference: Json | undefined =
      isJsonObject(current) && !isJsonObject(current['properties']) ? current['$ref'] : undefined;
    if (typeof reference !== 'string') break;
    current = resolveReference(document, reference);
    declaringPointer = reference.slice(1);
  }
  return declaringPointer;
}
