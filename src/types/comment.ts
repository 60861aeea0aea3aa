import type { Json, JsonObject } from '../json.ts';
import type { Direction } from './directions.ts';

/** A description longer than this is cut: it is prose of the site, and an editor shows it in a small window. */
const longestText = 4_000;
const longestFact = 160;

/** Facts that TypeScript cannot say, each from the keywords that state it, in the order in which they are read. */
const facts: readonly ((schema: JsonObject) => string | undefined)[] = [
  ({ format }) => (short(format) && format !== 'binary' ? `Format: ${format}.` : undefined),
  (schema) =>
    isOfType(schema, 'integer', 'number')
      ? span(
          number(schema, 'minimum') ?? above(number(schema, 'exclusiveMinimum')),
          number(schema, 'maximum') ?? below(number(schema, 'exclusiveMaximum')),
        )
      : undefined,
  (schema) =>
    isOfType(schema, 'string')
      ? span(number(schema, 'minLength') || undefined, number(schema, 'maxLength'), 'characters')
      : undefined,
  (schema) =>
    isOfType(schema, 'array')
      ? span(number(schema, 'minItems') || undefined, number(schema, 'maxItems'), 'items')
      : undefined,
  (schema) =>
    isOfType(schema, 'string') && short(schema['pattern'])
      ? `Pattern: ${code(schema['pattern'])}.`
      : undefined,
];

/**
 * What a person should read about a schema: its description, what its type leaves out, and its tags. Plain text with
 * line ends, made harmless for a comment; empty where there is nothing to say. That the site alone sets a property is
 * news only to who sends it.
 */
export function documentation(schema: JsonObject, direction: Direction): string {
  const description = prose(schema['description']);
  const fact = facts.flatMap((say) => say(schema) ?? []);
  const text = [description, harmless(fact.join(' '))].filter((part) => part !== '');
  const joined = text.join(description.includes('\n') || text.join(' ').length > 100 ? '\n\n' : ' ');
  return [joined, ...tags(schema, direction)].filter((line) => line !== '').join('\n');
}

/** Text of the site, fit to stand in a comment. Anything but a string is no text. */
export function prose(value: Json | undefined): string {
  if (typeof value !== 'string') {
    return '';
  }
  return harmless(value.length > longestText ? `${value.slice(0, longestText)}…` : value).trim();
}

/** The same on one line, cut where a line would be too long. */
export function oneLine(value: Json | undefined): string {
  return /^.{0,80}/u.exec(prose(value).replace(/\s+/g, ' '))?.[0] ?? '';
}

/** A span of code in a comment, fenced by more backticks than it holds (CommonMark §6.1). */
export function code(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = '`'.repeat(longest + 1);
  const space = longest === 0 ? '' : ' ';
  return harmless(`${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`);
}

/** A TSDoc comment with its line end, each line indented; empty for empty text. */
export function comment(text: string, indent: string): string {
  if (text === '') {
    return '';
  }
  if (!text.includes('\n') && text.length + indent.length <= 110) {
    return `${indent}/** ${text} */\n`;
  }
  const lines = text.split('\n').flatMap((line) => wrapped(line, 108 - indent.length));
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function tags(schema: JsonObject, direction: Direction): string[] {
  const value = schema['default'] ?? schema['x-waygate-default'];
  const text = value === undefined || value === null || !isShallow(value) ? '' : JSON.stringify(value);
  return [
    ...(short(text) ? [`@default ${harmless(text)}`] : []),
    ...(schema['readOnly'] === true && direction === 'write' ? ['@readonly'] : []),
    ...(schema['deprecated'] === true ? ['@deprecated'] : []),
  ];
}

/** `JSON.stringify` has no bottom, and a comment no room. */
function isShallow(value: Json, depth = 5): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1)))
  );
}

/**
 * What a comment may hold: nothing that closes it, no control characters and none that turn the direction of text
 * around (CVE-2021-42574), line ends of one kind, and no word after an at-sign, which TypeScript would read as a tag
 * of its own, such as `@deprecated`.
 */
function harmless(text: string): string {
  // Most texts are plain.
  if (/^[ -~\n]*$/.test(text) && !/@|\*\/|\n\n\n/.test(text)) {
    return text;
  }
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .replaceAll('\t', ' ')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll('*/', '*\\/')
    .replace(/(^|\s)@(?=\p{L})/gu, '$1\\@')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

function short(text: Json | undefined): text is string {
  return typeof text === 'string' && text !== '' && text.length <= longestFact;
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= 0) {
      break;
    }
    lines.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}

function isOfType({ type }: JsonObject, ...names: readonly string[]): boolean {
  return (Array.isArray(type) ? type : [type]).some((name) => names.includes(String(name)));
}

function number(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function above(bound: number | undefined): string | undefined {
  return bound === undefined ? undefined : `more than ${bound}`;
}

function below(bound: number | undefined): string | undefined {
  return bound === undefined ? undefined : `less than ${bound}`;
}

function span(
  from: number | string | undefined,
  to: number | string | undefined,
  unit = '',
): string | undefined {
  const of = unit === '' ? '' : ` ${unit}`;
  const least = typeof from === 'number' ? `at least ${from}` : from;
  const most = typeof to === 'number' ? `at most ${to}` : to;
  if (typeof from === 'number' && typeof to === 'number') {
    return from === to ? `Exactly ${from}${of}.` : `${from} to ${to}${of}.`;
  }
  const said = [least, most].filter((part) => part !== undefined).join(', ');
  return said === '' ? undefined : `${said.charAt(0).toUpperCase()}${said.slice(1)}${of}.`;
}
