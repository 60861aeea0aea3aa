import { once } from 'node:events';
import http from 'node:http';
import { GATEWAYS } from './test-gateways.ts';
import { httpSite } from './test-site.ts';

const MIB = 1024 * 1024;
const PART = Buffer.alloc(64 * 1024, 'waygate ');

async function pour(into: NodeJS.WritableStream, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes; sent += PART.length) if (!into.write(PART)) await once(into, 'drain');
  into.end();
}

/**
 * Moves so many MiB through a gateway, the site and the caller being in this process too.
 *
 * @returns bytes that arrived, and by how many MiB the process grew on the way
 */
export async function transfer(
  kind: keyof typeof GATEWAYS,
  way: 'up' | 'down',
  mebibytes: number,
): Promise<{ readonly arrived: number; readonly growth: number }> {
  let arrived = 0;
  const site = await httpSite(async (request, response) => {
    if (way === 'down') {
      response.writeHead(200, { 'Content-Length': mebibytes * MIB });
      await pour(response, mebibytes * MIB);
    } else {
      for await (const chunk of request) arrived += chunk.length;
      response.end();
    }
  });
  const make = GATEWAYS[kind];
  if (make === undefined) throw new Error(`no gateway ${kind}`);
  const { listener, close } = make(site.origin);
  const gateway = await httpSite(listener);
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  try {
    const request = http.request(gateway.origin, { method: way === 'up' ? 'POST' : 'GET', agent: false });
    const answered = once(request, 'response');
    if (way === 'up') await pour(request, mebibytes * MIB);
    else request.end();
    const [response] = await answered;
    for await (const chunk of response) if (way === 'down') arrived += chunk.length;
  } finally {
    clearInterval(watch);
    await gateway.close();
    await close();
    await site.close();
  }
  return { arrived: arrived / MIB, growth: (most - before) / MIB };
}
