import { once } from 'node:events';
import http from 'node:http';
import { TEST_GATEWAYS } from './test-gateways.ts';
import { startHttpSite } from './test-site.ts';

const MIB = 1024 * 1024;
const PART = Buffer.alloc(64 * 1024, 'waygate ');

async function writeZeros(into: NodeJS.WritableStream, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes; sent += PART.length) if (!into.write(PART)) await once(into, 'drain');
  into.end();
}

/**
 * Transfers data through a gateway. Site and client run in this process too.
 *
 * @returns MiB that arrived, and growth of the process's memory in MiB
 */
export async function measureTransfer(
  kind: keyof typeof TEST_GATEWAYS,
  direction: 'up' | 'down',
  mebibytes: number,
): Promise<{ readonly arrived: number; readonly growth: number }> {
  let arrived = 0;
  const site = await startHttpSite(async (request, response) => {
    if (direction === 'down') {
      response.writeHead(200, { 'Content-Length': mebibytes * MIB });
      await writeZeros(response, mebibytes * MIB);
    } else {
      for await (const chunk of request) arrived += chunk.length;
      response.end();
    }
  });
  const make = TEST_GATEWAYS[kind];
  if (make === undefined) throw new Error(`no gateway ${kind}`);
  const { listener, close } = make(site.origin);
  const gateway = await startHttpSite(listener);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  try {
    const request = http.request(gateway.origin, {
      method: direction === 'up' ? 'POST' : 'GET',
      agent: false,
    });
    const responded = once(request, 'response');
    if (direction === 'up') await writeZeros(request, mebibytes * MIB);
    else request.end();
    const [response] = await responded;
    for await (const chunk of response) if (direction === 'down') arrived += chunk.length;
  } finally {
    clearInterval(watch);
    await gateway.close();
    await close();
    await site.close();
  }
  return { arrived: arrived / MIB, growth: (peak - before) / MIB };
}
