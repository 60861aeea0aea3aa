import { EXTENSION_NAMES, extensionOf, getDeclaredDefault } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { IndexEndpoint, IndexRoute } from '../discovery/site.ts';
import {
  findKnownArguments,
  type KnownArguments,
  withKnownTypes,
  withKnownValues,
} from './conventions/argument-conventions.ts';
import { findLendingRoute } from './conventions/known-responses.ts';
import { withFieldChoices } from './conventions/resource-conventions.ts';
import { type NamingInput, toNamingInput } from './naming/names.ts';
import { listItemsOf, type ResourceRegistry } from './resources.ts';
import { BODY_METHODS, type CollectionEvidence, inferResponseModel, isBulkRoute } from './responses.ts';
import {
  type AnalyzedRoute,
  type ReachableEndpoint,
  type RouteParameter,
  type RouteVariant,
  rootIndexPointer,
} from './routes.ts';
import type { NormalizedArgument, Normalizer } from './schema/normalizer.ts';
import {
  type ArgumentField,
  type BodyModel,
  type PathParameter,
  parameterNamesOf,
  type ResponseModel,
  type RouteOperation,
  removeParameterNames,
  type SiteResource,
} from './site.ts';

export interface UnnamedOperation {
  readonly namingInput: NamingInput;
  readonly operation: Omit<RouteOperation, 'id' | 'summary'>;
}

export interface NormalizedRoute {
  readonly analyzed: AnalyzedRoute;
  readonly resource: SiteResource | undefined;
  readonly args: ReadonlyMap<ReachableEndpoint, readonly NormalizedArgument[]>;
  readonly bodySchemas: Map<string, JsonObject>;
}

interface OperationContext {
  /** E.g. `/posts/{} post`, which indicates a collection. */
  readonly titledTemplates: ReadonlySet<string>;
  readonly lenders: ReadonlyMap<string, NormalizedRoute>;
}

export function normalizeRouteSchemas(
  analyzed: AnalyzedRoute,
  normalizer: Normalizer,
  resourceRegistry: ResourceRegistry,
): NormalizedRoute {
  const { route, endpoints, variants } = analyzed;
  const args = new Map(
    endpoints.map((reachable) => {
      const pointer = `${rootIndexPointer(route, reachable.endpoint)}/args`;
      const declared = reachable.endpoint.args.map(({ declaration, name }) => ({
        name,
        declaration: withFieldChoices(declaration),
      }));
      return [reachable, normalizer.normalizeArguments(declared, { route: route.pattern, pointer })] as const;
    }),
  );
  const anonymousTemplate = removeParameterNames(variants[0]?.template ?? route.pattern);
  return {
    analyzed,
    resource: resourceRegistry.getOrCreate(route, anonymousTemplate),
    args,
    bodySchemas: new Map(),
  };
}

interface NormalizedVariant {
  readonly normalized: NormalizedRoute;
  readonly variant: RouteVariant;
}

export function createOperations(
  { normalized, variant }: NormalizedVariant,
  { template, anonymousTemplate }: { readonly template: string; readonly anonymousTemplate: string },
  { lenders, titledTemplates }: OperationContext,
): readonly UnnamedOperation[] {
  const { analyzed } = normalized;
  const { route } = analyzed;
  const names = parameterNamesOf(template);
  const { lending, resource, title } = findResource(normalized, anonymousTemplate, lenders);
  const getEndpoint = analyzed.endpoints.find(({ methods }) => methods.includes('GET'));
  const facts: CollectionEvidence = {
    namespace: route.namespace,
    anonymousTemplate,
    title,
    lending,
    hasItemRoute: titledTemplates.has(`${anonymousTemplate}/{} ${title}`),
    isReadable: getEndpoint !== undefined,
    isBulk: isBulkRoute(anonymousTemplate, route.schema),
    isList: listItemsOf(route.schema) !== undefined,
  };
  const naming = {
    namespace: route.namespace,
    template: variant.template,
    routeMethods: [...analyzed.methods],
    argumentNamesOfGet: getEndpoint?.endpoint.args.map(({ name }) => name) ?? [],
  };
  const inPath = new Set(variant.parameters.map(({ groupName }) => groupName));
  return analyzed.endpoints.flatMap((reachable) => {
    const { endpoint, methods } = reachable;
    const declared = normalized.args.get(reachable) ?? [];
    const byName = new Map(declared.map((argument) => [argument.name, argument]));
    const path = variant.parameters.map((parameter, index) =>
      toPathParameter(parameter, names[index] ?? parameter.name, byName),
    );
    const fields = declared
      .filter(({ name }) => !inPath.has(name))
      .map((argument) => toArgumentField(argument, route.pattern));
    const isConventional = analyzed.hasCoreSchema === true || lending !== undefined;
    return methods.map((method): UnnamedOperation => {
      const response = inferResponseModel(method, endpoint, facts, resource);
      const hasBody = BODY_METHODS.has(method);
      const conventions = findKnownArguments(method, route.namespace, anonymousTemplate);
      const args = conventions.correct(fields);
      const required = [
        ...new Set([...conventions.required, ...args.filter(isDefaultRefused).map(({ name }) => name)]),
      ];
      const known = { ...conventions, required };
      const body = hasBody
        ? createBody(normalized, reachable, method, anonymousTemplate, args, known, inPath)
        : undefined;
      return {
        namingInput: toNamingInput({ ...naming, method, endpointMethods: methods }),
        operation: {
          pattern: route.pattern,
          namespace: route.namespace,
          method,
          allowBatch: endpoint.allowBatch,
          ...(declaresNothing(endpoint, inPath) && (method === 'GET' || method === 'DELETE')
            ? { isOpen: true }
            : {}),
          path,
          query: hasBody
            ? []
            : args.map((field) =>
                known.required.includes(field.name) && !field.required ? { ...field, isNeeded: true } : field,
              ),
          ...omitUndefined({ body }),
          response,
          typedBy: findSource(response, isConventional),
        },
      };
    });
  });
}

function findSource(response: ResponseModel, isConventional: boolean): RouteOperation['typedBy'] {
  const { kind } = response;
  const isSilent = ({ schema }: { readonly schema: JsonObject }): boolean =>
    !SHAPE_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
  if (kind === 'open' || ('resource' in response && response.resource.contexts.every(isSilent)))
    return 'nobody';
  return isConventional || kind === 'known' || kind === 'batch' || kind === 'bulk' ? 'convention' : 'site';
}

function findResource(
  { analyzed, resource }: NormalizedRoute,
  anonymousTemplate: string,
  lenders: OperationContext['lenders'],
): Pick<NormalizedRoute, 'resource'> & Pick<CollectionEvidence, 'lending' | 'title'> {
  const own = { resource, title: readTitle(analyzed), lending: undefined };
  if (resource !== undefined) return own;
  const endpoints = analyzed.endpoints.map(({ endpoint }) => endpoint);
  const lending = findLendingRoute(anonymousTemplate, endpoints);
  const lender = lending === undefined ? undefined : lenders.get(lending.template);
  if (lender?.resource === undefined) return own;
  return { resource: lender.resource, title: readTitle(lender.analyzed), lending };
}

export function listTitledTemplates(analyzed: AnalyzedRoute): readonly string[] {
  const title = readTitle(analyzed);
  if (title === '') return [];
  return analyzed.variants.map(({ template }) => `${removeParameterNames(template)} ${title}`);
}

function createBody(
  { analyzed, bodySchemas }: NormalizedRoute,
  { endpoint }: ReachableEndpoint,
  method: string,
  anonymousTemplate: string,
  fields: readonly ArgumentField[],
  { required: needed, takesFile, takesList }: KnownArguments,
  inPath: ReadonlySet<string | undefined>,
): BodyModel | undefined {
  const upload = detectUpload(method, fields, anonymousTemplate, analyzed.route.schema, takesFile);
  // Without declared arguments an endpoint can read any field. If all are in the path, it reads no others.
  if (!declaresNothing(endpoint, inPath) && fields.length === 0 && upload === 'none') return undefined;
  const { namespace } = analyzed.route;
  const key = JSON.stringify([endpoint.listIndex, needed, ...fields.map(({ name }) => name)]);
  const schema =
    bodySchemas.get(key) ??
    withKnownValues(toObjectSchema(fields, needed, namespace), namespace, anonymousTemplate);
  bodySchemas.set(key, schema);
  return { schema, isList: takesList, upload };
}

/** WPFluent declares only that names in a path are required. */
function declaresNothing({ args }: IndexEndpoint, inPath: ReadonlySet<string | undefined>): boolean {
  return args.every(
    ({ declaration, name }) =>
      inPath.has(name) && Object.keys(declaration).every((keyword) => keyword === 'required'),
  );
}

function readTitle({ route }: AnalyzedRoute): string {
  const title = route.schema?.['title'];
  return typeof title === 'string' ? title : '';
}

/** A group and its argument have one name. @param name in the template, perhaps of another route */
function toPathParameter(
  parameter: RouteParameter,
  name: string,
  args: ReadonlyMap<string, NormalizedArgument>,
): PathParameter {
  const { canContainSlash, groupName: siteName, pcre } = parameter;
  const declared = siteName === undefined ? undefined : args.get(siteName)?.schema;
  const schema = narrowByGroup(declared, parameter);
  return { name, ...omitUndefined({ siteName, pcre }), canContainSlash, schema };
}

/** Not required with a group of its name, or a default (`WP_REST_Request::has_valid_params`). */
function toArgumentField({ name, required, schema }: NormalizedArgument, pattern: string): ArgumentField {
  const isRequired =
    required && !pattern.includes(`<${name}>`) && (getDeclaredDefault(schema) ?? null) === null;
  return { name, required: isRequired, schema: isRawTextPair(schema) ? toRawText(schema) : schema };
}

/** The site also validates the default, so a wrong one makes the argument required. */
function isDefaultRefused({ schema }: ArgumentField): boolean {
  const value = extensionOf(schema, 'default');
  const words = jsonItems(schema['enum']);
  return typeof value === 'string' && value !== '' && words.length > 0 && !words.includes(value);
}

/** @param needed fields that the endpoint's code requires, although the index does not */
function toObjectSchema(
  fields: readonly ArgumentField[],
  needed: readonly string[],
  namespace: string,
): JsonObject {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const unstated = needed.filter(
    (name) => !required.includes(name) && fields.some((field) => field.name === name),
  );
  return withKnownTypes(
    {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      ...(required.length + unstated.length === 0 ? {} : { required: [...required, ...unstated] }),
      ...(unstated.length === 0 ? {} : { [EXTENSION_NAMES.needed]: unstated }),
    },
    namespace,
  );
}

/** Without these the type comes from the group's pattern. */
const TYPE_KEYWORDS: readonly string[] = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'allOf'];
const SHAPE_KEYWORDS: readonly string[] = [...TYPE_KEYWORDS, 'properties', 'items'];

/** Digits: without a type, a client can pass a number or a string. */
const DIGIT_PATTERNS: ReadonlySet<string> = new Set(['^\\d+$', '^[0-9]+$']);

/** The group's pattern decides whether the route matches; the argument's own goes to `allOf`. */
function narrowByGroup(declared: JsonObject | undefined, { ecmaPattern }: RouteParameter): JsonObject {
  const untyped: JsonObject = DIGIT_PATTERNS.has(ecmaPattern)
    ? { type: ['integer', 'string'], minimum: 0 }
    : { type: 'string' };
  if (declared === undefined) return { ...untyped, pattern: ecmaPattern };
  const {
    default: _,
    [EXTENSION_NAMES.default]: _declared,
    [EXTENSION_NAMES.pcre]: _pcre,
    ...kept
  } = declared;
  const isTyped = TYPE_KEYWORDS.some((keyword) => Object.hasOwn(declared, keyword));
  const schema = { ...(isTyped ? {} : untyped), ...kept };
  const { pattern: argumentPattern, allOf: others } = schema;
  if (typeof argumentPattern !== 'string' || argumentPattern === ecmaPattern)
    return { ...schema, pattern: ecmaPattern };
  const { [EXTENSION_NAMES.pcre]: pcre } = declared;
  const argumentSchema = omitUndefined({ pattern: argumentPattern, [EXTENSION_NAMES.pcre]: pcre });
  return { ...schema, pattern: ecmaPattern, allOf: [...jsonItems(others), argumentSchema] };
}

/** Members of a rendered text; all but `raw` are read-only. */
const RAW_TEXT_PROPERTIES: ReadonlySet<string> = new Set(['raw', 'rendered', 'protected', 'block_version']);

const RAW_TEXT_TYPES: ReadonlySet<unknown> = new Set(['object', 'string']);

/** A text such as `title` whose schema is that of the response, `{ raw, rendered }`. */
function isRawTextPair(schema: JsonObject): boolean {
  const { properties, type } = schema;
  if (!isJsonObject(properties) || extensionOf(schema, 'type') !== undefined) return false;
  const types = Array.isArray(type) ? type : [type];
  return (
    memberAt(properties, 'raw', 'type') === 'string' &&
    Object.keys(properties).every((name) => RAW_TEXT_PROPERTIES.has(name)) &&
    types.includes('object') &&
    types.every((word) => RAW_TEXT_TYPES.has(word))
  );
}

/** `WP_REST_Posts_Controller::prepare_item_for_database` reads a string, or an object with `raw`. */
function toRawText(schema: JsonObject): JsonObject {
  const { properties, type = null } = schema;
  const read = { properties: { raw: memberAt(properties, 'raw') ?? {} }, type: ['string', 'object'] };
  return { ...schema, ...read, [EXTENSION_NAMES.type]: type };
}

/** Whether an endpoint accepts a file, which the index doesn't state. PHP parses multipart bodies only of POST. */
function detectUpload(
  method: string,
  fields: readonly ArgumentField[],
  anonymousTemplate: string,
  schema: IndexRoute['schema'],
  isKnown: boolean,
): BodyModel['upload'] {
  if (method !== 'POST') return 'none';
  const properties = toJsonObject(schema?.['properties']);
  const isFileResource =
    Object.hasOwn(properties, 'source_url') &&
    ['mime_type', 'media_type', 'media_details'].some((name) => Object.hasOwn(properties, name));
  if (!anonymousTemplate.endsWith('}') && isFileResource) return 'file';
  if (fields.some((field) => isFile(field.schema) || isFile(field.schema['items']))) return 'named';
  return isKnown || /(?:^|[/_-])uploads?(?:$|[/_-])/i.test(anonymousTemplate) ? 'form' : 'none';
}

function isFile(schema: Json | undefined): boolean {
  return memberAt(schema, 'format') === 'binary';
}
