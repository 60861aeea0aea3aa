import { toPropertyKey, toStringLiteral } from '../types/names.ts';

/** Prints the key of a member of an object literal. A plain `__proto__: value` would set the prototype. */
export function toMemberKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : toPropertyKey(name);
}

/** Width that a value may take on one line. */
const LINE_WIDTH = 100;

/** Prints a JSON value as an expression, on one line if it fits. Text is escaped as in `toStringLiteral`. */
export function toExpression(value: unknown, indent: string): string {
  if (typeof value === 'string') return toStringLiteral(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((item) => toExpression(item, `${indent}  `))
    : Object.entries(value).map(
        ([name, member]) => `${toMemberKey(name)}: ${toExpression(member, `${indent}  `)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return open + close;
  const space = isList ? '' : ' ';
  const line = `${open}${space}${entries.join(', ')}${space}${close}`;
  if (indent.length + line.length <= LINE_WIDTH && !line.includes('\n')) return line;
  return `${open}\n${entries.map((entry) => `${indent}  ${entry},\n`).join('')}${indent}${close}`;
}
