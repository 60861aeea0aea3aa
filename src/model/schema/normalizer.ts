import type { Report } from '../../diagnostics.ts';
import type { IndexArgument } from '../../discovery/site.ts';
import { type Json, type JsonObject, pointerToken } from '../../json.ts';
import { type AppliedRules, applyRules } from './apply-rules.ts';
import { show } from './mutable-schema.ts';
import { createPatternTranslator } from './patterns.ts';
import { REQUIRED_NOT_BOOLEAN } from './rules/structure.ts';
import { isSerializable } from './values.ts';

/** Where a schema stands at the site. */
export interface SchemaLocation {
  /** The site's route pattern. */
  readonly route: string;
  /** JSON pointer of the schema (or of the `args`) in the root index. */
  readonly pointer: string;
}

/** An argument of an endpoint, ready to become a parameter or a field of the body. */
export interface NormalizedArgument {
  readonly name: string;
  /** Only `true` requires; the site takes no other value for it (WP_REST_Request::has_required_params). */
  readonly required: boolean;
  /** JSON Schema 2020-12, with its description. */
  readonly schema: JsonObject;
  /** The schema's description, for whoever wants it beside the schema. */
  readonly description?: string;
}

/** Normalises schemas of one site. Equal schemas are normalised once, and reported each time. */
export interface Normalizer {
  /**
   * A schema of drafts 3 and 4, as a site states it, as one of JSON Schema 2020-12. Never throws; what cannot be
   * carried is reported. Equal input gives the identical object, which must not be changed.
   */
  readonly schema: (raw: Json, location: SchemaLocation) => JsonObject;
  /** The arguments of one endpoint; `at.pointer` is that of its `args`. */
  readonly arguments: (
    args: readonly IndexArgument[],
    location: SchemaLocation,
  ) => readonly NormalizedArgument[];
}

export function createNormalizer(report: Report): Normalizer {
  const cache = new Map<string, AppliedRules>();
  const translate = createPatternTranslator();

  function normalizeOnce(raw: Json): AppliedRules {
    // What nests too deeply to be written as text is normalised each time.
    if (!isSerializable(raw)) return applyRules(raw, translate);
    const text = JSON.stringify(raw);
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const normalized = applyRules(raw, translate);
    cache.set(text, normalized);
    return normalized;
  }

  function schema(raw: Json, location: SchemaLocation): JsonObject {
    const { schema: normalized, diagnostics } = normalizeOnce(raw);
    for (const { rule, severity, pointer, message, action } of diagnostics)
      report({ rule, severity, pointer: location.pointer + pointer, message, action, route: location.route });
    return normalized;
  }

  function argument({ name, declaration }: IndexArgument, location: SchemaLocation): NormalizedArgument {
    const { required, ...rest } = declaration;
    // An array is the list of an object's required properties and stays in the schema.
    const own = required === undefined || Array.isArray(required) ? declaration : rest;
    const pointer = location.pointer + pointerToken(name);
    if (required !== undefined && typeof required !== 'boolean' && !Array.isArray(required))
      report({
        rule: REQUIRED_NOT_BOOLEAN.name,
        severity: REQUIRED_NOT_BOOLEAN.severity,
        route: location.route,
        pointer: `${pointer}/required`,
        message: `"required" is ${show(required)}.`,
        action: 'The argument is optional, as at the site.',
      });
    const normalized = schema(own, { route: location.route, pointer });
    const description = normalized['description'];
    const told = typeof description === 'string' ? { description } : {};
    return { name, required: required === true, schema: normalized, ...told };
  }

  return { schema, arguments: (args, location) => args.map((its) => argument(its, location)) };
}

/** Normalizes a single schema. For the schemas of a whole site, {@link createNormalizer} normalizes equal ones once. */
export function normalizeSchema(raw: Json, at: SchemaLocation & { readonly report: Report }): JsonObject {
  return createNormalizer(at.report).schema(raw, at);
}
