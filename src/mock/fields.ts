import { isJsonObject, type Json } from '../json.ts';

/** Leaves only the named members of a value (`_fields`): `id`, `title.rendered`. Of a list, those of its items. */
export function selectFields(value: Json, stated: Json | undefined): Json {
  const names = (Array.isArray(stated) ? stated : [stated])
    .flatMap((item) => (typeof item === 'string' ? item.split(',') : []))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return value;
  const paths = names.map((name) => name.split('.'));
  return Array.isArray(value) ? value.map((item: Json) => select(item, paths)) : select(value, paths);
}

function select(value: Json, paths: readonly (readonly string[])[]): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const here = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      if (here.length === 0) return [];
      return [[name, here.some((rest) => rest.length === 0) ? member : select(member, here)]];
    }),
  );
}
