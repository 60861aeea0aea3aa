import type { Report } from '../../diagnostics.ts';
import type { IndexArgument } from '../../discovery/site.ts';
import { type Json, type JsonObject, pointerToken } from '../../json.ts';
import { show } from './draft.ts';
import { createTranslator } from './patterns.ts';
import { REQUIRED_NOT_BOOLEAN } from './rules/structure.ts';
import { isWritable } from './values.ts';
import { type Normalised, normalise } from './walk.ts';

/** Where a schema stands at the site. */
export interface SchemaPlace {
  /** The site's route pattern. */
  readonly route: string;
  /** JSON pointer of the schema (or of the `args`) in the root index. */
  readonly pointer: string;
}

/** An argument of an endpoint, ready to become a parameter or a field of the body. */
export interface NormalArgument {
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
  readonly schema: (raw: Json, at: SchemaPlace) => JsonObject;
  /** The arguments of one endpoint; `at.pointer` is that of its `args`. */
  readonly arguments: (args: readonly IndexArgument[], at: SchemaPlace) => readonly NormalArgument[];
}

export function createNormalizer(report: Report): Normalizer {
  const known = new Map<string, Normalised>();
  const translate = createTranslator();

  function recall(raw: Json): Normalised {
    // What nests too deeply to be written as text is normalised each time.
    if (!isWritable(raw)) return normalise(raw, translate);
    const text = JSON.stringify(raw);
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = normalise(raw, translate);
    known.set(text, made);
    return made;
  }

  function schema(raw: Json, at: SchemaPlace): JsonObject {
    const { schema: made, findings } = recall(raw);
    for (const { rule, severity, pointer, message, action } of findings)
      report({ rule, severity, pointer: at.pointer + pointer, message, action, route: at.route });
    return made;
  }

  function argument({ name, declaration }: IndexArgument, at: SchemaPlace): NormalArgument {
    const { required, ...rest } = declaration;
    // An array is the list of an object's required properties and stays in the schema.
    const own = required === undefined || Array.isArray(required) ? declaration : rest;
    const pointer = at.pointer + pointerToken(name);
    if (required !== undefined && typeof required !== 'boolean' && !Array.isArray(required))
      report({
        rule: REQUIRED_NOT_BOOLEAN.name,
        severity: REQUIRED_NOT_BOOLEAN.severity,
        route: at.route,
        pointer: `${pointer}/required`,
        message: `"required" is ${show(required)}.`,
        action: 'The argument is optional, as at the site.',
      });
    const made = schema(own, { route: at.route, pointer });
    const description = made['description'];
    const told = typeof description === 'string' ? { description } : {};
    return { name, required: required === true, schema: made, ...told };
  }

  return { schema, arguments: (args, at) => args.map((its) => argument(its, at)) };
}
