import { describeValue } from '../../discovery/index-values.ts';
import { type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import type { PatternTranslator } from './patterns.ts';

/** One schema while rules change it: its keywords, and the origin of each. */
export class MutableSchema {
  /** Values by keyword, in the site's order. A Map, because a site can use the keyword `__proto__`. */
  readonly keywords: Map<string, Json>;
  /** The type of the schema whose `oneOf` or `anyOf` contains this one. */
  readonly inheritedType: Json | undefined;
  /** Reports one application of the current rule. `pointer` is a JSON pointer relative to the schema. */
  readonly reportAt: (pointer: string, message: string, action: string) => void;
  readonly patterns: PatternTranslator;
  /** JSON pointers relative to this schema of the keywords that a rule renamed or moved. */
  readonly #origins = new Map<string, string>();

  constructor(
    schema: JsonObject,
    inheritedType: Json | undefined,
    reportAt: (pointer: string, message: string, action: string) => void,
    patterns: PatternTranslator,
  ) {
    this.keywords = new Map(Object.entries(schema));
    this.inheritedType = inheritedType;
    this.reportAt = reportAt;
    this.patterns = patterns;
  }

  get(keyword: string): Json | undefined {
    return this.keywords.get(keyword);
  }

  has(keyword: string): boolean {
    return this.keywords.has(keyword);
  }

  /** @param origin the relative JSON pointer of the value in the site's schema, if it was moved */
  set(keyword: string, value: Json, origin?: string): void {
    this.keywords.set(keyword, value);
    if (origin !== undefined) this.#origins.set(keyword, origin);
  }

  delete(keyword: string): boolean {
    return this.keywords.delete(keyword);
  }

  /** Sets a list or an object; removes the keyword if it has no members. */
  setOrDelete(keyword: string, value: readonly Json[] | JsonObject): void {
    if (Object.keys(value).length > 0) this.set(keyword, value);
    else this.delete(keyword);
  }

  /** Returns the relative JSON pointer of a keyword's value in the site's schema. */
  origin(keyword: string): string {
    return this.#origins.get(keyword) ?? toPointerSegment(keyword);
  }

  /** Reports one application of the current rule to a keyword; to the schema itself if the keyword is empty. */
  report(keyword: string, message: string, action: string): void {
    this.reportAt(keyword === '' ? '' : this.origin(keyword), message, action);
  }

  /** Reports one application of the current rule, with the value that the keyword had. */
  reportValue(keyword: string, value: Json | undefined, action: string): void {
    this.report(keyword, `"${keyword}" is ${describeValue(value)}.`, action);
  }
}

/** One repair of a schema. */
export interface SchemaRule {
  /** A stable kebab-case name, which reports contain. */
  readonly name: string;
  /** `info`: no information is lost. `warning`: the result can accept more than the site. */
  readonly severity: 'info' | 'warning';
  /** The rule is tried only if one of these keywords is present. Empty: always. */
  readonly triggers: readonly string[];
  readonly apply: (schema: MutableSchema) => void;
}

export function rule(
  name: string,
  severity: SchemaRule['severity'],
  triggers: readonly string[],
  apply: SchemaRule['apply'],
): SchemaRule {
  return { name, severity, triggers, apply };
}

export function valueRule(
  name: string,
  severity: SchemaRule['severity'],
  keywords: readonly string[],
  apply: (value: Json, schema: MutableSchema, keyword: string) => void,
): SchemaRule {
  return rule(name, severity, keywords, (schema) => {
    for (const keyword of keywords) {
      const value = schema.get(keyword);
      if (value !== undefined) apply(value, schema, keyword);
    }
  });
}

/** A rule that drops keywords whose values cannot be used. */
export function dropRule(
  name: string,
  severity: SchemaRule['severity'],
  keywords: readonly string[],
  isUsable: (value: Json, keyword: string) => boolean,
): SchemaRule {
  return valueRule(name, severity, keywords, (value, schema, keyword) => {
    if (isUsable(value, keyword)) return;
    schema.delete(keyword);
    schema.reportValue(keyword, value, 'Dropped.');
  });
}

export function isText(value: Json): boolean {
  return typeof value === 'string';
}
