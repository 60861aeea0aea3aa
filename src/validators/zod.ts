import { hasSchemaType } from '../model/schema/type-words.ts';
import type { CheckedSchema } from '../model/schema/walk.ts';
import { toMemberKey, toStringLiteral } from '../types/names.ts';
import { FORMAT_PATTERNS } from './checked-schema.ts';

/** Functions of the module that expressions use, with the name of each. */
export type ZodHelper = 'hasLength' | 'hasMembers' | 'isUnique';

export interface ZodContext {
  /** The constants that are declared above, so that an expression can use them at once. */
  readonly declared: ReadonlySet<string>;
  /** Receives each helper that the expression uses. */
  readonly helpers: Set<ZodHelper>;
  /** Receives a remark about each keyword that zod cannot express. */
  readonly remarks: Set<string>;
}

/** Prints the zod 4 schema of a reduced schema. What zod cannot express is not checked, and a comment says so. */
export function toZodExpression(
  schema: CheckedSchema | boolean,
  context: ZodContext,
  indent: string,
): string {
  if (schema === true) return 'z.unknown()';
  if (schema === false) return 'z.never()';
  const members: string[] = [];
  if (typeof schema.$ref === 'string')
    members.push(context.declared.has(schema.$ref) ? schema.$ref : `z.lazy((): z.ZodType => ${schema.$ref})`);
  const own = printOwnKeywords(schema, context, indent);
  if (own !== undefined) members.push(own);
  for (const member of schema.allOf ?? []) members.push(toZodExpression(member, context, indent));
  if (schema.anyOf !== undefined) members.push(printUnion(schema.anyOf, context, indent));
  if (schema.oneOf !== undefined) members.push(printUnion(schema.oneOf, context, indent));
  const [first = 'z.unknown()', ...others] = members;
  return first + others.map((other) => `.and(${other})`).join('');
}

/** Keywords that combine schemas, and those that check nothing by themselves. */
const IN_PLACE: ReadonlySet<string> = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'type']);

/** `oneOf` is checked as `anyOf`: a value of several alternatives is accepted. */
function printUnion(
  members: readonly (CheckedSchema | boolean)[],
  context: ZodContext,
  indent: string,
): string {
  const printed = [...new Set(members.map((member) => toZodExpression(member, context, indent)))];
  return printed.length === 1 ? (printed[0] ?? '') : `z.union([${printed.join(', ')}])`;
}

/** Prints the keywords beside `$ref` and those that combine schemas; `undefined` if there are none. */
function printOwnKeywords(schema: CheckedSchema, context: ZodContext, indent: string): string | undefined {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (schema.enum !== undefined) return printValues(schema.enum, types, context);
  if (types.length === 0) {
    const untyped = Object.keys(schema).filter((keyword) => !IN_PLACE.has(keyword));
    if (untyped.length > 0) context.remarks.add(`${untyped.join(', ')} without a type`);
    return undefined;
  }
  const printed = types
    .filter((type) => type !== 'null')
    .map((type) => printType(type, schema, context, indent));
  if (printed.length === 0) return 'z.null()';
  const union = printed.length === 1 ? (printed[0] ?? '') : `z.union([${printed.join(', ')}])`;
  return types.includes('null') ? `${union}.nullable()` : union;
}

function printValues(
  values: readonly unknown[],
  types: readonly string[],
  { remarks }: ZodContext,
): string | undefined {
  if (values.some((value) => typeof value === 'object' && value !== null)) {
    remarks.add('enum');
    return undefined;
  }
  const fitting = values.filter((value) => types.length === 0 || hasSchemaType(value, types));
  if (fitting.length === 0) return 'z.never()';
  const literals = [...new Set(fitting)].map((value) =>
    typeof value === 'string' ? toStringLiteral(value) : String(value),
  );
  return literals.length === 1 ? `z.literal(${literals[0]})` : `z.literal([${literals.join(', ')}])`;
}

function printType(type: string, schema: CheckedSchema, context: ZodContext, indent: string): string {
  switch (type) {
    case 'string':
      return printString(schema, context);
    case 'integer':
      // `z.int()` refuses integers above 2^53.
      return `z.number().multipleOf(1)${printBounds(schema)}`;
    case 'number':
      return `z.number()${printBounds(schema)}`;
    case 'boolean':
      return 'z.boolean()';
    case 'array':
      return printArray(schema, context, indent);
    case 'object':
      return printObject(schema, context, indent);
    default:
      return 'z.unknown()';
  }
}

function printString({ minLength, maxLength, pattern, format }: CheckedSchema, context: ZodContext): string {
  let text = 'z.string()';
  // A text of one unit has one code point, so this bound needs no count.
  if (minLength === 1) text += '.min(1)';
  const least = minLength === undefined || minLength === 1 ? 0 : minLength;
  if (least > 0 || maxLength !== undefined) {
    context.helpers.add('hasLength');
    text += `.refine(hasLength(${least}${maxLength === undefined ? '' : `, ${maxLength}`}), "Expected ${toRangeText(least, maxLength)} characters.")`;
  }
  const known = typeof format === 'string' ? FORMAT_PATTERNS[format] : undefined;
  if (pattern !== undefined) text += `.regex(new RegExp(${toStringLiteral(pattern)}, "u"))`;
  if (known !== undefined) {
    text += `.regex(new RegExp(${toStringLiteral(known)}, "u"), ${toStringLiteral(`Expected a ${format}.`)})`;
  }
  return text;
}

function toRangeText(least: number, most: number | undefined): string {
  return most === undefined ? `at least ${least}` : `${least} to ${most}`;
}

const BOUNDS = {
  minimum: 'gte',
  maximum: 'lte',
  exclusiveMinimum: 'gt',
  exclusiveMaximum: 'lt',
} as const;

function printBounds(schema: CheckedSchema): string {
  const { multipleOf } = schema;
  const bounds = Object.entries(BOUNDS).map(([keyword, method]) => {
    const limit = schema[keyword as keyof typeof BOUNDS];
    return limit === undefined ? '' : `.${method}(${limit})`;
  });
  // Not zod's `multipleOf`, which rounds: WordPress calls fmod(), for which 0.3 is no multiple of 0.1.
  if (multipleOf !== undefined)
    bounds.push(`.refine((value) => value % ${multipleOf} === 0, "Expected a multiple of ${multipleOf}.")`);
  return bounds.join('');
}

function printArray(schema: CheckedSchema, context: ZodContext, indent: string): string {
  const { items = true, minItems, maxItems } = schema;
  let text = `z.array(${toZodExpression(items, context, indent)})`;
  if (minItems !== undefined) text += `.min(${minItems})`;
  if (maxItems !== undefined) text += `.max(${maxItems})`;
  if (schema.uniqueItems !== true) return text;
  context.helpers.add('isUnique');
  return `${text}.refine(isUnique, "Expected items that differ from each other.")`;
}

function printObject(schema: CheckedSchema, context: ZodContext, indent: string): string {
  const { properties = {}, required = [], additionalProperties: rest = true } = schema;
  const { minProperties, maxProperties } = schema;
  const declared = Object.entries(properties);
  const missing = required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name): [string, CheckedSchema | boolean] => [name, rest === false ? true : rest]);
  const members = [...declared, ...missing]
    // zod leaves out a member of this name.
    .filter(([name]) => name !== '__proto__')
    .map(([name, member]) => printMember(name, member, required.includes(name), context, `${indent}  `));
  const shape = members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
  let text = `z.looseObject(${shape})`;
  if (rest === false) text = `z.strictObject(${shape})`;
  else if (rest !== true) {
    const value = toZodExpression(rest, context, indent);
    text = members.length === 0 ? `z.record(z.string(), ${value})` : `z.object(${shape}).catchall(${value})`;
  }
  if (minProperties === undefined && maxProperties === undefined) return text;
  context.helpers.add('hasMembers');
  return `${text}.refine(hasMembers(${minProperties ?? 0}${maxProperties === undefined ? '' : `, ${maxProperties}`}), "Expected ${toRangeText(minProperties ?? 0, maxProperties)} members.")`;
}

/** A member that leads to a constant below is a getter, which zod evaluates when it validates. */
function printMember(
  name: string,
  schema: CheckedSchema | boolean,
  isRequired: boolean,
  context: ZodContext,
  indent: string,
): string {
  const key = toMemberKey(name);
  const deferred = findDeferred(schema, context);
  if (deferred !== undefined) {
    const type = isRequired ? deferred.type : `z.ZodOptional<${deferred.type}>`;
    const value = isRequired ? deferred.value : `${deferred.value}.optional()`;
    return `${indent}get ${key}(): ${type} { return ${value}; },\n`;
  }
  const value = toZodExpression(schema, context, indent);
  return `${indent}${key}: ${value}${isRequired ? '' : '.optional()'},\n`;
}

/** The constant below that a member consists of: itself, or a list of it. */
function findDeferred(
  schema: CheckedSchema | boolean,
  context: ZodContext,
): { readonly type: string; readonly value: string } | undefined {
  if (typeof schema === 'boolean') return undefined;
  const { $ref, items, type, ...others } = schema;
  if (Object.keys(others).length > 0) return undefined;
  if (typeof $ref === 'string' && type === undefined && items === undefined && !context.declared.has($ref)) {
    return { type: `typeof ${$ref}`, value: $ref };
  }
  if (type !== 'array' || items === undefined || $ref !== undefined) return undefined;
  const inner = findDeferred(items, context);
  return inner && { type: `z.ZodArray<${inner.type}>`, value: `z.array(${inner.value})` };
}
