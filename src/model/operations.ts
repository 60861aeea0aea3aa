import type { JsonObject } from '../json.ts';
import type { AnalyzedRoute, RoutePath } from './analyze-route.ts';
import { toField, toObjectSchema, toPathParameter } from './fields.ts';
import type { NamingInput } from './naming/path.ts';
import { indexPointer, type ReachableEndpoint } from './reachable-endpoints.ts';
import type { ResourceRegistry } from './resources.ts';
import { describeResponse, type PathFacts } from './responses.ts';
import type { NormalizedArgument, Normalizer } from './schema/normalizer.ts';
import type { ArgumentField, BodyModel, RouteOperation, SiteResource } from './site.ts';
import { type TemplateGroup, type TemplateMember, templateShape } from './templates.ts';
import { detectUpload } from './uploads.ts';

/** An operation without its name and summary. */
export interface UnnamedOperation {
  readonly namingInput: NamingInput;
  readonly operation: Omit<RouteOperation, 'id' | 'summary'>;
}

/** Values that all routes of one site share. */
export interface ModelContext {
  readonly normalizer: Normalizer;
  readonly resources: ResourceRegistry;
  /** The shape of every path with the title of its schema: `/posts/{} post`. Used to recognise collections. */
  readonly titledShapes: ReadonlySet<string>;
}

/** A route with its normalized schemas, which all its paths share and which are reported once. */
export interface NormalizedRoute {
  readonly analyzed: AnalyzedRoute;
  readonly resource: SiteResource | undefined;
  readonly args: ReadonlyMap<ReachableEndpoint, readonly NormalizedArgument[]>;
  /** Body schemas by endpoint and field names, so that paths with the same fields share one object. */
  readonly bodies: Map<string, JsonObject>;
}

/** Methods whose arguments are sent in the body. */
const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Normalizes the response schema and the arguments of a route. */
export function normalizeRouteSchemas(
  analyzed: AnalyzedRoute,
  { normalizer, resources }: ModelContext,
): NormalizedRoute {
  const { route, endpoints, variants } = analyzed;
  const args = new Map(
    endpoints.map((reachable) => {
      const pointer = `${indexPointer(route, reachable.endpoint)}/args`;
      const { args: declared } = reachable.endpoint;
      return [reachable, normalizer.arguments(declared, { route: route.pattern, pointer })] as const;
    }),
  );
  const shape = templateShape(variants[0]?.template ?? route.pattern);
  return { analyzed, resource: resources.get(route, shape), args, bodies: new Map() };
}

/** Creates the operations at one path of a route, in the site's order. */
export function createOperations(
  member: TemplateMember<RoutePath>,
  { template, shape }: TemplateGroup<RoutePath>,
  normalized: NormalizedRoute,
  titledShapes: ModelContext['titledShapes'],
): readonly UnnamedOperation[] {
  const { analyzed, resource } = normalized;
  const { route } = analyzed;
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const title = readTitle(analyzed);
  const facts: PathFacts = { shape, title, hasItems: titledShapes.has(`${shape}/{} ${title}`) };
  const inPath = new Set(member.parameters.map(({ parameter }) => parameter.group));
  return analyzed.endpoints.flatMap((reachable) => {
    const { endpoint, methods } = reachable;
    const args = normalized.args.get(reachable) ?? [];
    const byName = new Map(args.map((argument) => [argument.name, argument]));
    const path = member.parameters.map((parameter, index) =>
      toPathParameter(parameter, names[index] ?? parameter.parameter.name, byName),
    );
    const fields = args
      .filter(({ name }) => !inPath.has(name))
      .map((argument) => toField(argument, route.pattern));
    return methods.map((method): UnnamedOperation => {
      const hasBody = BODY_METHODS.has(method);
      const body = hasBody ? createBody(normalized, reachable, method, shape, fields) : undefined;
      return {
        namingInput: toNamingInput(analyzed, reachable, method, member.route.variant.template),
        operation: {
          pattern: route.pattern,
          namespace: route.namespace,
          method,
          allowBatch: endpoint.allowBatch,
          path,
          query: hasBody ? [] : fields,
          ...(body === undefined ? {} : { body }),
          response: describeResponse(method, endpoint, facts, resource),
        },
      };
    });
  });
}

/** Lists the entries of `ModelContext.titledShapes` for a route. */
export function listTitledShapes(analyzed: AnalyzedRoute): readonly string[] {
  const title = readTitle(analyzed);
  return title === '' ? [] : analyzed.variants.map(({ template }) => `${templateShape(template)} ${title}`);
}

function createBody(
  { analyzed, bodies }: NormalizedRoute,
  { endpoint }: ReachableEndpoint,
  method: string,
  shape: string,
  fields: readonly ArgumentField[],
): BodyModel | undefined {
  const upload = detectUpload(method, endpoint, shape, analyzed.route.schema);
  // An endpoint without declared arguments may read any field. If all declared ones are in the path, it reads no others.
  if (endpoint.args.length > 0 && fields.length === 0 && upload === 'none') return undefined;
  const key = JSON.stringify([endpoint.position, ...fields.map(({ name }) => name)]);
  const schema = bodies.get(key) ?? toObjectSchema(fields);
  bodies.set(key, schema);
  return { fields: schema, upload };
}

function readTitle({ route }: AnalyzedRoute): string {
  const title = route.schema?.['title'];
  return typeof title === 'string' ? title : '';
}

function toNamingInput(
  analyzed: AnalyzedRoute,
  reachable: ReachableEndpoint,
  method: string,
  template: string,
): NamingInput {
  const getEndpoint = analyzed.endpoints.find(({ methods }) => methods.includes('GET'));
  return {
    namespace: analyzed.route.namespace,
    template,
    method,
    methods: [...analyzed.methods],
    endpointMethods: reachable.methods,
    readArguments: getEndpoint?.endpoint.args.map(({ name }) => name) ?? [],
  };
}
