import type { Json, JsonObject } from '../../json.ts';
import type { JsonType, ResponseFindingKind } from './finding.ts';

/** A schema of the document, whose members are computed on first use. */
export interface SchemaNode {
  /** JSON Pointer to the schema in the document. */
  readonly pointer: string;
  /** The types that `type` allows, as bits. */
  readonly ownTypeMask: number;
  /** The types that the schema with its references and alternatives allows, as bits. */
  readonly acceptedTypeMask: number;
  readonly checks: ChecksByType;
  /** The properties that the schema with its references and alternatives declares. */
  readonly properties: DeclaredProperties;
}

/** The checks of a schema by the type of the value. */
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
 * @param use JSON Pointer to the reference to the schema, which a finding about the type names
 */
export type SchemaCheck<Value extends Json> = (
  value: Value,
  walk: ResponseWalk,
  referencePointer: string,
) => void;

/** The declared properties of an object. */
export interface DeclaredProperties {
  readonly names: ReadonlySet<string>;
  /** Whether further properties are expected: the schema describes them, or it declares no properties. */
  readonly isOpen: boolean;
  /** JSON Pointer to the schema in which a further property would be declared. */
  readonly declaringPointer: string;
}

/** The compiled schemas of a document by pointer. References share one node, so recursive schemas end. */
export interface SchemaRegistry {
  get(schema: Json | undefined, pointer: string): SchemaNode;
  /** Resolves a `$ref`; `undefined` when its target does not exist. */
  resolve(reference: string): SchemaNode | undefined;
}

/** The validation of one response, as the checks see it. */
export interface ResponseWalk {
  /** Whether the client requested some properties only (`_fields`), so that missing ones are no findings. */
  readonly isPartial: boolean;
  /** Validates the value at the current location by one more schema. */
  validate(node: SchemaNode, value: Json, referencePointer?: string): void;
  /** Validates a member or an item. @param token of the JSON Pointer */
  validateChild(token: string, node: SchemaNode, value: Json): void;
  /** Validates the current value by a schema without reporting the findings. */
  attempt(node: SchemaNode, value: Json): SchemaAttempt;
  /** Reports the findings of an attempt. */
  reportAttempt(attempt: SchemaAttempt): void;
  report(
    kind: ResponseFindingKind,
    keyword: string,
    actual: JsonType | 'nothing',
    schema: string,
    token?: string,
  ): void;
  /** Takes steps from the budget. @throws {ValidationBudgetError} when it is exhausted */
  spend(steps: number): void;
}

export interface SchemaAttempt {
  /** Number of findings by severity. A value without either matches the schema. */
  readonly wrongCount: number;
  readonly toleratedCount: number;
}

/** The validation of a response exceeded its limits. */
export class ValidationBudgetError extends Error {
  override readonly name = 'ValidationBudgetError';
  readonly reason: 'too-deep' | 'too-costly';

  constructor(reason: 'too-deep' | 'too-costly') {
    super(reason);
    this.reason = reason;
  }
}
