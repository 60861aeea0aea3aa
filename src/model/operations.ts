import type { JsonObject } from '../json.ts';
import { answerOf, type Place } from './answers.ts';
import { type LiveEndpoint, pointerOf } from './endpoints.ts';
import { fieldOf, objectOf, pathParameter } from './fields.ts';
import type { OperationFacts } from './naming/index.ts';
import type { Resources } from './resources.ts';
import type { ReadRoute, RoutePath } from './routes.ts';
import type { NormalArgument, Normalizer } from './schema/index.ts';
import type { Body, Field, Resource, RouteOperation } from './site.ts';
import { type Placed, shapeOf, type TemplateGroup } from './templates.ts';
import { uploadOf } from './uploads.ts';

/** An operation that has no name yet. */
export interface NamelessOperation {
  readonly facts: OperationFacts;
  readonly operation: Omit<RouteOperation, 'id' | 'summary'>;
}

/** What the operations of all routes have in common. */
export interface Surroundings {
  readonly normalizer: Normalizer;
  readonly resources: Resources;
  /** The shape of every path with the title of its schema, by which a collection is known: `/posts/{} post`. */
  readonly titled: ReadonlySet<string>;
}

/** A route with what all its paths share, read and reported once. */
export interface PreparedRoute {
  readonly read: ReadRoute;
  readonly resource: Resource | undefined;
  readonly args: ReadonlyMap<LiveEndpoint, readonly NormalArgument[]>;
  /** The bodies of an endpoint's operations by the names of their fields: paths that have the same share one. */
  readonly bodies: Map<string, JsonObject>;
}

/** Methods whose fields travel in a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export function prepareRoute(read: ReadRoute, { normalizer, resources }: Surroundings): PreparedRoute {
  const { route, live, variants } = read;
  const args = new Map(
    live.map((each) => {
      const place = { route: route.pattern, pointer: `${pointerOf(route, each.endpoint)}/args` };
      return [each, normalizer.arguments(each.endpoint.args, place)] as const;
    }),
  );
  const shape = shapeOf(variants[0]?.template ?? route.pattern);
  return { read, resource: resources.of(route, shape), args, bodies: new Map() };
}

/** The operations at one path of a route, in the site's order. */
export function operationsAt(
  placed: Placed<RoutePath>,
  { template, shape }: TemplateGroup<RoutePath>,
  prepared: PreparedRoute,
  titled: Surroundings['titled'],
): readonly NamelessOperation[] {
  const { read, resource } = prepared;
  const { route } = read;
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const title = titleOf(read);
  const place: Place = { shape, title, hasItems: titled.has(`${shape}/{} ${title}`) };
  const inPath = new Set(placed.parameters.map(({ parameter }) => parameter.group));
  return read.live.flatMap((live) => {
    const args = prepared.args.get(live) ?? [];
    const byName = new Map(args.map((arg) => [arg.name, arg]));
    const path = placed.parameters.map((each, index) =>
      pathParameter(each, names[index] ?? each.parameter.name, byName),
    );
    const rest = args.filter(({ name }) => !inPath.has(name)).map((arg) => fieldOf(arg, route.pattern));
    return live.methods.map((method): NamelessOperation => {
      const body = WITH_BODY.has(method) ? bodyOf(prepared, live, method, shape, rest) : undefined;
      return {
        facts: factsOf(read, live, method, placed.route.variant.template),
        operation: {
          pattern: route.pattern,
          namespace: route.namespace,
          method,
          allowBatch: live.endpoint.allowBatch,
          path,
          query: WITH_BODY.has(method) ? [] : rest,
          ...(body === undefined ? {} : { body }),
          answer: answerOf(method, live.endpoint, place, resource),
        },
      };
    });
  });
}

/** What `titled` holds of a route. */
export function titledShapes(read: ReadRoute): readonly string[] {
  const title = titleOf(read);
  return title === '' ? [] : read.variants.map(({ template }) => `${shapeOf(template)} ${title}`);
}

function bodyOf(
  { read, bodies }: PreparedRoute,
  live: LiveEndpoint,
  method: string,
  shape: string,
  rest: readonly Field[],
): Body | undefined {
  const { endpoint } = live;
  const upload = uploadOf(method, endpoint, shape, read.route.schema);
  // An endpoint that declares nothing may read anything; one whose arguments are all in the path reads no others.
  if (endpoint.args.length > 0 && rest.length === 0 && upload === 'none') return undefined;
  const key = JSON.stringify([endpoint.position, ...rest.map(({ name }) => name)]);
  const fields = bodies.get(key) ?? objectOf(rest);
  bodies.set(key, fields);
  return { fields, upload };
}

function titleOf({ route }: ReadRoute): string {
  const title = route.schema?.['title'];
  return typeof title === 'string' ? title : '';
}

function factsOf(read: ReadRoute, live: LiveEndpoint, method: string, template: string): OperationFacts {
  const reading = read.live.find(({ methods }) => methods.includes('GET'));
  return {
    namespace: read.route.namespace,
    template,
    method,
    methods: [...read.methods],
    endpointMethods: live.methods,
    readArguments: reading?.endpoint.args.map(({ name }) => name) ?? [],
  };
}
