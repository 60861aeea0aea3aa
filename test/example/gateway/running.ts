import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { SiteCacheOptions } from '../../../generated/option-types.d.ts';
import { type BoardState, boardDefinition } from '../../../src/example/boards/index.ts';
import { type ContentState, contentDefinition } from '../../../src/example/content/index.ts';
import { DEMO_USERS } from '../../../src/example/index.ts';
import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';
import { createGateway, type GatewayOptions } from '../../../src/gateway/index.ts';
import { serve } from '../../../src/node/index.ts';
import { startServer } from '../../support/server.ts';

/** Both example sites behind one gateway, as `waygate example` runs them. */
export interface RunningExample {
  readonly content: InspectableSite<ContentState>;
  readonly boards: InspectableSite<BoardState>;
  /** Origin of the gateway: `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Base URLs of the sites, with a slash at the end. */
  readonly siteUrls: { readonly content: string; readonly boards: string };
  /** Errors that the handlers of the sites threw. */
  readonly faults: readonly unknown[];
  stop(): Promise<void>;
}

/** Options of {@link startExample}. */
interface ExampleOptions extends Pick<GatewayOptions, 'cache'> {
  readonly siteCache?: SiteCacheOptions;
  readonly mode?: 'enforce' | 'strict';
}

export async function startExample({
  siteCache,
  mode = 'enforce',
  ...options
}: ExampleOptions = {}): Promise<RunningExample> {
  const faults: unknown[] = [];
  const onError = (fault: unknown): void => void faults.push(fault);
  const content = createSite(contentDefinition, { onError });
  const boards = createSite(boardDefinition, { onError });
  const listen = (site: Hono) =>
    startServer(getRequestListener(site.fetch, { overrideGlobalObjects: false }));
  const servers = { content: await listen(content), boards: await listen(boards) };
  const siteUrls = { content: `${servers.content.origin}/`, boards: `${servers.boards.origin}/` };
  const gateway = createGateway({
    ...options,
    sites: Object.entries(siteUrls).map(([name, url]) => ({
      name,
      url,
      passthrough: true,
      rewriteBodies: true,
      validation: { mode },
      ...(siteCache === undefined ? {} : { cache: siteCache }),
    })),
  });
  const server = await serve(gateway, { port: 0, shutdownGrace: 500 });
  await gateway.rediscover();
  return {
    content,
    boards,
    origin: server.url,
    siteUrls,
    faults,
    async stop() {
      await server.stop();
      await Promise.all(Object.values(servers).map(({ close }) => close()));
    },
  };
}

export type Login = 'admin' | 'editor' | 'subscriber';

/** Creates the `Authorization` header of a demo user. */
export function createAuthorizationHeader(login: Login): { readonly authorization: string } {
  const user = DEMO_USERS.find((known) => known.login === login);
  return { authorization: `Basic ${btoa(`${login}:${user?.password}`)}` };
}
