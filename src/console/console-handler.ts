import { toRoot } from '../docs/pages/render-context.ts';
import { type ConsoleAddress, formatAddress, readAddress } from './console-address.ts';
import type { ConsoleOptions } from './console-options.ts';
import type { ConsoleClient } from './console-page.ts';
import { createConsolePages } from './console-pages.tsx';
import { redirectTo, respondWithPage } from './console-response.ts';
import {
  CLOSED,
  createForeignOriginPage,
  type MessagePage,
  NOT_FOUND,
  renderMessagePage,
  STALE_FORM,
  TOO_LONG,
  WRONG_METHOD,
} from './pages/message-page.tsx';
import { findForeignOrigin } from './session/request-origin.ts';
import { createSessions, SESSION_COOKIE } from './session/sessions.ts';
import type { ConsoleAssets } from './shell/console-layout.tsx';
import { createSignIn } from './sign-in.ts';

/** The operator's console. */
export interface Console {
  /** Responds to a request whose path begins with `/-/console/`. */
  respond(request: Request, client: ConsoleClient): Promise<Response>;
  /** Ends the streams that refresh open pages, and opens no more. */
  closeStreams(): void;
}

/** Creates the console. Every page but that of the sign-in needs a session. */
export function createConsole(options: ConsoleOptions): Console {
  const { loadAssets, token } = options;
  if (token !== undefined && token !== '') return createOpenConsole(options, token);
  return {
    respond: async (request) => refuse(await loadAssets(), readAddress(request), CLOSED),
    closeStreams() {},
  };
}

function createOpenConsole(options: ConsoleOptions, token: string): Console {
  const { clock, loadAssets, log, readBody } = options;
  const sessions = createSessions(token, clock);
  const signIn = createSignIn(token, sessions, clock, log);
  const pages = createConsolePages(options, sessions);

  async function respondToGet(assets: ConsoleAssets, request: Request): Promise<Response> {
    const address = readAddress(request);
    const { path, query } = address;
    if (path === 'sign-in') return signIn.show(assets, query);
    const session = await sessions.read(request);
    if (path === 'events' && request.method === 'GET') {
      return session === null ? respondWithoutBody(403) : pages.stream(session, toAddress(query.get('page')));
    }
    if (session === null) return redirectToSignIn(request, address);
    return (await pages.show(assets, session, address)) ?? refuse(assets, address, NOT_FOUND);
  }

  async function respondToPost(
    assets: ConsoleAssets,
    request: Request,
    client: ConsoleClient,
  ): Promise<Response> {
    const address = readAddress(request);
    const { path, root } = address;
    const foreign = findForeignOrigin(request, client);
    if (foreign !== null)
      return refuse(assets, address, createForeignOriginPage(foreign.origin, client.host));
    const body = await readBody(request);
    if (body === null) return refuse(assets, address, TOO_LONG);
    const form = new URLSearchParams(new TextDecoder().decode(body));
    if (path === 'sign-in') return signIn.submit(assets, form, client);
    const session = await sessions.read(request);
    if (session === null) return redirectTo(`${root}sign-in?ended`);
    if (!(await pages.isFormOf(session, form))) return refuse(assets, address, STALE_FORM);
    if (path === 'sign-out') return signIn.end(session, client);
    const response = await pages.act(assets, path, form, { session, client });
    return response ?? refuse(assets, address, NOT_FOUND);
  }

  return {
    async respond(request, client) {
      const assets = await loadAssets();
      switch (request.method) {
        case 'GET':
          return respondToGet(assets, request);
        case 'HEAD':
          return new Response(null, await respondToGet(assets, request));
        case 'POST':
          return respondToPost(assets, request, client);
        default:
          return refuse(assets, readAddress(request), WRONG_METHOD);
      }
    },
    closeStreams: pages.closeStreams,
  };
}

/** Leads to the sign-in, and from there back to the page. */
function redirectToSignIn({ headers }: Request, address: ConsoleAddress): Response {
  const parameters = new URLSearchParams();
  if (address.path !== '') parameters.set('next', formatAddress(address));
  // A browser deletes an expired cookie, so one that is sent has become invalid.
  if ((headers.get('cookie') ?? '').includes(`${SESSION_COOKIE}=`)) parameters.set('ended', '');
  return redirectTo(`${address.root}sign-in${parameters.size === 0 ? '' : `?${parameters}`}`);
}

/** The address of a page, as its stream names it. Links of its sections are relative to the page. */
function toAddress(page: string | null): ConsoleAddress {
  const [path = '', ...query] = (page ?? '').split('?');
  return { path, query: new URLSearchParams(query.join('?')), root: toRoot(path) };
}

async function refuse(
  assets: ConsoleAssets,
  { root }: ConsoleAddress,
  message: MessagePage,
): Promise<Response> {
  const html = await renderMessagePage(assets, root, message);
  return respondWithPage(assets, html, message.status, message.headers);
}

function respondWithoutBody(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}
