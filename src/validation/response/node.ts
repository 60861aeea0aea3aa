import type { Json, JsonObject } from '../../json.ts';
import type { JsonType, ResponseFindingKind } from './finding.ts';

/** A schema of the document, prepared on first use and kept. */
export interface SchemaNode {
  /** Where it stands in the document. */
  readonly pointer: string;
  /** The types that its own `type` allows, as bits. */
  readonly ownTypes: number;
  /** The types that are left when its references and alternatives have been looked at. */
  readonly acceptedTypes: number;
  readonly checks: ChecksByType;
  /** What it says of an object's properties, references and alternatives included. */
  readonly properties: DeclaredProperties;
}

/** What a schema asks of values, by their type. */
export interface ChecksByType {
  readonly any: readonly SchemaCheck<Json>[];
  readonly string: readonly SchemaCheck<string>[];
  readonly number: readonly SchemaCheck<number>[];
  readonly array: readonly SchemaCheck<readonly Json[]>[];
  readonly object: readonly SchemaCheck<JsonObject>[];
}

/** `use`: where the schema is referred to from, which is what a value of another type changes. */
export type SchemaCheck<Value extends Json> = (value: Value, walk: ResponseWalk, use: string) => void;

export interface DeclaredProperties {
  readonly names: ReadonlySet<string>;
  /** Whether it says of the other properties what they may be, or says nothing of any: then none is unexpected. */
  readonly isOpen: boolean;
  /** The schema in which a further property would be declared. */
  readonly pointer: string;
}

/** Schemas by where they stand: two references to one share it, and a circle of references is no more than that. */
export interface SchemaRegistry {
  get(schema: Json | undefined, pointer: string): SchemaNode;
  /** What a reference names; undefined where it names nothing in the document. */
  resolve(reference: string): SchemaNode | undefined;
}

/** One answer on its way through its schema. */
export interface ResponseWalk {
  /** Whether the caller asked for some fields only: what is missing is then as asked. */
  readonly isPartial: boolean;
  /** Holds the value at the present place against one more schema. */
  validate(node: SchemaNode, value: Json, use?: string): void;
  /** Holds a member or an item against its schema. */
  validateChild(token: string, node: SchemaNode, value: Json): void;
  /** What a schema would find, without finding it. */
  attempt(node: SchemaNode, value: Json): Attempt;
  /** Takes over what an attempt found. */
  adopt(attempt: Attempt): void;
  report(
    kind: ResponseFindingKind,
    keyword: string,
    saw: JsonType | 'nothing',
    schema: string,
    token?: string,
  ): void;
  /** Takes from what an answer may cost. @throws {ValidationBudgetError} where nothing is left */
  spend(steps: number): void;
}

export interface Attempt {
  /** How much of it is wrong, and how much is only tolerated. None of both: the value fits. */
  readonly wrong: number;
  readonly tolerated: number;
}

/** An answer that costs more than its judgement is worth. */
export class ValidationBudgetError extends Error {
  override readonly name = 'Exhausted';
  readonly reason: 'too-deep' | 'too-costly';

  constructor(reason: 'too-deep' | 'too-costly') {
    super(reason);
    this.reason = reason;
  }
}
