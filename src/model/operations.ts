import type { JsonObject } from '../json.ts';
import type { AnalyzedRoute, AnalyzedVariant } from './analyze-route.ts';
import { toArgumentField, toObjectSchema, toPathParameter } from './argument-fields.ts';
import { findLendingRoute } from './conventions/borrowed-responses.ts';
import { NamingInput } from './naming/phrase.ts';
import { type ReachableEndpoint, rootIndexPointer } from './reachable-endpoints.ts';
import type { ResourceRegistry } from './resources.ts';
import { type CollectionEvidence, inferResponseModel } from './responses.ts';
import type { NormalizedArgument, Normalizer } from './schema/normalizer.ts';
import type { ArgumentField, BodyModel, RouteOperation, SiteResource } from './site.ts';
import { removeParameterNames, type TemplateGroup, type TemplateMember } from './templates.ts';
import { detectUpload } from './uploads.ts';

/** An operation without its name and summary. */
export interface UnnamedOperation {
  readonly namingInput: NamingInput;
  readonly operation: Omit<RouteOperation, 'id' | 'summary'>;
}

/** The normalizer, resources and templates that all routes of one site share. */
export interface ModelContext {
  readonly normalizer: Normalizer;
  readonly resourceRegistry: ResourceRegistry;
  /** The anonymous template of every path with the title of its schema: `/posts/{} post`. Indicates collections. */
  readonly titledTemplates: ReadonlySet<string>;
}

/** A route with its normalized schemas. All paths of the route share the schemas. */
export interface NormalizedRoute {
  readonly analyzed: AnalyzedRoute;
  readonly resource: SiteResource | undefined;
  readonly args: ReadonlyMap<ReachableEndpoint, readonly NormalizedArgument[]>;
  /** Body schemas by endpoint and field names. Paths with the same fields share one schema. */
  readonly bodySchemas: Map<string, JsonObject>;
}

/** What the operations of one route need to know about the others. */
export interface OperationContext extends Pick<ModelContext, 'titledTemplates'> {
  /** The routes with a resource by their anonymous templates. */
  readonly lenders: ReadonlyMap<string, NormalizedRoute>;
}

/** Methods whose arguments are sent in the body. */
const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Normalizes the response schema and the arguments of a route. */
export function normalizeRouteSchemas(
  analyzed: AnalyzedRoute,
  { normalizer, resourceRegistry }: ModelContext,
): NormalizedRoute {
  const { route, endpoints, variants } = analyzed;
  const args = new Map(
    endpoints.map((reachable) => {
      const pointer = `${rootIndexPointer(route, reachable.endpoint)}/args`;
      const { args: declared } = reachable.endpoint;
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

/** Creates the operations at one path of a route, in the site's order. */
export function createOperations(
  member: TemplateMember<AnalyzedVariant>,
  { template, anonymousTemplate }: TemplateGroup<AnalyzedVariant>,
  normalized: NormalizedRoute,
  { lenders, titledTemplates }: OperationContext,
): readonly UnnamedOperation[] {
  const { analyzed } = normalized;
  const { route } = analyzed;
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const { isMaybeEmpty, resource, title } = findResource(normalized, anonymousTemplate, lenders);
  const getEndpoint = analyzed.endpoints.find(({ methods }) => methods.includes('GET'));
  const facts: CollectionEvidence = {
    namespace: route.namespace,
    anonymousTemplate,
    title,
    isMaybeEmpty,
    hasItemRoute: titledTemplates.has(`${anonymousTemplate}/{} ${title}`),
    isReadable: getEndpoint !== undefined,
  };
  const naming = {
    namespace: route.namespace,
    template: member.route.variant.template,
    routeMethods: [...analyzed.methods],
    argumentNamesOfGet: getEndpoint?.endpoint.args.map(({ name }) => name) ?? [],
  };
  const inPath = new Set(member.parameters.map(({ parameter }) => parameter.groupName));
  return analyzed.endpoints.flatMap((reachable) => {
    const { endpoint, methods } = reachable;
    const args = normalized.args.get(reachable) ?? [];
    const byName = new Map(args.map((argument) => [argument.name, argument]));
    const path = member.parameters.map((parameter, index) =>
      toPathParameter(parameter, names[index] ?? parameter.parameter.name, byName),
    );
    const fields = args
      .filter(({ name }) => !inPath.has(name))
      .map((argument) => toArgumentField(argument, route.pattern));
    return methods.map((method): UnnamedOperation => {
      const hasBody = BODY_METHODS.has(method);
      const body = hasBody ? createBody(normalized, reachable, method, anonymousTemplate, fields) : undefined;
      return {
        namingInput: new NamingInput({ ...naming, method, endpointMethods: methods }),
        operation: {
          pattern: route.pattern,
          namespace: route.namespace,
          method,
          allowBatch: endpoint.allowBatch,
          path,
          query: hasBody ? [] : fields,
          ...(body === undefined ? {} : { body }),
          response: inferResponseModel(method, endpoint, facts, resource),
        },
      };
    });
  });
}

/** The resource of a route; if its schema is not stated, that of the route whose resource it is known to return. */
function findResource(
  { analyzed, resource }: NormalizedRoute,
  anonymousTemplate: string,
  lenders: OperationContext['lenders'],
): Pick<NormalizedRoute, 'resource'> & Pick<CollectionEvidence, 'isMaybeEmpty' | 'title'> {
  const own = { resource, title: readTitle(analyzed), isMaybeEmpty: false };
  if (resource !== undefined) return own;
  const endpoints = analyzed.endpoints.map(({ endpoint }) => endpoint);
  const lending = findLendingRoute(anonymousTemplate, endpoints);
  const lender = lending === undefined ? undefined : lenders.get(lending.template);
  return lending === undefined || lender?.resource === undefined
    ? own
    : {
        resource: lender.resource,
        title: readTitle(lender.analyzed),
        isMaybeEmpty: lending.isMaybeEmpty,
      };
}

/** Lists the entries of `ModelContext.titledTemplates` for a route. */
export function listTitledTemplates(analyzed: AnalyzedRoute): readonly string[] {
  const title = readTitle(analyzed);
  return title === ''
    ? []
    : analyzed.variants.map(({ template }) => `${removeParameterNames(template)} ${title}`);
}

function createBody(
  { analyzed, bodySchemas }: NormalizedRoute,
  { endpoint }: ReachableEndpoint,
  method: string,
  anonymousTemplate: string,
  fields: readonly ArgumentField[],
): BodyModel | undefined {
  const upload = detectUpload(method, endpoint, anonymousTemplate, analyzed.route.schema);
  // An endpoint without declared arguments may read any field. If all declared ones are in the path, it reads no others.
  if (endpoint.args.length > 0 && fields.length === 0 && upload === 'none') return undefined;
  const key = JSON.stringify([endpoint.listIndex, ...fields.map(({ name }) => name)]);
  const schema = bodySchemas.get(key) ?? toObjectSchema(fields);
  bodySchemas.set(key, schema);
  return { schema, upload };
}

function readTitle({ route }: AnalyzedRoute): string {
  const title = route.schema?.['title'];
  return typeof title === 'string' ? title : '';
}
