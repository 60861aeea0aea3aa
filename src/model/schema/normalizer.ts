import type { Diagnostic, DiagnosticReporter } from '../../diagnostics.ts';
import { describeValue } from '../../discovery/index-values.ts';
import type { IndexArgument } from '../../discovery/site.ts';
import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, mapMembers, toPointerSegment } from '../../json.ts';
import { getOrCreate } from '../../memoize.ts';
import { compareKeywords, KEYWORD_KINDS } from './keywords.ts';
import { MutableSchema, type SchemaRule } from './mutable-schema.ts';
import { PatternTranslator } from './patterns.ts';
import { annotationRules, unknownKeywordRules } from './rules/annotations.ts';
import {
  boundRules,
  defaultCheckRules,
  defaultRules,
  isTimeOfRequest,
  patternRules,
} from './rules/restrictions.ts';
import { arrayRules, missingItemsRules, objectRules } from './rules/structure.ts';
import {
  combinedTypeRules,
  enumRules,
  enumTypeRules,
  missingTypeRules,
  typeKeywordRules,
  typeRules,
} from './rules/types.ts';
import { parseTypeExpression } from './type-words.ts';

export interface SchemaLocation {
  readonly route: string;
  /** JSON pointer of the schema or `args` in the root index. */
  readonly pointer: string;
}

export interface NormalizedArgument {
  readonly name: string;
  /** WordPress ignores values other than `true` (WP_REST_Request::has_required_params). */
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** Later rules rely on earlier ones. */
const RULES_BEFORE_SUBSCHEMAS: readonly SchemaRule[] = [
  ...annotationRules,
  ...objectRules,
  ...arrayRules,
  ...typeRules,
  ...enumRules,
  ...missingTypeRules,
  ...enumTypeRules,
  ...boundRules,
  ...patternRules,
  ...unknownKeywordRules,
  ...typeKeywordRules,
  ...missingItemsRules,
  ...defaultRules,
];

const RULES_AFTER_SUBSCHEMAS: readonly SchemaRule[] = [...defaultCheckRules, ...combinedTypeRules];

const TRAVERSAL_RULES = {
  /** `true` becomes `{}`, and `false` `{ "not": {} }`, unreported. */
  'schema-boolean': 'info',
  /** PHP encodes an empty array as `[]`. */
  'schema-empty-list': 'info',
  'schema-type-word': 'info',
  /** Anything else becomes an open schema. */
  'schema-not-schema': 'warning',
  /** `required` is not a boolean or a list: optional. */
  'required-not-boolean': 'info',
  /** An open `not` would reject every value, so it is dropped. */
  'negation-open': 'warning',
} as const;

export const SCHEMA_RULE_NAMES: readonly string[] = [
  ...Object.keys(TRAVERSAL_RULES),
  ...[...RULES_BEFORE_SUBSCHEMAS, ...RULES_AFTER_SUBSCHEMAS].map(({ name }) => name),
];

type Finding = Omit<Diagnostic, 'route'>;

interface NormalizationResult {
  readonly schema: JsonObject;
  readonly findings: readonly Finding[];
}

/** Equal schemas are normalized once and reported each time. */
export class Normalizer {
  readonly #report: DiagnosticReporter;
  readonly #results = new Map<string, NormalizationResult>();
  readonly #patterns = new PatternTranslator();

  constructor(report: DiagnosticReporter) {
    this.#report = report;
  }

  /** From draft 3 or 4. Equal input returns one object, which must not be changed. */
  normalizeSchema(raw: Json, { pointer, route }: SchemaLocation): JsonObject {
    const result = getOrCreate(this.#results, JSON.stringify(raw), () =>
      new Traversal(this.#patterns).run(raw),
    );
    for (const { action, message, pointer: inside, rule, severity } of result.findings) {
      this.#report({ rule, severity, pointer: pointer + inside, message, action, route });
    }
    return result.schema;
  }

  /** `location.pointer` is that of `args`. */
  normalizeArguments(
    args: readonly IndexArgument[],
    location: SchemaLocation,
  ): readonly NormalizedArgument[] {
    return args.map(({ name, declaration }) => {
      const { required, ...rest } = declaration;
      // An array lists an object's required properties, and stays.
      const declared = required === undefined || Array.isArray(required) ? declaration : rest;
      const at = { route: location.route, pointer: location.pointer + toPointerSegment(name) };
      if (required !== undefined && typeof required !== 'boolean' && !Array.isArray(required)) {
        this.#report({
          rule: 'required-not-boolean',
          severity: TRAVERSAL_RULES['required-not-boolean'],
          route: at.route,
          pointer: `${at.pointer}/required`,
          message: `"required" is ${describeValue(required)}.`,
          action: 'The argument is optional, as at the site.',
        });
      }
      const schema = this.normalizeSchema(declared, at);
      // With a default, nothing is missing.
      const isRequired = required === true && !isTimeOfRequest(declaration['default']);
      return { name, required: isRequired, schema };
    });
  }
}

interface SchemaPosition {
  readonly pointer: string;
  readonly inheritedType?: Json;
}

class Traversal {
  readonly #findings: Finding[] = [];
  readonly #patterns: PatternTranslator;

  constructor(patterns: PatternTranslator) {
    this.#patterns = patterns;
  }

  run(raw: Json): NormalizationResult {
    const schema = this.#visit(raw, { pointer: '' });
    return { schema, findings: this.#findings };
  }

  #report(rule: keyof typeof TRAVERSAL_RULES, pointer: string, message: string, action: string): void {
    this.#findings.push({ rule, severity: TRAVERSAL_RULES[rule], pointer, message, action });
  }

  #visit(raw: Json, position: SchemaPosition): JsonObject {
    const object = this.#coerceToObject(raw, position);
    let current: SchemaRule | undefined;
    const report = (pointer: string, message: string, action: string): void => {
      if (current === undefined) return;
      const { name, severity } = current;
      this.#findings.push({ rule: name, severity, pointer: position.pointer + pointer, message, action });
    };
    const schema = new MutableSchema(object, position.inheritedType, report, this.#patterns);
    const applyRules = (rules: readonly SchemaRule[]): void => {
      for (const rule of rules) {
        if (rule.triggers.length > 0 && !rule.triggers.some((keyword) => schema.has(keyword))) continue;
        current = rule;
        rule.apply(schema);
      }
    };
    applyRules(RULES_BEFORE_SUBSCHEMAS);
    this.#visitSubschemas(schema, position);
    applyRules(RULES_AFTER_SUBSCHEMAS);
    const ordered: { [keyword: string]: Json } = {};
    for (const keyword of [...schema.keywords.keys()].sort(compareKeywords)) {
      ordered[keyword] = schema.get(keyword) ?? null;
    }
    return ordered;
  }

  #coerceToObject(raw: Json, { pointer }: SchemaPosition): JsonObject {
    if (isJsonObject(raw)) return raw;
    if (typeof raw === 'boolean') return raw ? {} : { not: {} };
    if (Array.isArray(raw) && raw.length === 0) {
      this.#report('schema-empty-list', pointer, 'The schema is [].', 'Read as {}.');
      return {};
    }
    if (typeof raw === 'string' && parseTypeExpression(raw) !== undefined) {
      this.#report('schema-type-word', pointer, 'The schema is the name of a type.', 'Read as its "type".');
      return { type: raw, [EXTENSION_NAMES.type]: null };
    }
    this.#report('schema-not-schema', pointer, 'The value is not a schema.', 'Left open.');
    return {};
  }

  #visitSubschemas(schema: MutableSchema, position: SchemaPosition): void {
    // Members of `oneOf` and `anyOf` inherit only a stated type.
    const type = schema.has(EXTENSION_NAMES.type) ? undefined : schema.get('type');
    for (const [keyword, value] of schema.keywords) {
      const kind = KEYWORD_KINDS.get(keyword);
      if (kind !== 'schema' && kind !== 'schemas' && kind !== 'schemas-by-name') continue;
      const inherits = type !== undefined && (keyword === 'oneOf' || keyword === 'anyOf');
      const child = inherits ? { inheritedType: type } : {};
      const pointer = position.pointer + schema.origin(keyword);
      const visitMember = (token: string | number, subschema: Json): JsonObject =>
        this.#visit(subschema, { ...child, pointer: pointer + toPointerSegment(token) });
      if (kind === 'schema') {
        if (keyword === 'additionalProperties' && typeof value === 'boolean') continue;
        schema.set(keyword, this.#visit(value, { ...child, pointer }));
      } else if (kind === 'schemas' && Array.isArray(value)) {
        const members: readonly Json[] = value;
        schema.set(
          keyword,
          members.map((subschema, at) => visitMember(at, subschema)),
        );
      } else if (kind === 'schemas-by-name' && isJsonObject(value)) {
        schema.set(keyword, mapMembers(value, visitMember));
      }
      if (keyword === 'not' && isOpen(schema.get('not')) && !isOpen(value)) {
        schema.delete('not');
        this.#report('negation-open', pointer, 'The negated schema is open after normalization.', 'Dropped.');
      }
    }
  }
}

function isOpen(schema: Json | undefined): boolean {
  return isJsonObject(schema) && Object.keys(schema).length === 0;
}
