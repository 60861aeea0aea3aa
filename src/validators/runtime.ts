/** The interface of Standard Schema 1 (https://standardschema.dev). Libraries for forms, routers and RPC accept it. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  /** Names and indexes that lead to the wrong part. */
  readonly path: readonly (string | number)[];
}

/** A validator, with the schema that others refer to. */
export interface Validator<Type> extends StandardSchemaV1<Type> {
  readonly schema: CheckedSchema | boolean;
}

/** A JSON Schema (draft 2020-12) of the keywords that are checked. */
export interface CheckedSchema {
  /** Returns another validator, which a bundle has only if a schema that it has refers to it. In a plan: its name. */
  readonly $ref?: string | (() => Validator<unknown>);
  /** `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, or several of them. */
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** The format with its pattern. In a plan: the format. */
  readonly format?: string | Readonly<Record<string, string>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: CheckedSchema | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, CheckedSchema | boolean>>;
  readonly required?: readonly string[];
  /** In place of `required`, where this is shorter: the properties that are not. */
  readonly optional?: readonly string[];
  readonly additionalProperties?: CheckedSchema | boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly (CheckedSchema | boolean)[];
  readonly anyOf?: readonly (CheckedSchema | boolean)[];
  readonly oneOf?: readonly (CheckedSchema | boolean)[];
}

/** Creates the validator of a schema. */
export function validator<Type>(schema: CheckedSchema | boolean): Validator<Type> {
  return {
    schema,
    '~standard': {
      version: 1,
      vendor: 'waygate',
      validate(value) {
        const run: Run = { steps: 1_000_000, depth: 200, issues: [] };
        check(schema, value, [], run);
        if (run.steps < 0) return { issues: [{ message: 'The value is too large to validate.', path: [] }] };
        return run.issues.length > 0 ? { issues: run.issues } : { value: value as Type };
      },
    },
  };
}

type Path = readonly (string | number)[];
type JsonRecord = Readonly<Record<string, unknown>>;

/** The state of one validation. Steps and depth are those that are left, so that every value and schema takes bounded time. */
interface Run {
  steps: number;
  depth: number;
  issues: StandardIssue[];
}

function check(schema: CheckedSchema | boolean, value: unknown, path: Path, run: Run): void {
  run.steps -= 1;
  if (run.steps < 0 || schema === true) return;
  const types = schema === false ? [] : [schema.type ?? []].flat();
  if (schema === false) report('Nothing is allowed here.', path, run);
  else if (run.depth <= 0) report('The value is nested too deep.', path, run);
  else if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    report(`Expected ${types.join(' or ')}, got ${typeName(value)}.`, path, run);
  else checkKeywords(schema, value, path, run);
}

function checkKeywords(schema: CheckedSchema, value: unknown, path: Path, run: Run): void {
  run.depth -= 1;
  if (schema.enum?.some((member) => isEqual(member, value, run)) === false) {
    report(`Expected one of ${JSON.stringify(schema.enum).slice(1, -1).slice(0, 200)}.`, path, run);
  }
  if (typeof value === 'string') checkString(schema, value, path, run);
  else if (typeof value === 'number') checkNumber(schema, value, path, run);
  else if (Array.isArray(value)) checkArray(schema, value, path, run);
  else if (isRecord(value)) checkObject(schema, value, path, run);
  if (typeof schema.$ref === 'function') check(schema.$ref().schema, value, path, run);
  for (const member of schema.allOf ?? []) check(member, value, path, run);
  checkAlternatives(schema.anyOf ?? [], value, path, run, false);
  checkAlternatives(schema.oneOf ?? [], value, path, run, true);
  run.depth += 1;
}

/** Lengths count code points, as JSON Schema does. A code point has one or two units. */
function checkString(schema: CheckedSchema, text: string, path: Path, run: Run): void {
  const { minLength = 0, maxLength = Infinity, pattern, format = {} } = schema;
  if (text.length < minLength * 2 || text.length > maxLength) {
    run.steps -= text.length >> 6;
    checkRange([...text].length, ' characters', path, run, minLength, maxLength);
  }
  if (pattern !== undefined && !toRegExp(pattern).test(text)) {
    report(`Expected a text that matches ${pattern}.`, path, run);
  }
  for (const [name, known] of Object.entries(format)) {
    if (!toRegExp(known).test(text)) report(`Expected a ${name}.`, path, run);
  }
}

const patterns = /* @__PURE__ */ new Map<string, RegExp>();

function toRegExp(pattern: string): RegExp {
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, compiled);
  return compiled;
}

function checkNumber(schema: CheckedSchema, value: number, path: Path, run: Run): void {
  // No number is less or greater than NaN.
  const { exclusiveMinimum = Number.NaN, exclusiveMaximum = Number.NaN, multipleOf } = schema;
  checkRange(value, '', path, run, schema.minimum, schema.maximum);
  if (value <= exclusiveMinimum) report(`Expected more than ${exclusiveMinimum}.`, path, run);
  if (value >= exclusiveMaximum) report(`Expected less than ${exclusiveMaximum}.`, path, run);
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    report(`Expected a multiple of ${multipleOf}.`, path, run);
  }
}

function checkRange(
  size: number,
  unit: string,
  path: Path,
  run: Run,
  least = -Infinity,
  most = Infinity,
): void {
  if (size < least) report(`Expected at least ${least}${unit}.`, path, run);
  if (size > most) report(`Expected at most ${most}${unit}.`, path, run);
}

function checkArray(schema: CheckedSchema, value: readonly unknown[], path: Path, run: Run): void {
  const { items = true } = schema;
  checkRange(value.length, ' items', path, run, schema.minItems, schema.maxItems);
  if (schema.uniqueItems === true && !isUnique(value, run)) {
    report('Expected items that differ from each other.', path, run);
  }
  value.forEach((item, index) => {
    check(items, item, [...path, index], run);
  });
}

function checkObject(schema: CheckedSchema, value: JsonRecord, path: Path, run: Run): void {
  const { properties = {}, additionalProperties, optional } = schema;
  const names = Object.keys(value);
  const required = optional && Object.keys(properties).filter((name) => !optional.includes(name));
  for (const name of required ?? schema.required ?? []) {
    if (!Object.hasOwn(value, name)) report('The member is missing.', [...path, name], run);
  }
  for (const name of names) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    check(declared ?? true, value[name], [...path, name], run);
  }
  checkRange(names.length, ' members', path, run, schema.minProperties, schema.maxProperties);
}

/** Reports the issues of the alternative that fits best: the one that is wrong at the deepest place. */
function checkAlternatives(
  schemas: readonly (CheckedSchema | boolean)[],
  value: unknown,
  path: Path,
  run: Run,
  isExclusive: boolean,
): void {
  const { issues } = run;
  let best: readonly StandardIssue[] = [];
  let matches = 0;
  for (const schema of schemas) {
    run.issues = [];
    check(schema, value, path, run);
    const found = run.issues;
    run.issues = issues;
    if (found.length === 0) matches += 1;
    if (matches > 0 && !isExclusive) return;
    if (best.length === 0 || depthOf(found) > depthOf(best)) best = found;
  }
  if (matches === 0) issues.push(...best);
  if (matches > 1) report('Expected a value of one alternative only.', path, run);
}

function depthOf(issues: readonly StandardIssue[]): number {
  return Math.min(...issues.map((issue) => issue.path.length));
}

function report(message: string, path: Path, { issues }: Run): void {
  if (issues.length < 100) issues.push({ message, path });
}

function isUnique(items: readonly unknown[], run: Run): boolean {
  const others = items.filter((item) => typeof item === 'object');
  return (
    new Set(items).size === items.length &&
    others.every((item, index) => !others.slice(0, index).some((other) => isEqual(item, other, run)))
  );
}

function isEqual(one: unknown, other: unknown, run: Run, depth = run.depth): boolean {
  run.steps -= 1;
  if (one === other) return true;
  if (run.steps < 0 || depth < 0 || typeName(one) !== typeName(other)) return false;
  if (typeof one !== 'object' || one === null) return false;
  const [left, right] = [one, other] as readonly [JsonRecord, JsonRecord];
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name], run, depth - 1))
  );
}

function isRecord(value: unknown): value is JsonRecord {
  return typeName(value) === 'object';
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeName(value) === type;
}
