import { getRequestListener } from '@hono/node-server';
import { DEMO_USERS } from '../../src/example/index.ts';
import { createSite } from '../../src/example/site/create-site.ts';
import { type JsonObject, jsonItems, jsonTexts, memberAt, toJsonObject } from '../../src/json.ts';
import type {
  EndpointDeclaration,
  RouteDeclaration,
  SiteRequest,
  SiteResponse,
} from '../../src/rest-server/declarations.ts';
import { created, ok, pageResponse, refuse } from '../../src/rest-server/responses.ts';
import { startServer } from '../support/server.ts';
import { createCustomer, createOrder, createProduct } from './large-items.ts';
import { createLargeIndex } from './large-site.ts';
import type { RecordedResponses } from './recorded-responses.ts';

/** The large site, started. */
export interface LargeServer {
  /** The base of its routes: `http://127.0.0.1:40001/wp-json`. */
  readonly url: string;
  close(): Promise<void>;
}

/** The items of each resource, by id. */
type Items = Readonly<Record<string, Map<number, JsonObject>>>;
type Handler = EndpointDeclaration<Items>['handle'];

const RESOURCES = {
  products: { seed: 24, create: createProduct, errorCode: 'shop_rest_product_invalid_id' },
  orders: { seed: 12, create: createOrder, errorCode: 'shop_rest_shop_order_invalid_id' },
  customers: { seed: 3, create: createCustomer, errorCode: 'shop_rest_invalid_id' },
} as const;

/**
 * Starts a site with the index of `createLargeIndex`. Of its routes it answers the index and `shop/v3/products`,
 * `shop/v3/orders` and `shop/v3/customers` with their items: GET, POST, PUT, PATCH and DELETE. All others are 404.
 * Any caller may do all.
 *
 * @param responses records what the site sends
 */
export async function startLargeServer(responses: RecordedResponses): Promise<LargeServer> {
  let listener: ReturnType<typeof getRequestListener> | undefined;
  const { close, origin } = await startServer((request, response) => void listener?.(request, response));
  const index = createLargeIndex(origin);
  const site = createSite<Items>({
    name: 'Harbour Stores',
    description: '',
    users: DEMO_USERS,
    namespaces: jsonTexts(index['namespaces']),
    declarations: [{ namespace: 'shop/v3', routes: RESOURCE_NAMES.flatMap((name) => routesOf(name, index)) }],
    createState: () =>
      Object.fromEntries(
        Object.entries(RESOURCES).map(([name, { seed, create }]) => [
          name,
          new Map(Array.from({ length: seed }, (_, at) => [at + 1, create(at + 1, {})])),
        ]),
      ),
    findOembedPage: () => null,
  });
  const respond = responses.record(site.fetch);
  listener = getRequestListener((request) =>
    /^\/wp-json\/?$/.test(new URL(request.url).pathname) ? Response.json(index) : respond(request),
  );
  return { url: `${origin}/wp-json`, close };
}

const RESOURCE_NAMES = ['products', 'orders', 'customers'] as const;

/** The routes of a resource with the arguments that the index states. */
function routesOf(name: keyof typeof RESOURCES, index: JsonObject): readonly RouteDeclaration<Items>[] {
  const { create, errorCode } = RESOURCES[name];
  const find = ({ state, params }: SiteRequest<Items>): JsonObject =>
    state[name]?.get(params.integer('id', 0)) ?? refuse(404, errorCode, 'Invalid ID.');
  const write = (request: SiteRequest<Items>, id: number, before: JsonObject): JsonObject => {
    const sent = [...request.suppliedNames].filter((each) => each !== 'id');
    const fields = Object.fromEntries(sent.map((each) => [each, request.params.get(each) ?? null]));
    const item = create(id, { ...before, ...fields });
    request.state[name]?.set(id, item);
    return item;
  };
  const update: Handler = (request) => ok(write(request, request.params.integer('id', 0), find(request)));
  const collection: Readonly<Record<string, Handler>> = {
    GET: (request) => list([...(request.state[name]?.values() ?? [])], request),
    POST: (request) => created(write(request, Math.max(0, ...(request.state[name]?.keys() ?? [])) + 1, {})),
  };
  const item: Readonly<Record<string, Handler>> = {
    ...{ POST: update, PUT: update, PATCH: update },
    GET: (request) => ok(find(request)),
    DELETE(request) {
      const previous = find(request);
      if (!request.params.boolean('force'))
        return ok({ ...previous, status: name === 'orders' ? 'cancelled' : 'private' });
      request.state[name]?.delete(request.params.integer('id', 0));
      return ok({ deleted: true, previous });
    },
  };
  return Object.entries({ [`/${name}`]: collection, [`/${name}/(?P<id>[\\d]+)`]: item }).map(
    ([route, handlers]) => ({
      route,
      endpoints: jsonItems(memberAt(index, 'routes', `/shop/v3${route}`, 'endpoints')).map((endpoint) => {
        const methods = jsonTexts(memberAt(endpoint, 'methods')) as EndpointDeclaration<Items>['methods'];
        const handle: Handler = (request) => handlers[request.method]?.(request) ?? refuse(405, 'none', '');
        return {
          methods,
          args: toJsonObject(memberAt(endpoint, 'args')) as Record<string, JsonObject>,
          handle,
        };
      }),
    }),
  );
}

function list(items: readonly JsonObject[], request: SiteRequest<Items>): SiteResponse {
  const { params } = request;
  const search = params.string('search', '').toLowerCase();
  const matching = items.filter(
    (item) =>
      String(item['name'] ?? item['number'])
        .toLowerCase()
        .includes(search) &&
      ['status', 'type', 'stock_status'].every(
        (name) => !params.has(name) || params.get(name) === item[name],
      ),
  );
  const sorted = params.get('order') === 'asc' ? matching : matching.reverse();
  return pageResponse(request, sorted, (item) => item);
}
