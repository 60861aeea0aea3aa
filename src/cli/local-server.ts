import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from '../errors.ts';
import type { CommandIo } from './io.ts';
import { waitForStopSignal } from './signals.ts';

export interface LocalServer {
  readonly url: string;
  /** Refuses connections, waits for `stop`, and closes the open ones. A browser holds some that it hasn't used yet. */
  close(stop?: () => Promise<void>): Promise<void>;
}

/**
 * Starts a server.
 *
 * @throws {ConfigurationError} when the port is taken
 */
export async function startServer(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
  host: string,
): Promise<LocalServer> {
  const { getRequestListener } = await import('@hono/node-server');
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new ConfigurationError(`cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listening}`,
    async close(stop) {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await stop?.();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Says that a server in memory runs, and stops it on SIGTERM or SIGINT. A second signal exits at once. */
export async function runUntilSignal(
  greeting: string,
  stop: () => Promise<void>,
  { writeOut }: CommandIo,
): Promise<void> {
  writeOut(`${greeting}\n\nPress Ctrl-C to stop. Changes are kept in memory and lost then.\n`);
  await waitForStopSignal();
  await stop();
}
