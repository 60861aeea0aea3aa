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
  const page = new Page();
  print(document, '', '', page);
  return page.text();
}

/** Lines, put together now and then: millions of loose ones would take several times the memory of the text. */
class Page {
  readonly #done: string[] = [];
  readonly #scalars = new Map<string, string>();
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= LINES_AT_ONCE) this.#flush();
  }

  text(): string {
    this.#flush();
    return this.#done.join('');
  }

  /** A short string as it is written; the same few names come thousands of times. */
  scalar(value: string): string {
    if (value.length > LONGEST_KNOWN) return scalar(value);
    const known = this.#scalars.get(value);
    if (known !== undefined) return known;
    const written = scalar(value);
    if (this.#scalars.size < MOST_KNOWN) this.#scalars.set(value, written);
    return written;
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#done.push(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
  }
}

const LINES_AT_ONCE = 2048;
const LONGEST_KNOWN = 32;
const MOST_KNOWN = 10_000;

/** `lead` is what stands before the value on its first line, `indent` what stands before each of its others. */
function print(value: Json, lead: string, indent: string, page: Page): void {
  if (typeof value === 'string') {
    page.add(lead === '' ? page.scalar(value) : `${lead} ${page.scalar(value)}`);
    return;
  }
  if (Array.isArray(value) && value.length > 0) {
    let start = opening(lead, indent, page);
    for (const item of value) {
      print(item, `${start}-`, `${indent}  `, page);
      start = indent;
    }
    return;
  }
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    if (names.length > 0) {
      let start = opening(lead, indent, page);
      const deeper = `${indent}  `;
      for (const name of names) {
        printEntry(page.scalar(name), value[name] ?? null, { start, indent, deeper }, page);
        start = indent;
      }
      return;
    }
  }
  page.add(lead === '' ? JSON.stringify(value) : `${lead} ${JSON.stringify(value)}`);
}

function printEntry(key: string, value: Json, { start, indent, deeper }: Margins, page: Page): void {
  if (key.length >= LONGEST_KEY) {
    page.add(`${start}? ${key}`);
    print(value, `${indent}:`, deeper, page);
  } else if (typeof value === 'string') page.add(`${start}${key}: ${page.scalar(value)}`);
  else if (typeof value !== 'object' || value === null) page.add(`${start}${key}: ${JSON.stringify(value)}`);
  else print(value, `${start}${key}:`, deeper, page);
}

/** What stands before an entry's first line, before its others, and before what it holds. */
interface Margins {
  readonly start: string;
  readonly indent: string;
  readonly deeper: string;
}

/** YAML 1.2.2 §7.4.2: a key on one line with its value has at most 1024 characters. */
const LONGEST_KEY = 1000;

/** A collection begins on the line of its dash, but below its key. Returns what its own first line begins with. */
function opening(lead: string, indent: string, page: Page): string {
  if (lead === '') return indent;
  if (lead.endsWith('-')) return `${lead} `;
  page.add(lead);
  return indent;
}

/** A letter first, so that it is no number, date or indicator; then words without `:` and `#`, one space between. */
const PLAIN = /^[A-Za-z_/$][\w./{}$()'+,;=-]*(?: [\w./{}$()'+;=`"][\w./{}$()'+,;=`"-]*)*$/;

/** What YAML 1.1, which many still read, takes for a boolean or for nothing. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** What JSON leaves as it is and YAML does not take (§5.1), or takes for the end of a line. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function scalar(value: string): string {
  if (value.length < 400 && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
