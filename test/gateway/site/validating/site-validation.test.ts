import { describe, expect, test } from 'vitest';
import type { ValidationOptions } from '../../../../src/base/option-types.ts';
import type { ValidationMode } from '../../../../src/generator/validation/request/result.ts';
import { startGateway } from '../../../support/gateway.ts';

/** Starts a gateway before a site that reads each body. @returns what a client, the operator and the site see */
async function open(validation: ValidationOptions) {
  const bodies: string[] = [];
  const options = { passthrough: false, validation };
  const { administer, request, warnings } = await startGateway(options, (_, _count, response) => {
    const chunks: Buffer[] = [];
    // An aborted body emits no `end`. PHP does not run an incomplete request.
    response.req.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
    response.req.once('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"responses":[]}');
    });
    return undefined;
  });
  const posts = (query: string, init?: RequestInit) => request(`/wp/v2/posts${query}`, init);
  const postJson = (body: string, path = '/wp/v2/posts') =>
    request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const post = (title: unknown) => postJson(JSON.stringify({ title }));
  const report = async () => (await administer('/-/sites/default/validation')).json();
  return { bodies, post, postJson, posts, report, warnings };
}

describe('strict', () => {
  test('an invalid request is rejected with the messages of the site, and not forwarded', async () => {
    const { bodies, posts, report } = await open({ mode: 'strict' });
    const response = await posts('?page=x', { headers: { origin: 'https://app.example.com' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(await response.json()).toMatchObject({
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): page',
      data: {
        status: 400,
        params: { page: 'page is not of type integer.' },
        details: { page: { code: 'rest_invalid_type' } },
      },
    });
    expect(bodies).toEqual([]);
    expect(await report()).toMatchObject({
      mode: 'strict',
      requests: { valid: 0, forwarded: 0, refused: 1, too_complex: 0 },
    });
  });

  test('an invalid body is rejected, and a multipart one is left to the site', async () => {
    const { bodies, postJson, posts } = await open({ mode: 'strict' });
    const form = new FormData();
    form.set('author', 'a');
    form.set('file', new Blob(['x'.repeat(100_000)]), 'x.bin');
    const refused = await postJson('{"author":"nobody"}');
    expect(refused.status).toBe(400);
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-z]{6}-[0-9a-z]+$/);
    expect((await postJson('{"author":5}')).status).toBe(200);
    expect((await posts('', { method: 'POST', body: form })).status).toBe(200);
    expect(await (await postJson('{"a":')).json()).toMatchObject({ code: 'rest_invalid_json' });
    expect(bodies).toHaveLength(2);
  });

  test.each<[ValidationOptions, length: number, status: number]>([
    [{ mode: 'strict' }, 5 * 1024 * 1024, 413],
    [{ mode: 'enforce' }, 5 * 1024 * 1024, 200],
    [{ mode: 'enforce', bodyLimit: 1000 }, 2000, 413],
  ])(
    '%j: a body of %d bytes gets %d, under enforce by a stated limit only',
    async (validation, length, status) => {
      const { bodies, post } = await open(validation);
      expect((await post('a'.repeat(length))).status).toBe(status);
      expect(bodies).toHaveLength(status === 200 ? 1 : 0);
    },
  );
});

test.each<[ValidationMode, number]>([
  ['observe', 200],
  ['enforce', 200],
  ['strict', 413],
])(
  'a body with many values is too complex to be validated: %s gives %d, counts it and logs it once',
  async (mode, status) => {
    const { bodies, postJson, report, warnings } = await open({ mode });
    const body = `{"title":"a","other":[${'{},'.repeat(100_000)}{}]}`;
    const responses = [await postJson(body), await postJson(body)];
    expect(responses.map((response) => response.status)).toEqual([status, status]);
    expect(bodies).toEqual(status === 200 ? [body, body] : []);
    if (status === 413)
      expect(await responses[0]?.json()).toMatchObject({ code: 'gateway_body_too_complex' });
    expect(warnings.filter((message) => message.includes('too complex')).length).toBe(1);
    expect((await report()).requests).toMatchObject({ too_complex: 2 });
  },
);

test('a batch is refused for its own parameters, and otherwise the site validates its parts', async () => {
  const { bodies, postJson } = await open({ mode: 'strict' });
  const send = (requests: readonly object[], more: object = {}) =>
    postJson(JSON.stringify({ requests, ...more }), '/batch/v1');
  const bad = { path: '/wp/v2/posts', body: { author: 'nobody' } };
  expect((await send([bad], { validation: 'require-all-validate' })).status).toBe(200);
  const refused = await send(Array(26).fill({ path: '/wp/v2/posts', body: { title: 'a' } }));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ data: { params: { requests: expect.any(String) } } });
  expect(bodies).toHaveLength(1);
});
