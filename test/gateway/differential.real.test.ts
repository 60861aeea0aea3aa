import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/generator/openapi/index.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';

/** Fields that describe the connection or the hop and not the response. */
const HOP_FIELDS = new Set([
  ...['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'server'],
  ...['cache-status', 'x-request-id'],
]);

/** Values for path parameters: existing, missing and unusual ones. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  default: ['1', '999999'],
  type: ['post', 'nothing'],
  status: ['publish'],
  taxonomy: ['category'],
  namespace: ['core'],
  name: ['paragraph', 'core/paragraph'],
  user_id: ['me', '1'],
  stylesheet: ['nothing'],
  plugin: ['hello'],
};

const QUERIES = [
  '',
  'per_page=2&page=2',
  'context=edit',
  '_fields=id,link,_links',
  '_envelope=1',
  'page=0&per_page=x',
  '_method=OPTIONS',
];

/** Routes whose responses contain measured times, so that each response differs. */
const UNSTABLE_ROUTES = /^\/wp-site-health\/v1\//;

const site = useWordPress();
let running: RunningGateway;
let routes: string[];

beforeAll(async () => {
  running = await startNodeGateway({ sites: [{ name: 'wp', url: site().url }] });
  const document = (await (await running.request('/wp/openapi.json')).json()) as OpenApiDocument;
  routes = Object.entries(document.paths).flatMap(([template, item]) =>
    'get' in (item as object) && !UNSTABLE_ROUTES.test(template) ? fill(template) : [],
  );
}, 60_000);
afterAll(() => running.stop());

/** Fills the template once with the first value of each parameter and once with the last. */
function fill(template: string): string[] {
  const filled = [0, -1].map((position) =>
    template.replace(/\{([^}]+)\}/g, (_, name: string) => {
      const values = VALUES[name] ?? VALUES['default'] ?? [];
      return values.at(position) ?? '1';
    }),
  );
  return [...new Set(filled)];
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function fetchResponse(base: string, path: string, init: RequestInit): Promise<ReceivedResponse> {
  const response = await fetch(base + path, { redirect: 'manual', ...init });
  const headers = [...response.headers].filter(([name]) => !HOP_FIELDS.has(name));
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
}

/** Replaces the URL of the site by the URL of the gateway in the fields of a response. */
function toGatewayUrls(response: ReceivedResponse): ReceivedResponse {
  const from = site().url.replace(/\/$/, '');
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    value.replaceAll(from, `${running.origin}/wp`),
  ]);
  return { ...response, headers: Object.fromEntries(headers) };
}

function summarize(response: ReceivedResponse): string {
  return JSON.stringify(response).slice(0, 1_000);
}

// What a user changes does not depend on the route. Other spellings are those of `router/spellings.real.test.ts`.
test.each([
  ['anonymous', 1],
  ['administrator', 4],
] as const)(
  'reads of an %s user have the responses of the site',
  async (user, interval) => {
    const authorization = user === 'anonymous' ? undefined : basicAuth(site().users.administrator);
    const init: RequestInit = authorization === undefined ? {} : { headers: { authorization } };
    const differing: string[] = [];
    let compared = 0;
    for (const [position, route] of routes.entries()) {
      if (position % interval !== 0) continue;
      const query = QUERIES[position % QUERIES.length] ?? '';
      const path = `/wp-json${route}${query === '' ? '' : `?${query}`}`;
      const direct = await fetchResponse(site().url.replace(/\/$/, ''), path, init);
      const viaGateway = await fetchResponse(`${running.origin}/wp`, path, init);
      compared += 1;
      if (JSON.stringify(viaGateway) === JSON.stringify(toGatewayUrls(direct))) continue;
      // A response that differs between two direct requests (a nonce, a clock) is not compared.
      const repeated = await fetchResponse(site().url.replace(/\/$/, ''), path, init);
      if (JSON.stringify(direct) === JSON.stringify(repeated) || direct.status !== viaGateway.status) {
        differing.push(
          `${path}\n  site    ${summarize(toGatewayUrls(direct))}\n  gateway ${summarize(viaGateway)}`,
        );
      }
    }
    expect(differing.join('\n')).toBe('');
    expect(compared).toBeGreaterThan(100 / interval);
  },
  180_000,
);
