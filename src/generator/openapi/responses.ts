import { EXTENSION_NAMES, getNeededNames } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  mapMembers,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import data from '../model/conventions/error-codes.json' with { type: 'json' };
import { LINK_SCHEMA } from '../model/conventions/known-responses.ts';
import type { LinkConvention } from '../model/conventions/resource-conventions.ts';
import { expandSchema } from '../model/conventions/schema-notation.ts';
import { typesOf } from '../model/schema/keywords.ts';
import type {
  EmbeddedRelation,
  ResourceContext,
  ResponseModel,
  RouteOperation,
  SiteResource,
} from '../model/site.ts';
import common from './common-components.json' with { type: 'json' };
import type { ComponentRegistry } from './component-registry.ts';
import { contentSchemaOf } from './document-objects.ts';

/** Errors of `rest_convert_error_to_response`, has_valid_params() and sanitize_params(). */
type CommonSchema = keyof typeof common.schemas | 'Link';

/** Names that no resource gets, because any operation can send these. */
export const COMMON_RESPONSE_SCHEMAS: { readonly [name: string]: JsonObject } = {
  ...mapMembers<Json, JsonObject>(common.schemas, (_, schema) => expandSchema(schema, common.definitions)),
  Link: LINK_SCHEMA,
};

export interface BulkSchemas {
  readonly body: JsonObject;
  readonly result: JsonObject;
}

function idOf(operation: Json | undefined): JsonObject {
  const inPath = jsonItems(memberAt(operation, 'parameters')).filter(
    (each) => memberAt(each, 'in') === 'path',
  );
  const types = typesOf(toJsonObject(memberAt(inPath.at(-1), 'schema')));
  const isNumber = types.length === 0 || types.includes('integer');
  const type = operation === undefined ? ['integer', 'string'] : isNumber ? 'integer' : 'string';
  return { description: 'The id of the item.', type };
}

export class ResponseSchemas {
  readonly components: ComponentRegistry;

  constructor(components: ComponentRegistry) {
    this.components = components;
  }

  /** @param bulk schema of the response of a bulk route */
  createResponsesObject(route: RouteOperation, bulk: JsonObject = {}): JsonObject {
    const { response } = route;
    const schema = response.kind === 'bulk' ? bulk : this.createSuccessSchema(response);
    const mediaType = response.kind === 'known' ? response.mediaType : 'application/json';
    const success = omitUndefined({
      description: successDescription(response),
      headers: 'isPaged' in response && response.isPaged ? this.#createPagingHeaders() : undefined,
      content: schema === undefined ? undefined : { [mediaType]: { schema } },
    });
    const statuses =
      response.kind === 'known' ? [response.status] : (SUCCESS_STATUSES[response.kind] ?? ['200']);
    const successes = statuses.map((status): [string, Json] => [status, success]);
    return toResponses([...successes, ...this.#createErrorResponses(route)]);
  }

  createSuccessSchema(response: ResponseModel): JsonObject | undefined {
    switch (response.kind) {
      case 'open':
      case 'bulk':
        return undefined;
      case 'batch':
        return this.#registerCommon('BatchResult');
      case 'item':
      case 'created':
      case 'updated': {
        const item = this.#contextComponent(response);
        return response.isMaybeEmpty ? { anyOf: [item, EMPTY_OBJECT_SCHEMA] } : item;
      }
      case 'list':
        return { type: 'array', items: this.#contextComponent(response) };
      case 'either': {
        const item = this.#contextComponent(response);
        return { anyOf: [item, { type: 'array', items: item }] };
      }
      case 'known': {
        if (response.status === '204') return undefined;
        const schema = this.components.registerSchema(response.name, response.schema);
        return response.isList ? { type: 'array', items: schema } : schema;
      }
      case 'keyed': {
        const map = { type: 'object', additionalProperties: this.#contextComponent(response) };
        const kind = response.resource.convention?.kind;
        // PHP encodes an empty map as an empty list.
        if (kind !== undefined && NEVER_EMPTY.has(kind)) return map;
        return { anyOf: [map, { type: 'array', items: {}, maxItems: 0 }] };
      }
      case 'deleted': {
        const item = this.#contextComponent(response);
        if (response.deletion === 'item') return item;
        const deleted = this.#registerDeleted(response);
        return response.deletion === 'for-good' ? deleted : { anyOf: [deleted, item] };
      }
    }
  }

  /**
   * Lists of what the operations of a collection and its items take and return. The site doesn't declare, and so
   * doesn't validate, the fields of a bulk operation. Without operations, the lists are open.
   */
  createBulkSchemas(name: string, collection: JsonObject = {}, item: JsonObject = {}): BulkSchemas {
    const lists = [
      ['create', collection['post'], 'The items to create.'],
      ['update', item['put'], 'The items to change, with their ids.'],
      ['delete', item['delete'], 'The ids of items to delete for good.'],
    ] as const;
    const isOpen = lists.every(([, operation]) => operation === undefined);
    const id = idOf(item['put'] ?? item['delete']);
    const error = this.#registerCommon(id['type'] === 'string' ? 'BulkNamedItemError' : 'BulkItemError');
    const taken: { [name: string]: JsonObject } = {};
    const returned: { [name: string]: JsonObject } = {};
    for (const [list, operation, description] of lists) {
      if (operation === undefined && !isOpen) continue;
      const fields = contentSchemaOf(memberAt(operation, 'requestBody')) ?? { type: 'object' };
      const change = [{ type: 'object', properties: { id }, required: ['id'] }, fields];
      const items = { create: fields, update: { allOf: change }, delete: id }[list];
      taken[list] = { description, type: 'array', items, [EXTENSION_NAMES.type]: null };
      const [, success] =
        jsonMembers(memberAt(operation, 'responses')).find(([status]) => status.startsWith('2')) ?? [];
      const deleted = memberAt(operation, EXTENSION_NAMES.forced, 'schema');
      const result = list === 'delete' ? deleted : contentSchemaOf(success);
      returned[list] = { type: 'array', items: result === undefined ? {} : { anyOf: [result, error] } };
    }
    const result = {
      description: 'A list that was not sent is absent.',
      type: 'object',
      properties: returned,
    };
    return {
      body: this.components.registerSchema(`${name}Body`, { type: 'object', properties: taken }),
      result: this.components.registerSchema(`${name}Result`, result),
    };
  }

  /** Requires nothing, because deletions of plugins can have another shape. */
  #registerDeleted(response: DeletedResponse): JsonObject {
    const { deletion, resource } = response;
    const flag = resource.convention?.deletedFlag ?? 'deleted';
    const context = defaultContext(response);
    return this.components.registerSchemaOf(resource.contexts, `Deleted${resource.name}`, () => ({
      description: 'Confirms that the resource was deleted for good.',
      type: 'object',
      properties: {
        [flag]: {
          ...(deletion === 'unknown' ? { type: 'boolean' } : { type: 'boolean', const: true }),
          description: 'True: the resource was deleted.',
        },
        previous: context === undefined ? {} : this.#createUnlinkedSchema(resource, context),
      },
      ...(deletion === 'unknown' ? {} : { required: [flag, 'previous'] }),
    }));
  }

  createForcedExtension(response: ResponseModel): JsonObject | undefined {
    if (response.kind !== 'deleted' || response.deletion === 'unknown') return undefined;
    const isItem = response.deletion === 'item';
    const schema = isItem ? this.#contextComponent(response) : this.#registerDeleted(response);
    return { schema, ...(response.needsForce ? { required: true } : {}) };
  }

  createContextReferences(response: ResponseModel): JsonObject | undefined {
    if (!('resource' in response) || otherContexts(response).length === 0) return undefined;
    return Object.fromEntries(
      response.resource.contexts.map((each) => [
        each.context,
        this.#registerResource(response.resource, each),
      ]),
    );
  }

  #contextComponent(response: ResourceResponse): JsonObject {
    const current = defaultContext(response);
    return current === undefined ? {} : this.#registerResource(response.resource, current);
  }

  #createPagingHeaders(): JsonObject {
    return mapMembers(common.headers, (name, { description, schema }) =>
      this.components.registerComponent('headers', name, { description, schema: expandSchema(schema) }),
    );
  }

  #registerResource(resource: SiteResource, context: ResourceContext): JsonObject {
    const shared = resource.contexts.find(({ name }) => name === context.name) ?? context;
    return this.components.registerSchemaOf(shared, shared.name, () => this.#addLinks(resource, shared));
  }

  #createUnlinkedSchema(resource: SiteResource, context: ResourceContext): JsonObject {
    const links = resource.convention?.links;
    const isLinked = links !== undefined && links.always.length > 0;
    return isLinked ? context.schema : this.#registerResource(resource, context);
  }

  #addLinks(resource: SiteResource, { context, schema }: ResourceContext): JsonObject {
    const { properties, required } = schema;
    const { convention } = resource;
    const links = convention?.links;
    const hasLinks = convention === undefined || links !== undefined;
    if (!hasLinks || !isJsonObject(properties) || Object.hasOwn(properties, '_links')) return schema;
    const added: { [name: string]: Json } = { _links: this.#registerLinks(links) };
    if (context !== 'embed' && resource.embedded.length > 0 && !Object.hasOwn(properties, '_embedded')) {
      added['_embedded'] = this.#createEmbeddedReference(resource);
    }
    const isAlwaysLinked = links !== undefined && links.always.length > 0;
    const all = { ...schema, properties: { ...properties, ...added } };
    return isAlwaysLinked ? { ...all, required: [...jsonItems(required), '_links'] } : all;
  }

  #registerLinks(links: LinkConvention = ANY_LINKS): JsonObject {
    const name = links.name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return this.components.registerSchemaOf(links, `${name}Links`, () => {
      const { always, embeddable, sometimes } = links;
      const list: JsonObject = { type: 'array', items: this.#registerCommon('Link') };
      const others = [...sometimes, ...embeddable.map(({ relation }) => relation)];
      const properties = Object.fromEntries([...always, ...others].map((relation) => [relation, list]));
      return {
        description: `The links of ${links === ANY_LINKS ? 'a' : 'the'} resource by relation.`,
        type: 'object',
        ...(always.length > 0 ? { required: always } : {}),
        ...(always.length + others.length > 0 ? { properties } : {}),
        // Some generators declare an index signature that contradicts relations which can be missing.
        additionalProperties: others.length > 0 ? true : list,
      };
    });
  }

  /** Each relation has a value for each link; one that can't be read is an error. */
  #createEmbeddedReference(resource: SiteResource): JsonObject {
    return this.components.registerSchemaOf(resource.embedded, `${resource.name}Embedded`, () => ({
      description: 'The linked resources that `_embed` requests, by relation. An unreadable one is an error.',
      type: 'object',
      properties: Object.fromEntries(
        resource.embedded.map((relation) => [relation.relation, this.#createRelationSchema(relation)]),
      ),
    }));
  }

  #createRelationSchema({ isCollection, resources }: EmbeddedRelation): JsonObject {
    const targets = resources.flatMap((target) => {
      const context = target.contexts.find((each) => each.context === 'embed') ?? target.contexts[0];
      return context === undefined ? [] : [this.#registerResource(target, context)];
    });
    // For relations whose route is missing or undescribed.
    const anything = (): JsonObject => ({
      description: 'A resource that the site does not describe.',
      type: 'object',
      properties: { _links: this.#registerLinks() },
      additionalProperties: true,
    });
    const known = [...new Map(targets.map((target) => [target['$ref'], target])).values()];
    const distinct =
      known.length > 0
        ? known
        : [this.components.registerSchemaOf(ANY_RESOURCE, 'EmbeddedResource', anything)];
    const error = this.#registerCommon('Error');
    if (!isCollection) return { type: 'array', items: { anyOf: [...distinct, error] } };
    const [only, ...others] = distinct;
    const items: JsonObject = others.length === 0 ? (only ?? {}) : { anyOf: distinct };
    return { type: 'array', items: { anyOf: [{ type: 'array', items }, error] } };
  }

  #registerCommon(name: CommonSchema): JsonObject {
    return this.components.registerSchema(name, COMMON_RESPONSE_SCHEMAS[name] ?? {});
  }

  #createErrorResponses(route: RouteOperation): readonly (readonly [status: string, response: Json])[] {
    const refer = (name: string, description: string, ...kinds: readonly CommonSchema[]): JsonObject => {
      const [only = {}, ...others] = kinds.map((kind) => this.#registerCommon(kind));
      const schema = others.length === 0 ? only : { anyOf: [only, ...others] };
      const content = { 'application/json': { schema } };
      return this.components.registerComponent('responses', name, { description, content });
    };
    // Generators such as oazapfts and orval do not read `4XX`.
    const failed = ['default', refer('Error', 'The request failed.', 'Error')] as const;
    if (!hasArguments(route)) return [failed];
    const say = (state: string): string => `A parameter is ${state}, or the request cannot be served.`;
    const missing = ['InvalidParamError', 'MissingCallbackParamError', 'Error'] as const;
    const invalid = hasRequired(route)
      ? refer('InvalidOrMissingParam', say('invalid or missing'), ...missing)
      : refer('InvalidParam', say('invalid'), 'InvalidParamError', 'Error');
    return [['400', invalid], failed];
  }
}

/** A large number first makes V8 use a hash table, not 5 KB of array elements. */
export function toResponses(responses: readonly (readonly [status: string, response: Json])[]): JsonObject {
  const object: { [status: string]: Json } = { 999999: null };
  for (const [status, response] of responses) object[status] = response;
  delete object['999999'];
  return object;
}

const EMPTY_OBJECT_SCHEMA: JsonObject = { type: 'object', additionalProperties: false };

/** Maps that always have a member, e.g. `post`; taxonomies are cast to an object. */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['type', 'status', 'taxonomy']);

type DeletedResponse = Extract<ResponseModel, { readonly kind: 'deleted' }>;

type ResourceResponse = Extract<ResponseModel, { readonly resource: SiteResource }>;

function otherContexts(response: ResourceResponse): readonly ResourceContext[] {
  const current = defaultContext(response);
  return response.canSelectContext
    ? response.resource.contexts.filter(({ name }) => name !== current?.name)
    : [];
}

function defaultContext({ resource, context }: ResourceResponse): ResourceContext | undefined {
  return resource.contexts.find((candidate) => candidate.context === context) ?? resource.contexts[0];
}

/** Successful statuses if not only 200. WordPress's controllers create with 201, many plugins with 200. */
const SUCCESS_STATUSES: { readonly [kind in ResponseModel['kind']]?: readonly string[] } = {
  batch: ['207'],
  created: ['200', '201'],
};

function successDescription(response: ResponseModel): string {
  const others = 'resource' in response ? otherContexts(response) : [];
  const named = others.map(({ context, name }) => `\`${context}\`: ${name}`);
  if (named.length > 0) return `Success. In other contexts: ${named.join(', ')}.`;
  return common.descriptions[response.kind];
}

const ANY_LINKS: LinkConvention = { name: '', always: [], sometimes: [], embeddable: [] };

const ANY_RESOURCE = {};

export function createErrorCodes(routes: readonly RouteOperation[]): readonly string[] | undefined {
  const codes = new Set(routes.flatMap(listErrorCodes));
  return codes.size === 0 ? undefined : [...codes].sort();
}

type Condition = (route: RouteOperation) => boolean;

const isItem: Condition = ({ path }) => path.length > 0;
const isList: Condition = ({ response }) => response.kind === 'list';
const takes = ({ query }: RouteOperation, argument: string): boolean =>
  query.some(({ name }) => name === argument);

const hasArguments: Condition = ({ body, path, query }) =>
  path.length > 0 || query.length > 0 || jsonMembers(body?.schema['properties']).length > 0;

/** Requirements of the endpoint's code have their own errors. */
const hasRequired: Condition = ({ body, query }) => {
  const needed = getNeededNames(body?.schema ?? {});
  const names = jsonItems(body?.schema['required']);
  return query.some(({ required }) => required) || names.some((name) => !needed.has(name));
};

const CONDITIONS: Readonly<Record<string, Condition>> = {
  item: isItem,
  creation: (route) => route.method === 'POST' && !isItem(route),
  list: isList,
  pages: (route) => isList(route) && takes(route, 'page'),
  context: (route) => takes(route, 'context'),
  singleton: (route) => !isItem(route) && !isList(route) && route.response.kind !== 'created',
  arguments: hasArguments,
  required: hasRequired,
  body: ({ body }) => body !== undefined,
};

const SCOPE =
  /^(?<methods>[A-Z]+(?: [A-Z]+)*)? ?(?:of (?<kinds>.+?))? ?(?:at (?<routes>\S+))? ?(?:if (?<when>\w+))?$/;

/** By methods, kinds, a plugin's routes and a condition: `GET HEAD of post term at ^/wc/ if item`. */
const CONVENTIONS = Object.entries(data).map(([scope, sources]) => {
  const { kinds, methods, routes, when = '' } = SCOPE.exec(scope)?.groups ?? {};
  return {
    codes: Object.keys(sources).flatMap((codes) => codes.split(' ')),
    kinds: kinds?.split(' '),
    methods: methods?.split(' '),
    routes: routes === undefined ? undefined : new RegExp(routes),
    applies: CONDITIONS[when],
  };
});

function listErrorCodes(route: RouteOperation): readonly string[] {
  const { method, pattern, response } = route;
  const { kind = '' } = 'resource' in response ? (response.resource.convention ?? {}) : {};
  return CONVENTIONS.filter(
    ({ applies, kinds, methods, routes }) =>
      (kinds === undefined || kinds.includes(kind)) &&
      (methods === undefined || methods.includes(method)) &&
      (routes === undefined || routes.test(pattern)) &&
      (applies === undefined || applies(route)),
  ).flatMap(({ codes }) => codes);
}
