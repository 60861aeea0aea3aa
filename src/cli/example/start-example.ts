import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { ConfigurationError } from '../../errors.ts';
import { boardSite, contentSite } from '../../example/index.ts';
import { createGateway } from '../../gateway/index.ts';
import { serve } from '../../node/index.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';
import type { CommandIo } from '../io.ts';

/** The parsed command line options of `waygate example`. */
export interface ExampleFlags {
  readonly port: number;
  readonly host: string;
  readonly latency: number;
  readonly mode: ValidationMode;
}

/** The default admin token. The example listens on the loopback by default and holds no secrets. */
const EXAMPLE_TOKEN = 'example';

/** The mounts of the example sites, each with a request to try. */
const EXAMPLE_MOUNTS = [
  {
    name: 'content',
    title: 'Site A, posts, pages and media',
    read: '/core/v2/posts?per_page=2&_fields=id,title',
  },
  { name: 'boards', title: 'Site B, project boards', read: '/boards/v2/projects?per_page=2' },
] as const;

interface RunningExample {
  /** The text that tells a person where to look. */
  readonly greeting: string;
  stop(): Promise<void>;
}

/** Starts both example sites and a gateway in front of them. */
export async function startExample(
  { port, host, latency, mode }: ExampleFlags,
  { env, writeErr }: Pick<CommandIo, 'env' | 'writeErr'>,
): Promise<RunningExample> {
  const options = { latency, onError: (error: unknown) => writeErr(`${describeError(error)}\n`) };
  const [content, boards] = [contentSite(options), boardSite(options)];
  const listening: ListeningSite[] = [];
  const closeSites = async (): Promise<void> => {
    await Promise.all(listening.map((site) => site.close()));
  };
  try {
    for (const site of [content, boards]) listening.push(await listen(site));
    const urls = { content: listening[0]?.url ?? '', boards: listening[1]?.url ?? '' };
    const token = env['WAYGATE_ADMIN_TOKEN'] || EXAMPLE_TOKEN;
    const gateway = createGateway({
      admin: { token },
      cache: 'memory',
      sites: EXAMPLE_MOUNTS.map(({ name }) => ({
        name,
        url: urls[name],
        passthrough: true,
        rewriteBodies: true,
        validation: { mode, responses: 'sample' as const },
      })),
    });
    const server = await serve(gateway, { port, host });
    await gateway.rediscover();
    return {
      greeting: formatGreeting(server.url, content.users, token),
      stop: () => server.stop().finally(closeSites),
    };
  } catch (error) {
    await closeSites();
    throw error;
  }
}

/** Describes a defect of an example site with its stack, because a developer reads it. */
function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

interface ListeningSite {
  readonly url: string;
  close(): Promise<void>;
}

function listen(site: Hono): Promise<ListeningSite> {
  return new Promise((resolve, reject) => {
    const server = createServer(getRequestListener(site.fetch, { overrideGlobalObjects: false }));
    server.once('error', (cause) => {
      reject(
        new ConfigurationError(`an example site cannot listen on 127.0.0.1: ${cause.message}`, { cause }),
      );
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}/`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function formatGreeting(
  url: string,
  users: readonly { login: string; password: string; role: string }[],
  token: string,
): string {
  const sites = EXAMPLE_MOUNTS.flatMap(({ name, title }) => [
    `  ${title}`,
    `    gateway        ${url}/${name}`,
    `    documentation  ${url}/${name}/docs`,
    `    document       ${url}/${name}/openapi.json`,
  ]);
  const [first] = EXAMPLE_MOUNTS;
  return [
    'waygate: both example sites behind one gateway.',
    '',
    ...sites,
    '',
    `  Console of the operator: ${url}/-/console/`,
    `    admin token    ${token === EXAMPLE_TOKEN ? token : 'as in WAYGATE_ADMIN_TOKEN'}`,
    '',
    '  Application passwords, valid at both sites:',
    ...users.map(({ login, password, role }) => `    ${`${login}:${password}`.padEnd(38)} ${role}`),
    '',
    '  Try:',
    `    curl '${url}/${first.name}${first.read}'`,
    `    waygate report ${url}${token === EXAMPLE_TOKEN ? ` --token ${token}` : ''}`,
    '',
    'Press Ctrl-C to stop. Changes are kept in memory and lost then.',
    '',
  ].join('\n');
}
