import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { follow } from '../../openapi/references.ts';
import { ARRAY_APPLICATORS, OBJECT_APPLICATORS, type Stated } from './applicators.ts';
import {
  ANY_ASSERTIONS,
  ARRAY_ASSERTIONS,
  type Assertion,
  asserting,
  NUMBER_ASSERTIONS,
  OBJECT_ASSERTIONS,
  STRING_ASSERTIONS,
} from './assertions.ts';
import { COMBINATIONS } from './combinations.ts';
import { bitsOf } from './finding.ts';
import type { Check, Checks, Declared, SchemaNode, Schemas } from './node.ts';
import { declaredProperties, takenTypes } from './outline.ts';

/** The schemas of one document. Each is prepared when a value first meets it, and kept as long as the document. */
export function createSchemas(document: JsonObject): Schemas {
  return scopeOf(document, null);
}

/** A schema that is none of the document's own, such as a response in another context. It refers to those of `schemas`. */
export function nodeApart(schema: Json, pointer: string, document: JsonObject, schemas: Schemas): SchemaNode {
  return scopeOf(document, schemas).at(schema, pointer);
}

function scopeOf(document: JsonObject, referredTo: Schemas | null): Schemas {
  const nodes = new Map<string, SchemaNode>();
  const schemas: Schemas = {
    at(schema, pointer) {
      const known = nodes.get(pointer);
      if (known !== undefined) return known;
      const node = new Prepared(schema, { pointer, document, schemas });
      nodes.set(pointer, node);
      return node;
    },
    follow(reference) {
      const target = follow(document, reference);
      return target === undefined ? undefined : (referredTo ?? schemas).at(target, reference.slice(1));
    },
  };
  return schemas;
}

interface Place {
  readonly pointer: string;
  readonly document: JsonObject;
  readonly schemas: Schemas;
}

class Prepared implements SchemaNode {
  readonly pointer: string;
  readonly types: number;
  readonly #schema: JsonObject;
  readonly #place: Place;
  #takes: number | undefined;
  #checks: Checks | undefined;
  #properties: Declared | undefined;

  constructor(schema: Json | undefined, place: Place) {
    this.pointer = place.pointer;
    // What is no schema at all says nothing; `false` refuses everything.
    this.#schema = isJsonObject(schema) ? schema : {};
    this.types = schema === false ? 0 : bitsOf(this.#schema['type']);
    this.#place = place;
  }

  get takes(): number {
    this.#takes ??= this.types & takenTypes(this.#schema, this.#place.document);
    return this.#takes;
  }

  get checks(): Checks {
    this.#checks ??= checksOf(this.#schema, this.#place);
    return this.#checks;
  }

  get properties(): Declared {
    this.#properties ??= declaredProperties(this.#schema, this.pointer, this.#place.document);
    return this.#properties;
  }
}

function checksOf(schema: JsonObject, { pointer, schemas }: Place): Checks {
  const made = <Value extends Json>(
    assertions: Readonly<Record<string, Assertion<Value>>>,
    applicators: Readonly<Record<string, (from: Stated) => Check<Value> | null>>,
  ): readonly Check<Value>[] =>
    Object.entries(schema).flatMap(([keyword, stated]) => {
      const from: Stated = { stated, schema, pointer, schemas };
      const assertion = Object.hasOwn(assertions, keyword) ? assertions[keyword] : undefined;
      const applicator = Object.hasOwn(applicators, keyword) ? applicators[keyword] : undefined;
      const check = assertion === undefined ? applicator?.(from) : asserting(keyword, assertion, from);
      return check === undefined || check === null ? [] : [check];
    });
  return {
    any: made(ANY_ASSERTIONS, COMBINATIONS),
    string: made(STRING_ASSERTIONS, {}),
    number: made(NUMBER_ASSERTIONS, {}),
    array: made(ARRAY_ASSERTIONS, ARRAY_APPLICATORS),
    object: made(OBJECT_ASSERTIONS, OBJECT_APPLICATORS),
  };
}
