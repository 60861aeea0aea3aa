import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { createContentClient } from '../support/site-client.ts';

// `wordpress.real.test.ts` compares the errors of batches with those of WordPress.
const { call, site } = createContentClient();
const add = (title: string): JsonObject => ({ path: '/core/v2/posts', body: { title } });

test('a batch runs its requests in sequence as its user', async () => {
  const { status, body } = await call('editor', 'POST /batch/v1', {
    requests: [add('One'), { path: '/core/v2/posts?title=Two' }, { path: '/core/v2/posts', body: {} }],
  });
  const [first, second, invalid] = body.responses;
  expect([status, first.status, second.status, invalid.status]).toEqual([207, 201, 201, 400]);
  expect(first.body).toMatchObject({ title: { raw: 'One' }, author: 2 });
  expect(first.headers).toMatchObject({
    Location: expect.stringContaining(`/core/v2/posts/${first.body.id}`),
  });
  expect(second.body.id).toBe(first.body.id + 1);
  const { body: changed } = await call('editor', 'POST /batch/v1', {
    requests: [
      { method: 'PUT', path: `/core/v2/posts/${first.body.id}`, body: { title: 'Three' } },
      { method: 'DELETE', path: '/core/v2/media/1' },
    ],
  });
  expect(changed.responses).toMatchObject([
    { status: 200, body: { title: { raw: 'Three' } } },
    { status: 400, body: { code: 'rest_batch_not_allowed' } },
  ]);
});

test('a batch runs no request if `require-all-validate` finds an invalid one', async () => {
  const before = site.state().entries.size;
  const requests = [add('One'), { path: '/core/v2/posts', body: { date: 'tomorrow' } }];
  const { body } = await call('editor', 'POST /batch/v1', { requests, validation: 'require-all-validate' });
  expect(body).toMatchObject({ failed: 'validation', responses: [null, { status: 400 }] });
  expect(site.state().entries.size).toBe(before);
});
