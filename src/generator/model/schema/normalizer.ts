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
import { MutableSchema, type SchemaRule, type SchemaWarning } from './mutable-schema.ts';
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

  #warn(rule: SchemaWarning, pointer: string, message: string, action: string): void {
    this.#findings.push({ rule, severity: 'warning', pointer, message, action });
  }

  #visit(raw: Json, position: SchemaPosition): JsonObject {
    const schema = new MutableSchema(
      this.#coerceToObject(raw, position),
      position.inheritedType,
      this.#patterns,
      (rule, tokens, message, action) => {
        this.#warn(rule, position.pointer + tokens.map(toPointerSegment).join(''), message, action);
      },
    );
    for (const apply of RULES_BEFORE_SUBSCHEMAS) apply(schema);
    this.#visitSubschemas(schema, position);
    for (const apply of RULES_AFTER_SUBSCHEMAS) apply(schema);
    const ordered: { [keyword: string]: Json } = {};
    for (const keyword of [...schema.keywords.keys()].sort(compareKeywords)) {
      ordered[keyword] = schema.get(keyword) ?? null;
    }
    return ordered;
  }

  /** `true` becomes `{}`, and `false` `{ "not": {} }`. PHP encodes an empty array as `[]`. */
  #coerceToObject(raw: Json, { pointer }: SchemaPosition): JsonObject {
    if (isJsonObject(raw)) return raw;
    if (typeof raw === 'boolean') return raw ? {} : { not: {} };
    if (typeof raw === 'string' && parseTypeExpression(raw) !== undefined)
      return { type: raw, [EXTENSION_NAMES.type]: null };
    if (!Array.isArray(raw) || raw.length > 0)
      this.#warn('schema-not-schema', pointer, 'The value is not a schema.', 'Left open.');
    return {};
  }

  #visitSubschemas(schema: MutableSchema, position: SchemaPosition): void {
    // Members of `oneOf` and `anyOf` inherit only a stated type.
    const type = schema.has(EXTENSION_NAMES.type) ? undefined : schema.get('type');
    for (const [keyword, value] of schema.keywords) {
      const kind = KEYWORD_KINDS.get(keyword);
      const inherits = type !== undefined && (keyword === 'oneOf' || keyword === 'anyOf');
      const child = inherits ? { inheritedType: type } : {};
      const pointer = position.pointer + toPointerSegment(keyword);
      const visitMember = (token: string | number, subschema: Json): JsonObject =>
        this.#visit(subschema, { ...child, pointer: pointer + toPointerSegment(token) });
      if (kind === 'schema') {
        if (keyword === 'additionalProperties' && typeof value === 'boolean') continue;
        schema.set(keyword, this.#visit(value, { ...child, pointer }));
      } else if (kind === 'schemas') {
        const members = jsonItems(value).map((subschema, at) => visitMember(at, subschema));
        schema.set(keyword, members);
      } else if (kind === 'schemas-by-name' && isJsonObject(value)) {
        schema.set(keyword, mapMembers(value, visitMember));
      }
      // An open `not` would reject every value.
      if (keyword === 'not' && isOpen(schema.get('not')) && !isOpen(value)) {
        schema.delete('not');
        this.#warn('negation-open', pointer, 'The negated schema is open after normalization.', 'Dropped.');
      }
    }
  }
}

function isOpen(schema: Json | undefined): boolean {
  return isJsonObject(schema) && Object.keys(schema).length === 0;
}
