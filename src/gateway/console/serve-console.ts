import { CONSOLE_PATH } from '../../console/console-address.ts';
import { type Console, createConsole } from '../../console/index.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { Log } from '../../ports.ts';
import { readAdminBody } from '../admin/admin-handler.ts';
import { siteKey } from '../admin/site-operations.ts';
import { prefersHtml } from '../local/negotiation.ts';
import { respondWithAsset } from '../local/serve-docs.ts';
import type { DocsAssetsLoader } from '../options/gateway-options.ts';
import type { ClientReader } from './client-reader.ts';
import type { ConsoleContext } from './console-context.ts';
import { createActions, createPages } from './console-pages.ts';

/** Options of {@link createConsoleServer}. */
export interface ConsoleServerOptions {
  readonly context: ConsoleContext;
  readonly token: string | undefined;
  readonly loadDocs: DocsAssetsLoader;
  readonly readClient: ClientReader;
  readonly log: Log;
}

/** Serves the console and its files. */
export interface ConsoleServer {
  /** Responds to a request below `/-/`; `null` if it is not for the console. */
  respond(request: Request, head: IncomingRequestHead): Promise<Response> | null;
  /** See {@link Console.closeStreams}. */
  closeStreams(): void;
}

const ASSETS_PATH = `${CONSOLE_PATH}assets/`;

export function createConsoleServer(options: ConsoleServerOptions): ConsoleServer {
  const { context, loadDocs, log, readClient, token } = options;
  const { clock, sites } = context;
  const pages: Console = createConsole({
    token,
    clock,
    log,
    loadAssets: loadDocs,
    readBody: readAdminBody,
    listSites: () =>
      Array.from(sites.values(), (site) => ({
        key: siteKey(site),
        title: site.runtime.snapshot?.documented?.title ?? siteKey(site),
      })),
    pages: createPages(context),
    actions: createActions(context),
  });

  async function respondToConsole(
    request: Request,
    path: string,
    head: IncomingRequestHead,
  ): Promise<Response> {
    const asset = path.startsWith(ASSETS_PATH)
      ? (await loadDocs()).find(path.slice(ASSETS_PATH.length))
      : undefined;
    return asset === undefined ? pages.respond(request, readClient(head)) : respondWithAsset(asset, head);
  }

  return {
    closeStreams: pages.closeStreams,
    respond(request, head) {
      const path = new URL(request.url).pathname;
      if (path.startsWith(CONSOLE_PATH)) return respondToConsole(request, path, head);
      // Machines get the list of operations.
      const isEntrance = path === CONSOLE_PATH.slice(0, -1) || (path === '/-/' && prefersHtml(head.headers));
      return isEntrance && (head.method === 'GET' || head.method === 'HEAD')
        ? Promise.resolve(new Response(null, { status: 303, headers: ENTRANCE_HEADERS }))
        : null;
    },
  };
}

/** `/-/console/`, seen from `/-/` and from `/-/console`, below any prefix of a proxy. */
const ENTRANCE_HEADERS: Readonly<Record<string, string>> = {
  location: './console/',
  'cache-control': 'no-store',
  vary: 'Accept',
};
