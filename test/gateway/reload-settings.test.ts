import { expect, test } from 'vitest';
import type { Gateway, SiteOptions } from '../../src/gateway/index.ts';
import { openGateway } from '../../src/open-gateway.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { networks } from '../support/gateway.ts';
import { runStubSite } from '../support/run.ts';
import { createSmallIndex } from '../support/small-index.ts';

/** Statuses, or what else shows that a setting holds. */
type Probe = (send: (path: string, init?: RequestInit) => Promise<Response>) => Promise<unknown>;

const callAgent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

/** Sends a request several times. */
const repeat =
  (path: string, read: (response: Response) => unknown, init?: RequestInit): Probe =>
  async (send) => {
    const seen: unknown[] = [];
    for (let at = 0; at < 5; at += 1) seen.push(read(await send(path, init)));
    return seen;
  };

const readStatus = ({ status }: Response): number => status;
const isHit = ({ headers }: Response): boolean => headers.get('cache-status')?.includes('; hit') === true;
/** Reads an address until its response is stored. */
const readStored: Probe = async (send) => {
  for (let at = 0; at < 2; at += 1) await (await send('/a/')).text();
  return (await send('/a/')).text();
};
const AGENT_LIMIT = { match: '/-/mcp', client: { ofNetwork: 2, window: 60_000 } };
const RULE = { match: '/a/', ttl: 60 };

/** Settings before and after a reload, and what tells them apart. Each is of another part of a site. */
const CHANGES: Readonly<Record<string, readonly [Partial<SiteOptions>, Partial<SiteOptions>, Probe]>> = {
  'a limit that is higher': [
    { limits: { client: { ofNetwork: 1, window: 60_000 } } },
    { limits: { client: { ofNetwork: 3, window: 60_000 } } },
    repeat('/a/', readStatus),
  ],
  'passthrough, by which the limited tools for agents move': [
    { passthrough: false, mcp: true, limits: { rules: [AGENT_LIMIT] } },
    { passthrough: true, mcp: true, limits: { rules: [AGENT_LIMIT] } },
    repeat('/-/mcp', ({ status }) => status === 429, callAgent),
  ],
  'a rule of the cache': [{ cache: { rules: [] } }, { cache: { rules: [RULE] } }, repeat('/a/', isHit)],
  'no cache any more': [{ cache: { rules: [RULE] } }, { cache: 'off' }, repeat('/a/', isHit)],
  'validation of requests': [
    { validation: { mode: 'off' } },
    { validation: { mode: 'strict' } },
    repeat('/wp-json/demo/v1/notes?order=none', readStatus),
  ],
  'fields for the site, by which its responses differ': [
    { upstream: { headers: { 'X-Shop': 'one' } }, cache: { rules: [RULE] } },
    { upstream: { headers: { 'X-Shop': 'two' } }, cache: { rules: [RULE] } },
    readStored,
  ],
  'the host that the site is told': [
    { upstream: { host: 'one.example' }, cache: { rules: [RULE] } },
    { upstream: { host: 'two.example' }, cache: { rules: [RULE] } },
    readStored,
  ],
  'the protocol of the public URL': [
    { hosts: ['localhost'], publicUrl: 'http://localhost', cache: { rules: [RULE] } },
    { hosts: ['localhost'], publicUrl: 'https://localhost', cache: { rules: [RULE] } },
    readStored,
  ],
  'origins that can read': [
    { cors: { origins: ['https://a.example'] } },
    { cors: { origins: ['https://b.example'] } },
    repeat('/a/', ({ headers }) => headers.get('access-control-allow-origin'), {
      headers: { origin: 'https://b.example' },
    }),
  ],
  'an access list': [{}, { access: { allow: networks('192.0.2.1') } }, repeat('/a/', readStatus)],
  'the address of the reference': [
    {},
    { docs: '/reference' },
    repeat('/reference', ({ headers }) => headers.has('content-security-policy')),
  ],
};

test.each(Object.entries(CHANGES))('a reload gives what a restart gives: %s', async (_, change) => {
  const site = await runStubSite({
    index: createSmallIndex(),
    intercept({ headers, route, url }, response) {
      if (url === '/' || route === '/') return false;
      const told = [headers.host, headers['x-shop'], headers['x-forwarded-proto']];
      response.writeHead(200, { 'content-type': 'text/html' }).end(told.join(' '));
      return true;
    },
  });
  const [before, after, probe] = change;
  const open = (settings: Partial<SiteOptions>, replaced: Gateway | null = null): Gateway => {
    const one = { url: site.origin, passthrough: true, ...settings };
    const gateway = openGateway({ sites: [one], cache: 'memory' }, replaced);
    closeAfterTest(() => gateway.stop());
    return gateway;
  };
  const run = (gateway: Gateway): Promise<unknown> =>
    probe(async (path, init) => gateway.fetch(new Request(`http://localhost${path}`, init)));
  const replaced = open(before);
  await replaced.rediscover();
  const ofReplaced = await run(replaced);
  const reloaded = open(after, replaced);
  await reloaded.getReady();
  reloaded.succeed(replaced);
  const restarted = open(after);
  await restarted.rediscover();
  const ofRestarted = await run(restarted);
  expect(ofRestarted).not.toEqual(ofReplaced);
  expect(await run(reloaded)).toEqual(ofRestarted);
});
