import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { resolveReference } from '../../openapi/document-references.ts';
import { ARRAY_APPLICATORS, type KeywordContext, OBJECT_APPLICATORS } from './applicators.ts';
import {
  ANY_ASSERTIONS,
  ARRAY_ASSERTIONS,
  createAssertionCheck,
  type KeywordAssertion,
  NUMBER_ASSERTIONS,
  OBJECT_ASSERTIONS,
  STRING_ASSERTIONS,
} from './assertions.ts';
import { toTypeMask } from './finding.ts';
import { IN_PLACE_APPLICATORS } from './in-place-applicators.ts';
import type {
  ChecksByType,
  DeclaredProperties,
  SchemaCheck,
  SchemaNode,
  SchemaRegistry,
} from './schema-node.ts';
import { collectDeclaredProperties, computeAcceptedTypeMask } from './schema-summary.ts';

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
