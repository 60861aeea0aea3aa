import type { Json, JsonObject } from '../../../base/json.ts';
import type { PatternTranslator } from './patterns.ts';

/** What the document lacks, or accepts more than the site. Repairs without a loss aren't reported. */
type SchemaWarning =
  | 'default-refused'
  | 'keyword-not-usable'
  | 'negation-open'
  | 'pattern-not-representable'
  | 'pattern-properties-lost'
  | 'pattern-wider'
  | 'schema-not-schema'
  | 'type-unknown';

/** @param tokens names that lead from the schema to the value */
export type WarningReporter = (
  rule: SchemaWarning,
  tokens: readonly string[],
  message: string,
  action: string,
) => void;

/** Keywords in the site's order. A Map, because a site can use the keyword `__proto__`. */
export class MutableSchema extends Map<string, Json> {
  readonly inheritedType: Json | undefined;
  readonly patterns: PatternTranslator;
  readonly warn: WarningReporter;

  constructor(
    schema: JsonObject,
    inheritedType: Json | undefined,
    patterns: PatternTranslator,
    warn: WarningReporter,
  ) {
    super(Object.entries(schema));
    this.inheritedType = inheritedType;
    this.patterns = patterns;
    this.warn = warn;
  }

  setOrDelete(keyword: string, value: readonly Json[] | JsonObject): void {
    if (Object.keys(value).length > 0) this.set(keyword, value);
    else this.delete(keyword);
  }
}

export type SchemaRule = (schema: MutableSchema) => void;

export function valueRule(
  keywords: readonly string[],
  apply: (value: Json, schema: MutableSchema, keyword: string) => void,
): SchemaRule {
  return (schema) => {
    for (const keyword of keywords) {
      const value = schema.get(keyword);
      if (value !== undefined) apply(value, schema, keyword);
    }
  };
}
