import { resolve } from 'node:path';
import { isJsonObject } from '../base/json.ts';
import type { ExampleFlags, MockFlags } from '../base/option-types.ts';
import { readStructuredFile } from './config/structured-file.ts';
import { alignColumns, type CommandIo, type ExitCode, waitForStopSignal } from './io.ts';

export const runMock = async (io: CommandIo, flags: MockFlags): Promise<ExitCode> =>
  runUntilSignal(await startMock({ ...flags, document: resolve(io.cwd ?? '', flags.document) }), io);

export async function startMock({
  document: file,
  port,
  host,
}: MockFlags): Promise<LocalSites & { readonly url: string }> {
  const document = await readStructuredFile(file, '--document');
  const { createMock } = await import('../create-mock.ts');
  const { serve } = await import('../gateway/node/index.ts');
  const gateway = createMock(isJsonObject(document) ? document : {});
  await gateway.rediscover();
  const { stop, url } = await serve({ gateway, port, host });
  const greeting = [
    `waygate: a mock of ${file}.`,
    `  REST API       ${url}/wp-json`,
    `  documentation  ${url}/docs`,
    `  document       ${url}/openapi.json`,
  ];
  return { url, greeting: greeting.join('\n'), stop };
}

/** The example listens on the loopback by default and holds no secrets. */
const EXAMPLE_TOKEN = 'example';

const EXAMPLE_MOUNTS = [
  { name: 'content', title: 'blog', read: '/core/v2/posts?per_page=2&_fields=id,title' },
  { name: 'boards', title: 'project boards', read: '/boards/v2/projects?per_page=2' },
] as const;

/** The example sites validate exactly by their index, so every rule holds by default. */
export const runExample = async (io: CommandIo, flags: ExampleFlags): Promise<ExitCode> =>
  runUntilSignal(await startExample(flags, io), io);

interface LocalSites {
  readonly greeting: string;
  readonly stop: () => Promise<void>;
}

export async function startExample(
  { port, host }: ExampleFlags,
  { env, writeErr }: Pick<CommandIo, 'env' | 'writeErr'>,
): Promise<LocalSites> {
  const { boardSite, contentSite } = await import('../sites/example/index.ts');
  const { BODIES } = await import('../sites/example/content/declarations.ts');
  const { createMemoryTransport } = await import('../create-mock.ts');
  const { openGateway } = await import('../open-gateway.ts');
  const { serve } = await import('../gateway/node/index.ts');
  const onError = (error: unknown): void =>
    writeErr(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const [content, boards] = [contentSite({ onError }), boardSite()];
  const respond = (request: Request): Response | Promise<Response> =>
    (new URL(request.url).hostname === 'content.example' ? content : boards).fetch(request);
  const token = env['WAYGATE_ADMIN_TOKEN'] || EXAMPLE_TOKEN;
  const gateway = openGateway({
    admin: { token },
    cache: 'memory',
    fetch: async (...sent) => respond(new Request(...sent)),
    transport: createMemoryTransport(respond),
    sites: EXAMPLE_MOUNTS.map(({ name }) => ({
      name,
      url: `http://${name}.example/`,
      validation: { mode: 'strict' },
      mcp: true,
      ...(name === 'content' && { extend: BODIES }),
    })),
  });
  const { stop, url } = await serve({ gateway, port, host });
  await gateway.rediscover();
  return { greeting: formatGreeting(url, content.users, token), stop };
}

function formatGreeting(
  url: string,
  users: readonly { login: string; password: string; role: string }[],
  token: string,
): string {
  const [first] = EXAMPLE_MOUNTS;
  const shown = token === EXAMPLE_TOKEN ? token : 'that of WAYGATE_ADMIN_TOKEN';
  const rows = alignColumns([
    ...EXAMPLE_MOUNTS.map(({ name, title }) => [title, `${url}/${name}/docs`]),
    ['console', `${url}/-/console/ (token: ${shown})`],
    ...EXAMPLE_MOUNTS.map(({ name }) => [
      'assistant',
      `claude mcp add --transport http ${name} ${url}/${name}/mcp`,
    ]),
    ['a request', `curl '${url}/${first.name}${first.read}'`],
    ['users', users.map(({ login, password }) => `${login}:${password}`).join(' ')],
  ]);
  return ['Two example sites behind one gateway:', '', ...rows.map((row) => `  ${row}`)].join('\n');
}

async function runUntilSignal({ greeting, stop }: LocalSites, { writeOut }: CommandIo): Promise<ExitCode> {
  writeOut(`${greeting}\n\nPress Ctrl-C to stop. Changes are lost then.\n`);
  await waitForStopSignal();
  await stop();
  return 0;
}
