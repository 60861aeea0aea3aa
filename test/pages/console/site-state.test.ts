import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { isFault, SITE_STATES } from '../../../src/gateway/report/remarks.ts';
import { readSeed } from '../../support/documents.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';
import { runEchoSite } from '../../support/run.ts';
import { unreachableOrigin } from '../../support/server.ts';
import { type ConsoleTestClient, signIn, TOKEN, toText } from './support/console-client.ts';

/** Sites of one document: one that fails at times, one that nothing reaches any more, one that is well. */
const START = Date.now();
const LOG_LINES = [
  { level: 50, msg: 'the configuration is refused', problems: ['retries: unknown key'] },
  { level: 30, msg: 'discovery found no change', site: 'well' },
  ...['failing', 'well'].map((name) => ({ level: 40, msg: `links to http://${name}.test/`, site: name })),
  ...[2, 1].map((failures) => ({ level: 40, msg: 'discovery failed', site: 'gone', failures })),
  ...['draft', 'read'].map((name) => ({
    level: 30,
    msg: 'a call',
    tool: name,
    callLevel: name,
    site: 'well',
  })),
].map((line) => JSON.stringify({ ...line, time: START }));
let request: TestGateway['request'];
let client: ConsoleTestClient;
const read = async (path: string): Promise<string> => (await client.get(`/-/console/${path}`)).text();

beforeAll(async () => {
  const site = await runEchoSite(({ url }, response) => {
    if (!url.includes('broken')) return false;
    response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>No database</h1>');
    return true;
  });
  const gone = await runEchoSite();
  const cache = { rules: [{ match: '/core/v2/*', ttl: 60 }], pages: 60 };
  const shared = { discovery: 'auto', passthrough: true, cache } as const;
  const sites = [
    { ...shared, name: 'well', url: site.origin },
    { ...shared, name: 'failing', url: site.origin },
    { ...shared, name: 'gone', url: gone.origin },
    { name: 'away', url: await unreachableOrigin(), discovery: 'off', passthrough: true },
  ] as const;
  const admin = { token: TOKEN, listLogLines: () => LOG_LINES };
  ({ request } = await startGateway({ inMemory: true, gateway: { sites, admin } }));
  const broken = Array(3).fill('failing/broken');
  for (const path of [...Array(2).fill('well/wp-json/core/v2/posts'), ...broken, 'away/'])
    await (await request(`/${path}`)).arrayBuffer();
  await (await request('/gone/wp-json/core/v2/posts')).arrayBuffer();
  await gone.close();
  for (const path of ['types', 'posts']) await (await request(`/gone/wp-json/core/v2/${path}`)).arrayBuffer();
  const body = JSON.stringify({ title: 'x' });
  const headers = { authorization: 'Basic YTpi', 'content-type': 'application/json' };
  await (
    await request('/well/index.php?rest_route=/core/v2/posts', { method: 'POST', headers, body })
  ).text();
  client = await signIn(request, TOKEN);
});

test('the state of each site is one sentence on the overview, the worst site first, in its colour', async () => {
  const html = await read('');
  const rows = toText(html.slice(html.indexOf('<tbody>')));
  expect(rows).toMatch(
    /\/gone .* down since [\d:]+ UTC : no good answer to \d requests?; served from the store: \d of \d requests?; [^;]* refused the connection .*\/away .* down since [\d:]+ UTC : no good answer to 1 request; served from the store: 0 of 1 request; [^;]* refused the connection .*\/failing .* failing since [\d:]+ UTC : 100\.0 % of requests fail; 3 of the last 3: the site failed: 500 "No database" .*\/well .* good /,
  );
  expect(html).toContain('class="state down"');
  // The problems of a site are what clients got: stored responses are none.
  expect(html).toMatch(/sites\/gone\/problems\?q=5xx">no good answer/);
  expect(html).not.toContain('>–</a>');
});

const RULES = readFileSync(new URL('../../../deploy/prometheus/waygate.rules.yaml', import.meta.url), 'utf8');

test('each state that clients suffer from has an alert, and so has a start that does not end', () => {
  const alerted = SITE_STATES.filter((name) => RULES.includes(`waygate_site_state{state="${name}"} == 1`));
  expect(alerted).toEqual(SITE_STATES.filter((name) => isFault(name) || name === 'starting'));
});

test('the page of the store shows what is stored', async () => {
  const text = toText(await read('sites/well/cache'));
  expect(text).toMatch(/GET \/core\/v2\/posts 1 [\d.]+ \w+ 1 1 /);
});

test('the page of the store says why requests are kept out, and what helps', async () => {
  const headers = { 'x-unknown': '1' };
  await (await request('/well/wp-json/core/v2/posts', { headers })).arrayBuffer();
  expect(toText(await read('sites/well/cache'))).toMatch(
    /header x-unknown: x-unknown is a header field .* harmlessHeaders/,
  );
});

test('a table is sorted by the column that the address names', async () => {
  const html = await read('?sort=requests');
  const rows = toText(html.slice(html.indexOf('<tbody>')));
  expect(rows).toMatch(/\/well .*\/away /);
  expect(html).toContain('requests\u00a0↓');
});

test('the timeline has purges and lines of the log, and leads from a purge to its request', async () => {
  const html = await read('sites/well/traffic');
  const events = html.slice(html.indexOf('id="events"'), html.indexOf('id="operations"'));
  expect(toText(events)).toMatch(
    /purge by POST \/core\/v2\/posts from user a .*the configuration file is not in effect.*a call \(tool read, /,
  );
  expect(events).not.toContain('rest_route');
  const link = /href="\.\/(cache\?address=[\w%-]+)#explain"/.exec(events)?.[1] ?? '';
  expect(toText(await read(`sites/well/${link}`))).toMatch(
    /Write POST \/core\/v2\/posts from user a selects everything of the site/,
  );
  expect(html.slice(html.indexOf('id="operations"'))).toContain('./problems?q=GET+%2Fcore%2Fv2%2Fposts');
});

test('the overview has the warnings of all sites and of the gateway, and what agents wrote', async () => {
  const html = await read('');
  const events = toText(html.slice(html.indexOf('id="events"'), html.indexOf('id="gateway"')));
  expect(events).toMatch(
    /gateway the configuration file is not in effect: retries: unknown key .* links to /,
  );
  expect(events).toMatch(/failing, well links to http:\/\/failing\.test\/ 2 since /);
  expect(events).toMatch(/gone discovery failed 2 since /);
  expect(events).toMatch(/well a call \(tool draft, callLevel draft\)/);
  expect(events).not.toMatch(/no change|tool read/);
});

test('an outage that stored responses hide leads to the operations, which count it', async () => {
  const outage = await runEchoSite();
  const clock = new GatewayClock();
  const cache = { rules: [{ match: '/*', ttl: 60, sie: 3_600 }] };
  const sites = [{ url: outage.origin, discovery: 'off', passthrough: true, cache }] as const;
  const subject = await startGateway({ inMemory: true, gateway: { sites, clock } });
  for (let at = 0; at < 2; at += 1) await subject.read('/a');
  await outage.close();
  clock.pass(90_000);
  const own = await signIn(subject.request, TOKEN);
  const readOverview = async () => (await own.get('/-/console/')).text();
  // The first stale response is sent before the site has failed to confirm it.
  await subject.read('/a');
  await expect.poll(readOverview).toContain('no good answer to 1 request');
  await subject.read('/a');
  await expect
    .poll(readOverview)
    .toMatch(
      /sites\/default\/traffic#operations">no good answer to \d requests?; served from the store: 1 of 1/,
    );
});

test('a warning names the only site by its title', async () => {
  const line = JSON.stringify({ level: 40, msg: 'discovery failed', site: 'default', time: START });
  const admin = { token: TOKEN, listLogLines: () => [line] };
  const site = { discovery: 'off', document: readSeed('content') } as const;
  const subject = await startGateway({ ...site, inMemory: true, gateway: { admin } });
  const html = await (await (await signIn(subject.request, TOKEN)).get('/-/console/')).text();
  expect(toText(html)).toContain('Harbour Notes discovery failed');
});

test('problems are filtered, and each leads to the explanation of its request', async () => {
  const html = await read('sites/failing/problems?q=5xx+get');
  const link = /href="\.\/(cache\?address=[\w%-]+)#explain"/.exec(html)?.[1] ?? '';
  expect(toText(await read(`sites/failing/${link}`))).toMatch(/Error the site failed: 500 "No database"/);
  expect(toText(await read('sites/failing/problems?q=4xx'))).toContain('request is kept');
});
