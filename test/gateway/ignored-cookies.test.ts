import { expect, test } from 'vitest';
import { cacheStatusOf, runAnswering } from '../support/run.ts';

const COOKIE = 'lp_session_guest';

async function start(ignoreCookies: readonly string[], toBody: (session: string) => unknown = () => []) {
  const sent: string[] = [];
  const { request } = await runAnswering(
    ({ headers }) => {
      const session = `session-of-${sent.length}`;
      sent.push(headers.cookie ?? '');
      const fields = { 'set-cookie': `${COOKIE}=${session}; Path=/; HttpOnly` };
      return { headers: fields, body: JSON.stringify(toBody(session)) };
    },
    { passthrough: false, cache: { ignoreCookies } },
  );
  /** Reads posts. @returns `Cache-Status`, and whether the response sets the cookie */
  const read = async (cookie?: string) => {
    const response = await request('/wp/v2/posts', cookie === undefined ? {} : { headers: { cookie } });
    await response.text();
    return [cacheStatusOf(response), response.headers.has('set-cookie')];
  };
  return { read, sent };
}

test('an ignored cookie is taken out of responses, and out of requests', async () => {
  const { read, sent } = await start([COOKIE]);
  const cookie = `${COOKIE}=abcdefgh`;
  expect(await read(cookie)).toEqual([expect.stringContaining('fwd=uri-miss'), false]);
  expect(await read()).toEqual([expect.stringMatching(/^hit/), false]);
  expect(sent).toEqual(['']);
  expect((await read(`${cookie}; wordpress_logged_in_x=1`))[0]).toContain('bypass');
});

test('a response whose body contains the value is not stored', async () => {
  const { read, sent } = await start([COOKIE], (session) => [{ session }]);
  await read();
  expect((await read())[0]).toContain('fwd');
  expect(sent).toHaveLength(2);
});
