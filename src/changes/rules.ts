import type { Json } from '../json.ts';
import table from './rules.json' with { type: 'json' };

/**
 * Effect of a change on clients of the interface.
 * - `breaking`: a program that worked, or compiled, can fail now.
 * - `risky`: a program fails only if it cannot handle what it does not know.
 * - `compatible`: programs are not affected.
 * - `cosmetic`: only a text for people changed.
 */
export type ChangeSeverity = 'breaking' | 'risky' | 'compatible' | 'cosmetic';

export interface ChangeValues {
  readonly from?: Json | undefined;
  readonly to?: Json | undefined;
  /** The keyword of JSON Schema or OpenAPI, or the name, that the change is about. */
  readonly name?: string | undefined;
}

/**
 * Every kind of change between two documents. The key is the stable `rule` of a change. The values are its severity in what a
 * client sends, its severity in what a client receives, and the change as an English clause, in which `{from}`, `{to}` and
 * `{name}` stand for {@link ChangeValues}.
 *
 * A site that accepts fewer values breaks clients that send them, and one that sends more values breaks clients that do not
 * expect them. Where the severity is not certain, the safe one is stated: `breaking`. Programs name the types of schemas and
 * operations, and the path parameters. A list of values is rarely final, and a site can send error codes that no document lists.
 */
export const CHANGE_RULES: Readonly<Record<ChangeRuleName, readonly string[]>> = table;

/** The stable name of a kind of change. */
export type ChangeRuleName = keyof typeof table;

/** The severities, the severest first. */
export const SEVERITIES: readonly ChangeSeverity[] = ['breaking', 'risky', 'compatible', 'cosmetic'];

export const SEVERITY_TITLES: Readonly<Record<ChangeSeverity, string>> = {
  ...{ breaking: 'Breaking', risky: 'Risky', compatible: 'Compatible', cosmetic: 'Texts only' },
};

export function severityOf(rule: ChangeRuleName, direction: 'request' | 'response'): ChangeSeverity {
  const declared = CHANGE_RULES[rule][direction === 'request' ? 0 : 1];
  return SEVERITIES.find((severity) => severity === declared) ?? 'breaking';
}

/** Describes a change by its rule, as an English clause. */
export function describeChange(rule: ChangeRuleName, { from, name = '', to }: ChangeValues): string {
  const values: Readonly<Record<string, string>> = { from: printValue(from), to: printValue(to), name };
  return (CHANGE_RULES[rule][2] ?? '').replace(/\{(from|to|name)\}/g, (_, key: string) => values[key] ?? '');
}

/** Maximum number of characters of a value in a text. */
const MAX_VALUE_LENGTH = 80;

/**
 * Prints a value for a person, in one line. Strings are quoted and escaped as in JSON, because the text of a site can contain
 * line breaks.
 */
function printValue(value: Json | undefined): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return truncateText(value.map((item) => JSON.stringify(item)).join(', '));
  return truncateText(JSON.stringify(value));
}

/** Quotes a name of the document, in one line. */
export function printName(name: string): string {
  return truncateText(JSON.stringify(name));
}

/** Prints a keyword: without quotes if it is a word. */
export function printKeyword(name: string): string {
  return /^[\w$-]{1,60}$/.test(name) ? name : printName(name);
}

function truncateText(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
