import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../src/json.ts';
import { readGatewayShapes } from '../../src/reconcile/index.ts';
import { createShapesReport } from '../../src/validation/shapes/response-shapes.ts';
import { runCommand } from '../cli/run-command.ts';
import type { RunningExample } from '../example/gateway/running.ts';
import { useFolder } from '../support/folder.ts';
import { ADMIN_TOKEN, startObservedExample } from './example-site.ts';

let example: RunningExample;
const folder = useFolder('file');
beforeAll(async () => {
  example = await startObservedExample(false);
});
afterAll(async () => {
  await example.stop();
});

test('a site may be named by the URL of the mount that --from names', async () => {
  const mount = `${example.origin}/boards`;
  const [user] = example.boards.users;
  const auth = `${user?.login}:${user?.password}`;
  const authorization = `Basic ${Buffer.from(auth).toString('base64')}`;
  const created = await fetch(`${mount}/boards/v2/projects`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"title":"Garden"}',
  });
  expect(created.status).toBe(201);
  const target = ['--out', folder(), '--name', 'x', '--max-requests', '0', '--json'];
  const { code, err, out } = await runCommand(
    ['reconcile', mount, '--from', mount, '--auth', auth, ...target],
    {
      env: { WAYGATE_ADMIN_TOKEN: ADMIN_TOKEN },
    },
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out).gatewayResponses).toBeGreaterThan(0);
  const { actions } = JSON.parse(await readFile(join(folder(), 'x.overlay.json'), 'utf8'));
  expect(actions.map(({ target }: { target: string }) => target)).toContain(
    "$.paths['/boards/v2/projects'].post.responses",
  );
});

const SHAPES: Json = createShapesReport('https://site.example.com/', []);

test.each([
  ['the site', 'https://site.example.com/', 'http://gateway.example.com/blog'],
  ['the mount', 'http://gateway.example.com/blog/', 'http://gateway.example.com/blog'],
  [
    'the mount, with operations on a port of their own',
    'http://gateway.example.com/blog/',
    'http://gateway.example.com:9000/blog',
  ],
  ['a gateway with one unnamed site', 'http://gateway.example.com/', 'http://gateway.example.com:9000'],
])('shapes are accepted for the URL of %s', (_, base, gatewayUrl) => {
  expect(readGatewayShapes(SHAPES, base, gatewayUrl)).toEqual([]);
});

test.each([
  ['another mount', 'http://gateway.example.com/shop/', 'http://gateway.example.com/blog'],
  ['another host', 'http://other.example.com/blog/', 'http://gateway.example.com/blog'],
  ['any gateway, if its URL is unknown', 'http://gateway.example.com/blog/', undefined],
])('shapes are refused for the URL of %s', (_, base, gatewayUrl) => {
  expect(() => readGatewayShapes(SHAPES, base, gatewayUrl)).toThrow(
    /reports responses of site\.example\.com, not of/,
  );
});
