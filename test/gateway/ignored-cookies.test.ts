import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { cacheStatusOf } from '../support/run.ts';

const COOKIE = 'visit_guest';

/** The site sets the cookie in each response. Posts are what `toBody` returns. */
async function start(ignoreCookies: readonly string[], toBody: (session: string) => unknown = () => []) {
  const site = await startGateway({ passthrough: false, cache: { ignoreCookies } }, (_, count) => {
    const session = `0123456789%7C${count}`;
    return { headers: { 'set-cookie': `${COOKIE}=${session}; Path=/; HttpOnly` }, body: toBody(session) };
  });
  /** Reads posts. @returns `Cache-Status`, and whether the response sets the cookie */
  const read = async (cookie?: string) => {
    const response = await site.request('/wp/v2/posts', cookie === undefined ? {} : { headers: { cookie } });
    await response.text();
    return [cacheStatusOf(response), response.headers.has('set-cookie')];
  };
  return { ...site, read };
}

test('an ignored cookie is taken out of responses, and out of requests', async () => {
  const { read, received } = await start([COOKIE]);
  const cookie = `${COOKIE}=abcdefgh`;
  expect(await read(cookie)).toEqual([expect.stringContaining('fwd=uri-miss'), false]);
  expect(await read()).toEqual([expect.stringMatching(/^hit/), false]);
  expect(received.map(({ headers }) => headers.cookie)).toEqual([undefined]);
  expect((await read(`${cookie}; wordpress_logged_in_x=1`))[0]).toContain('bypass');
});

test('a response whose body contains the value is not stored', async () => {
  const { read, received } = await start([COOKIE], (session) => [{ session: decodeURIComponent(session) }]);
  await read();
  expect((await read())[0]).toContain('fwd');
  expect(received).toHaveLength(2);
});

test('it counts again for a client who has written with it, or got it from the response to a write', async () => {
  const { read, received, request } = await start([COOKIE]);
  await read();
  const write = { method: 'POST', headers: { cookie: `a=1; ${COOKIE}=first123456789` } };
  await (await request('/acme/v1/cart', write)).text();
  for (const cookie of [`${COOKIE}=first123456789`, `${COOKIE}=0123456789%7C2`]) {
    expect((await read(cookie))[0]).toBe('fwd=bypass; detail=cookie');
    expect(received.at(-1)?.headers.cookie).toBe(cookie);
  }
  expect((await read(`${COOKIE}=other123456789`))[0]).toMatch(/^hit/);
});

// strangerstudios/paid-memberships-pro#3690: `pmpro_visit=1`
test('a value that many clients have stays ignored', async () => {
  const { read, request } = await start([COOKIE]);
  await (await request('/acme/v1/cart', { method: 'POST', headers: { cookie: `${COOKIE}=1` } })).text();
  await read();
  expect((await read(`${COOKIE}=1`))[0]).toMatch(/^hit/);
});

test('made-up cookies take no client’s place', async () => {
  const { read, request } = await start(['visit_*']);
  const write = (cookie: string) => request('/acme/v1/cart', { method: 'POST', headers: { cookie } });
  await write('visit_guest=first123456789');
  for (let round = 0; round < 70; round += 1)
    await write(Array.from({ length: 1_000 }, (_, at) => `visit_${round}=${at + 1e9}`).join(';'));
  await read();
  expect((await read('visit_guest=first123456789'))[0]).toBe('fwd=bypass; detail=cookie');
});
