import { isAnnotation } from '../../base/document-extensions.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  mapMembers,
} from '../../base/json.ts';
import { KEYWORD_KINDS } from '../model/schema/keywords.ts';
import { canonicalText } from '../model/schema/values.ts';

const CANONICAL: WeakMap<JsonObject, JsonObject> = new WeakMap();

/** One form for schemas that accept the same values: lists sorted, no wrappers. */
export function canonicalSchema(schema: JsonObject): JsonObject {
  const known = CANONICAL.get(schema);
  if (known !== undefined) return known;
  const canonical = withoutWrapper(changeMembers(schema, canonicalMember));
  CANONICAL.set(schema, canonical);
  CANONICAL.set(canonical, canonical);
  return canonical;
}

function sorted(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const texts = new Map<string, Json>(value.map((each: Json) => [canonicalText(each), each]));
  return [...texts.keys()].sort().map((text) => texts.get(text) ?? null);
}

function canonicalMember(value: Json, keyword: string): Json {
  if (keyword === 'enum' || keyword === 'required' || keyword === 'type') return sorted(value);
  const inside = (schema: Json): Json => (isJsonObject(schema) ? canonicalSchema(schema) : schema);
  const kind = KEYWORD_KINDS.get(keyword);
  if (kind === 'schema') return inside(value);
  if (kind === 'schemas' && Array.isArray(value)) return value.map(inside);
  if (kind !== 'schemas-by-name' || !isJsonObject(value)) return value;
  return mapMembers(value, (_, schema) => inside(schema));
}

/** OpenAPI 3.0 needs `allOf` of one schema to state texts beside a reference. */
function withoutWrapper(schema: JsonObject): JsonObject {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const { [keyword]: members, ...rest } = schema;
    const [only, ...others] = jsonItems(members);
    const hasOnlyAnnotations = Object.keys(rest).every((each) => isAnnotation(each) || each.startsWith('x-'));
    if (hasOnlyAnnotations && others.length === 0 && isJsonObject(only)) return { ...only, ...rest };
  }
  return schema;
}
