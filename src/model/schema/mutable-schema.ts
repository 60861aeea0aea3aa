import { describeValue } from '../../discovery/index-values.ts';
import { type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import type { PatternTranslator } from './patterns.ts';

/** The keywords of a schema while rules change them, and their origins. */
export class MutableSchema {
  /** In the site's order. A Map, because a site can use the keyword `__proto__`. */
  readonly keywords: Map<string, Json>;
  /** Type of the schema whose `oneOf` or `anyOf` contains this one. */
  readonly inheritedType: Json | undefined;
  /** `pointer` is relative to the schema. */
  readonly reportAt: (pointer: string, message: string, action: string) => void;
  readonly patterns: PatternTranslator;
  /** Relative JSON pointers of keywords that a rule renamed or moved. */
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

  /** @param origin relative JSON pointer of a moved value in the site's schema */
  set(keyword: string, value: Json, origin?: string): void {
    this.keywords.set(keyword, value);
    if (origin !== undefined) this.#origins.set(keyword, origin);
  }

  delete(keyword: string): boolean {
    return this.keywords.delete(keyword);
  }

  setOrDelete(keyword: string, value: readonly Json[] | JsonObject): void {
    if (Object.keys(value).length > 0) this.set(keyword, value);
    else this.delete(keyword);
  }

  /** Relative JSON pointer in the site's schema. */
  origin(keyword: string): string {
    return this.#origins.get(keyword) ?? toPointerSegment(keyword);
  }

  report(keyword: string, message: string, action: string): void {
    this.reportAt(keyword === '' ? '' : this.origin(keyword), message, action);
  }

  reportValue(keyword: string, value: Json | undefined, action: string): void {
    this.report(keyword, `"${keyword}" is ${describeValue(value)}.`, action);
  }
}

export interface SchemaRule {
  /** Stable kebab-case name for reports. */
  readonly name: string;
  /** `info`: nothing is lost. `warning`: the result can accept more than the site. */
  readonly severity: 'info' | 'warning';
  /** Keywords of which one must be present; empty: always tried. */
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
