import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { type ContentState, contentDefinition } from '../../../../src/sites/example/content/index.ts';
import { boardSite } from '../../../../src/sites/example/index.ts';
import { createSite, type InspectableSite } from '../../../../src/sites/example/site/create-site.ts';
import { startGateway } from '../../../support/gateway.ts';
import { runServer } from '../../../support/run.ts';

/** Both example sites behind one gateway, as `waygate example` runs them. */
export interface RunningExample {
  readonly content: InspectableSite<ContentState>;
  /** Origin of the gateway: `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Errors that the handlers of the sites threw. */
  readonly faults: readonly unknown[];
}

export async function startExample(mode: 'enforce' | 'strict' = 'enforce'): Promise<RunningExample> {
  const faults: unknown[] = [];
  const onError = (fault: unknown): void => void faults.push(fault);
  const content = createSite(contentDefinition, { onError });
  const listen = (site: Hono) => runServer(getRequestListener(site.fetch, { overrideGlobalObjects: false }));
  const servers = { content: await listen(content), boards: await listen(boardSite()) };
  const sites = Object.entries(servers).map(([name, { origin: url }]) => ({
    name,
    url,
    validation: { mode },
  }));
  const { origin } = await startGateway({ gateway: { sites, cache: 'off' } });
  return { content, origin, faults };
}
