import { expect, test } from 'vitest';
import { ChangePoller } from '../../../src/gateway/caching/change-poller.ts';
import { systemClock } from '../../../src/ports.ts';

test('the log has one line when polls begin to fail, and one when all succeed again', async () => {
  const parameters = [{ name: 'modified_after' }, { name: 'orderby' }];
  const operations = ['/a', '/b', '/c'].map((path) => ({ operation: { method: 'GET', path, parameters } }));
  const snapshot = {
    origin: 'http://example.com',
    requestValidators: { listOperations: () => operations },
    resolveRequest: ({ target }: { target: string }) => ({ kind: 'route', upstreamTarget: target }),
  };
  let isDown = (_url: string): boolean => false;
  const fetch = async (url: string): Promise<Response> => {
    if (isDown(url)) throw new TypeError('fetch failed');
    return Response.json([]);
  };
  const lines: string[] = [];
  const note = (_facts: object, message: string): void => void lines.push(message);
  const site = { mountPath: '', runtime: { snapshot }, caching: {}, upstream: { fetch } };
  const log = { info: note, warn: note, error: note };
  const poller = new ChangePoller(site as never, 1_000, systemClock, log);
  await poller.poll();
  expect(lines).toEqual([]);
  isDown = () => true;
  for (let count = 0; count < 3; count += 1) await poller.poll();
  expect(lines).toEqual(['polling the site for modified resources failed']);
  isDown = (url) => url.includes('%2Fa');
  await poller.poll();
  expect(lines).toHaveLength(1);
  isDown = () => false;
  for (let count = 0; count < 3; count += 1) await poller.poll();
  expect(lines.slice(1)).toEqual(['the site is polled for modified resources again']);
});
