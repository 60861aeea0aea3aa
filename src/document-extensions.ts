import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  jsonTexts,
  memberAt,
  toJsonObject,
} from './json.ts';

/**
 * The names of a document's extensions. Extensions contain the data for the gateway that OpenAPI cannot express. `model/`
 * and `openapi/` write them by these names. All readers use the functions below.
 *
 * | on | extension | shape | meaning |
 * |---|---|---|---|
 * | root | `x-waygate` | object | `format`, the site's address, its namespaces, all its routes in its order, and whether the index was `readAsUser` |
 * | path item | `x-waygate-methods` | operations by method | methods that a Path Item Object has no field for |
 * | operation | `x-waygate-route` | string | the site's route pattern |
 * | | `x-waygate-alternatives` | list of objects | each route that shares the operation, complete, in the site's order |
 * | | `x-waygate-contexts` | references by context | the component of each context that the client can choose |
 * | | `x-waygate-forced` | `{ schema, required }` | DELETE: a reference to the schema of the response to `force=true`; `required`: the site refuses without it |
 * | | `x-waygate-error-codes` | list of strings | codes of the errors that the site can send, as far as they are known |
 * | | `x-waygate-allow-batch` | `true` | the batch endpoint accepts the operation |
 * | | `x-waygate-query-accepted` | `true` | the query can carry the fields of the body |
 * | | `x-waygate-open-query` | `true` | the endpoint declares no arguments, so it can read any from the query |
 * | parameter | `x-waygate-name` | string | the site's name, if the path template uses another one |
 * | | `x-waygate-unnamed` | `true` | the site's group has no name, so the site does not read the value |
 * | | `x-waygate-pcre` | string | the site's pattern of the group |
 * | | `x-waygate-slashes` | `true` | values can contain `/` |
 * | | `x-waygate-whole` | schema | on the first part of a parameter split at a slash: the schema of the whole |
 * | | `x-waygate-part-of` | string | on each part of a parameter split at a slash: the name of the whole |
 * | | `x-waygate-needed` | `true` | the code of the endpoint requires it, and the index does not |
 * | schema | `x-waygate-default` | any | a default that the schema itself rejects; null stands for none |
 * | | `x-waygate-type` | string, list or null | the site's `type` if `type` was changed; null if the site stated none |
 * | | `x-waygate-pcre` | string | the site's pattern, if `pattern` is a translation of it or is missing |
 * | | `x-waygate-pattern-properties` | strings by pattern | the site's pattern for each key of `patternProperties` |
 * | | `x-waygate-exclusive` | `true` | the site accepts a value only if it matches exactly one member of `anyOf` |
 * | | `x-waygate-context` | list of strings | the contexts (`view`, `edit`, `embed`) in which the site shows the value |
 * | | `x-waygate-format` | string | the site's format, if the values of responses do not have it |
 * | | `x-waygate-needed` | list of strings | on a body or a part of it: names in `required` or `anyOf` that only the endpoint's code needs, not the index |
 * | `info` of an overlay | `x-waygate-selection` | `{ include, exclude }` | the selection of routes of the run that began the overlay, which names the components |
 * | overlay action | `x-waygate-evidence` | any | the observations that justify the action |
 *
 * This file imports only `json.ts`, so that `model/`, a module below `openapi/`, can import it.
 */
export const EXTENSION_NAMES = {
  site: 'x-waygate',
  methods: 'x-waygate-methods',
  route: 'x-waygate-route',
  alternatives: 'x-waygate-alternatives',
  contexts: 'x-waygate-contexts',
  forced: 'x-waygate-forced',
  errorCodes: 'x-waygate-error-codes',
  allowBatch: 'x-waygate-allow-batch',
  queryAccepted: 'x-waygate-query-accepted',
  openQuery: 'x-waygate-open-query',
  name: 'x-waygate-name',
  unnamed: 'x-waygate-unnamed',
  pcre: 'x-waygate-pcre',
  slashes: 'x-waygate-slashes',
  whole: 'x-waygate-whole',
  partOf: 'x-waygate-part-of',
  default: 'x-waygate-default',
  type: 'x-waygate-type',
  patternProperties: 'x-waygate-pattern-properties',
  exclusive: 'x-waygate-exclusive',
  context: 'x-waygate-context',
  format: 'x-waygate-format',
  needed: 'x-waygate-needed',
  selection: 'x-waygate-selection',
  evidence: 'x-waygate-evidence',
} as const;

/** Any object of a document: the value of an extension, as the table describes it; `undefined` if it has none. */
export function extensionOf(object: JsonObject, name: keyof typeof EXTENSION_NAMES): Json | undefined {
  return object[EXTENSION_NAMES[name]];
}

/** Any object of a document: whether an extension whose only value is `true` is there. */
export function hasMark(object: JsonObject, name: keyof typeof EXTENSION_NAMES): boolean {
  return extensionOf(object, name) === true;
}

/** Root object: the names of the site's namespaces. Anything that is not a string is left out. */
export function getNamespaces(document: JsonObject): readonly string[] {
  return jsonTexts(memberAt(document, EXTENSION_NAMES.site, 'namespaces'));
}

/** Root object: the URL of the site's front page; `undefined` if the document does not state it. */
export function getSiteBase(document: JsonObject): string | undefined {
  const base = memberAt(document, EXTENSION_NAMES.site, 'site', 'base');
  return typeof base === 'string' && URL.canParse(base) ? base : undefined;
}

/** Root object: adds that the index was read with the credentials of a user, on whom it can depend. */
export function withReadAsUser<Document extends JsonObject>(document: Document): Document {
  const site = toJsonObject(document[EXTENSION_NAMES.site]);
  return { ...document, [EXTENSION_NAMES.site]: { ...site, readAsUser: true } };
}

/** Root object: whether the index was read with the credentials of a user. */
export function isReadAsUser(document: JsonObject): boolean {
  return memberAt(document, EXTENSION_NAMES.site, 'readAsUser') === true;
}

/** Operation: the routes that share it; empty if only one route has the operation. */
export function getAlternatives(operation: JsonObject): readonly Json[] {
  return jsonItems(operation[EXTENSION_NAMES.alternatives]);
}

/** Operation: a reference to the component of each context that a client can choose. Other entries are left out. */
export function getContexts(operation: JsonObject): ReadonlyMap<string, string> {
  const references = new Map<string, string>();
  for (const [context, component] of jsonMembers(operation[EXTENSION_NAMES.contexts])) {
    const reference = memberAt(component, '$ref');
    if (typeof reference === 'string') references.set(context, reference);
  }
  return references;
}

/** Operation: whether the site refuses the deletion without `force=true`. */
export function isForceRequired(operation: JsonObject): boolean {
  return memberAt(operation, EXTENSION_NAMES.forced, 'required') === true;
}

/** DELETE operation: the reference of the schema of the response to `force=true`; `undefined` if that is unknown. */
export function getForcedReference(operation: JsonObject): string | undefined {
  const reference = memberAt(operation, EXTENSION_NAMES.forced, 'schema', '$ref');
  return typeof reference === 'string' ? reference : undefined;
}

/** Operation: codes of the errors that the site can send, as far as they are known. */
export function getErrorCodes(operation: JsonObject): readonly string[] {
  return jsonTexts(operation[EXTENSION_NAMES.errorCodes]);
}

/** Parameter: the site's name for it. The parts of a split parameter have the name of the whole. */
export function getParameterName(parameter: JsonObject): Json | undefined {
  return parameter[EXTENSION_NAMES.name] ?? parameter[EXTENSION_NAMES.partOf] ?? parameter['name'];
}

/** Parameter: its schema. The first part of a split parameter has the schema of the whole. */
export function getParameterSchema(parameter: JsonObject): JsonObject {
  const whole = parameter[EXTENSION_NAMES.whole];
  const schema = isJsonObject(whole) ? whole : parameter['schema'];
  return toJsonObject(schema);
}

/** Schema: the default that the site stated, even if the schema rejects it. For WordPress, null is none. */
export function getDeclaredDefault(schema: JsonObject): Json | undefined {
  return schema['default'] ?? schema[EXTENSION_NAMES.default] ?? undefined;
}

/** Schema: the site's pattern for each translated key of `patternProperties`; `undefined` if no key was translated. */
export function getDeclaredPatternProperties(schema: JsonObject): JsonObject | undefined {
  const patterns = schema[EXTENSION_NAMES.patternProperties];
  return isJsonObject(patterns) ? patterns : undefined;
}

/** Whether a keyword anywhere in a schema was translated or changed, so that the schema can accept more than the site. */
export function hasChangedKeywords(schema: Json): boolean {
  return CHANGED_KEYWORD.test(JSON.stringify(schema));
}

/** Matches every extension of a schema except those that change no rule of the site. */
const CHANGED_KEYWORD = /"x-waygate-(?!context|default|exclusive|format)/;

/** Whether a keyword of a schema validates nothing. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  EXTENSION_NAMES.default,
  EXTENSION_NAMES.context,
  EXTENSION_NAMES.format,
]);

/** Schema of a body: the names in `required` or `anyOf` that WordPress does not require, so that the site has an error of its own. */
export function getNeededNames(schema: JsonObject): ReadonlySet<Json> {
  const names = schema[EXTENSION_NAMES.needed];
  return new Set(Array.isArray(names) ? names : []);
}
