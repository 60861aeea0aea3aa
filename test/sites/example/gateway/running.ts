import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { serve } from '../../../../src/gateway/node/index.ts';
import { type ContentState, contentDefinition } from '../../../../src/sites/example/content/index.ts';
import { boardSite } from '../../../../src/sites/example/index.ts';
import { createSite, type InspectableSite } from '../../../../src/sites/example/site/create-site.ts';
import { createSettledGateway } from '../../../support/gateway.ts';
import { startServer } from '../../../support/server.ts';

/** Both example sites behind one gateway, as `waygate example` runs them. */
export interface RunningExample {
  readonly content: InspectableSite<ContentState>;
  /** Origin of the gateway: `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Errors that the handlers of the sites threw. */
  readonly faults: readonly unknown[];
  stop(): Promise<void>;
}

export async function startExample(mode: 'enforce' | 'strict' = 'enforce'): Promise<RunningExample> {
  const faults: unknown[] = [];
  const onError = (fault: unknown): void => void faults.push(fault);
  const content = createSite(contentDefinition, { onError });
  const listen = (site: Hono) =>
    startServer(getRequestListener(site.fetch, { overrideGlobalObjects: false }));
  const servers = { content: await listen(content), boards: await listen(boardSite()) };
  const gateway = createSettledGateway({
    sites: Object.entries(servers).map(([name, { origin: url }]) => ({ name, url, validation: { mode } })),
  });
  const server = await serve({ gateway, port: 0, settings: { shutdownGrace: 500 } });
  await gateway.rediscover();
  return {
    content,
    origin: server.url,
    faults,
    async stop() {
      await server.stop();
      await Promise.all(Object.values(servers).map(({ close }) => close()));
    },
  };
}
