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
  const page = new YamlWriter();
  writeValue(document, '', '', page);
  return page.text();
}

/** Lines, put together now and then: millions of loose ones would take several times the memory of the text. */
class YamlWriter {
  readonly #done: string[] = [];
  readonly #scalars = new Map<string, string>();
  #lines: string[] = [];

  addLine(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= LINES_PER_CHUNK) this.#flush();
  }

  text(): string {
    this.#flush();
    return this.#done.join('');
  }

  /** A short string as it is written; the same few names come thousands of times. */
  scalar(value: string): string {
    if (value.length > MAX_CACHED_LENGTH) return scalar(value);
    const known = this.#scalars.get(value);
    if (known !== undefined) return known;
    const written = scalar(value);
    if (this.#scalars.size < MAX_CACHED_SCALARS) this.#scalars.set(value, written);
    return written;
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#done.push(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
  }
}

const LINES_PER_CHUNK = 2048;
const MAX_CACHED_LENGTH = 32;
const MAX_CACHED_SCALARS = 10_000;

/** `lead` is what stands before the value on its first line, `indent` what stands before each of its others. */
function writeValue(value: Json, lead: string, indent: string, page: YamlWriter): void {
  if (typeof value === 'string') {
    page.addLine(lead === '' ? page.scalar(value) : `${lead} ${page.scalar(value)}`);
    return;
  }
  if (Array.isArray(value) && value.length > 0) {
    let start = openCollection(lead, indent, page);
    for (const item of value) {
      writeValue(item, `${start}-`, `${indent}  `, page);
      start = indent;
    }
    return;
  }
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    if (names.length > 0) {
      let start = openCollection(lead, indent, page);
      const deeper = `${indent}  `;
      for (const name of names) {
        writeEntry(page.scalar(name), value[name] ?? null, { start, indent, deeper }, page);
        start = indent;
      }
      return;
    }
  }
  page.addLine(lead === '' ? JSON.stringify(value) : `${lead} ${JSON.stringify(value)}`);
}

function writeEntry(key: string, value: Json, { start, indent, deeper }: EntryIndent, page: YamlWriter): void {
  if (key.length >= MAX_IMPLICIT_KEY_LENGTH) {
    page.addLine(`${start}? ${key}`);
    writeValue(value, `${indent}:`, deeper, page);
  } else if (typeof value === 'string') page.addLine(`${start}${key}: ${page.scalar(value)}`);
  else if (typeof value !== 'object' || value === null) page.addLine(`${start}${key}: ${JSON.stringify(value)}`);
  else writeValue(value, `${start}${key}:`, deeper, page);
}

/** What stands before an entry's first line, before its others, and before what it holds. */
interface EntryIndent {
  readonly start: string;
  readonly indent: string;
  readonly deeper: string;
}

/** YAML 1.2.2 §7.4.2: a key on one line with its value has at most 1024 characters. */
const MAX_IMPLICIT_KEY_LENGTH = 1000;

/** A collection begins on the line of its dash, but below its key. Returns what its own first line begins with. */
function openCollection(lead: string, indent: string, page: YamlWriter): string {
  if (lead === '') return indent;
  if (lead.endsWith('-')) return `${lead} `;
  page.addLine(lead);
  return indent;
}

/** A letter first, so that it is no number, date or indicator; then words without `:` and `#`, one space between. */
const PLAIN_SCALAR = /^[A-Za-z_/$][\w./{}$()'+,;=-]*(?: [\w./{}$()'+;=`"][\w./{}$()'+,;=`"-]*)*$/;

/** What YAML 1.1, which many still read, takes for a boolean or for nothing. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** What JSON leaves as it is and YAML does not take (§5.1), or takes for the end of a line. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function scalar(value: string): string {
  if (value.length < 400 && PLAIN_SCALAR.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
