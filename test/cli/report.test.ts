import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../src/node/index.ts';
import { type EchoSite, type ReceivedRequest, startEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { startServer, unreachableOrigin } from '../support/server.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const token = 'the-token-of-the-tests';
const folder = useFolder();

let site: EchoSite;
let server: RunningServer;

/** Accepts every title and rejects every `page` above nine, which both differ from the index. */
function intercept({ url }: ReceivedRequest, response: ServerResponse): boolean {
  if (!/page=\d\d/.test(url)) return false;
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end('{"code":"rest_invalid_param","message":"No.","data":{"status":400,"params":{"page":"No."}}}');
  return true;
}

beforeAll(async () => {
  site = await startEchoSite(intercept);
  const gateway = createGateway({
    sites: [
      { name: 'echo', url: site.origin, validation: { mode: 'observe' } },
      { name: 'quiet', url: site.origin, validation: { mode: 'observe' } },
    ],
    admin: { token, elsewhere: true },
  });
  await gateway.rediscover();
  server = await serve(gateway, { port: 0, admin: { port: 0 } });
  const posts = `${server.url}/echo/core/v2/posts`;
  for (const page of [1, 2, 10]) await (await fetch(`${posts}?page=${page}`)).text();
  const headers = { 'content-type': 'application/json' };
  for (const title of [5, true]) {
    await (await fetch(posts, { method: 'POST', headers, body: JSON.stringify({ title }) })).text();
  }
});
afterAll(async () => {
  await server.stop();
  await site.close();
});

const runReport = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = { WAYGATE_ADMIN_TOKEN: token },
): Promise<CommandResult> => runCommand(['report', ...args], { env });

const admin = (): string => server.adminUrl ?? '';

describe('waygate report', () => {
  test('shows for each operation the requests and the agreement of the site', async () => {
    const { code, out } = await runReport([admin(), '--site', 'echo']);
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '));
    expect(lines.slice(0, 2)).toEqual([
      'echo: observe',
      'operation | seen | would refuse | refused | agreed | disagreed | missed | mode',
    ]);
    expect(lines).toContain('listPosts | 3 | 0 | 0 | 2 | 0 | 1 | observe');
    expect(lines).toContain('Rules that requests have violated: 1, of which 0 are known');
    expect(lines).toContain(
      'core/v2 page: the site refused requests that violate no rule, once (string(2, digits): 400)',
    );
    expect(lines).toContain('createPost | 2 | 1 | 0 | 1 | 1 | 0 | observe');
    expect(lines).toContain(
      'core/v2 title: the site accepted requests that violate rest_invalid_type, 2 times (integer: 200; boolean: 200); suspended',
    );
  });

  test('shows all sites by default', async () => {
    const { out } = await runReport([`${admin()}/`]);
    expect(out).toContain('echo: observe');
    expect(out).toContain('quiet: observe\n  No request has been validated yet.');
  });

  test('prints names of the site on the line of what they belong to', async () => {
    const counts = { validated: 1, wouldRefuse: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0 };
    const agreed = { accepted: 0, refused: 0 };
    const operation = {
      operation: null,
      method: 'GET',
      route: '/a\nforged',
      mode: 'observe',
      agreed,
      ...counts,
    };
    const findings = [{ pointer: '/a\n  forged', kind: 'missing', actual: 'nothing', responses: 1 }];
    const ofResponses = [{ operation: 'listPosts', validated: 1, correct: 0, findings }];
    const responses = { validated: 1, operations: ofResponses };
    const report = {
      site: 'x',
      mode: 'observe',
      operations: [operation],
      rules: [],
      missedParams: [],
      responses,
    };
    const gateway = await startServer((_, response) => response.end(JSON.stringify(report)));
    const { out } = await runReport([gateway.origin, '--site', 'x']);
    await gateway.close();
    expect(out).toContain('/a   forged: missing');
    expect(out.split('\n').filter((line) => /^\s*forged/.test(line))).toEqual([]);
  });

  test('prints JSON with --json', async () => {
    const { out } = await runReport([admin(), '--json', '--token', token], {});
    expect(JSON.parse(out)).toMatchObject({
      sites: [
        { site: 'echo', operations: [{ method: 'GET', validated: 3 }, { method: 'POST' }] },
        { site: 'quiet', operations: [] },
      ],
    });
  });

  test('reads the token from the file that WAYGATE_ADMIN_TOKEN_FILE names', async () => {
    const file = join(folder(), 'token');
    writeFileSync(file, `${token}\n`);
    expect(await runReport([admin()], { WAYGATE_ADMIN_TOKEN_FILE: file })).toMatchObject({
      code: 0,
      err: '',
    });
    const { code, err } = await runReport([admin()], { WAYGATE_ADMIN_TOKEN_FILE: `${file}-2` });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('WAYGATE_ADMIN_TOKEN_FILE: there is no such file'),
    ]);
    writeFileSync(file, '\n');
    const empty = await runReport([admin()], { WAYGATE_ADMIN_TOKEN_FILE: file });
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining(`${file} is empty`) });
  });

  const ENV = { WAYGATE_ADMIN_TOKEN: token };
  test.each<[string, () => Promise<readonly string[]>, Readonly<Record<string, string>>, number, RegExp]>([
    ['without a token', async () => [admin()], {}, 2, /--token or WAYGATE_ADMIN_TOKEN/],
    ['with another token', async () => [admin(), '--token', 'x'], {}, 2, /not the gateway's admin token/],
    ['for an unknown site', async () => [admin(), '--site', 'x'], ENV, 2, /Sites: echo, quiet/],
    ['for the public URL', async () => [server.url], ENV, 2, /no such operation/],
    ['for another server', async () => [site.origin], ENV, 3, /did not respond as a waygate gateway/],
    ['for a closed port', async () => [await unreachableOrigin()], ENV, 3, /cannot read http/],
    ['for what is no URL', async () => ['here'], ENV, 2, /not an http or https URL/],
  ])('fails with a clear message %s', async (_, args, env, code, message) => {
    const { code: actual, err } = await runReport(await args(), env);
    expect(actual).toBe(code);
    expect(err).toMatch(message);
    expect(err).not.toContain(token);
  });
});
