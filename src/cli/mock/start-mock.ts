import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { readStructuredFile } from '../../config/structured-file.ts';
import { ConfigurationError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { createMock } from '../../mock/index.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';

/** The parsed command line options of `waygate mock`. */
export interface MockFlags {
  readonly document: string;
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly mode: ValidationMode;
  readonly cache: 'off' | 'memory';
}

interface RunningMock {
  readonly url: string;
  /** The text that tells a person where to look. */
  readonly greeting: string;
  stop(): Promise<void>;
}

/**
 * Starts a mock of the site of a document. The gateway contacts no other address, so its Hono app serves the port itself.
 *
 * @throws {ConfigurationError} when the document cannot be used, or the port is taken
 */
export async function startMock({ document: file, port, host, ...options }: MockFlags): Promise<RunningMock> {
  const document = await readStructuredFile(file, '--document');
  const gateway = createMock(isJsonObject(document) ? document : {}, options);
  await gateway.rediscover();
  const server = createServer(getRequestListener(gateway.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new ConfigurationError(`cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const { port: listening } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
  return {
    url,
    greeting: formatGreeting(url, file),
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      await gateway.stop();
      await closed;
    },
  };
}

function formatGreeting(url: string, file: string): string {
  return [
    `waygate: a mock of ${file}.`,
    `  REST API       ${url}/wp-json`,
    `  documentation  ${url}/docs`,
    `  document       ${url}/openapi.json`,
    '',
    'Press Ctrl-C to stop. Changes are kept in memory and lost then.',
    '',
  ].join('\n');
}
