import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Command, Option } from 'commander';
import type { Hono } from 'hono';
import { ConfigurationError } from '../errors.ts';
import { createGateway } from '../gateway/index.ts';
import { serve } from '../node/index.ts';
import { MODES, type Mode } from '../validation/evidence/standing.ts';
import type { ExitCode, Io } from './io.ts';
import { port, wholeNumber } from './options.ts';
import { nextSignal, stopOnSignal } from './signals.ts';

interface ExampleFlags {
  readonly port: number;
  readonly host: string;
  readonly latency: number;
  readonly mode: Mode;
}

/** Everything that the example keeps is printed anyway, and nobody but this machine reaches it. */
const EXAMPLE_TOKEN = 'example';

/** The mounts of the example sites, with a read that shows something. */
const EXAMPLES = [
  {
    name: 'content',
    title: 'Site A, posts, pages and media',
    read: '/core/v2/posts?per_page=2&_fields=id,title',
  },
  { name: 'boards', title: 'Site B, project boards', read: '/boards/v2/projects?per_page=2' },
] as const;

export function exampleCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command('example')
    .description('Run both example sites behind one gateway: something to look at, and to develop against.')
    .addOption(
      new Option('--port <port>', 'of the gateway; 0 picks a free one').argParser(port).default(8080),
    )
    .option('--host <host>', 'to listen on', '127.0.0.1')
    .addOption(
      new Option('--latency <ms>', 'milliseconds that the sites take to answer; a real one takes 25')
        .argParser(wholeNumber)
        .default(0),
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'requests that the document calls wrong: not looked at, watched, or refused',
      )
        .choices(MODES)
        // Their rules are known to the last, so that a newcomer sees what a refusal is.
        .default('enforce'),
    )
    .action(async (flags: ExampleFlags) => {
      const running = await startExample(flags, io);
      io.out(running.greeting);
      await nextSignal();
      await stopOnSignal(running.stop);
      done(0);
    });
}

interface RunningExample {
  readonly greeting: string;
  stop(): Promise<void>;
}

async function startExample(
  { port: gatewayPort, host, latency, mode }: ExampleFlags,
  { env, err }: Pick<Io, 'env' | 'err'>,
): Promise<RunningExample> {
  // Only this command needs them, and they are large.
  const { boardSite, contentSite } = await import('../example/index.ts');
  const options = { latency, onFault: (error: unknown) => err(`${faultText(error)}\n`) };
  const [content, boards] = [contentSite(options), boardSite(options)];
  const sites = { content: await listen(content), boards: await listen(boards) };
  const closeSites = async (): Promise<void> => {
    await Promise.all([sites.content.close(), sites.boards.close()]);
  };
  const token = env['WAYGATE_ADMIN_TOKEN'] || EXAMPLE_TOKEN;
  const gateway = createGateway({
    admin: { token },
    sites: EXAMPLES.map(({ name }) => ({
      name,
      url: sites[name].url,
      passthrough: true,
      rewriteBodies: true,
      validation: { mode, responses: 'sample' as const },
    })),
  });
  try {
    const server = await serve(gateway, { port: gatewayPort, host });
    await gateway.rediscover();
    return {
      greeting: greeting(server.url, content.users, token),
      stop: () => server.stop().finally(closeSites),
    };
  } catch (error) {
    await closeSites();
    throw error;
  }
}

/** A fault of an example site's own: whoever develops against it wants to know where. */
function faultText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

function listen(site: Hono): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = createServer(getRequestListener(site.fetch, { overrideGlobalObjects: false }));
    server.once('error', (cause) => {
      reject(
        new ConfigurationError(`an example site cannot listen on 127.0.0.1: ${cause.message}`, { cause }),
      );
    });
    server.listen(0, '127.0.0.1', () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${taken}/`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function greeting(
  url: string,
  users: readonly { login: string; password: string; role: string }[],
  token: string,
): string {
  const sites = EXAMPLES.flatMap(({ name, title }) => [
    `  ${title}`,
    `    gateway        ${url}/${name}`,
    `    documentation  ${url}/${name}/docs`,
    `    document       ${url}/${name}/openapi.json`,
  ]);
  const [first] = EXAMPLES;
  return [
    'waygate: both example sites behind one gateway.',
    '',
    ...sites,
    '',
    '  Application passwords, the same at both sites:',
    ...users.map(({ login, password, role }) => `    ${`${login}:${password}`.padEnd(38)} ${role}`),
    '',
    '  Try:',
    `    curl '${url}/${first.name}${first.read}'`,
    `    waygate report ${url}${token === EXAMPLE_TOKEN ? ` --token ${token}` : ''}`,
    '',
    'Ctrl-C stops it. What you write is kept in memory, and gone then.',
    '',
  ].join('\n');
}
