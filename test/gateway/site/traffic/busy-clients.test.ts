import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SiteRecorder } from '../../../../src/gateway/site/traffic/site-recorder.ts';

const request = (client: string, agent = 'a') => ({
  client,
  head: { method: 'GET', target: '/', headers: ['user-agent', agent] },
});

const ending = (status: number) =>
  ({ status, sent: status, end: 'complete', duration: 1, bytes: 0 }) as const;

test('a client that sends a thirtieth of the requests is listed, whatever thousands of others send', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 30, maxLength: 300 }), (others) => {
      const clients = new SiteRecorder(() => 0).clients;
      let total = 0;
      for (const [round, count] of others.entries()) {
        // At most 29 others for each request of the busy client, each of them once.
        for (let at = 0; at < 5 * count + 4; at += 1) {
          clients.count(request(`${round}.${at}`), 'listPosts', 'hit', ending(200), 0);
          total += 1;
        }
        clients.count(request('busy'), 'listPosts', 'miss', ending(404), 0);
        total += 1;
      }
      const read = clients.read();
      expect(read.clients.map(({ client }) => client)).toContain('busy');
      expect(read.clients.length).toBeLessThanOrEqual(64);
      expect(read.requests).toBe(total);
    }),
    { numRuns: 20 },
  );
});

test('a client has its first agent and what it asks most, and is forgotten after ten minutes', () => {
  const clock = { now: 0 };
  const clients = new SiteRecorder(() => 0).clients;
  clients.count(request('192.0.2.1', 'curl/8'), 'createPost', 'none', ending(403), clock.now);
  for (const operation of ['listPosts', 'listPosts', 'getPost', ...Array(3).fill('listPosts')])
    clients.count(request('192.0.2.1', 'another'), operation, 'hit', ending(200), clock.now);
  const counted = { client: '192.0.2.1', agent: 'curl/8', operation: 'listPosts' };
  expect(clients.read().clients).toMatchObject([{ ...counted, requests: 7, misses: 1, clientErrors: 1 }]);
  for (const operation of ['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e'])
    clients.count(request('192.0.2.9'), operation, 'hit', ending(200), clock.now);
  expect(clients.read().clients[0]).toMatchObject({ client: '192.0.2.9', operation: '' });
  clock.now = 300_000;
  clients.count(request('192.0.2.2'), 'listPosts', 'hit', ending(200), clock.now);
  expect(clients.read()).toMatchObject({ requests: 18, clientErrors: 1 });
  clock.now = 900_000;
  clients.count(request('192.0.2.3'), 'listPosts', 'hit', ending(200), clock.now);
  expect(clients.read().clients.map(({ client }) => client)).toEqual(['192.0.2.3']);
});
