import type { Json } from '../../json.ts';

/** Writes a value as a JavaScript literal, with single quotes as in the rest of a sample. */
export function toLiteral(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => toLiteral(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${toKey(name)}: ${toLiteral(item)}`);
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  return line.length <= 60 && !line.includes('\n')
    ? line
    : `{\n${members.map((member) => `  ${member.replaceAll('\n', '\n  ')},`).join('\n')}\n}`;
}

/** Writes the name of a member. */
export function toKey(name: string): string {
  // `__proto__: …` would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function quote(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${escaped}'`;
}
