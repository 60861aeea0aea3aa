import { EXTENSION_NAMES, getDeclaredDefault } from '../../base/document-extensions.ts';
import { isShallow, type Json, jsonTexts } from '../../base/json.ts';
import { typesOf } from '../model/schema/keywords.ts';
import type { SchemaObject } from '../openapi/document-objects.ts';
import type { TypeDirection } from './references.ts';

const MAX_CONSTRAINT_LENGTH = 160;

/** Description, constraints that the type doesn't express, and TSDoc tags, escaped. */
export function createSchemaComment(schema: SchemaObject, direction: TypeDirection): string {
  const description = toCommentText(schema['description']);
  const constraints = describeConstraints(schema, direction);
  const isLong = description.includes('\n') || description.length + constraints.length > 100;
  const separator = isLong ? '\n\n' : ' ';
  const text = [description, constraints].filter((part) => part !== '').join(separator);
  const marks = tsDocTags(schema, direction);
  const parts = [...(text === '' ? [] : [text]), ...marks];
  const line = parts.join(' ');
  return parts.length <= 2 && line.length <= MAX_LINE_LENGTH && !line.includes('\n')
    ? line
    : parts.join('\n');
}

/** Sites check an `enum` in requests only. Responses can have other values: an order in the trash, a product's type `booking`. */
export function isOpenEnum(schema: SchemaObject, direction: TypeDirection): boolean {
  const { length } = jsonTexts(schema.enum);
  // One value identifies a kind of object, as `const` does. WordPress ignores the `enum` of an argument without a `type`.
  return direction === 'read' ? length > 1 : length > 0 && schema[EXTENSION_NAMES.type] === null;
}

/** The only text that a pattern matches, e.g. the layout of an object: `^quote$`. PHP lets a line end follow. */
export function textOfPattern(pattern: Json | undefined): string | undefined {
  return typeof pattern === 'string' ? /^\^([\w-]+)(?:\\n\?)?\$$/.exec(pattern)?.[1] : undefined;
}

/** Words for keywords with a number. */
const BOUNDS = [
  ['number', 'minimum', 'At least #.'],
  ['number', 'exclusiveMinimum', 'More than #.'],
  ['number', 'maximum', 'At most #.'],
  ['number', 'exclusiveMaximum', 'Less than #.'],
  ['string', 'minLength', 'At least # characters.'],
  ['string', 'maxLength', 'At most # characters.'],
  ['array', 'minItems', 'At least # items.'],
  ['array', 'maxItems', 'At most # items.'],
] as const;

function describeConstraints(schema: SchemaObject, direction: TypeDirection): string {
  const { format, pattern } = schema;
  const types = typesOf(schema).map((type) => (type === 'integer' ? 'number' : type));
  const bounds = BOUNDS.flatMap(([type, keyword, sentence]) => {
    const bound = schema[keyword];
    const isStated = typeof bound === 'number' && !(bound === 0 && /^min[LI]/.test(keyword));
    if (!isStated || !types.includes(type)) return [];
    const counted = bound === 1 ? sentence.replace(/s\.$/, '.') : sentence;
    return [counted.replace('#', String(bound))];
  });
  const values = isOpenEnum(schema, direction) ? jsonTexts(schema.enum).join(', ') : '';
  const sentences = [
    ...(isShortText(values) ? [`Usually ${values}.`] : []),
    ...(isShortText(format) && format !== 'binary' ? [`Format: ${format}.`] : []),
    ...bounds,
    ...(types.includes('string') && isShortText(pattern) && textOfPattern(pattern) === undefined
      ? [`Pattern: ${toCodeSpan(pattern)}.`]
      : []),
  ];
  return escapeCommentText(sentences.join(' '));
}

function tsDocTags(schema: SchemaObject, direction: TypeDirection): string[] {
  const value = getDeclaredDefault(schema);
  const text = value === undefined || value === null || !isShallow(value, 5) ? '' : JSON.stringify(value);
  return [
    ...(isShortText(text) ? [`@default ${escapeCommentText(text)}`] : []),
    ...(schema.readOnly === true && direction !== 'read' ? ['@readonly'] : []),
    ...(schema['deprecated'] === true ? ['@deprecated'] : []),
  ];
}

function isShortText(text: Json | undefined): text is string {
  return typeof text === 'string' && text !== '' && text.length <= MAX_CONSTRAINT_LENGTH;
}

/** Editors show descriptions in a small window. */
const MAX_TEXT_LENGTH = 4_000;

export function toCommentText(value: Json | undefined): string {
  if (typeof value !== 'string') return '';
  return escapeCommentText(
    value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value,
  ).trim();
}

const MAX_LINE_LENGTH = 100;

export function toSingleLine(value: Json | undefined): string {
  return /^.{0,80}/u.exec(toCommentText(value).replace(/\s+/g, ' '))?.[0] ?? '';
}

/** A code span with a fence longer than any in the code (CommonMark §6.1). */
export function toCodeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = '`'.repeat(longest + 1);
  const space = longest === 0 ? '' : ' ';
  return escapeCommentText(`${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`);
}

export function toTsDoc(text: string): string {
  if (text === '') return '';
  const lines = text.split('\n');
  if (lines.length === 1) return `/** ${text} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Escapes what closes a comment, reorders text (CVE-2021-42574) or is a tag such as `@deprecated`. */
function escapeCommentText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .replaceAll('\t', ' ')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll('*/', '*\\/')
    .replace(/(^|\s)@(?=\p{L})/gu, '$1\\@')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}
