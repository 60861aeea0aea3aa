import type { Json } from '../../base/json.ts';
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
  readonly name?: string | undefined;
}

/** Severity in what a client sends, in what it receives, and a clause. `breaking` if not certain. */
export const CHANGE_RULES: Readonly<Record<ChangeRuleName, readonly string[]>> = table;

export type ChangeRuleName = keyof typeof table;

export const SEVERITIES: readonly ChangeSeverity[] = ['breaking', 'risky', 'compatible', 'cosmetic'];

export function severityOf(rule: ChangeRuleName, direction: 'request' | 'response'): ChangeSeverity {
  const declared = CHANGE_RULES[rule][direction === 'request' ? 0 : 1];
  return SEVERITIES.find((severity) => severity === declared) ?? 'breaking';
}

export function describeChange(rule: ChangeRuleName, { from, name = '', to }: ChangeValues): string {
  const values: Readonly<Record<string, string>> = { from: printValue(from), to: printValue(to), name };
  return (CHANGE_RULES[rule][2] ?? '').replace(/\{(from|to|name)\}/g, (_, key: string) => values[key] ?? '');
}

const MAX_VALUE_LENGTH = 80;

/** Prints a value in one line; a site's text can contain line breaks. */
function printValue(value: Json | undefined): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return truncateText(value.map((item) => JSON.stringify(item)).join(', '));
  return truncateText(JSON.stringify(value));
}

/** Quotes a name of the document, in one line. */
export function printName(name: string): string {
  return truncateText(JSON.stringify(name));
}

/** Without quotes if it is a word. */
export function printKeyword(name: string): string {
  return /^[\w$-]{1,60}$/.test(name) ? name : printName(name);
}

function truncateText(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
