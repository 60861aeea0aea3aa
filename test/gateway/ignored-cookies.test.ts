import { expect, test } from 'vitest';
import type { Log } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { readSmallIndex, type StubRequest, startStubSite } from '../support/stub-site.ts';

const COOKIE = 'lp_session_guest';
const ADMIN = { headers: { authorization: 'Bearer token' } };

/** Starts a gateway before a site that sets a cookie on each response. @param toBody creates the body of a response */
async function startGateway(
  ignoreCookies: readonly string[],
  toBody: (request: StubRequest, session: string) => unknown,
): Promise<RunningGateway & { readonly messages: readonly string[]; readonly sent: readonly string[] }> {
  const sent: string[] = [];
  const site = await startStubSite({
    index: readSmallIndex(),
    respond: (request) => {
      const session = `session-of-${sent.length}`;
      sent.push(request.headers.cookie ?? '');
      const cookies = { 'Set-Cookie': `${COOKIE}=${session}; Path=/; HttpOnly` };
      return { headers: cookies, body: toBody(request, session) };
    },
  });
  closeAfterTest(site.close);
  const messages: string[] = [];
  const record = (_: object, message: string) => void messages.push(message);
  const log: Log = { info() {}, warn: record, error: record };
  const sites = [{ url: site.url, cache: { ignoreCookies } }];
  const gateway = await startNodeGateway({ sites, cache: 'memory', admin: { token: 'token' }, log });
  closeAfterTest(gateway.stop);
  return Object.assign(gateway, { messages, sent });
}

/** Reads posts. @returns `Cache-Status`, and whether the response sets the cookie */
async function read(gateway: RunningGateway, cookie?: string): Promise<readonly [string, boolean]> {
  const response = await gateway.request('/wp/v2/posts', cookie === undefined ? {} : { headers: { cookie } });
  await response.text();
  return [response.headers.get('cache-status') ?? '', response.headers.has('set-cookie')];
}

test('a cookie that most responses set is named in the log and below /-/, with what to do', async () => {
  const gateway = await startGateway([], () => []);
  for (let count = 0; count < 25; count += 1) {
    expect(await read(gateway)).toEqual([expect.stringContaining('set-cookie'), true]);
  }
  const message = expect.stringMatching(/^lp_session_guest on 100 % of responses .*"ignoreCookies"/);
  expect(gateway.messages.filter((text) => text.includes(COOKIE))).toEqual([message]);
  const { sites } = (await (await gateway.request('/-/sites', ADMIN)).json()) as {
    readonly sites: readonly object[];
  };
  expect(sites[0]).toMatchObject({ cookies: message });
});

test('an ignored cookie is taken out of responses, and out of requests', async () => {
  const gateway = await startGateway([COOKIE], () => []);
  const cookie = `${COOKIE}=abcdefgh`;
  expect(await read(gateway, cookie)).toEqual([expect.stringContaining('fwd=uri-miss'), false]);
  expect(await read(gateway)).toEqual([expect.stringMatching(/^waygate; hit/), false]);
  expect(gateway.sent).toEqual(['']);
  expect((await read(gateway, `${cookie}; wordpress_logged_in_x=1`))[0]).toContain('bypass');
});

test('a response whose body contains the value is not stored', async () => {
  const gateway = await startGateway([COOKIE], (_, session) => [{ session }]);
  await read(gateway);
  expect((await read(gateway))[0]).toContain('fwd');
  expect(gateway.sent).toHaveLength(2);
});
