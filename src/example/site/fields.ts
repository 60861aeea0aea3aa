import { isJsonObject, type Json } from '../../json.ts';
import { splitPhpList } from '../../validation/wordpress/php-types.ts';

/** Field names with their nested names; `true` selects the whole value. */
type FieldTree = Map<string, FieldTree | true>;

/** `rest_filter_response_fields()`: keeps the members that `_fields` names, in an object or in a list. */
export function filterFields(body: Json, parameter: Json): Json {
  const fields = parseFields(parameter);
  if (fields.length === 0) return body;
  const tree = buildFieldTree(fields);
  if (Array.isArray(body)) return body.map((item) => pickFields(item, tree));
  return pickFields(body, tree);
}

function parseFields(parameter: Json): readonly string[] {
  if (typeof parameter === 'string') return splitPhpList(parameter);
  const items = typeof parameter === 'object' && parameter !== null ? Object.values<Json>(parameter) : [];
  return items.filter((item) => typeof item === 'string').map((item) => item.trim());
}

function buildFieldTree(fields: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const field of fields) {
    let node: FieldTree | true = root;
    const parts = field.split('.');
    for (const [index, part] of parts.entries()) {
      if (node === true) break;
      const last = index === parts.length - 1;
      const next: FieldTree | true = last ? true : (node.get(part) ?? new Map());
      node.set(part, next);
      node = next;
    }
  }
  return root;
}

function pickFields(value: Json, tree: FieldTree): Json {
  if (Array.isArray(value)) {
    // In PHP the index of a list item is its name.
    const picked = value.flatMap((item, index) => pickMember(String(index), item, tree));
    const contiguous = picked.every(([name], index) => name === String(index));
    return contiguous ? picked.map(([, item]) => item) : Object.fromEntries(picked);
  }
  if (!isJsonObject(value)) return value;
  const picked = Object.entries(value).flatMap(([name, member]) => pickMember(name, member, tree));
  // PHP writes an empty array as a list.
  return picked.length === 0 ? [] : Object.fromEntries(picked);
}

function pickMember(name: string, member: Json, tree: FieldTree): [string, Json][] {
  const subtree = tree.get(name);
  if (subtree === undefined) return [];
  return [[name, subtree === true ? member : pickFields(member, subtree)]];
}
