import { isJsonObject, type JsonObject } from '../json.ts';
import { routeUrl } from './address.ts';
import type { Client } from './client.ts';
import type { Note, Place } from './findings.ts';
import { extractJson } from './json-text.ts';
import { judge } from './judge.ts';
import type { Settings } from './options.ts';
import { readRoute, readSchema } from './read-route.ts';
import type { RuleName } from './rules.ts';
import { samplePaths } from './sample.ts';
import type { IndexRoute, SiteAddress } from './site.ts';
import { decodeText } from './text.ts';
import { below, member, type Position } from './values.ts';

type Described =
  | { readonly kind: 'described'; readonly schema?: JsonObject }
  | { readonly kind: 'failed'; readonly rule: RuleName; readonly detail?: string };

/** Asks `OPTIONS` on every route that has no response schema, so many at a time. What fails is noted. */
export async function askSchemas(
  routes: readonly IndexRoute[],
  address: SiteAddress,
  client: Client,
  { concurrency, onProgress }: Settings,
  note: Note,
): Promise<readonly IndexRoute[]> {
  const lacking = routes.filter(({ schema }) => schema === undefined);
  const total = lacking.length;
  const answers = new Map<IndexRoute, Described>();
  const queue = lacking.values();
  const work = async (): Promise<void> => {
    // The workers share one iterator: each takes the next route when it has done one.
    for (const route of queue) {
      answers.set(route, await describe(route, address, client, note));
      onProgress({ step: 'schemas', done: answers.size, total });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  // Noted in the order of the routes, whatever the order of the answers.
  return routes.map((route) => {
    const described = answers.get(route);
    if (described === undefined) return route;
    if (described.kind === 'failed') {
      note(described.rule, { ...positionOf(route), ...detailed(described.detail) });
      return route;
    }
    return described.schema === undefined ? route : { ...route, schema: described.schema };
  });
}

/** Asks at one address after the other, while another route answers: the site asks its routes in their order. */
async function describe(
  route: IndexRoute,
  address: SiteAddress,
  client: Client,
  note: Note,
): Promise<Described> {
  let described: Described = failed('options-no-sample');
  for (const path of samplePaths(route.pattern)) {
    described = await describeAt(new URL(routeUrl(address, path)), route, client, note);
    if (described.kind !== 'failed' || described.rule !== 'options-other-route') return described;
  }
  return described;
}

async function describeAt(url: URL, route: IndexRoute, client: Client, note: Note): Promise<Described> {
  if (client.isOutOfTime()) return failed('options-failed', 'The time for the whole discovery is over.');
  const outcome = await client.ask(url, { method: 'OPTIONS' });
  if (outcome.kind === 'refusal')
    return failed('options-failed', `${outcome.refusal.url} ${outcome.refusal.came}.`);
  const { answer } = outcome;
  const json = extractJson(decodeText(answer.bytes, undefined).text);
  if (answer.status !== 200 || !json.ok || !isJsonObject(json.value)) {
    const judgement = judge(answer);
    const came = judgement.kind === 'refusal' ? judgement.refusal.came : 'answered with an index';
    return failed('options-failed', `${answer.url.href} ${came}.`);
  }
  const description = json.value;
  if (!isOf(route, description)) return failed('options-other-route', `It was asked at ${answer.url.href}.`);
  const schema = readSchema(member(description, 'schema'), below(positionOf(route), 'schema'), note);
  return schema === undefined ? { kind: 'described' } : { kind: 'described', schema };
}

/** The answer does not name its route; the same endpoints with the same arguments tell it from its neighbours. */
function isOf(route: IndexRoute, description: JsonObject): boolean {
  const described = readRoute(route.pattern, route.namespace, description, positionOf(route), () => {});
  const namespace = member(description, 'namespace');
  return (
    (namespace === undefined || namespace === route.namespace) && signature(described) === signature(route)
  );
}

function signature({ endpoints }: IndexRoute): string {
  return JSON.stringify(endpoints.map(({ methods, args }) => [methods, args.map(({ name }) => name)]));
}

function positionOf({ pattern }: IndexRoute): Position {
  return { route: pattern, pointer: below({ pointer: '' }, 'routes', pattern).pointer };
}

function failed(rule: RuleName, detail?: string): Described {
  return { kind: 'failed', rule, ...detailed(detail) };
}

function detailed(detail: string | undefined): Pick<Place, 'detail'> {
  return detail === undefined ? {} : { detail };
}
