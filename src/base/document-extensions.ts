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

/** Names of the extensions with data for the gateway that OpenAPI can't express. */
export const EXTENSION_NAMES = {
  /** Root: `format`, the site's address, namespaces and routes, `options` (what only `OPTIONS` responses state), and whether the index was `readAsUser`. */
  site: 'x-waygate',
  /** Path item: operations by method that it has no field for. */
  methods: 'x-waygate-methods',
  route: 'x-waygate-route',
  /** Operation: complete routes that share it, in the site's order. */
  alternatives: 'x-waygate-alternatives',
  contexts: 'x-waygate-contexts',
  /** DELETE: `schema` of the response to `force=true`; `required` if the site refuses without it. */
  forced: 'x-waygate-forced',
  errorCodes: 'x-waygate-error-codes',
  allowBatch: 'x-waygate-allow-batch',
  /** Operation: `true` if the query can carry the fields of the body. */
  queryAccepted: 'x-waygate-query-accepted',
  /** Operation: `true` if it declares no arguments, so it can read any from the query. */
  openQuery: 'x-waygate-open-query',
  /** Parameter: the site's name, if the path template has another one. */
  name: 'x-waygate-name',
  /** Parameter: `true` if the site's group has no name, so the site doesn't read the value. */
  unnamed: 'x-waygate-unnamed',
  /** Parameter: the pattern of the site's group. Schema: the site's pattern, if `pattern` isn't the same. */
  pcre: 'x-waygate-pcre',
  /** Parameter: `true` if values can contain `/`. */
  slashes: 'x-waygate-slashes',
  /** Schema: a default that the schema rejects; null stands for none. */
  default: 'x-waygate-default',
  /** Schema: the site's `type`, if it was changed; null if the site stated none. */
  type: 'x-waygate-type',
  /** Schema: the site's pattern for each key of `patternProperties`. */
  patternProperties: 'x-waygate-pattern-properties',
  /** Schema: `true` if the site accepts a value only if exactly one member of `anyOf` matches. */
  exclusive: 'x-waygate-exclusive',
  /** Schema: contexts (`view`, `edit`, `embed`) that show the value. */
  context: 'x-waygate-context',
  /** Schema: the site's format, if values of responses don't have it. */
  format: 'x-waygate-format',
  /** Parameter: `true`, body: names, if only the endpoint's code requires it. */
  needed: 'x-waygate-needed',
  /** `info` of an overlay: `{ include, exclude }` of the first run, which names the components. */
  selection: 'x-waygate-selection',
  /** Operation: `{ description, permission?, isForNobody? }`, who can run it. */
  access: 'x-waygate-access',
  /** Operation: `read`, `draft`, `publish`, `manage` or `delete`, what an assistant needs to call it. */
  level: 'x-waygate-level',
  /** Operation: the operation at the same path that PHP handles with the same callback and arguments. */
  twinOf: 'x-waygate-twin-of',
  /** `info` of an overlay: operations that reconcile has compared with a response. */
  compared: 'x-waygate-compared',
  /** Action of an overlay: observations that justify it. */
  evidence: 'x-waygate-evidence',
} as const;

export function extensionOf(object: JsonObject, name: keyof typeof EXTENSION_NAMES): Json | undefined {
  return object[EXTENSION_NAMES[name]];
}

export function hasMark(object: JsonObject, name: keyof typeof EXTENSION_NAMES): boolean {
  return extensionOf(object, name) === true;
}

export function getNamespaces(document: JsonObject): readonly string[] {
  return jsonTexts(memberAt(document, EXTENSION_NAMES.site, 'namespaces'));
}

/** What only `OPTIONS` responses state, by the pattern of the route. */
export function getAdditions(document: JsonObject): Json | undefined {
  return memberAt(document, EXTENSION_NAMES.site, 'options');
}

export function withReadAsUser<Document extends JsonObject>(document: Document): Document {
  const site = toJsonObject(document[EXTENSION_NAMES.site]);
  return { ...document, [EXTENSION_NAMES.site]: { ...site, readAsUser: true } };
}

export function isReadAsUser(document: JsonObject): boolean {
  return memberAt(document, EXTENSION_NAMES.site, 'readAsUser') === true;
}

export function getAlternatives(operation: JsonObject): readonly Json[] {
  return jsonItems(operation[EXTENSION_NAMES.alternatives]);
}

export function getContexts(operation: JsonObject): ReadonlyMap<string, string> {
  const references = new Map<string, string>();
  for (const [context, component] of jsonMembers(operation[EXTENSION_NAMES.contexts])) {
    const reference = memberAt(component, '$ref');
    if (typeof reference === 'string') references.set(context, reference);
  }
  return references;
}

export function isForceRequired(operation: JsonObject): boolean {
  return memberAt(operation, EXTENSION_NAMES.forced, 'required') === true;
}

export function getForcedReference(operation: JsonObject): string | undefined {
  const reference = memberAt(operation, EXTENSION_NAMES.forced, 'schema', '$ref');
  return typeof reference === 'string' ? reference : undefined;
}

export function getErrorCodes(operation: JsonObject): readonly string[] {
  return jsonTexts(operation[EXTENSION_NAMES.errorCodes]);
}

export function getParameterName(parameter: JsonObject): Json | undefined {
  return parameter[EXTENSION_NAMES.name] ?? parameter['name'];
}

/** The site's default, even if the schema rejects it. For WordPress, null is none. */
export function getDeclaredDefault(schema: JsonObject): Json | undefined {
  return schema['default'] ?? schema[EXTENSION_NAMES.default] ?? undefined;
}

export function getDeclaredPatternProperties(schema: JsonObject): JsonObject | undefined {
  const patterns = schema[EXTENSION_NAMES.patternProperties];
  return isJsonObject(patterns) ? patterns : undefined;
}

export function hasChangedKeywords(schema: Json): boolean {
  return CHANGED_KEYWORD.test(JSON.stringify(schema));
}

const CHANGED_KEYWORD = /"x-waygate-(?!context|default|exclusive|format)/;

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  EXTENSION_NAMES.default,
  EXTENSION_NAMES.context,
  EXTENSION_NAMES.format,
]);

/** Names that WordPress doesn't require, so the site has its own error. */
export function getNeededNames(schema: JsonObject): ReadonlySet<Json> {
  const names = schema[EXTENSION_NAMES.needed];
  return new Set(Array.isArray(names) ? names : []);
}
