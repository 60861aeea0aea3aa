import { expect, test } from 'vitest';
import { startEchoSite } from '../support/echo-site.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { useServeProcesses } from './serve-process.ts';

const PROGRAM = new URL('../../examples/tracing/tracing.mjs', import.meta.url);
const env: Record<string, string> = {
  NODE_OPTIONS: `--import ${PROGRAM}`,
  OTEL_SERVICE_NAME: 'shop-gateway',
};
const serve = useServeProcesses(env);

test('examples/tracing sends the spans of a gateway to a collector, the last ones at its end', async () => {
  const received: string[] = [];
  const collector = await startServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    received.push(`${incoming.url} ${Buffer.concat(chunks)}`);
    response.end('{}');
  });
  const site = await startEchoSite();
  env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.origin;
  const args = ['--site', site.origin, '--discovery', 'off', '--passthrough'];
  const { child, exitCode, url } = await serve(args);
  await (await fetch(`${url}/some-page`)).text();
  child.kill('SIGTERM');
  expect(await exitCode).toBe(0);
  await waitUntil(() => received.length > 0);
  expect(received[0]).toMatch(/^\/v1\/traces \{.*"shop-gateway".*\/some-page/s);
  await site.close();
  await collector.close();
});
