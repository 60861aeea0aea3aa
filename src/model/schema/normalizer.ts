import type { DiagnosticReporter } from '../../diagnostics.ts';
import { describeValue } from '../../discovery/index-values.ts';
import type { IndexArgument } from '../../discovery/site.ts';
import { type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import { applySchemaRules, createReferenceBudget, type NormalizationResult } from './apply-rules.ts';
import { createPatternTranslator } from './patterns.ts';
import { REQUIRED_NOT_BOOLEAN_RULE } from './rules/rule-descriptors.ts';
import { isSerializable } from './values.ts';

/** The position of a schema in the root index. */
export interface SchemaLocation {
  /** The site's route pattern. */
  readonly route: string;
  /** JSON pointer of the schema (or of the `args`) in the root index. */
  readonly pointer: string;
}

/** An argument of an endpoint with a normalized schema. */
export interface NormalizedArgument {
  readonly name: string;
  /** Whether the site states `true`; WordPress ignores other values (WP_REST_Request::has_required_params). */
  readonly required: boolean;
  /** JSON Schema 2020-12, with its description. */
  readonly schema: JsonObject;
  /** The `description` of `schema`, if it has one. */
  readonly description?: string;
}

/** Converts the schemas of one site to JSON Schema 2020-12. Equal schemas are normalized once and reported each time. */
export interface Normalizer {
  /**
   * Normalizes a schema of JSON Schema draft 3 or 4. Never throws; keywords that are dropped are reported. Equal input
   * returns the identical object, which must not be changed.
   */
  readonly normalizeSchema: (raw: Json, location: SchemaLocation) => JsonObject;
  /** Normalizes the arguments of one endpoint. `location.pointer` is that of its `args`. */
  readonly normalizeArguments: (
    args: readonly IndexArgument[],
    location: SchemaLocation,
  ) => readonly NormalizedArgument[];
}

/** Creates the normalizer of one site. */
export function createNormalizer(report: DiagnosticReporter): Normalizer {
  const cache = new Map<string, NormalizationResult>();
  const translatePattern = createPatternTranslator();
  const budget = createReferenceBudget();

  function normalizeOnce(raw: Json): NormalizationResult {
    // A schema that nests too deeply for JSON.stringify is not cached.
    if (!isSerializable(raw)) return applySchemaRules(raw, translatePattern, budget);
    const text = JSON.stringify(raw);
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const normalized = applySchemaRules(raw, translatePattern, budget);
    cache.set(text, normalized);
    return normalized;
  }

  function normalizeAndReport(raw: Json, location: SchemaLocation): JsonObject {
    const { schema: normalized, diagnostics } = normalizeOnce(raw);
    for (const { rule, severity, pointer, message, action } of diagnostics) {
      report({ rule, severity, pointer: location.pointer + pointer, message, action, route: location.route });
    }
    return normalized;
  }

  function normalizeArgument(
    { name, declaration }: IndexArgument,
    location: SchemaLocation,
  ): NormalizedArgument {
    const { required, ...rest } = declaration;
    // An array is the list of an object's required properties and stays in the schema.
    const declared = required === undefined || Array.isArray(required) ? declaration : rest;
    const pointer = location.pointer + toPointerSegment(name);
    if (required !== undefined && typeof required !== 'boolean' && !Array.isArray(required)) {
      report({
        rule: REQUIRED_NOT_BOOLEAN_RULE.name,
        severity: REQUIRED_NOT_BOOLEAN_RULE.severity,
        route: location.route,
        pointer: `${pointer}/required`,
        message: `"required" is ${describeValue(required)}.`,
        action: 'The argument is optional, as at the site.',
      });
    }
    const normalized = normalizeAndReport(declared, { route: location.route, pointer });
    const description = normalized['description'];
    const beside = typeof description === 'string' ? { description } : {};
    return { name, required: required === true, schema: normalized, ...beside };
  }

  return {
    normalizeSchema: normalizeAndReport,
    normalizeArguments: (args, location) => args.map((each) => normalizeArgument(each, location)),
  };
}

/** Normalizes a single schema without a cache. {@link createNormalizer} is for the schemas of a site. */
export function normalizeSchema(
  raw: Json,
  location: SchemaLocation & { readonly report: DiagnosticReporter },
): JsonObject {
  return createNormalizer(location.report).normalizeSchema(raw, location);
}
