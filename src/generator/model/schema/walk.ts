import { extensionOf, getDeclaredPatternProperties } from '../../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, jsonTexts } from '../../../base/json.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { hasSchemaType, LIMIT_KEYWORDS, SCHEMA_TYPES } from './keywords.ts';

type Limit =
  | `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf';

/** The keywords that are checked, with usable values. */
export interface CheckedSchema
  extends Partial<Readonly<Record<Limit, number>>>,
    Partial<Readonly<Record<'$ref' | 'pattern' | 'format', string>>>,
    Partial<Readonly<Record<'items' | 'additionalProperties' | 'not', AnySchema>>>,
    Partial<Readonly<Record<'prefixItems' | 'allOf' | 'anyOf' | 'oneOf', readonly AnySchema[]>>>,
    Partial<Readonly<Record<'properties' | 'patternProperties', Readonly<Record<string, AnySchema>>>>> {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly uniqueItems?: boolean;
  readonly required?: readonly string[];
}

export type AnySchema = CheckedSchema | boolean;

export interface Dialect {
  resolve(reference: string): AnySchema;
  matches(pattern: string, text: string, run: Run): boolean | undefined;
  hasFormat(format: string, value: string | number): boolean;
  isMultiple(value: number, divisor: number): boolean;
  /** Members to report because no schema declares them. @default none */
  findUndeclared?(schema: CheckedSchema, value: JsonObject): readonly string[];
}

type Path = readonly (string | number)[];

export interface SchemaIssue {
  /** A member that the schema doesn't name is `*`, because its name can be a value. */
  readonly path: Path;
  readonly keyword: string;
  readonly schema: AnySchema;
  readonly value: unknown;
  readonly types?: readonly string[];
  readonly isRemark?: true;
}

/** Steps and depth are what is left, so that every validation takes bounded time. */
export interface Run {
  readonly dialect: Dialect;
  steps: number;
  depth: number;
  issues: SchemaIssue[];
}

export function findIssues(
  schema: AnySchema,
  value: unknown,
  dialect: Dialect,
  steps: number,
): readonly SchemaIssue[] | undefined {
  const run: Run = { dialect, steps, depth: 200, issues: [] };
  visit(schema, value, [], run);
  return run.steps < 0 ? undefined : run.issues;
}

function visit(schema: AnySchema, value: unknown, path: Path, run: Run): void {
  check(schema, value, path, run);
  if (!isJsonObject(value) || typeof schema === 'boolean') return;
  for (const name of run.dialect.findUndeclared?.(schema, value) ?? []) {
    report({ keyword: 'properties', path: [...path, name], schema, value: value[name], isRemark: true }, run);
  }
}

function check(schema: AnySchema, value: unknown, path: Path, run: Run, raw = schema): void {
  run.steps -= run.depth > 0 ? 1 : Infinity;
  if (run.steps < 0 || schema === true) return;
  if (schema === false) {
    report({ keyword: 'false', path, schema: raw, value, types: [] }, run);
    return;
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !hasSchemaType(value, types)) {
    report({ keyword: 'type', path, schema: raw, value, types }, run);
    return;
  }
  run.depth -= 1;
  const reportHere = (keyword: string): void => report({ keyword, path, schema, value }, run);
  if (schema.enum !== undefined && !isMember(schema.enum, value, run)) reportHere('enum');
  if (schema.const !== undefined && !isMember([schema.const], value, run)) reportHere('const');
  if (typeof value === 'string') checkString(schema, value, run, reportHere);
  else if (typeof value === 'number') checkNumber(schema, value, run, reportHere);
  else if (Array.isArray(value)) checkArray(schema, value, path, run, reportHere);
  else if (isJsonObject(value)) checkObject(schema, value, path, run, reportHere);
  if (schema.$ref !== undefined) check(run.dialect.resolve(schema.$ref), value, path, run, raw);
  for (const member of schema.allOf ?? []) check(member, value, path, run);
  checkAlternatives('anyOf', schema, value, path, run, raw);
  checkAlternatives('oneOf', schema, value, path, run, raw);
  if (schema.not !== undefined && isValid(attempt(schema.not, value, path, run))) reportHere('not');
  run.depth += 1;
}

type Report = (keyword: string) => void;

function checkString(schema: CheckedSchema, text: string, run: Run, reportHere: Report): void {
  const { format, minLength = 0, maxLength = Infinity, pattern } = schema;
  // Lengths count code points, of one or two units each.
  if (text.length < minLength * 2 || text.length > maxLength) {
    run.steps -= text.length >> 6;
    checkRange('Length', [...text].length, schema, reportHere);
  }
  if (pattern !== undefined && run.dialect.matches(pattern, text, run) === false) reportHere('pattern');
  if (format !== undefined && !run.dialect.hasFormat(format, text)) reportHere('format');
}

function checkNumber(schema: CheckedSchema, value: number, run: Run, reportHere: Report): void {
  const { exclusiveMaximum, exclusiveMinimum, format, maximum, minimum, multipleOf } = schema;
  if (minimum !== undefined && value < minimum) reportHere('minimum');
  if (maximum !== undefined && value > maximum) reportHere('maximum');
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) reportHere('exclusiveMinimum');
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) reportHere('exclusiveMaximum');
  if (multipleOf !== undefined && !run.dialect.isMultiple(value, multipleOf)) reportHere('multipleOf');
  if (format !== undefined && !run.dialect.hasFormat(format, value)) reportHere('format');
}

function checkRange(
  counted: 'Length' | 'Items' | 'Properties',
  count: number,
  schema: CheckedSchema,
  reportHere: Report,
): void {
  if (count < (schema[`min${counted}` as const] ?? 0)) reportHere(`min${counted}`);
  if (count > (schema[`max${counted}` as const] ?? Infinity)) reportHere(`max${counted}`);
}

function checkArray(
  schema: CheckedSchema,
  value: readonly unknown[],
  path: Path,
  run: Run,
  reportHere: Report,
): void {
  const { items = true, prefixItems = [], uniqueItems } = schema;
  checkRange('Items', value.length, schema, reportHere);
  if (uniqueItems === true && new Set(value.map((item) => toComparableText(item, run))).size < value.length) {
    reportHere('uniqueItems');
  }
  for (const [index, item] of value.entries())
    visit(prefixItems[index] ?? items, item, [...path, index], run);
}

function checkObject(
  schema: CheckedSchema,
  value: JsonObject,
  path: Path,
  run: Run,
  reportHere: Report,
): void {
  const { additionalProperties = true, patternProperties = {}, properties = {} } = schema;
  const names = Object.keys(value);
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name))
      report({ keyword: 'required', path: [...path, name], schema, value: undefined }, run);
  }
  const patterns = Object.entries(patternProperties);
  run.steps -= names.length * (1 + patterns.length);
  for (const name of names) {
    if (run.steps < 0) return;
    const member = value[name];
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (declared !== undefined) visit(declared, member, [...path, name], run);
    let isDeclared = declared !== undefined;
    for (const [pattern, its] of patterns) {
      const isMatch = run.dialect.matches(pattern, name, run);
      if (isMatch === true) visit(its, member, [...path, '*'], run);
      isDeclared ||= isMatch !== false;
    }
    if (isDeclared || additionalProperties === true) continue;
    if (additionalProperties !== false) visit(additionalProperties, member, [...path, '*'], run);
    else report({ keyword: 'additionalProperties', path: [...path, name], schema, value: member }, run);
  }
  checkRange('Properties', names.length, schema, reportHere);
}

/** Reports the alternative with the fewest issues among those of the value's type. */
function checkAlternatives(
  keyword: 'anyOf' | 'oneOf',
  schema: CheckedSchema,
  value: unknown,
  path: Path,
  run: Run,
  raw: AnySchema,
): void {
  const failed: (readonly SchemaIssue[])[] = [];
  const matched: (readonly SchemaIssue[])[] = [];
  for (const member of schema[keyword] ?? []) {
    const issues = attempt(member, value, path, run);
    (isValid(issues) ? matched : failed).push(issues);
    if (keyword === 'anyOf' && matched.length > 0) break;
  }
  if (matched.length > 1) {
    report({ keyword, path, schema, value }, run);
    return;
  }
  if (matched.length === 0 && failed.length === 0) return;
  const typesOf = (issues: readonly SchemaIssue[]): readonly string[] | undefined =>
    issues.find((issue) => issue.types !== undefined && issue.path.length === path.length)?.types;
  const ofType = failed.filter((issues) => typesOf(issues) === undefined);
  const [best] = matched.length > 0 ? matched : ofType.sort((one, other) => one.length - other.length);
  if (best !== undefined) run.issues.push(...best);
  else {
    const types = failed.flatMap((issues) => typesOf(issues) ?? []);
    report({ keyword, path, schema: raw, value, types }, run);
  }
}

function attempt(schema: AnySchema, value: unknown, path: Path, run: Run): readonly SchemaIssue[] {
  const { issues } = run;
  run.issues = [];
  check(schema, value, path, run);
  const found = run.issues;
  run.issues = issues;
  return found;
}

function isValid(issues: readonly SchemaIssue[]): boolean {
  return issues.every(({ isRemark }) => isRemark);
}

function report(issue: SchemaIssue, run: Run): void {
  if (run.issues.length < 10_000) run.issues.push(issue);
}

function isMember(values: readonly unknown[], value: unknown, run: Run): boolean {
  run.steps -= values.length >> 6;
  if (values.includes(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const text = toComparableText(value, run);
  return values.some((member) => typeof member === 'object' && toComparableText(member, run) === text);
}

function toComparableText(value: unknown, run: Run, depth = 64): string {
  run.steps -= depth > 0 ? 1 : Infinity;
  if (run.steps < 0) return '';
  if (typeof value === 'string') run.steps -= value.length >> 6;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  const inside = (member: unknown): string => toComparableText(member, run, depth - 1);
  if (Array.isArray(value)) return `[${value.map(inside).join()}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${inside(member)}`);
  return `{${members.sort().join()}}`;
}

type ReadChild = (declared: Json, ...path: readonly (string | number)[]) => AnySchema;

/** Keywords with usable values. Patterns are PCRE. An unknown type allows every value, as at the site. */
export function readSchema(schema: JsonObject, readChild: ReadChild): CheckedSchema {
  const { $ref, const: constant, enum: values, format, pattern, required, type, uniqueItems } = schema;
  const types = typeof type === 'string' ? [type] : jsonTexts(type);
  const one = (keyword: string): AnySchema | undefined =>
    schema[keyword] === undefined ? undefined : readChild(schema[keyword], keyword);
  const list = (keyword: string): readonly AnySchema[] | undefined => {
    const members = schema[keyword];
    return Array.isArray(members) ? members.map((member, at) => readChild(member, keyword, at)) : undefined;
  };
  const byName = (keyword: string, sources: JsonObject = {}) => {
    const members = jsonMembers(schema[keyword]).map(([name, member]): [string, AnySchema] => [
      String(Object.hasOwn(sources, name) ? sources[name] : name),
      readChild(member, keyword, name),
    ]);
    return members.length === 0 ? undefined : Object.fromEntries(members);
  };
  const limits = LIMIT_KEYWORDS.map((keyword) => [keyword, schema[keyword]]);
  return {
    ...Object.fromEntries(limits.filter(([, limit]) => typeof limit === 'number')),
    ...omitUndefined({
      $ref: typeof $ref === 'string' ? $ref : undefined,
      type: types.length > 0 && types.every((name) => SCHEMA_TYPES.has(name)) ? types : undefined,
      enum: Array.isArray(values) ? values : undefined,
      const: constant,
      pattern: typeof pattern === 'string' ? String(extensionOf(schema, 'pcre') ?? pattern) : undefined,
      format: typeof format === 'string' ? format : undefined,
      uniqueItems: uniqueItems === true ? true : undefined,
      required: Array.isArray(required) ? jsonTexts(required) : undefined,
      properties: byName('properties'),
      patternProperties: byName('patternProperties', getDeclaredPatternProperties(schema)),
      additionalProperties: one('additionalProperties'),
      prefixItems: list('prefixItems'),
      items: one('items'),
      allOf: list('allOf'),
      anyOf: list('anyOf'),
      oneOf: list('oneOf'),
      not: one('not'),
    }),
  };
}
