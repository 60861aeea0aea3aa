import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../support/server.ts';
import { as, createLibrary } from './library.ts';

const site = createLibrary();
let port: number;
let close: () => Promise<unknown>;

beforeAll(async () => {
  ({ close, port } = await startServer(getRequestListener(site.fetch)));
});
afterAll(() => close());

const ECHO = '/wp-json/library/v1/echo';

/** Sends chunks while the server accepts them, and returns the status of the response. */
async function upload(headers: Record<string, string>, chunkCount: number): Promise<number> {
  const clientRequest = request({ port, method: 'POST', path: ECHO, headers });
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const responseEvent = once(clientRequest, 'response');
  // The site closes the connection of a rejected request.
  pipeline(Readable.from(Array(chunkCount).fill(chunk)), clientRequest).catch(() => undefined);
  const [response] = await responseEvent;
  response.resume();
  return response.statusCode;
}

test('the site rejects 100 MB, with or without Content-Length, and continues to respond', async () => {
  expect(await upload({ 'content-length': String(100 * 1024 * 1024) }, 100)).toBe(413);
  expect(await upload({ 'transfer-encoding': 'chunked' }, 100)).toBe(413);
  expect((await site.request(ECHO)).status).toBe(200);
});

test('the site reads the first 1,000 of 10,000 parameters, as PHP does', async () => {
  const body = Array.from({ length: 10_000 }, (_, index) => `a[${index}]=1`).join('&');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await site.request(ECHO, { method: 'POST', headers, body });
  const { params } = await response.json();
  expect(params.a).toHaveLength(1000);
});

test.each([
  ['names nested too deep', `${ECHO}?a${'[b]'.repeat(100)}=1`],
  ['broken escapes', `${ECHO}?%=%&%zz=%f`],
  ['bytes that are not UTF-8', `${ECHO}?%ff=%fe%80`],
  ['a NUL', `${ECHO}?a%00b=c%00d`],
  ['brackets', `${ECHO}?[[[]]]=1&]=2&a[=3`],
  ['names of JavaScript built-ins', `${ECHO}?__proto__=1&toString=2&constructor[prototype]=3`],
  ['a method that is a list', `${ECHO}?_method[]=POST`],
  ['globals that are lists', `${ECHO}?_fields[a][b]=1&_embed[x][y]=1&_envelope[]=1`],
  ['a long path', `/wp-json/library/v1/books/${'1'.repeat(50_000)}`],
  ['a path of slashes', `/wp-json${'/'.repeat(20_000)}x`],
])('%s gets a status below 500', async (_name, path) => {
  const response = await site.request(path);
  expect(response.status).toBeLessThan(500);
  expect(JSON.parse(await response.text())).toBeDefined();
});

test('the cost of long field names is linear in their length', async () => {
  const fields = Array.from({ length: 20_000 }, (_, index) => `a${index}.b.c`).join(',');
  const response = await site.request('/?rest_route=/library/v1/books&per_page=25', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...as('editor') },
    body: JSON.stringify({ title: 'x', _fields: `${fields},${'a.'.repeat(200_000)}b` }),
  });
  expect(response.status).toBeLessThan(500);
});
