// @ts-check
import { serve as serveApp } from '@hono/node-server';
import { contentSite } from '../../dist/example/index.js';
import { createGateway, generate } from '../../dist/index.js';
import { serve } from '../../dist/node/index.js';
import { findFreePort } from './run.mjs';

/** @typedef {Awaited<ReturnType<typeof startSite>>} Site */

/** Starts an example site, and starts gateways in front of it. */
export async function startSite() {
  const port = await findFreePort();
  const server = serveApp({
    fetch: contentSite().fetch,
    hostname: '127.0.0.1',
    port,
    overrideGlobalObjects: false,
  });
  const url = `http://127.0.0.1:${port}`;
  const { files } = await generate(url, { name: 'site', client: true, validators: 'json' });
  return {
    url,
    root: `${url}/wp-json`,
    /** What `waygate generate` writes, by file name. */
    files,
    /** @param {import('../../dist/index.js').NotifyOptions[]} notify */
    async startGateway(notify) {
      const gateway = createGateway({ cache: 'memory', notify, sites: [{ url }] });
      await gateway.rediscover();
      return serve(gateway, { port: 0, host: '127.0.0.1' });
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
