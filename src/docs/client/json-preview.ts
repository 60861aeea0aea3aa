import { shorten } from '../details/plain-text.ts';

/** Members that a line names. */
const MAX_MEMBERS = 3;
/** Longer names and texts are cut. */
const MAX_TEXT = 30;

/** Describes an object or a list in a line, such as `{id: 5, title: {…}, …}`. */
export function describeJson(value: object): string {
  const members = Array.isArray(value)
    ? value.slice(0, MAX_MEMBERS).map((item: unknown) => describeMember(item))
    : Object.keys(value)
        .slice(0, MAX_MEMBERS)
        .map((name) => `${shorten(name, MAX_TEXT)}: ${describeMember(Reflect.get(value, name))}`);
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  const text = [...members, ...(count > MAX_MEMBERS ? ['…'] : [])].join(', ');
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}

function describeMember(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, MAX_TEXT));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]';
  return Object.keys(value).length === 0 ? '{}' : '{…}';
}
