import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonObject, type Json, type JsonObject } from '../../src/json.ts';
import { createSchemaValidator } from '../../src/validation/wordpress/validate.ts';
import { startServer } from '../support/server.ts';
import { createCustomer, createOrder, createProduct } from './large-items.ts';
import { createLargeIndex } from './large-site.ts';

/** The large site, started. */
export interface LargeServer {
  /** The base of its routes: `http://127.0.0.1:40001/wp-json`. */
  readonly url: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

const RESOURCES = {
  products: { seed: 24, create: createProduct, errorCode: 'shop_rest_product_invalid_id' },
  orders: { seed: 12, create: createOrder, errorCode: 'shop_rest_shop_order_invalid_id' },
  customers: { seed: 3, create: createCustomer, errorCode: 'shop_rest_invalid_id' },
} as const;

/**
 * Starts a site with the index of `createLargeIndex`. Of its routes it answers the index and `shop/v3/products`,
 * `shop/v3/orders` and `shop/v3/customers` with their items: GET, POST, PUT, PATCH and DELETE. All others are 404.
 * Any caller may do all.
 */
export async function startLargeServer(): Promise<LargeServer> {
  const { close, origin: base } = await startServer((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, fail(500, 'internal_server_error', String(error))),
    );
  });
  const index = createLargeIndex(base);
  const items = Object.fromEntries(
    Object.entries(RESOURCES).map(([name, { seed, create }]) => [
      name,
      new Map(Array.from({ length: seed }, (_, at) => [at + 1, create(at + 1, {})])),
    ]),
  );

  async function answer(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', base);
    const method = request.method ?? 'GET';
    const path = url.pathname.replace(/^\/wp-json/, '').replace(/(?<=.)\/$/, '') || '/';
    if (path === '/') return { status: 200, body: index };
    const [, name = '', id] = /^\/shop\/v3\/(products|orders|customers)(?:\/(\d+))?$/.exec(path) ?? [];
    const stored = items[name];
    if (stored === undefined || !isResource(name))
      return fail(404, 'rest_no_route', 'No route was found matching the URL and request method.');
    const body = await readBody(request);
    const pattern = `/shop/v3/${name}${id === undefined ? '' : '/(?P<id>[\\d]+)'}`;
    const invalid = checkArguments(endpointsOf(index, pattern), method, {
      ...Object.fromEntries(parseQuery(url.searchParams)),
      ...body,
    });
    if (invalid !== undefined) return invalid;
    const { create, errorCode } = RESOURCES[name];
    if (id === undefined) {
      if (method !== 'POST') return list(stored, url);
      const number = Math.max(0, ...stored.keys()) + 1;
      const item = create(number, body);
      stored.set(number, item);
      return { status: 201, body: item };
    }
    const found = stored.get(Number(id));
    if (found === undefined) return fail(404, errorCode, 'Invalid ID.');
    if (method === 'GET') return { status: 200, body: pick(found, url) };
    if (method === 'DELETE') {
      if (!['1', 'true'].includes(url.searchParams.get('force') ?? ''))
        return { status: 200, body: { ...found, status: name === 'orders' ? 'cancelled' : 'private' } };
      stored.delete(Number(id));
      return { status: 200, body: { deleted: true, previous: found } };
    }
    const changed = create(Number(id), { ...found, ...body });
    stored.set(Number(id), changed);
    return { status: 200, body: changed };
  }

  return { url: `${base}/wp-json`, close };
}

function isResource(name: string): name is keyof typeof RESOURCES {
  return Object.hasOwn(RESOURCES, name);
}

function list(stored: ReadonlyMap<number, JsonObject>, url: URL): Reply {
  const query = url.searchParams;
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 10)];
  const search = (query.get('search') ?? '').toLowerCase();
  const matching = [...stored.values()].filter(
    (item) =>
      String(item['name'] ?? item['number'])
        .toLowerCase()
        .includes(search) &&
      ['status', 'type', 'stock_status'].every((name) => !query.has(name) || query.get(name) === item[name]),
  );
  const sorted = query.get('order') === 'asc' ? matching : matching.reverse();
  const pages = Math.ceil(sorted.length / size);
  return {
    status: 200,
    body: sorted.slice((page - 1) * size, page * size).map((item) => pick(item, url)),
    headers: { 'X-WP-Total': String(sorted.length), 'X-WP-TotalPages': String(pages) },
  };
}

/** `_fields`, for names of properties. */
function pick(item: JsonObject, { searchParams }: URL): JsonObject {
  const names = [...searchParams]
    .filter(([name]) => /^_fields(\[.*\])?$/.test(name))
    .flatMap(([, text]) => text.split(','));
  return names.length === 0
    ? item
    : Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function parseQuery(query: URLSearchParams): Map<string, Json> {
  const values = new Map<string, Json>();
  for (const [key, value] of query) {
    const name = key.replace(/\[.*$/, '');
    const before = values.get(name);
    values.set(name, name === key ? value : [...(Array.isArray(before) ? before : []), value]);
  }
  return values;
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

interface CheckedEndpoint {
  readonly methods: Json;
  readonly args: JsonObject;
}

/** Refuses a route without the method, missing arguments and values that their schema does not take. */
function checkArguments(
  endpoints: readonly CheckedEndpoint[],
  method: string,
  values: JsonObject,
): Reply | undefined {
  const endpoint = endpoints.find(({ methods }) => Array.isArray(methods) && methods.includes(method));
  if (endpoint === undefined)
    return fail(404, 'rest_no_route', 'No route was found matching the URL and request method.');
  const args = Object.entries(endpoint.args).filter(([name]) => name !== 'id');
  const missing = args.filter(
    ([name, arg]) => isJsonObject(arg) && arg['required'] === true && !(name in values),
  );
  if (missing.length > 0) {
    const names = missing.map(([name]) => name);
    return fail(400, 'rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, {
      params: names,
    });
  }
  const params = Object.fromEntries(
    args.flatMap(([name, schema]) => {
      const value = values[name] ?? null;
      if (value === null || !isJsonObject(schema)) return [];
      const violation = createSchemaValidator(schema).validate(value, name);
      return violation === null ? [] : [[name, violation.message]];
    }),
  );
  const names = Object.keys(params);
  if (names.length === 0) return undefined;
  return fail(400, 'rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, { params });
}

/** The endpoints of a route of the index. */
function endpointsOf(index: JsonObject, pattern: string): readonly CheckedEndpoint[] {
  const routes = index['routes'];
  const route = isJsonObject(routes) ? routes[pattern] : undefined;
  const endpoints = isJsonObject(route) ? route['endpoints'] : undefined;
  return Array.isArray(endpoints)
    ? endpoints
        .filter(isJsonObject)
        .map(({ methods = [], args }) => ({ methods, args: isJsonObject(args) ? args : {} }))
    : [];
}

function fail(status: number, code: string, message: string, data: JsonObject = {}): Reply {
  return { status, body: { code, message, data: { status, ...data } } };
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify(body));
}
