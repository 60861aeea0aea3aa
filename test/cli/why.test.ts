import { beforeAll, describe, expect, test } from 'vitest';
import { useEchoSite } from '../support/echo-site.ts';
import { networks, startGateway, TOKEN } from '../support/gateway.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';

const env = { WAYGATE_ADMIN_TOKEN: TOKEN };
const site = useEchoSite();
let url: string;
beforeAll(async () => {
  const limits = { client: { ofNetwork: 1, window: 86_400_000 } };
  const sites = [
    { name: 'echo', url: site.origin, validation: { mode: 'strict' } },
    { name: 'limited', url: site.origin, limits },
    { name: 'closed', url: site.origin, access: { allow: networks('192.0.2.0/24') } },
  ] as const;
  url = (await startGateway({ gateway: { sites } })).origin;
});

const run = (...args: readonly string[]): Promise<CommandResult> =>
  runCommand([...args, '--gateway', url], { env });

/** Sends a request and reads its response. @returns the id of the request */
async function send(path: string, init?: RequestInit, mount = 'echo'): Promise<string> {
  const response = await fetch(`${url}/${mount}${path}`, init);
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

const EDITOR = { authorization: 'Basic ZWRpdG9yOnNlY3JldA==' };
const JSON_POST = (body: object, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

describe('waygate why', () => {
  test('says of an address what is stored, and what has purged it by which tag', async () => {
    await send('/core/v2/posts');
    const { code, out } = await run('why', `${url}/echo/core/v2/posts`);
    expect(code).toBe(0);
    expect(out).toContain('Store: Hit: a request gets the stored response.');
    expect(out).toContain('Last purge: none that is remembered');
    const written = await send('/core/v2/posts', JSON_POST({ title: 'A title' }, EDITOR));
    const { out: purged } = await run('why', `${url}/echo/core/v2/posts`);
    expect(purged).toMatch(
      new RegExp(
        `Last purge: .*, by POST /core/v2/posts from 127\\.0\\.0\\.1, user editor \\(request ${written}\\)\\. It selects everything of the site`,
      ),
    );
    const missed = await send('/core/v2/posts');
    const { out: again } = await run('why', `${url}/echo/core/v2/posts`);
    expect(again).toContain('This copy was fetched after it.');
    expect(again).toContain(`request ${missed}`);
  });

  test('remembers no values of credentials, and no hits', async () => {
    const personal = await send('/core/v2/posts?api_token=hush-hush&search=word', {
      headers: { authorization: 'Bearer hush-hush', cookie: 'session=hush-hush' },
    });
    const { out } = await run('why', personal, '--json');
    expect(JSON.parse(out).facts[0].text).toContain('/core/v2/posts?api_token=…&search=…');
    expect(out).not.toContain('hush');
    await send('/core/v2/posts/7');
    const hit = await send('/core/v2/posts/7');
    expect(await run('why', hit)).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not remember a request with this id'),
    });
  });

  test.each([
    ['a rate limit', 'limited', '/core/v2/posts: 429', 'gateway_rate_limited'],
    ['an access list', 'closed', '/closed/core/…: 403', 'gateway_access_denied'],
  ])('remembers what %s has refused', async (_, mount, route, code) => {
    await send('/core/v2/posts', {}, mount);
    const { out } = await run('why', await send('/core/v2/posts?token=hush', {}, mount));
    expect(out).toContain(`GET ${route}`);
    expect(out).toContain(code);
    expect(out).not.toContain('hush');
  });

  test("sends and prints no credentials of the gateway's URL", async () => {
    const gateway = url.replace('://', '://user:hush@');
    const { code, err, out } = await runCommand(['why', `${url}/echo/`, '--gateway', gateway], { env });
    expect(code).toBe(0);
    expect(out + err).not.toContain('hush');
  });

  test('says what it cannot explain, and needs the token', async () => {
    const { err, out } = await run('why', 'no address');
    expect(out + err).toMatch(/no address: .*Type a URL, or a path/);
    expect(await runCommand(['why', '/', '--gateway', url], {})).toMatchObject(
      refused('admin token of the gateway is missing'),
    );
  });
});
