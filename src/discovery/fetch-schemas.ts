import { isJsonObject, type JsonObject, ownMember } from '../json.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { runSteps } from '../steps.ts';
import { routeUrl } from './address.ts';
import { classifyResponse } from './classify-response.ts';
import type { DiscoveryClient } from './client.ts';
import { routePlace } from './index-values.ts';
import type { DiscoverySettings } from './options.ts';
import { readIndexRoute, readResponseSchema } from './read-route.ts';
import { decodeText, extractJson } from './response-text.ts';
import type { DiscoveryRuleName, RuleReporter } from './rules.ts';
import { generateSamplePaths } from './sample-paths.ts';
import type { IndexRoute, SiteAddress } from './site.ts';

type SchemaLookup =
  | { readonly kind: 'described'; readonly schema?: JsonObject }
  | { readonly kind: 'failed'; readonly rule: DiscoveryRuleName; readonly detail: string | undefined };

/**
 * Requests `OPTIONS` for every route without a response schema, `concurrency` requests at a time. Failures are reported
 * and leave the route unchanged.
 */
export async function fetchSchemas(
  routes: readonly IndexRoute[],
  address: SiteAddress,
  client: DiscoveryClient,
  { concurrency, onProgress }: DiscoverySettings,
  report: RuleReporter,
): Promise<readonly IndexRoute[]> {
  const missing = routes.filter(({ schema }) => schema === undefined);
  const total = missing.length;
  const lookups = new Map<IndexRoute, SchemaLookup>();
  // The workers share this iterator: each takes the next route when it has finished one.
  const queue = missing.values();
  const work = async (): Promise<void> => {
    for (const route of queue) {
      lookups.set(route, await lookUpSchema(route, address, client, report));
      onProgress({ step: 'schemas', done: lookups.size, total });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  // Failures are reported in the order of the routes, not of the responses, so that reports are reproducible.
  return routes.map((route) => {
    const lookup = lookups.get(route);
    if (lookup === undefined) return route;
    if (lookup.kind === 'failed') {
      routePlace(route.pattern, report).report(lookup.rule, lookup.detail);
      return route;
    }
    return lookup.schema === undefined ? route : { ...route, schema: lookup.schema };
  });
}

/**
 * Tries the sample paths of a route until one is handled by this route. WordPress tries its routes in order, so an
 * earlier route may handle a sample.
 */
async function lookUpSchema(
  route: IndexRoute,
  address: SiteAddress,
  client: DiscoveryClient,
  report: RuleReporter,
): Promise<SchemaLookup> {
  let lookup: SchemaLookup = failedLookup('options-no-sample');
  for (const path of generateSamplePaths(route.pattern)) {
    lookup = await lookUpSchemaAt(new URL(routeUrl(address, path)), route, client, report);
    if (lookup.kind !== 'failed' || lookup.rule !== 'options-other-route') return lookup;
  }
  return lookup;
}

async function lookUpSchemaAt(
  url: URL,
  route: IndexRoute,
  client: DiscoveryClient,
  report: RuleReporter,
): Promise<SchemaLookup> {
  if (client.isOutOfTime()) {
    return failedLookup('options-failed', 'The time limit of the whole discovery has passed.');
  }
  const outcome = await client.request(url, { method: 'OPTIONS' });
  if (outcome.kind === 'failure') {
    return failedLookup('options-failed', `${outcome.failure.url} ${outcome.failure.description}.`);
  }
  const { response } = outcome;
  const json = runSteps(extractJson(decodeText(response.bodyBytes, undefined).text));
  if (response.status !== 200 || !json.ok || !isJsonObject(json.value)) {
    const classified = runSteps(classifyResponse(response));
    const description =
      classified.kind === 'failure' ? classified.failure.description : 'returned a root index';
    return failedLookup('options-failed', `${response.url.href} ${description}.`);
  }
  if (!describesRoute(route, json.value)) {
    return failedLookup('options-other-route', `Requested address: ${response.url.href}.`);
  }
  const place = routePlace(route.pattern, report).below('schema');
  const schema = readResponseSchema(ownMember(json.value, 'schema'), place);
  return omitUndefined({ kind: 'described' as const, schema });
}

/**
 * Whether a response to `OPTIONS` is about this route. The response does not name its route, so its endpoints and their
 * argument names are compared.
 */
function describesRoute(route: IndexRoute, description: JsonObject): boolean {
  const place = routePlace(route.pattern, () => {});
  const described = readIndexRoute(route.pattern, route.namespace, description, place);
  const namespace = ownMember(description, 'namespace');
  const isSameNamespace = namespace === undefined || namespace === route.namespace;
  return isSameNamespace && endpointSignature(described) === endpointSignature(route);
}

function endpointSignature({ endpoints }: IndexRoute): string {
  return JSON.stringify(endpoints.map(({ methods, args }) => [methods, args.map(({ name }) => name)]));
}

function failedLookup(rule: DiscoveryRuleName, detail?: string): SchemaLookup {
  return { kind: 'failed', rule, detail };
}
