import { isJsonObject, type Json } from '../json.ts';

/** The document as JSON: two spaces, keys in the order of the data, a newline at the end. */
export function stringifyDocument(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * The same data as YAML 1.2, in block style; strings that are not plainly strings in YAML 1.1 and 1.2 alike are written
 * as JSON writes them. A printer of our own, because ten thousand operations take the package `yaml` four seconds and
 * 400 MB, and this one a tenth of both; the package reads back what it prints, in the tests.
 */
export function toYaml(document: Json): string {
  const lines: string[] = [];
  print(document, '', '', lines);
  return `${lines.join('\n')}\n`;
}

/** `lead` is what stands before the value on its first line, `indent` what stands before each of its others. */
function print(value: Json, lead: string, indent: string, lines: string[]): void {
  if (Array.isArray(value) && value.length > 0) {
    let start = opening(lead, indent, lines);
    for (const item of value) {
      print(item, `${start}-`, `${indent}  `, lines);
      start = indent;
    }
    return;
  }
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    if (names.length > 0) {
      let start = opening(lead, indent, lines);
      for (const name of names) {
        printEntry(scalar(name), value[name] ?? null, start, indent, lines);
        start = indent;
      }
      return;
    }
  }
  lines.push(lead === '' ? scalar(value) : `${lead} ${scalar(value)}`);
}

function printEntry(key: string, value: Json, start: string, indent: string, lines: string[]): void {
  if (key.length < LONGEST_KEY) {
    print(value, `${start}${key}:`, `${indent}  `, lines);
  } else {
    lines.push(`${start}? ${key}`);
    print(value, `${indent}:`, `${indent}  `, lines);
  }
}

/** YAML 1.2.2 §7.4.2: a key on one line with its value has at most 1024 characters. */
const LONGEST_KEY = 1000;

/** A collection begins on the line of its dash, but below its key. Returns what its own first line begins with. */
function opening(lead: string, indent: string, lines: string[]): string {
  if (lead === '') return indent;
  if (lead.endsWith('-')) return `${lead} `;
  lines.push(lead);
  return indent;
}

/** A letter first, so that it is no number, date or indicator; then words without `:` and `#`, one space between. */
const PLAIN = /^[A-Za-z_/$][\w./{}$()'+,;=-]*(?: [\w./{}$()'+;=`"][\w./{}$()'+,;=`"-]*)*$/;

/** What YAML 1.1, which many still read, takes for a boolean or for nothing. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** What JSON leaves as it is and YAML does not take (§5.1), or takes for the end of a line. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (value.length < 400 && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
