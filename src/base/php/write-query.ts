import type { Json } from '../json.ts';

/** `http_build_query()`: `a[0]=1&a[b]=2`. @param joins writes lists as `a=1,2`, which WordPress splits, if no value has a comma */
export function writePhpQuery(values: Iterable<readonly [name: string, value: Json]>, joins = false): string {
  const write = (value: Json): string => encodeURIComponent(String(value));
  const pairs = Array.from(values, ([name, value]): string => {
    if (value === null) return '';
    if (typeof value !== 'object') return `${write(name)}=${write(value)}`;
    if (joins && Array.isArray(value) && value.every(isPartOfText))
      return `${write(name)}=${value.map(write).join(',')}`;
    const members = Object.entries<Json>(value).map(([key, member]) => [`${name}[${key}]`, member] as const);
    return writePhpQuery(members, joins);
  });
  return pairs.filter((pair) => pair !== '').join('&');
}

function isPartOfText(item: Json): boolean {
  return typeof item !== 'object' && !String(item).includes(',');
}
