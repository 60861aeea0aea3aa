import { toRoot } from '../docs/pages/render-context.ts';
import { writeAuditLine } from './audit.ts';
import { type ConsoleAddress, formatAddress, readAddress } from './console-address.ts';
import type { ConsoleOptions } from './console-options.ts';
import type { ConsoleClient } from './console-page.ts';
import { createConsolePages } from './console-pages.tsx';
import { redirectTo, respondWithPage } from './console-response.ts';
import {
  CLOSED,
  createForeignOriginPage,
  type MessagePage,
  NO_FORM,
  NOT_FOUND,
  renderMessagePage,
  STALE_FORM,
  TOO_LONG,
  WRONG_METHOD,
} from './pages/message-page.tsx';
import { findForeignOrigin } from './session/request-origin.ts';
import { createSessions } from './session/sessions.ts';
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

  async function respondToGet(
    assets: ConsoleAssets,
    request: Request,
    client: ConsoleClient,
  ): Promise<Response> {
    const address = readAddress(request);
    const { path, query } = address;
    if (path === 'sign-in') return signIn.show(assets, query);
    const session = await sessions.read(request);
    if (path === 'events' && request.method === 'GET') {
      return session === null
        ? respondWithoutBody(403)
        : pages.stream({ session, client, address: toAddress(query.get('page')) });
    }
    if (session === null) return redirectToSignIn(address, await sessions.hasCookie(request));
    const visit = { session, client, address };
    return (await pages.show(assets, visit)) ?? pages.refuse(assets, visit, NOT_FOUND);
  }

  async function respondToPost(
    assets: ConsoleAssets,
    request: Request,
    client: ConsoleClient,
  ): Promise<Response> {
    const address = readAddress(request);
    const { path, root } = address;
    const session = await sessions.read(request);
    const refuseForm = (cause: string, message: MessagePage): Promise<Response> => {
      if (session !== null) {
        const who = `session ${session.name}`;
        writeAuditLine(log, { who, client: client.address, action: path, target: cause, result: 'refused' });
      }
      return refuse(assets, address, message);
    };
    const foreign = findForeignOrigin(request, client);
    if (foreign !== null) {
      return refuseForm('form of another site', createForeignOriginPage(foreign.origin, client.host));
    }
    if (!isForm(request)) return refuseForm('no form', NO_FORM);
    const body = await readBody(request);
    if (body === null) return refuseForm('form too long', TOO_LONG);
    const form = new URLSearchParams(new TextDecoder().decode(body));
    if (path === 'sign-in') return signIn.submit(assets, form, client);
    if (session === null) return redirectTo(`${root}sign-in?ended`);
    if (!(await pages.isFormOf(session, form))) return refuseForm('form of another session', STALE_FORM);
    if (path === 'sign-out') return signIn.end(session, client);
    const response = await pages.act(assets, path, form, { session, client });
    return response ?? pages.refuse(assets, { session, client, address }, NOT_FOUND);
  }

  return {
    async respond(request, client) {
      const assets = await loadAssets();
      switch (request.method) {
        case 'GET':
          return respondToGet(assets, request, client);
        case 'HEAD':
          return new Response(null, await respondToGet(assets, request, client));
        case 'POST':
          return respondToPost(assets, request, client);
        default:
          return refuse(assets, readAddress(request), WRONG_METHOD);
      }
    },
    closeStreams: pages.closeStreams,
  };
}

/** Whether the body is what a form of the console sends. */
function isForm({ headers }: Request): boolean {
  return /^application\/x-www-form-urlencoded *(?:;|$)/i.test(headers.get('content-type') ?? '');
}

/**
 * Leads to the sign-in, and from there back to the page.
 *
 * @param hadSession a browser deletes an expired cookie, so one that is sent has become invalid
 */
function redirectToSignIn(address: ConsoleAddress, hadSession: boolean): Response {
  const parameters = new URLSearchParams();
  if (address.path !== '') parameters.set('next', formatAddress(address));
  if (hadSession) parameters.set('ended', '');
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
