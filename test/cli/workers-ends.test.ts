import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WorkerPurges } from '../../src/cache/stores/worker-store.ts';
import { Workers } from '../../src/cli/serve/workers/workers.ts';
import { createGatewayProcess, getGatewayInternals } from '../../src/gateway/gateway.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { silentLog, systemClock } from '../../src/ports.ts';
import { waitUntil } from '../support/wait.ts';

/** A worker that replies to everything at once, and ends when it is told a message of one kind. */
class FakeWorker extends EventEmitter {
  readonly process = Object.assign(new EventEmitter(), {
    connected: true,
    send: () => true,
    kill: () => true,
    disconnect() {
      this.connected = false;
    },
  });
  readonly id: number;
  endsAt = '';

  constructor(id: number) {
    super();
    this.id = id;
    setImmediate(() => this.emit('message', [{ kind: 'begun', content: null }]));
  }

  isConnected(): boolean {
    return this.process.connected;
  }

  send(messages: readonly { readonly kind: string; readonly id?: number }[]): void {
    for (const { id, kind } of messages) {
      if (kind === this.endsAt) this.emit('exit', null, 'SIGKILL');
      else if (id !== undefined)
        this.emit('message', [{ kind: 'reply', id, value: kind === 'start' ? { url: '' } : null }]);
    }
  }
}

test('a worker that ends while a reload begins to be used does not keep the gateway from learning', async () => {
  const forked: FakeWorker[] = [];
  const fork = vi.spyOn(cluster, 'fork').mockImplementation(() => {
    forked.push(new FakeWorker(forked.length + 1));
    return forked.at(-1) as unknown as ClusterWorker;
  });
  const setUp = vi.spyOn(cluster, 'setupPrimary').mockImplementation(() => {});
  const workers = new Workers({
    settings: { config: { shutdownGrace: 0 } as never, createSites: () => [] },
    count: 2,
    purges: new WorkerPurges(systemClock, () => Date.now()),
    logs: { log: silentLog } as never,
    hasActivatedSockets: false,
  });
  const createOptions = (rewriteBodies: boolean): GatewayOptions => ({
    sites: [{ url: 'https://example.com', discovery: 'off', passthrough: true, rewriteBodies }],
    cache: 'memory',
  });
  const gateway = createGatewayProcess(createOptions(false), workers);
  await workers.start(gateway);
  const next = createGatewayProcess(createOptions(true), workers, getGatewayInternals(gateway));
  onTestFinished(async () => {
    void workers.stop();
    for (const worker of forked) worker.emit('exit', 0, null);
    await next.stop();
    for (const spy of [fork, setUp]) spy.mockRestore();
  });
  const use = await workers.prepare(next, { config: { shutdownGrace: 0 } as never, createSites: () => [] });
  if (forked[0] !== undefined) forked[0].endsAt = 'use';
  await use();
  await waitUntil(() => workers.countWorkers().serving === 2);
  const [site] = getGatewayInternals(next).context.sites.values();
  const { caching = null, runtime } = site ?? {};
  const { evidence = null } = caching ?? {};
  if (caching === null || evidence === null || runtime?.snapshot == null) throw new Error('the site learns');
  const record = vi.spyOn(evidence, 'record').mockImplementation(() => {});
  const until = systemClock.now() + 1_000;
  const comparison = { until } as never;
  for (const worker of [2, 3])
    caching.learnFrom(runtime.snapshot, worker, { version: null, until, isIncomplete: false, events: [] });
  const { version } = evidence;
  const events = [{ kind: 'comparison', comparison }] as const;
  for (const worker of [2, 3])
    caching.learnFrom(runtime.snapshot, worker, {
      version,
      until: until + 1,
      isIncomplete: false,
      events: worker === 2 ? events : [],
    });
  expect(record).toHaveBeenCalledTimes(1);
});
