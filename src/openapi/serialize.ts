import type { OpenAPIV3_1 } from 'openapi-types';
import { isJsonObject, type Json, type JsonObject, toJsonObject } from '../json.ts';
import type { GenerationReport } from './generation-report.ts';

/**
 * Serializes a document as JSON: indented by two spaces, keys in the order of the data, a newline at the end.
 *
 * @param document JSON data, usually from `toOpenApi`
 * @returns the JSON text
 *
 * @example
 * import { discover, stringifyDocument, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * console.log(stringifyDocument(document).length);
 */
export function stringifyDocument(document: OpenAPIV3_1.Document | JsonObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Creates the text of {@link stringifyDocument} in parts of about one operation, schema or diagnostic. */
export function* printJson(value: Json | GenerationReport): Generator<string> {
  yield* printJsonValue(value, '', 3);
  yield '\n';
}

/** Items of a list that are serialized at once: one by one they take twice the time. */
const ITEMS_PER_PART = 100;

/** @param depth how many levels of objects are serialized member by member */
function* printJsonValue(value: unknown, indent: string, depth: number): Generator<string> {
  // Strings contain no line feeds in JSON.
  const print = (part: unknown): string => JSON.stringify(part, null, 2).replaceAll('\n', `\n${indent}`);
  if (depth > 0 && isJsonObject(value) && Object.keys(value).length > 0) {
    let separator = '{';
    for (const [name, member] of Object.entries(value)) {
      yield `${separator}\n${indent}  ${JSON.stringify(name)}: `;
      yield* printJsonValue(member, `${indent}  `, depth - 1);
      separator = ',';
    }
    yield `\n${indent}}`;
  } else if (Array.isArray(value) && value.length > ITEMS_PER_PART) {
    for (let start = 0; start < value.length; start += ITEMS_PER_PART) {
      const list = print(value.slice(start, start + ITEMS_PER_PART));
      yield (start === 0 ? '[' : ',') + list.slice(1, list.lastIndexOf('\n'));
    }
    yield `\n${indent}]`;
  } else {
    yield print(value);
  }
}

/** Joins parts of a text to chunks of at least a length. */
export function* joinToChunks(parts: Iterable<string>, length: number = 512 * 1024): Generator<string> {
  let chunk = '';
  for (const part of parts) {
    chunk += part;
    if (chunk.length < length) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/**
 * Serializes a document as YAML 1.2 in block style. A string that YAML 1.1 or 1.2 could read as another value is
 * quoted as in JSON. The package `yaml` takes four seconds and 400 MB for ten thousand operations, this function a tenth
 * of both; the tests read its output back with the package.
 *
 * @param document JSON data, usually from `toOpenApi`
 * @returns the YAML text
 *
 * @example
 * import { discover, toOpenApi, toYaml } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * console.log(toYaml(document).split('\n')[0]);
 */
export function toYaml(document: OpenAPIV3_1.Document | JsonObject): string {
  return [...printYaml(toJsonObject(document))].join('');
}

/** Creates the text of {@link toYaml} in parts of about one operation or schema. */
export function* printYaml(document: Json): Generator<string> {
  yield* printYamlValue(document, '', '', 3, []);
}

/** @param depth how many levels of objects are serialized member by member */
function* printYamlValue(
  value: Json,
  lead: string,
  indent: string,
  depth: number,
  lines: string[],
): Generator<string> {
  if (depth === 0 || !isJsonObject(value) || Object.keys(value).length === 0) {
    writeValue(value, lead, indent, lines);
    yield takeLines(lines);
    return;
  }
  let start = openCollection(lead, indent, lines);
  for (const [name, member] of Object.entries(value)) {
    const key = toScalar(name);
    if (isJsonObject(member) && key.length < MAX_IMPLICIT_KEY_LENGTH) {
      yield* printYamlValue(member, `${start}${key}:`, `${indent}  `, depth - 1, lines);
    } else writeEntry(key, member, start, indent, lines);
    start = indent;
  }
  yield takeLines(lines);
}

function takeLines(lines: string[]): string {
  return lines.splice(0).reduce((text, line) => `${text}${line}\n`, '');
}

/**
 * @param lead text before the value on its first line
 * @param indent text before each of its other lines
 */
function writeValue(value: Json, lead: string, indent: string, lines: string[]): void {
  if (Array.isArray(value) && value.length > 0) {
    let start = openCollection(lead, indent, lines);
    for (const item of value) {
      writeValue(item, `${start}-`, `${indent}  `, lines);
      start = indent;
    }
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    let start = openCollection(lead, indent, lines);
    for (const [name, member] of Object.entries(value)) {
      writeEntry(toScalar(name), member, start, indent, lines);
      start = indent;
    }
  } else {
    const text = typeof value === 'string' ? toScalar(value) : JSON.stringify(value);
    lines.push(lead === '' ? text : `${lead} ${text}`);
  }
}

/** @param start text before the first line of the entry */
function writeEntry(key: string, value: Json, start: string, indent: string, lines: string[]): void {
  const isLong = key.length >= MAX_IMPLICIT_KEY_LENGTH;
  if (isLong) lines.push(`${start}? ${key}`);
  writeValue(value, isLong ? `${indent}:` : `${start}${key}:`, `${indent}  `, lines);
}

/** A key on one line with its value has at most 1024 characters (YAML 1.2.2 §7.4.2). */
const MAX_IMPLICIT_KEY_LENGTH = 1000;

/** Starts a collection: on the line of its dash, or on the line below its key. Returns the text before its first line. */
function openCollection(lead: string, indent: string, lines: string[]): string {
  if (lead === '') return indent;
  if (lead.endsWith('-')) return `${lead} `;
  lines.push(lead);
  return indent;
}

/** Starts with a letter, so it is no number, date or indicator; then words without `:` and `#`, one space between. */
const PLAIN_SCALAR = /^[A-Za-z_/$][\w./{}$()'+,;=-]*(?: [\w./{}$()'+;=`"][\w./{}$()'+,;=`"-]*)*$/;

/** Words that YAML 1.1, which many tools read, takes for a boolean or null. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Characters that JSON does not escape but YAML rejects (§5.1) or reads as the end of a line. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function toScalar(value: string): string {
  if (value.length < 400 && PLAIN_SCALAR.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
