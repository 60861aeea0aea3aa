import type { Diagnostic, DiagnosticReporter } from '../../../base/diagnostics.ts';
import { EXTENSION_NAMES } from '../../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  mapMembers,
  toPointerSegment,
} from '../../../base/json.ts';
import { getOrCreate } from '../../../base/memoize.ts';
import type { IndexArgument } from '../../discovery/site.ts';
import { compareKeywords, KEYWORD_KINDS, parseTypeExpression } from './keywords.ts';
import { MutableSchema, type SchemaRule, type WarningReporter } from './mutable-schema.ts';
import { PatternTranslator } from './patterns.ts';
import {
  addMissingItems,
  annotationRules,
  arrayRules,
  checkDefault,
  defaultRules,
  dropUnusableKeywords,
  isTimeOfRequest,
  moveExclusiveBounds,
  objectRules,
  patternRules,
} from './rules/restrictions.ts';
import {
  addMissingType,
  coerceEnumValues,
  combinedTypeRules,
  listEnumValues,
  typeKeywordRules,
  typeRules,
} from './rules/types.ts';

export interface SchemaLocation {
  readonly route: string;
  readonly pointer: string;
}

export interface NormalizedArgument {
  readonly name: string;
  /** WordPress ignores values other than `true` (WP_REST_Request::has_required_params). */
  readonly required: boolean;
  readonly schema: JsonObject;
}

const RULES_BEFORE_SUBSCHEMAS: readonly SchemaRule[] = [
  ...annotationRules,
  ...objectRules,
  ...arrayRules,
  ...typeRules,
  listEnumValues,
  moveExclusiveBounds,
  dropUnusableKeywords,
  addMissingType,
  coerceEnumValues,
  ...patternRules,
  ...typeKeywordRules,
  addMissingItems,
  ...defaultRules,
];

const RULES_AFTER_SUBSCHEMAS: readonly SchemaRule[] = [checkDefault, ...combinedTypeRules];

type Finding = Omit<Diagnostic, 'route'>;

/** Equal schemas are normalized once and reported each time. */
export class Normalizer {
  readonly #report: DiagnosticReporter;
  readonly #results = new Map<
    string,
    { readonly schema: JsonObject; readonly findings: readonly Finding[] }
  >();
  readonly #patterns = new PatternTranslator();

  constructor(report: DiagnosticReporter) {
    this.#report = report;
  }

  /** From draft 3 or 4. Equal input returns one object, which must not be changed. */
  normalizeSchema(raw: Json, { pointer, route }: SchemaLocation): JsonObject {
    const { findings, schema } = getOrCreate(this.#results, JSON.stringify(raw), () => {
      const found: Finding[] = [];
      return { schema: normalize(raw, { pointer: '' }, this.#patterns, found), findings: found };
    });
    for (const { action, message, pointer: inside, rule, severity } of findings) {
      this.#report({ rule, severity, pointer: pointer + inside, message, action, route });
    }
    return schema;
  }

  normalizeArguments(
    args: readonly IndexArgument[],
    location: SchemaLocation,
  ): readonly NormalizedArgument[] {
    return args.map(({ name, declaration }) => {
      const { required, ...rest } = declaration;
      // An array lists an object's required properties, and stays.
      const declared = required === undefined || Array.isArray(required) ? declaration : rest;
      const at = { route: location.route, pointer: location.pointer + toPointerSegment(name) };
      const schema = this.normalizeSchema(declared, at);
      // Such a default does not stay in the schema.
      const isRequired = required === true && !isTimeOfRequest(declaration['default']);
      return { name, required: isRequired, schema };
    });
  }
}

interface SchemaPosition {
  readonly pointer: string;
  readonly inheritedType?: Json;
}

function normalize(
  raw: Json,
  { inheritedType, pointer }: SchemaPosition,
  patterns: PatternTranslator,
  found: Finding[],
): JsonObject {
  const warn: WarningReporter = (rule, tokens, message, action) => {
    const at = pointer + tokens.map(toPointerSegment).join('');
    found.push({ rule, severity: 'warning', pointer: at, message, action });
  };
  const schema = new MutableSchema(coerceToObject(raw, warn), inheritedType, patterns, warn);
  for (const apply of RULES_BEFORE_SUBSCHEMAS) apply(schema);
  // Members of `oneOf` and `anyOf` inherit only a stated type.
  const type = schema.has(EXTENSION_NAMES.type) ? undefined : schema.get('type');
  for (const [keyword, value] of schema) {
    const kind = KEYWORD_KINDS.get(keyword);
    const inherits = type !== undefined && (keyword === 'oneOf' || keyword === 'anyOf');
    const visit = (subschema: Json, ...tokens: readonly (string | number)[]): JsonObject => {
      const below = pointer + [keyword, ...tokens].map(toPointerSegment).join('');
      const position = { pointer: below, ...(inherits ? { inheritedType: type } : {}) };
      return normalize(subschema, position, patterns, found);
    };
    if (kind === 'schema') {
      if (keyword === 'additionalProperties' && typeof value === 'boolean') continue;
      schema.set(keyword, visit(value));
    } else if (kind === 'schemas') {
      schema.set(
        keyword,
        jsonItems(value).map((subschema, at) => visit(subschema, at)),
      );
    } else if (kind === 'schemas-by-name' && isJsonObject(value)) {
      schema.set(
        keyword,
        mapMembers(value, (name, subschema) => visit(subschema, name)),
      );
    }
    // An open `not` would reject every value.
    if (keyword === 'not' && isOpen(schema.get('not')) && !isOpen(value)) {
      schema.delete('not');
      warn('negation-open', ['not'], 'The negated schema is open after normalization.', 'Dropped.');
    }
  }
  for (const apply of RULES_AFTER_SUBSCHEMAS) apply(schema);
  return Object.fromEntries([...schema].sort(([a], [b]) => compareKeywords(a, b)));
}

/** `true` becomes `{}`, and `false` `{ "not": {} }`. PHP encodes an empty array as `[]`. */
function coerceToObject(raw: Json, warn: WarningReporter): JsonObject {
  if (isJsonObject(raw)) return raw;
  if (typeof raw === 'boolean') return raw ? {} : { not: {} };
  if (typeof raw === 'string' && parseTypeExpression(raw) !== undefined)
    return { type: raw, [EXTENSION_NAMES.type]: null };
  if (!Array.isArray(raw) || raw.length > 0)
    warn('schema-not-schema', [], 'The value is not a schema.', 'Left open.');
  return {};
}

function isOpen(schema: Json | undefined): boolean {
  return isJsonObject(schema) && Object.keys(schema).length === 0;
}
