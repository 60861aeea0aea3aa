import { expect, onTestFinished, test, vi } from 'vitest';
import { ChangePoller } from '../../../src/gateway/caching/change-poller.ts';
import { silentLog, systemClock } from '../../../src/ports.ts';

/** A snapshot with collections that can be polled. */
function createSnapshot(paths: readonly string[]): object {
  const parameters = [{ name: 'modified_after' }, { name: 'orderby' }];
  const operations = paths.map((path) => ({ operation: { method: 'GET', path, parameters } }));
  return {
    origin: 'http://example.com',
    requestValidators: { listOperations: () => operations },
    resolveRequest: ({ target }: { target: string }) => ({ kind: 'route', upstreamTarget: target }),
  };
}

test('the log has one line when polls begin to fail, and one when all succeed again', async () => {
  const snapshot = createSnapshot(['/a', '/b', '/c']);
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

test('no signal lives longer than its poll: Node 20 keeps all that were derived from it', async () => {
  const derive = vi.spyOn(AbortSignal, 'any');
  onTestFinished(() => derive.mockRestore());
  const asked: AbortSignal[] = [];
  const fetch = async (_url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
    asked.push(signal);
    return Response.json([]);
  };
  const site = {
    mountPath: '',
    runtime: { snapshot: createSnapshot(['/a', '/b']) },
    caching: {},
    upstream: { fetch },
  };
  const poller = new ChangePoller(site as never, 1_000, systemClock, silentLog);
  for (let count = 0; count < 3; count += 1) await poller.poll();
  const sources = derive.mock.calls.map(([[source]]) => source);
  expect([sources.length, new Set(sources).size]).toEqual([6, 3]);
  poller.stop();
  expect(asked.map(({ aborted }) => aborted)).toEqual([false, false, false, false, true, true]);
});
