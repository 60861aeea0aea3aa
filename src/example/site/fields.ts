import { isJsonObject, type Json } from '../../json.ts';
import { splitPhpList } from '../../validation/wordpress/php-types.ts';

/** Names below names; true where the whole is wanted. */
type Wanted = Map<string, Wanted | true>;

/** `rest_filter_response_fields()`: of an object, or of each object of a list, the members that `_fields` names. */
export function filterFields(body: Json, given: Json): Json {
  const fields = fieldsOf(given);
  if (fields.length === 0) return body;
  const wanted = nest(fields);
  if (Array.isArray(body)) return body.map((item) => pick(item, wanted));
  return pick(body, wanted);
}

function fieldsOf(given: Json): readonly string[] {
  if (typeof given === 'string') return splitPhpList(given);
  const items = typeof given === 'object' && given !== null ? Object.values<Json>(given) : [];
  return items.filter((item) => typeof item === 'string').map((item) => item.trim());
}

function nest(fields: readonly string[]): Wanted {
  const root: Wanted = new Map();
  for (const field of fields) {
    let at: Wanted | true = root;
    const parts = field.split('.');
    for (const [index, part] of parts.entries()) {
      if (at === true) break;
      const last = index === parts.length - 1;
      const next: Wanted | true = last ? true : (at.get(part) ?? new Map());
      at.set(part, next);
      at = next;
    }
  }
  return root;
}

function pick(value: Json, wanted: Wanted): Json {
  if (Array.isArray(value)) {
    // PHP knows a list's items by their numbers.
    const picked = value.flatMap((item, index) => pickMember(String(index), item, wanted));
    const contiguous = picked.every(([name], index) => name === String(index));
    return contiguous ? picked.map(([, item]) => item) : Object.fromEntries(picked);
  }
  if (!isJsonObject(value)) return value;
  const picked = Object.entries(value).flatMap(([name, member]) => pickMember(name, member, wanted));
  // An array without members, which PHP writes as a list.
  return picked.length === 0 ? [] : Object.fromEntries(picked);
}

function pickMember(name: string, member: Json, wanted: Wanted): [string, Json][] {
  const below = wanted.get(name);
  if (below === undefined) return [];
  return [[name, below === true ? member : pick(member, below)]];
}
