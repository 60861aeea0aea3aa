import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { TrustedProxyCheck } from '../../upstream/forwarded.ts';
import { toPublicAddress } from '../../upstream/forwarded.ts';
import { readRequestHeaders } from '../../upstream/request-headers.ts';
import { type AdminClient, type ConsoleResponder, readOwnUrl } from '../admin/admin-handler.ts';
import { toClientNetwork } from '../exchange/inspected-exchange.ts';
import { prefersHtml, respondWithAsset } from '../local/renditions.ts';
import type { Console } from './console.tsx';
import { CONSOLE_PATH, type ConsoleContext } from './page.ts';

const ASSETS_PATH = `${CONSOLE_PATH}assets/`;

/** Creates the server of the console and its files. The first request for a page loads the modules of all pages. */
export function createConsoleResponder(context: ConsoleContext): ConsoleResponder {
  let loading: Promise<Pick<Console, 'respond'>> | undefined;

  async function respond(request: Request, path: string, head: IncomingRequestHead): Promise<Response> {
    const assets = await context.loadDocs();
    const asset = path.startsWith(ASSETS_PATH) ? assets.find(path.slice(ASSETS_PATH.length)) : undefined;
    if (asset !== undefined) return respondWithAsset(asset, head);
    loading ??= import('./console.tsx').then(({ createConsole }) => createConsole(context));
    return (await loading).respond(request, readOwnUrl(head), assets, context.readClient(head));
  }

  return (request, head) => {
    const path = readOwnUrl(head).pathname;
    if (path.startsWith(CONSOLE_PATH)) return respond(request, path, head);
    // Machines get the list of operations.
    const isEntrance = path === CONSOLE_PATH.slice(0, -1) || (path === '/-/' && prefersHtml(head.headers));
    return isEntrance && (head.method === 'GET' || head.method === 'HEAD')
      ? Promise.resolve(new Response(null, { status: 303, headers: ENTRANCE_HEADERS }))
      : null;
  };
}

/** `/-/console/`, seen from `/-/` and from `/-/console`, below any prefix of a proxy. */
const ENTRANCE_HEADERS: Readonly<Record<string, string>> = {
  location: './console/',
  'cache-control': 'no-store',
  vary: 'Accept',
};

/** Creates the function that reads who sent a request, through trusted proxies. */
export function createClientReader(
  publicUrl: string | undefined,
  trust: TrustedProxyCheck,
): (head: IncomingRequestHead) => AdminClient {
  const publicAddress = publicUrl === undefined ? undefined : toPublicAddress(publicUrl);
  return (head) => {
    const { client, refusal } = readRequestHeaders(head, trust);
    const { address } = client;
    const { host, protocol } =
      refusal !== null ? { host: '', protocol: head.protocol } : (publicAddress ?? client);
    return { address, host, protocol, network: toClientNetwork(address) };
  };
}
