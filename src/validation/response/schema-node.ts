import type { Json, JsonObject } from '../../json.ts';
import type { JsonType, ResponseFindingKind } from './finding.ts';

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
