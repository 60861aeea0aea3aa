import { type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import type { PatternTranslator } from './patterns.ts';

/** One schema while rules change it: its keywords, and the origin of each. */
export interface MutableSchema {
  /** Values by keyword, in the site's order. A Map, because a site may use the keyword `__proto__`. */
  readonly keywords: Map<string, Json>;
  /**
   * The position of a value in the site's schema, as a JSON pointer relative to this schema. Contains only keywords that
   * a rule renamed or moved.
   */
  readonly originPointers: Map<string, string>;
  /** The type of the schema whose `oneOf` or `anyOf` contains this one. */
  readonly inheritedType: Json | undefined;
  /** Translates the site's patterns. Cached, because several rules translate the same pattern. */
  readonly translatePattern: PatternTranslator;
}

/** Reports one application of the current rule. `pointer` is a JSON pointer relative to the schema. */
export type ReportRepair = (pointer: string, message: string, action: string) => void;

/** One repair of a schema. */
export interface SchemaRule {
  /** A stable kebab-case name, which reports contain. */
  readonly name: string;
  /** What the rule does, as one sentence. */
  readonly summary: string;
  /** `info`: no information is lost. `warning`: the result may accept more than the site. */
  readonly severity: 'info' | 'warning';
  /** The rule is tried only if one of these keywords is present. Empty: always. */
  readonly triggers: readonly string[];
  readonly apply: (schema: MutableSchema, report: ReportRepair) => void;
}

/** Copies a schema so that rules can change it. */
export function createMutableSchema(
  schema: JsonObject,
  inheritedType: Json | undefined,
  translatePattern: PatternTranslator,
): MutableSchema {
  return {
    keywords: new Map(Object.entries(schema)),
    originPointers: new Map(),
    inheritedType,
    translatePattern,
  };
}

/** Returns the relative JSON pointer of a keyword's value in the site's schema. */
export function getOriginPointer(schema: MutableSchema, keyword: string): string {
  return schema.originPointers.get(keyword) ?? toPointerSegment(keyword);
}

/** Moves a value to the current name of its keyword, and remembers its origin. */
export function renameKeyword(schema: MutableSchema, from: string, to: string, value: Json): void {
  schema.originPointers.set(to, getOriginPointer(schema, from));
  schema.keywords.delete(from);
  schema.keywords.set(to, value);
}
