import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigurationError, WaygateError } from '../../base/errors.ts';
import type { GenerateFlags } from '../../base/option-types.ts';
import { createMock } from '../../create-mock.ts';
import { formatChanges } from '../../generator/changes/index.ts';
import { createCommand } from '../commands.ts';
import { checkFiles } from '../generate/check-files.ts';
import { type GenerationJob, resolveJobs } from '../generate/jobs.ts';
import { runJob } from '../generate/run-job.ts';
import { type CommandIo, createProcessIo } from '../io.ts';
import { writeFiles } from '../output-files.ts';

export interface WaygatePluginOptions {
  /** Configuration file, relative to the project's root. @default waygate.config.ts */
  readonly config?: string | undefined;
  /**
   * Responder below `path`: `site` is the first site of the configuration, `mock` a site in memory made from
   * its document, a URL that of a gateway, `false` nothing.
   * @default 'site'
   */
  readonly proxy?: 'site' | 'mock' | (string & Record<never, never>) | false | undefined;
  /** The REST root of the app. @default '/wp-json' */
  readonly path?: string | undefined;
  /**
   * Milliseconds between two readings of the sites, while the app is used. With `proxy: 'mock'` they are not read.
   * @default 300_000
   */
  readonly interval?: number | undefined;
}

export type ViteMiddleware = (
  request: IncomingMessage & { originalUrl?: string | undefined },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export interface ViteDevelopmentServer {
  readonly middlewares: { use(path: string, handle: ViteMiddleware): unknown };
  readonly environments: Readonly<Record<string, object>>;
}

export interface WaygatePlugin {
  readonly name: 'waygate';
  /** Vitest and `vite preview` serve too, and must neither read the site nor write files. */
  apply(
    config: unknown,
    env: { readonly command: string; readonly isPreview?: boolean | undefined; readonly mode: string },
  ): boolean;
  config(user: { readonly root?: string | undefined }): Promise<Record<string, unknown>>;
  configResolved(resolved: { readonly configFileDependencies: string[] }): void;
  configureServer(server: ViteDevelopmentServer): Promise<void>;
  closeBundle(this: { readonly environment?: object | undefined }): void;
}

/**
 * Creates a plugin of Vite. In development it generates the files of `waygate.config.ts` when a site changes, and serves
 * the site or a mock below `/wp-json`. A build uses the files as they are.
 *
 * @example
 * import { waygate } from 'waygate/vite';
 *
 * // In vite.config.ts
 * export default { plugins: [waygate({ proxy: 'mock' })] };
 */
export function waygate(options: WaygatePluginOptions = {}): WaygatePlugin {
  const { config, interval = 300_000, proxy = 'site' } = options;
  const path = (options.path ?? '/wp-json').replace(/\/+$/, '');
  let io: CommandIo;
  let jobs: readonly GenerationJob[] = [];
  /** By environments of the server. A new server runs before the old one is closed. */
  const stops = new WeakMap<object, AbortController>();
  return {
    name: 'waygate',
    apply: (_, { command, isPreview = false, mode }) => command === 'serve' && !isPreview && mode !== 'test',

    async config({ root = '.' }) {
      io = createProcessIo(resolve(root));
      const command = createCommand('generate');
      command.parseOptions(config === undefined ? [] : ['--config', config]);
      jobs = await resolveJobs(undefined, command.opts<GenerateFlags>(), io);
      if (proxy === false || proxy === 'mock') return {};
      const target = toRestRoot(proxy === 'site' ? jobs[0]?.url : proxy);
      const rewrite = (url: string): string => target.pathname + url.slice(path.length);
      return { server: { proxy: { [path]: { target: target.origin, changeOrigin: true, rewrite } } } };
    },

    // Vite restarts its server if one of these files changes.
    configResolved({ configFileDependencies }) {
      const modules = jobs.flatMap((job) => job.config?.modules ?? []);
      configFileDependencies.push(...new Set(modules.map((path) => path.replaceAll('\\', '/'))));
    },

    async configureServer({ environments, middlewares }) {
      const stop = new AbortController();
      for (const environment of Object.values(environments)) stops.set(environment, stop);
      if (proxy === 'mock') middlewares.use(path, createMockMiddleware(jobs[0], io, path));
      // An app without its files would not start.
      for (const job of jobs.filter((each) => !hasFiles(each, io))) {
        io.writeOut(
          `waygate: the files of ${job.name ?? job.url ?? job.document} are missing, and are generated\n`,
        );
        const failure = await regenerate(job, stop.signal, io);
        if (failure !== undefined) io.writeErr(`waygate: ${failure}\n`);
      }
      if (proxy === 'mock') return;
      let isUsed = true;
      middlewares.use('/', (_request, _response, next) => {
        isUsed = true;
        next();
      });
      // Reading a site costs it seconds, so a server that nobody uses does not.
      const isDue = (): boolean => {
        const wasUsed = isUsed;
        isUsed = false;
        return wasUsed;
      };
      // A file that can't be written must not end the server.
      watchSites(jobs, interval, stop.signal, io, isDue).catch((error: unknown) =>
        io.writeErr(`waygate: ${String(error)}\n`),
      );
    },

    closeBundle() {
      if (this.environment !== undefined) stops.get(this.environment)?.abort();
    },
  };
}

const MAX_PRINTED_CHANGES = 20;

/** Generates at an interval until a signal aborts. A site's failure is printed once. */
async function watchSites(
  jobs: readonly GenerationJob[],
  interval: number,
  signal: AbortSignal,
  io: CommandIo,
  isDue: () => boolean,
): Promise<void> {
  const failures = new Map<GenerationJob, string | undefined>();
  while (!signal.aborted) {
    for (const job of isDue() ? jobs : []) {
      const failure = await regenerate(job, signal, io);
      if (signal.aborted) return;
      if (failure !== failures.get(job)) io.writeErr(`waygate: ${failure ?? 'generate works again'}\n`);
      failures.set(job, failure);
    }
    await wait(interval, undefined, { signal }).catch(() => {});
  }
}

/** @returns why the generation failed; `undefined` if it did not */
async function regenerate(
  job: GenerationJob,
  signal: AbortSignal,
  io: CommandIo,
): Promise<string | undefined> {
  const cwd = io.cwd ?? process.cwd();
  try {
    const result = await runJob(job, { keepTexts: true, signal }, io);
    const check = await checkFiles(result, cwd);
    if (check.stale.length === 0) return undefined;
    await writeFiles(resolve(cwd, result.out), result.files);
    const lines = formatChanges(check.comparison, MAX_PRINTED_CHANGES);
    const names = check.stale.map(({ path }) => path).join(', ');
    io.writeOut(`${[`Written: ${names}`, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof WaygateError)) throw error;
    return error.message;
  }
}

function toRestRoot(url: string | undefined): URL {
  if (url === undefined || !URL.canParse(url)) {
    throw new ConfigurationError(
      url === undefined
        ? 'waygate/vite: the first site of the configuration has no "url" to proxy to. Give it one, or proxy: "mock"'
        : `waygate/vite: proxy "${url}" must be site, mock, false, or the URL of a gateway`,
    );
  }
  const root = new URL(url);
  root.pathname = root.pathname.replace(/(?:\/wp-json)?\/*$/, '/wp-json');
  return root;
}

function hasFiles({ name, out }: GenerationJob, { cwd = '.' }: CommandIo): boolean {
  return name !== undefined && existsSync(resolve(cwd, out, `${name}.client.ts`));
}

function createMockMiddleware(job: GenerationJob | undefined, io: CommandIo, path: string): ViteMiddleware {
  const { cwd = '.' } = io;
  if (job?.name === undefined) {
    throw new ConfigurationError(
      'waygate/vite: the mock needs the "name" of the first site in the configuration',
    );
  }
  const file = resolve(cwd, job.out, `${job.name}.openapi.json`);
  let text = '';
  let handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  return async (request, response, next) => {
    try {
      const current = await readFile(file, 'utf8').catch((cause: unknown) => {
        throw new ConfigurationError(`waygate/vite: the mock needs ${file}, which waygate generate writes`, {
          cause,
        });
      });
      if (handle === undefined || current !== text) {
        const { getRequestListener } = await import('@hono/node-server');
        const mock = createMock(JSON.parse(current) as Record<string, never>);
        handle = getRequestListener(mock.fetch, { overrideGlobalObjects: false });
        text = current;
      }
      // Vite removes the path that the middleware is mounted at.
      request.url = `/wp-json${(request.originalUrl ?? '').slice(path.length)}`;
      await handle(request, response);
    } catch (error) {
      next(error);
    }
  };
}
