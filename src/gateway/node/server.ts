import { readdir } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { silentLog } from '../../base/ports.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayOptions } from '../site/settings.ts';
import type { Reporter, SharedParts } from '../site/shared-parts.ts';
import { Connections, Listener, type ListenerOptions, Message, readDescriptorLimit } from './listener.ts';
import type { Served, ServedApp } from './send.ts';
import { KEEP_ALIVE_TIMEOUT } from './stored-head.ts';

export interface ServeOptions extends ListenerOptions {
  /** Has the settings of the server, too. */
  readonly gateway: Gateway;
  /** A Hono app that mounts `gateway.app`. @default the gateway's own */
  readonly app?: ServedApp;
  /** 0 picks a free port. @default that of the gateway's settings */
  readonly port?: number;
  /** @default that of the gateway's settings */
  readonly host?: string;
  readonly settings?: Partial<GatewayOptions>;
  /** Milliseconds of client idle time in a request or response. A head can take half of it. @default 120_000 @internal */
  readonly idleTimeout?: number;
}

export interface RunningServer {
  readonly url: string;
  /** Address of the separate listener for `/-/`, if there is one. */
  readonly adminUrl?: string;
  /**
   * Finishes the requests that have arrived, accepts no new ones after `shutdownDelay`, stops discovery, and closes all connections to
   * sites. Cuts off what takes longer than `shutdownGrace`.
   */
  stop(): Promise<void>;
  /** Cuts off all requests at once. Resolves with their number. */
  cutOff(): Promise<number>;
  /**
   * Serves another gateway, with its timeouts. Ports and connections stay open, and requests in flight go on.
   * @internal
   */
  replace(next: Gateway): void;
}

/**
 * Serves a gateway. A Hono app that mounts it, or its own `app` with middleware, gets every request that a `Request` can express. Without
 * one, requests are forwarded with undici's `dispatch` and the raw response, at a fraction of the cost of `fetch`.
 *
 * @returns the running server, once it listens
 * @throws {ConfigurationError} when the server cannot listen on the address
 *
 * @example
 * import { createGateway } from 'waygate';
 * import { serve } from 'waygate/node';
 *
 * const gateway = await createGateway({ sites: [{ url: 'https://example.com' }] });
 * const server = await serve({ gateway, port: 0 });
 * console.log(server.url);
 * await server.stop();
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { gateway, idleTimeout = 120_000, log = silentLog } = options;
  const toServed = (served: Gateway): Served => ({
    ...{ gateway: served, app: options.app ?? served.outerApp, isAdmin: false },
  });
  const listener = new Listener(toServed(gateway), options);
  const toOperated = (served: Gateway): Served => ({ gateway: served, app: null, isAdmin: true });
  const adminListener = new Listener(toOperated(gateway), options);
  let settings = { ...gateway.parts.options, ...options.settings };
  const { port = settings.port ?? 8080, host = settings.host ?? '127.0.0.1' } = options;
  // Uploads can take hours, so only the head and the idle time are limited.
  const limits = {
    requestTimeout: 0,
    // If `requestTimeout` is 0, the default of Node is 0 too: no limit.
    headersTimeout: idleTimeout / 2,
    connectionsCheckingInterval: idleTimeout / 4,
    maxHeaderSize: MAX_REQUEST_HEAD,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    // By default Node drops header lines after the thousandth. The listener refuses too many.
    maxHeadersCount: 0,
    requireHostHeader: false,
    IncomingMessage: Message,
  };
  const open = (of: Listener): readonly [HttpServer, Connections] => {
    const opened = createServer(limits, of.handle);
    opened.on('checkExpectation', of.refuseExpectation);
    opened.maxHeadersCount = 0;
    return [opened, new Connections(opened, of, idleTimeout)];
  };
  const [server, connections] = open(listener);
  await gateway.restore();
  await listen(server, { port, host });
  let admin: HttpServer | undefined;
  try {
    const { host: adminHost = '127.0.0.1', port: adminPort } = settings.admin ?? {};
    if (adminPort !== undefined) {
      [admin] = open(adminListener);
      await listen(admin, { host: adminHost, port: adminPort });
    }
  } catch (error) {
    server.close();
    throw error;
  }
  const reportServer: Reporter = () => [
    ...connections.report(),
    ['http_server_active_requests', listener.activeCount],
  ];
  gateway.parts.reporters.add(reportServer);
  const endReports = reportProcess(gateway.parts);
  gateway.start();
  let stopping: Promise<void> | undefined;
  return {
    url: toUrl(server),
    ...omitUndefined({ adminUrl: admin && toUrl(admin) }),
    replace(next) {
      const before = listener.served.gateway;
      settings = { ...next.parts.options, ...options.settings };
      listener.served = toServed(next);
      adminListener.served = toOperated(next);
      next.succeed(before);
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
    async cutOff() {
      await connections.cutOff();
      return listener.cutOffCount;
    },
  };

  async function stop(): Promise<void> {
    const { gateway: served } = listener.served;
    const { idleGrace = 0, shutdownDelay = 0, shutdownGrace = 10_000 } = settings;
    served.beginStop();
    if (shutdownDelay > 0) await sleep(shutdownDelay);
    served.endQuestions();
    const started = performance.now();
    const isLate = await connections.drain(shutdownGrace, idleGrace);
    const requests = listener.cutOffCount;
    if (isLate && requests > 0) log.warn({ requests }, 'requests were cut off: shutdownGrace has passed');
    // The admin listener reports on requests in flight until their end.
    admin?.close();
    admin?.closeAllConnections();
    endReports();
    gateway.parts.reporters.delete(reportServer);
    const grace = Math.max(0, shutdownGrace - (performance.now() - started));
    await served.stop(grace);
  }
}

/** Bytes, as nginx's `large_client_header_buffers` (4 of 8 KiB). */
const MAX_REQUEST_HEAD = 32 * 1024;

interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      const reason = LISTEN_ERRORS[cause.code ?? ''] ?? cause.message;
      reject(new ConfigurationError(`cannot listen on ${host}:${port}: ${reason}`, { cause }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process uses the port; choose another --port',
  EACCES: 'this user cannot use the port; choose a --port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; choose another --host',
  ENOTFOUND: 'the host name does not resolve; choose another --host',
};

function toUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const DELAY_INTERVAL = 50;

/** Reports under the names of Prometheus's clients. @returns ends the reports */
function reportProcess({
  eventLoopDelay,
  reporters,
}: Pick<SharedParts, 'eventLoopDelay' | 'reporters'>): () => void {
  const report: Reporter = async () => {
    // Only Linux has this folder.
    const openDescriptors = (await readdir('/proc/self/fd').catch(() => null))?.length;
    const maxDescriptors = readDescriptorLimit();
    const { system, user } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    return [
      ['process_cpu_seconds_total', (system + user) / 1e6],
      ['process_resident_memory_bytes', rss],
      ['process_heap_bytes', heapUsed],
      ...(openDescriptors === undefined ? [] : [['process_open_fds', openDescriptors] as const]),
      ...(Number.isFinite(maxDescriptors) ? [['process_max_fds', maxDescriptors] as const] : []),
    ];
  };
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    eventLoopDelay.add(Math.max(0, now - last - DELAY_INTERVAL) / 1_000);
    last = now;
  }, DELAY_INTERVAL).unref();
  reporters.add(report);
  return () => {
    clearInterval(timer);
    reporters.delete(report);
  };
}
