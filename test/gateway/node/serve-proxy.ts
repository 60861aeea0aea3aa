import { connect } from 'node:net';
import type { Hono } from 'hono';
import { afterEach } from 'vitest';
import type { GatewayOptions, Log, SiteOptions } from '../../../src/gateway/index.ts';
import {
  type Gateway,
  type RunningServer,
  type ServeOptions,
  serve,
} from '../../../src/gateway/node/index.ts';
import { createGateway } from '../../support/gateway.ts';

type Line = Readonly<Record<string, unknown>>;

/** A server on a free port, with the lines of its log. */
export interface ServedProxy extends RunningServer {
  readonly port: number;
  readonly lines: Line[];
}

/** What the tests of a file serve. It is stopped after each test, the last one first. */
export function useProxies(getOrigin: () => string) {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const serveGateway = async (
    gateway: Gateway,
    options: Omit<ServeOptions, 'gateway'> = {},
  ): Promise<ServedProxy> => {
    const lines: Line[] = [];
    const note = (facts: object, msg: string): void => void lines.push({ ...facts, msg });
    const log: Log = { info: note, warn: note, error: note };
    const server = await serve({ gateway, port: 0, log, ...options });
    closing.push(() => server.stop());
    return { ...server, lines, port: Number(new URL(server.url).port) };
  };
  return {
    closing,
    serveGateway,
    async start(
      { idleTimeout, ...options }: Partial<GatewayOptions> & Pick<ServeOptions, 'idleTimeout'> = {},
      site: Partial<SiteOptions> = {},
      addTo?: (app: Hono) => void,
    ): Promise<ServedProxy> {
      const plain = { url: getOrigin(), discovery: 'off', passthrough: true } as const;
      const gateway = createGateway({ sites: [{ ...plain, ...site }], ...options }, addTo);
      await gateway.rediscover();
      return serveGateway(gateway, idleTimeout === undefined ? {} : { idleTimeout });
    },
  };
}

/** Sends bytes, and returns everything until the connection is closed. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(received));
  });
}
