import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../base/json.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import { choicesOf, flattenSchema, neededOneOf } from '../generator/openapi/schema-view.ts';
import { toLiteral } from '../generator/reference/code-samples.ts';
import { describeSchemaFacts } from '../generator/reference/schema-tree.ts';
import { toLine } from './site-text.ts';

/** Limits: length of a member's comment (0: none), nested objects, members of an object. */
export type TypeDetail = readonly [comment: number, depth: number, members: number];

const MAX_VALUES = 12;
const MAX_CHOICES = 6;
/** Schemas of one type that are read. A hostile document has millions. */
const MAX_SCHEMAS = 2_000;

/**
 * Writes a schema as a TypeScript type, which takes a third of the tokens of JSON Schema: `{ id: number; title?: string; // Its name }`.
 * A response has names only: `{ id; title: { rendered } }`.
 */
export function writeType(
  declared: Json | undefined,
  document: JsonObject,
  [commentLength, maxDepth, maxMembers]: TypeDetail,
  isRequest: boolean,
): string {
  let remaining = MAX_SCHEMAS;

  function write(value: Json | undefined, depth: number, trail: readonly string[]): string {
    remaining -= 1;
    if (remaining < 0) return 'unknown';
    const { open, schema } = flattenSchema(value, document, trail);
    if (new Set(open).size < open.length) return 'object';
    if (schema['const'] !== undefined) return writeValues([schema['const']]);
    if (jsonItems(schema['enum']).length > 0) return writeValues(jsonItems(schema['enum']));
    const choices = choicesOf(schema).slice(0, MAX_CHOICES);
    if (choices.length > 0) return joinTypes(choices.map((choice) => write(choice, depth, open)));
    const types = typesOf(schema);
    if (types.length === 0)
      return schema['properties'] === undefined ? 'unknown' : writeObject(schema, depth, open);
    return joinTypes(types.map((type) => writeNamed(type, schema, depth, open)));
  }

  /** A title that can be written as a text needs no `{ raw }`. */
  function joinTypes(types: readonly string[]): string {
    const isText = isRequest && types.includes('string');
    return join(isText ? types.filter((type) => !type.startsWith('{') && type !== 'object') : types);
  }

  function writeNamed(type: string, schema: JsonObject, depth: number, open: readonly string[]): string {
    if (type === 'object') return writeObject(schema, depth, open);
    if (type === 'integer') return 'number';
    if (type !== 'array') return /^(?:boolean|null|number|string)$/.test(type) ? type : 'unknown';
    const item = write(schema['items'], depth, open);
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  }

  function writeObject(schema: JsonObject, depth: number, open: readonly string[]): string {
    const isHidden = (member: Json): boolean => isRequest && memberAt(member, 'readOnly') === true;
    const members = jsonMembers(schema['properties']).filter(
      ([name, member]) => !/^_(?:links|embedded)$/.test(name) && !isHidden(member),
    );
    const { additionalProperties } = schema;
    if (members.length === 0) {
      if (!isJsonObject(additionalProperties) || depth <= 0) return 'object';
      return `Record<string, ${write(additionalProperties, depth - 1, open)}>`;
    }
    if (depth <= 0) return 'object';
    const required = new Set(jsonItems(schema['required']));
    const rank = ([name]: readonly [string, Json]): number => (required.has(name) ? 0 : 1);
    const sorted = members.toSorted((one, other) => rank(one) - rank(other));
    const lines = sorted.slice(0, maxMembers).map(([name, member]) => {
      const type = write(member, depth - 1, open);
      // A response shows its values itself.
      if (!isRequest) return `${writeName(name)}${type.includes('{') ? `: ${type}` : ''};`;
      const comment = commentLength === 0 ? '' : describe(member);
      return `${writeName(name)}${required.has(name) ? '' : '?'}: ${type};${comment === '' ? '' : ` // ${comment}`}`;
    });
    const omitted = members.length - lines.length;
    if (omitted > 0) lines.push(isRequest ? `// and ${omitted} more` : `/* ${omitted} more */`);
    const needed = neededOneOf(schema).map((name) => toLine(String(name), 60));
    if (needed.length > 0) lines.push(`// one of these is needed: ${needed.slice(0, 8).join(', ')}`);
    if (!lines.some((line) => line.includes('//'))) return `{ ${lines.join(' ').replace(/;$/, '')} }`;
    return `{\n${lines.join('\n').replace(/^/gm, ' ')}\n}`;
  }

  /** A member's purpose, and rules for its values beside their type. */
  function describe(member: Json): string {
    const { schema } = flattenSchema(member, document);
    const facts = describeSchemaFacts(schema)
      .filter(({ label }) => /^(?:Default|Format|Minimum|Maximum)$/.test(label))
      .map(({ label, values }) => `${label.toLowerCase()} ${toLine(values.join(), 40)}`);
    const { description } = schema;
    const text = typeof description === 'string' ? toLine(description, commentLength) : '';
    return [text, ...facts].filter((part) => part !== '').join('; ');
  }

  return write(declared, maxDepth, []);
}

function writeValues(values: readonly Json[]): string {
  const literals = values
    .slice(0, MAX_VALUES)
    .map((value) => toLiteral(typeof value === 'string' ? toLine(value, 60) : value));
  if (values.length > MAX_VALUES) literals.push(`string /* ${values.length - MAX_VALUES} more */`);
  return join(literals);
}

function join(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function writeName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= 80 ? name : toLiteral(toLine(name, 80));
}
