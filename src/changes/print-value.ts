import type { Json } from '../json.ts';

/** Maximum number of characters of a value in a text. */
const MAX_VALUE_LENGTH = 80;

/**
 * Prints a value for a person, in one line. Strings are quoted and escaped as in JSON, because the text of a site may contain
 * line breaks.
 */
export function printValue(value: Json | undefined): string {
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
