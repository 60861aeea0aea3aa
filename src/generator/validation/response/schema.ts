import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonType,
  jsonItems,
  jsonMembers,
  jsonTypeOf,
  toPointerSegment,
} from '../../../base/json.ts';
import { getOrCreate } from '../../../base/memoize.ts';
import { compilePattern, parseArgumentPattern } from '../../../base/pcre/index.ts';
import {
  type AnySchema,
  type CheckedSchema,
  type Dialect,
  findIssues,
  type Run,
  readSchema,
  type SchemaIssue,
} from '../../model/schema/walk.ts';
import {
  choicesOf,
  MAX_SCHEMA_DEPTH,
  referenceOf,
  resolveReference,
} from '../../openapi/document-objects.ts';
import { validateFormat } from '../wordpress/keywords.ts';

const MAX_STEPS = 100_000;

const MAX_FINDINGS = 1_000;

/** The site adds HAL to every resource, and schemas do not declare it. */
export const HAL_MEMBERS: ReadonlySet<string> = new Set(['_links', '_embedded']);

interface DeclaredProperties {
  readonly names: ReadonlySet<string>;
  readonly isOpen: boolean;
  readonly declaringPointer: string;
}

export class SchemaRegistry implements Dialect {
  readonly #document: JsonObject;
  readonly #targets = new Map<string, AnySchema>();
  readonly #sources = new WeakMap<CheckedSchema, { readonly pointer: string; readonly schema: JsonObject }>();
  readonly #declared = new WeakMap<CheckedSchema, DeclaredProperties>();
  readonly #patterns = new Map<string, PatternTest>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  read(schema: Json, pointer: string, depth = 0): AnySchema {
    if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return schema !== false;
    const read = readSchema(schema, (child, ...path) =>
      // A schema without an identity would have no pointer.
      child === false && path[0] !== 'additionalProperties'
        ? this.read({ not: {} }, pointer + path.map(toPointerSegment).join(''))
        : this.read(child, pointer + path.map(toPointerSegment).join(''), depth + 1),
    );
    this.#sources.set(read, { pointer, schema });
    return read;
  }

  /** Lists each location and kind once. @returns `undefined` after too many steps */
  collectFindings(value: Json, schema: AnySchema): readonly ResponseFinding[] | undefined {
    const issues = findIssues(schema, value, this, MAX_STEPS);
    if (issues === undefined) return undefined;
    const findings = new Map<string, ResponseFinding>();
    for (const issue of issues) {
      if (findings.size >= MAX_FINDINGS) break;
      const finding = this.#toFinding(issue);
      findings.set(keyOfFinding(finding), finding);
    }
    return [...findings.values()];
  }

  #toFinding({ keyword, path, schema, types, value }: SchemaIssue): ResponseFinding {
    const kind = types === undefined ? KINDS.get(keyword) : classifyTypeMismatch(types, value);
    const isOfMember = keyword === 'additionalProperties' || keyword === 'properties';
    const tokens = path.map((token, at) => {
      if (typeof token === 'number') return '*';
      // Names that do not look like those of properties can be content.
      const isKept = !isOfMember || at < path.length - 1 || /^[A-Za-z_][\w.:-]{0,63}$/.test(token);
      return isKept ? token : '*';
    });
    const pointer =
      typeof schema === 'boolean'
        ? ''
        : keyword === 'properties'
          ? this.#declaredBy(schema).declaringPointer
          : this.#sources.get(schema)?.pointer;
    return {
      kind: kind ?? 'range',
      pointer: tokens.map(toPointerSegment).join(''),
      actual: value === undefined ? 'nothing' : jsonTypeOf(value),
      keyword,
      schema: pointer ?? '',
    };
  }

  resolve(reference: string): AnySchema {
    const known = this.#targets.get(reference);
    if (known !== undefined) return known;
    const target = this.read(resolveReference(this.#document, reference) ?? true, reference.slice(1));
    this.#targets.set(reference, target);
    return target;
  }

  matches(pattern: string, text: string, run: Run): boolean | undefined {
    return getOrCreate(this.#patterns, pattern, () => compileBoundedPattern(pattern))(text, run);
  }

  hasFormat(format: string, value: string | number): boolean {
    return typeof value === 'number' || validateFormat(format, value, '') === null;
  }

  isMultiple(value: number, divisor: number): boolean {
    return value % divisor === 0;
  }

  findUndeclared(schema: CheckedSchema, value: Readonly<Record<string, unknown>>): readonly string[] {
    const { isOpen, names } = this.#declaredBy(schema);
    return isOpen ? [] : Object.keys(value).filter((name) => !names.has(name) && !HAL_MEMBERS.has(name));
  }

  #declaredBy(read: CheckedSchema): DeclaredProperties {
    const { pointer = '', schema = {} } = this.#sources.get(read) ?? {};
    const known = this.#declared.get(read) ?? collectDeclaredProperties(schema, pointer, this.#document);
    this.#declared.set(read, known);
    return known;
  }
}

const KINDS: ReadonlyMap<string, ResponseFindingKind> = new Map([
  ['enum', 'enum'],
  ['const', 'enum'],
  ['pattern', 'pattern'],
  ['format', 'format'],
  ['required', 'missing'],
  ['properties', 'extra'],
  ['additionalProperties', 'forbidden'],
  ['oneOf', 'alternatives'],
  ['not', 'other'],
]);

const MAX_TEXT_LENGTH = 16_384;

type PatternTest = (text: string, run: Run) => boolean | undefined;

function compileBoundedPattern(source: string): PatternTest {
  const isUnknown: PatternTest = () => undefined;
  const parsed = parseArgumentPattern(source);
  if (!parsed.ok || parsed.rejectionReason !== undefined) return isUnknown;
  const matcher = compilePattern(source);
  if (!matcher.exact) return isUnknown;
  return (text, run) => {
    if (text.length > MAX_TEXT_LENGTH) return undefined;
    run.steps -= (text.length * matcher.stepsPerCharacter) >> 4;
    return run.steps < 0 ? undefined : matcher.test(text);
  };
}

/** Bounds recursive references and nested alternatives. */
const MAX_SCHEMAS = 500;

function collectDeclaredProperties(
  schema: JsonObject,
  pointer: string,
  document: JsonObject,
): DeclaredProperties {
  const names = new Set<string>();
  let remainingSchemas = MAX_SCHEMAS;
  let isOpen = false;
  let declaringPointer = pointer;
  const collect = (given: Json | undefined, canReference: boolean): void => {
    remainingSchemas -= 1;
    if (remainingSchemas < 0) isOpen = true;
    if (isOpen || !isJsonObject(given)) return;
    const { additionalProperties, patternProperties, properties, allOf } = given;
    // `additionalProperties: false` reports forbidden properties itself.
    if (isJsonObject(additionalProperties) || additionalProperties === false) isOpen = true;
    if (isJsonObject(patternProperties)) isOpen = true;
    for (const [name] of jsonMembers(properties)) names.add(name);
    const reference = referenceOf(given);
    // References from schemas without `properties` lead to the schema that declares them.
    const leadsOn = canReference && reference !== undefined && !isJsonObject(properties);
    if (leadsOn) declaringPointer = reference.slice(1);
    if (reference !== undefined) collect(resolveReference(document, reference), leadsOn);
    for (const each of [...jsonItems(allOf), ...choicesOf(given)]) collect(each, false);
  };
  collect(schema, true);
  return { names, isOpen: isOpen || names.size === 0, declaringPointer };
}

/** `tolerated`: violates the schema, but PHP commonly writes it. `remark`: valid, but poorly described. */
export type FindingSeverity = 'wrong' | 'tolerated' | 'remark';

export const FINDING_SEVERITIES = {
  /** `null` is the most frequent error of declared schemas. */
  null: 'wrong',
  /** PHP has one array type. */
  'empty-array-for-object': 'tolerated',
  /** As database columns and post meta contain it. */
  'string-for-number': 'tolerated',
  type: 'wrong',
  enum: 'wrong',
  /** A format as WordPress defines it. In JSON Schema 2020-12 (§7.2.1) a format is an annotation. */
  format: 'remark',
  pattern: 'wrong',
  /** A number, length or count out of bounds, or duplicate items. */
  range: 'wrong',
  missing: 'wrong',
  extra: 'remark',
  forbidden: 'wrong',
  alternatives: 'wrong',
  other: 'wrong',
} as const;

export type ResponseFindingKind = keyof typeof FINDING_SEVERITIES;

export interface ResponseFinding {
  readonly kind: ResponseFindingKind;
  /** JSON Pointer into the response. `*` stands for an index or an undeclared name. */
  readonly pointer: string;
  readonly actual: JsonType | 'nothing';
  readonly keyword: string;
  /** JSON Pointer into the document: the schema to change. */
  readonly schema: string;
}

export function keyOfFinding({ kind, pointer, actual, keyword, schema }: ResponseFinding): string {
  return `${pointer}\n${kind}\n${actual}\n${keyword}\n${schema}`;
}

const NUMERIC = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i;

function classifyTypeMismatch(types: readonly string[], value: unknown): ResponseFindingKind {
  if (value === null) return 'null';
  if (Array.isArray(value) && value.length === 0 && types.includes('object')) return 'empty-array-for-object';
  const isNumeric = typeof value === 'string' && value.length <= 45 && NUMERIC.test(value);
  const isOfType = types.includes('number') || (types.includes('integer') && Number.isInteger(Number(value)));
  return isNumeric && isOfType ? 'string-for-number' : 'type';
}
