import type { ExampleFactory } from '../example-values/example-value.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import type { ServedApi, ServedOperation, ServedRoute } from '../openapi/served-api.ts';
import { decodeByteString } from '../php/byte-string.ts';

/** The indexes of a mock: what the document says about the site, as WordPress writes it. */
export interface SiteIndex {
  /** The root index, or that of a namespace; `undefined` if the route is another one. */
  at(route: string): JsonObject | undefined;
}

export function createSiteIndex(
  { address, namespaces, routes }: ServedApi,
  { info }: JsonObject,
  examples: Pick<ExampleFactory, 'flatten'>,
): SiteIndex {
  const toUrl = (route: string): string => address.root + route.slice(1);
  const describe = (listed: readonly ServedRoute[]): JsonObject =>
    Object.fromEntries(
      listed.map((route) => [decodeByteString(route.pattern), describeRoute(route, toUrl, examples)]),
    );
  const { title = '', description = '' } = isJsonObject(info) ? info : {};
  const home = address.base.replace(/\/$/, '');
  return {
    at(route) {
      if (route === '/' || route === '') {
        return {
          name: String(title),
          description: String(description),
          url: home,
          home,
          gmt_offset: '0',
          timezone_string: 'UTC',
          page_for_posts: 0,
          page_on_front: 0,
          show_on_front: 'posts',
          namespaces,
          authentication: {},
          routes: describe(routes),
          site_logo: 0,
          site_icon: 0,
          site_icon_url: '',
          _links: {},
        };
      }
      const namespace = namespaces.find((name) => route === `/${name}`);
      if (namespace === undefined) return undefined;
      const own = routes.filter((each) => each.namespace === namespace);
      return { namespace, routes: describe(own), _links: { up: [{ href: address.root }] } };
    },
  };
}

function describeRoute(
  { namespace, operations, pattern }: ServedRoute,
  toUrl: (route: string) => string,
  examples: Pick<ExampleFactory, 'flatten'>,
): JsonObject {
  // Methods with the same arguments are one endpoint, as plugins register them.
  const endpoints = new Map<string, { readonly methods: string[]; readonly args: JsonObject }>();
  for (const [method, operation] of operations) {
    const args = describeArguments(operation, examples);
    const key = JSON.stringify(args);
    const endpoint = endpoints.get(key) ?? { methods: [], args };
    endpoint.methods.push(method);
    endpoints.set(key, endpoint);
  }
  const isFixed = !pattern.includes('(');
  return {
    namespace,
    methods: [...operations.keys()],
    endpoints: [...endpoints.values()],
    ...(isFixed ? { _links: { self: [{ href: toUrl(decodeByteString(pattern)) }] } } : {}),
  };
}

function describeArguments(
  { bodySchema, parameters }: ServedOperation,
  { flatten }: Pick<ExampleFactory, 'flatten'>,
): JsonObject {
  const body = flatten(bodySchema);
  const required = jsonItems(body['required']);
  const fields = jsonMembers(body['properties']).map(([name, schema]): [string, Json] => [
    name,
    describeArgument(flatten(schema), required.includes(name)),
  ]);
  const others = parameters.map(({ name, required: isRequired, schema }): [string, Json] => [
    name,
    describeArgument(flatten(schema), isRequired),
  ]);
  return Object.fromEntries([...fields, ...others]);
}

/** Keywords that an index states at an argument. */
const KEYWORDS = ['description', 'type', 'format', 'enum', 'default', 'minimum', 'maximum'];

function describeArgument(schema: JsonObject, required: boolean): JsonObject {
  const stated = KEYWORDS.flatMap((keyword): [string, Json][] =>
    schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]],
  );
  return { ...Object.fromEntries(stated), required };
}
