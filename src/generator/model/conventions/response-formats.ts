import { EXTENSION_NAMES } from '../../../base/document-extensions.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  ownMember,
} from '../../../base/json.ts';
import { compareKeywords, KEYWORD_KINDS } from '../schema/keywords.ts';
import data from './known-responses.json' with { type: 'json' };

/** Formats that values of responses often don't have. `note` is added to the description. */
const UNTRUE_FORMATS: {
  readonly [format: string]: { readonly reason: string; readonly note?: string; readonly source: string };
} = data.untrueFormats;

/** @param kept properties that keep their format @returns the schema itself if nothing is removed */
export function removeUntrueFormats(schema: JsonObject, kept: readonly string[] = []): JsonObject {
  const inner = changeMembers(schema, (child, keyword) =>
    typeof child === 'object' && child !== null ? changeChild(keyword, child, kept) : child,
  );
  const { format } = inner;
  const untrue = typeof format === 'string' ? ownMember(UNTRUE_FORMATS, format) : undefined;
  if (untrue === undefined || format === undefined) return inner;
  const { format: _removed, ...rest } = inner;
  const { note } = untrue;
  const described = note === undefined ? {} : { description: joinSentences(schema['description'], note) };
  const keywords = { ...rest, [EXTENSION_NAMES.format]: format, ...described };
  return Object.fromEntries(Object.entries(keywords).sort(([a], [b]) => compareKeywords(a, b)));
}

function changeChild(keyword: string, child: Json, kept: readonly string[]): Json {
  const change = (member: Json): Json => (isJsonObject(member) ? removeUntrueFormats(member) : member);
  const kind = KEYWORD_KINDS.get(keyword);
  if (kind === 'schema') return keyword === 'not' ? child : change(child);
  if (kind === 'schemas-by-name' && isJsonObject(child)) {
    const isKept = (name: string): boolean => keyword === 'properties' && kept.includes(name);
    return changeMembers(child, (member, name) => (isKept(name) ? member : change(member)));
  }
  const members = kind === 'schemas' ? jsonItems(child) : [];
  const changed = members.map(change);
  return changed.some((member, index) => member !== members[index]) ? changed : child;
}

function joinSentences(description: Json | undefined, note: string): string {
  if (typeof description !== 'string' || description.trim() === '') return note;
  const first = description.trim();
  return `${first}${/[.!?。]$/.test(first) ? '' : '.'} ${note}`;
}
