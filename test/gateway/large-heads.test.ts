import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { FAILURE_RESPONSES } from '../../src/gateway/upstream/failures.ts';
import { startGateway } from '../support/gateway.ts';
import { PLAIN, runServer, sendRaw } from '../support/run.ts';
import { waitUntil } from '../support/wait.ts';

test('a request head of 23 kB in three fields passes, as through nginx', async () => {
  const server = createServer({ maxHeaderSize: 64 * 1024 }, ({ headers }, response) => {
    response.end(String(Object.values(headers).join('').length));
  });
  const site = await runServer(server);
  const { origin } = await startGateway({ url: site.origin, ...PLAIN });
  const large = 'x'.repeat(7_700);
  const headers = { 'X-One': large, 'X-Two': large, Cookie: `a=${large}` };
  const { body, status } = await sendRaw(origin, '/a/', { headers });
  expect(status).toBe(200);
  expect(Number(body)).toBeGreaterThan(23_000);
});

test('a response head over the limit is a failure of that name, for the client and in the log', async () => {
  const headers = { 'x-large': Array(70).fill('y'.repeat(1000)) };
  const { lines, origin } = await startGateway(PLAIN, () => ({ headers }));
  const { body, status } = await sendRaw(origin, '/large/', { headers: { accept: 'application/json' } });
  expect([status, body]).toEqual([502, expect.stringContaining(FAILURE_RESPONSES['head-too-large'].code)]);
  await waitUntil(() => lines.length > 0);
  const cause: unknown = expect.stringContaining(String(64 * 1024));
  expect(lines).toMatchObject([{ failure: 'head-too-large', cause }]);
});
