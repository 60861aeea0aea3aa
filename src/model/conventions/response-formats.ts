import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { compareKeywords } from '../schema/keywords.ts';
import data from './known-responses.json' with { type: 'json' };

/** A format that sites state for responses and whose values often do not have it. */
interface UntrueFormat {
  readonly reason: string;
  /** A sentence for the description of the property. */
  readonly note?: string;
  readonly source: string;
}

/** The formats that are removed from response schemas, by name. The site's word stays in an extension. */
export const UNTRUE_FORMATS: { readonly [format: string]: UntrueFormat } = data.untrueFormats;

/** Maximum nesting depth. Deeper schemas keep their formats. */
const MAX_DEPTH = 32;

/**
 * Removes formats that the values of responses do not have, at any depth.
 *
 * @param kept properties of the schema itself that keep their format
 * @returns the schema itself if nothing is removed
 */
export function removeUntrueFormats(schema: JsonObject, kept: readonly string[] = [], depth = 0): JsonObject {
  if (depth > MAX_DEPTH) return schema;
  const changes = new Map<string, Json>();
  for (const keyword of Object.keys(schema)) {
    const child = schema[keyword];
    // Nearly all keywords have scalar values.
    if (typeof child !== 'object' || child === null) continue;
    const changed = changeChild(keyword, child, kept, depth + 1);
    if (changed !== child) changes.set(keyword, changed);
  }
  const { format } = schema;
  const untrue =
    typeof format === 'string' && Object.hasOwn(UNTRUE_FORMATS, format) ? UNTRUE_FORMATS[format] : undefined;
  if (changes.size === 0 && untrue === undefined) return schema;
  const { format: _removed, ...rest } = schema;
  const keywords: { [keyword: string]: Json } = {
    ...(untrue === undefined ? schema : rest),
    ...Object.fromEntries(changes),
  };
  // The keywords keep their places.
  if (untrue === undefined || typeof format !== 'string') return keywords;
  keywords[EXTENSION_NAMES.format] = format;
  if (untrue.note !== undefined) keywords['description'] = joinSentences(schema['description'], untrue.note);
  return Object.fromEntries(Object.entries(keywords).sort(([a], [b]) => compareKeywords(a, b)));
}

/** Changes the subschemas that a keyword contains. Returns its value itself if none changes. */
function changeChild(keyword: string, child: Json, kept: readonly string[], depth: number): Json {
  const change = (member: Json): Json =>
    isJsonObject(member) ? removeUntrueFormats(member, [], depth) : member;
  switch (keyword) {
    case 'items':
    case 'additionalProperties':
      return change(child);
    case 'anyOf':
    case 'oneOf':
    case 'allOf': {
      if (!Array.isArray(child)) return child;
      const members: readonly Json[] = child;
      const changed = members.map(change);
      return changed.some((member, index) => member !== members[index]) ? changed : child;
    }
    case 'properties':
    case 'patternProperties':
      return isJsonObject(child) ? changeMembers(child, change, keyword === 'properties' ? kept : []) : child;
    default:
      return child;
  }
}

function changeMembers(
  members: JsonObject,
  change: (member: Json) => Json,
  kept: readonly string[],
): JsonObject {
  const changed = new Map<string, Json>();
  for (const name of Object.keys(members)) {
    const member = members[name] ?? null;
    const result = kept.includes(name) ? member : change(member);
    if (result !== member) changed.set(name, result);
  }
  if (changed.size === 0) return members;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]): [string, Json] => [name, changed.get(name) ?? member]),
  );
}

function joinSentences(description: Json | undefined, note: string): string {
  if (typeof description !== 'string' || description.trim() === '') return note;
  const first = description.trim();
  return `${first}${/[.!?。]$/.test(first) ? '' : '.'} ${note}`;
}
