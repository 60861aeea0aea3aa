import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../json.ts';
import type { PatternTranslator } from './patterns.ts';

/** One schema while rules work on it: its keywords, and whence each came. */
export interface MutableSchema {
  /** By name, in the site's order. A Map, because a site may name a keyword `__proto__`. */
  readonly keywords: Map<string, Json>;
  /**
   * Where a keyword's value stood in the site's schema, as a JSON pointer relative to this one, for keywords that a
   * rule renamed or moved. Absent: under its own name.
   */
  readonly origins: Map<string, string>;
  /** The type of the schema whose `oneOf` or `anyOf` this is a member of. */
  readonly inheritedType: Json | undefined;
  /** Reads the site's patterns; several rules ask for the same one. */
  readonly translatePattern: PatternTranslator;
}

/** Tells of one application of the rule at work. `where` is a JSON pointer relative to the schema. */
export type ReportRepair = (where: string, message: string, action: string) => void;

/** One repair: what it is called, what it does in a sentence, and how. */
export interface SchemaRule {
  /** Stable, kebab-case: it stands in reports. */
  readonly name: string;
  /** What is done, as one English sentence. */
  readonly summary: string;
  /** `info`: nothing lost. `warning`: the result may be wider than what the site meant. */
  readonly severity: 'info' | 'warning';
  /** Keywords of which one has to be present for the rule to have work; empty: always tried. */
  readonly triggers: readonly string[];
  readonly apply: (draft: MutableSchema, found: ReportRepair) => void;
}

export function createMutableSchema(
  schema: JsonObject,
  inheritedType: Json | undefined,
  translatePattern: PatternTranslator,
): MutableSchema {
  return { keywords: new Map(Object.entries(schema)), origins: new Map(), inheritedType, translatePattern };
}

/** The relative pointer at which a keyword's value stood at the site. */
export function originPointer(draft: MutableSchema, keyword: string): string {
  return draft.origins.get(keyword) ?? pointerToken(keyword);
}

/** Gives a keyword its present-day name. A value that already stands there wins. */
export function renameKeyword(draft: MutableSchema, from: string, to: string, value: Json): void {
  draft.origins.set(to, originPointer(draft, from));
  draft.keywords.delete(from);
  draft.keywords.set(to, value);
}

/** A value for a person, short and on one line, whatever the site sent. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `a list of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
