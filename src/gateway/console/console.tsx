import { createSecretCheck } from '../../hash.ts';
import type { Log } from '../../ports.ts';
import { toRoot } from '../../ui/page.tsx';
import { type AdminClient, matchSegments, readAdminBody, writeAuditLine } from '../admin/admin-handler.ts';
import { siteKey } from '../admin/site-operations.ts';
import { createCachePage } from './cache.tsx';
import { createDocumentPage } from './document.tsx';
import { EventStreams } from './event-streams.ts';
import {
  CONFIRMED_FIELD,
  type ConsoleAssets,
  CSRF_FIELD,
  confirmationContent,
  createForeignOriginPage,
  type Frame,
  MESSAGES,
  type MessagePage,
  messageContent,
  redirectTo,
  respondWithMessage,
  respondWithView,
} from './layout.tsx';
import { createOverviewActions, createOverviewPage } from './overview.tsx';
import {
  type ActionResult,
  CONSOLE_PATH,
  type ConsoleAction,
  type ConsoleContext,
  type ConsolePage,
  type ConsoleView,
  section,
} from './page.ts';
import { createProblemsPage } from './problems.tsx';
import { createPurgeAction } from './purge.tsx';
import { type Session, Sessions } from './sessions.ts';
import { findForeignOrigin, SignIn } from './sign-in.tsx';
import { createTrafficPages } from './traffic.tsx';
import { createRuleActions, createValidationPage } from './validation.tsx';

interface ConsoleAddress {
  /** What follows {@link CONSOLE_PATH}: `sites/content/cache`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path from the address to {@link CONSOLE_PATH}, relative. */
  readonly root: string;
}

/** A request for an address of the console. */
interface Call {
  readonly request: Request;
  readonly assets: ConsoleAssets;
  readonly client: AdminClient;
  readonly address: ConsoleAddress;
}

/** A request of a client that has signed in. */
interface Visit extends Call {
  readonly session: Session;
}

/** Creates the console. Without an admin token it says how to configure one, and nothing else. */
export function createConsole(context: ConsoleContext): Pick<Console, 'respond'> {
  const { token = '' } = context;
  return token === ''
    ? { respond: (_, url, assets) => respondWithMessage(assets, readAddress(url).root, MESSAGES.closed) }
    : new Console(context, token);
}

/** Responds to requests whose path begins with {@link CONSOLE_PATH}. Every page but that of the sign-in needs a session. */
export class Console {
  readonly #context: ConsoleContext;
  readonly #pages: readonly ConsolePage[];
  readonly #actions: readonly ConsoleAction[];
  readonly #sessions: Sessions;
  readonly #signIn: SignIn;
  readonly #streams: EventStreams;

  constructor(context: ConsoleContext, token: string) {
    const { clock, log, stopping } = context;
    this.#context = context;
    this.#pages = [
      createOverviewPage(context),
      ...createTrafficPages(context),
      createCachePage(context),
      createValidationPage(context),
      createDocumentPage(context),
      createProblemsPage(context),
    ];
    this.#actions = [
      ...createOverviewActions(context),
      ...createRuleActions(context),
      createPurgeAction(context),
    ];
    this.#sessions = new Sessions(token, clock);
    this.#signIn = new SignIn(token, this.#sessions, context.attempts, log);
    this.#streams = new EventStreams(clock, stopping);
  }

  /** @param url of the request, as seen from the gateway */
  async respond(request: Request, url: URL, assets: ConsoleAssets, client: AdminClient): Promise<Response> {
    const address = readAddress(url);
    const call = { request, assets, client, address };
    switch (request.method) {
      case 'GET':
        return this.#respondToGet(call);
      case 'HEAD':
        return new Response(null, await this.#respondToGet(call));
      case 'POST':
        return this.#respondToPost(call);
      default:
        return respondWithMessage(assets, address.root, MESSAGES.wrongMethod);
    }
  }

  async #respondToGet(call: Call): Promise<Response> {
    const { address, assets, request } = call;
    const { path, query } = address;
    if (path === 'sign-in') return this.#signIn.show(assets, query);
    const session = await this.#sessions.read(request);
    if (path === 'events' && request.method === 'GET') {
      if (session === null) return respondWithoutBody(403);
      return this.#openStream({ ...call, session, address: readPageAddress(query.get('page')) });
    }
    if (session === null) return redirectToSignIn(address, await this.#sessions.hasCookie(request));
    return this.#show({ ...call, session });
  }

  async #respondToPost(call: Call): Promise<Response> {
    const { address, assets, client, request } = call;
    const { path, root } = address;
    const session = await this.#sessions.read(request);
    const refuseForm = (cause: string, message: MessagePage): Promise<Response> => {
      if (session !== null) {
        const entry = { client: client.address, action: path, target: cause, result: 'refused' } as const;
        writeAuditLine(this.#context.log, { who: `session ${session.name}`, ...entry });
      }
      return respondWithMessage(assets, root, message);
    };
    const foreign = findForeignOrigin(request, client);
    if (foreign !== null) {
      return refuseForm('form of another site', createForeignOriginPage(foreign, client.host));
    }
    const type = request.headers.get('content-type') ?? '';
    const isForm = /^application\/x-www-form-urlencoded *(?:;|$)/i.test(type);
    if (!isForm) return refuseForm('no form', MESSAGES.noForm);
    const body = await readAdminBody(request);
    if (body === null) return refuseForm('form too long', MESSAGES.tooLong);
    const form = new URLSearchParams(new TextDecoder().decode(body));
    if (path === 'sign-in') return this.#signIn.submit(assets, form, client);
    if (session === null) return redirectTo(`${root}sign-in?ended`);
    const isOwn = await createSecretCheck(session.csrf)(form.get(CSRF_FIELD) ?? '');
    if (!isOwn) return refuseForm('form of another session', MESSAGES.staleForm);
    if (path === 'sign-out') return this.#signIn.end(session, client);
    return this.#act(path, form, { ...call, session });
  }

  /** Responds with the page at an address. */
  async #show(visit: Visit): Promise<Response> {
    const { address, assets, session } = visit;
    const view = await this.#createView(visit);
    if (view === null) return this.#refuse(visit);
    const query = new URLSearchParams(address.query);
    query.delete(NOTICE_PARAMETER);
    query.delete(NOTICE_SIGNATURE_PARAMETER);
    return respondWithView(assets, view, {
      ...this.#createFrame(session, { ...address, query }),
      notice: await this.#readNotice(address.query, session),
      isLive: view.sections.some(({ isLive }) => isLive),
    });
  }

  /** Says in the frame of the console that there is no such page. */
  #refuse({ address, assets, session }: Visit): Promise<Response> {
    const { content, status, title } = MESSAGES.notFound;
    const view = { title, sections: [section('message', '', () => messageContent(content))] };
    return respondWithView(assets, view, this.#createFrame(session, address), status);
  }

  async #createView({ address, client, session }: Visit): Promise<ConsoleView | null> {
    const { path, query, root } = address;
    const segments = path.split('/').map(decodeSegment);
    for (const page of this.#pages) {
      const params = matchSegments(page.path.split('/'), segments);
      if (params !== null) return page.render({ params, query, root, csrf: session.csrf, client });
    }
    return null;
  }

  #createFrame({ csrf }: Session, address: ConsoleAddress): Frame {
    const { sites } = this.#context;
    return {
      root: address.root,
      address: formatAddress(address),
      isLive: false,
      csrf,
      sites: Array.from(sites.values(), (site) => ({
        key: siteKey(site),
        title: site.runtime.snapshot?.documented?.title ?? siteKey(site),
      })),
    };
  }

  /** Opens the stream that refreshes the page at an address. */
  #openStream(visit: Visit): Response {
    const { session } = visit;
    const stream = this.#streams.open({
      owner: session.id,
      isAllowed: () => this.#sessions.isOpen(session),
      render: async () => {
        const view = await this.#createView(visit);
        if (view === null) return null;
        const html = new Map<string, string>();
        for (const { content, id, isLive } of view.sections) {
          if (isLive) html.set(id, (await content()).toString());
        }
        return html;
      },
    });
    return stream ?? respondWithoutBody(503);
  }

  /** Runs an action, writes its audit line, and leads to the page that says what it has done; or asks first. */
  async #act(name: string, form: URLSearchParams, visit: Visit): Promise<Response> {
    const { client, session } = visit;
    const { log } = this.#context;
    const action = this.#actions.find((each) => each.name === name);
    if (action === undefined) return this.#refuse(visit);
    const question = await this.#ask(action, form, visit);
    if (question !== null) return question;
    const { notice, page, result, target } = await runSafely(action, form, log);
    const who = `session ${session.name}`;
    writeAuditLine(log, { who, client: client.address, action: action.name, target, result });
    const [path = '', query = ''] = page.split('?');
    const parameters = new URLSearchParams(query);
    parameters.set(NOTICE_PARAMETER, notice);
    // The text stands in the page, so only the gateway may write it.
    parameters.set(NOTICE_SIGNATURE_PARAMETER, await this.#sessions.sign(session, notice));
    return redirectTo(`./${path}?${parameters}`);
  }

  async #ask(
    action: ConsoleAction,
    form: URLSearchParams,
    { assets, session }: Visit,
  ): Promise<Response | null> {
    if (form.get(CONFIRMED_FIELD) === 'yes') return null;
    const confirmation = (await action.confirm?.(form)) ?? null;
    if (confirmation === null) return null;
    const { page, site, tab, title } = confirmation;
    const frame = this.#createFrame(session, { root: './', path: page, query: new URLSearchParams() });
    const content = () => confirmationContent(action.name, confirmation, form, frame);
    const sections = [section('confirmation', '', content)];
    return respondWithView(assets, { title, site, tab, sections }, frame);
  }

  /** Reads what the last action has done from the query of the next page. */
  async #readNotice(query: URLSearchParams, session: Session): Promise<string | undefined> {
    const notice = query.get(NOTICE_PARAMETER);
    if (notice === null) return undefined;
    const signature = query.get(NOTICE_SIGNATURE_PARAMETER) ?? '';
    return (await this.#sessions.verify(session, notice, signature)) ? notice : undefined;
  }
}

/** Names of the query parameters that hold what the last action has done, and its signature. */
const NOTICE_PARAMETER = 'notice';
const NOTICE_SIGNATURE_PARAMETER = 'signed';

async function runSafely(action: ConsoleAction, form: URLSearchParams, log: Log): Promise<ActionResult> {
  try {
    return await action.run(form);
  } catch (error) {
    log.error({ err: error, action: action.name }, 'an action of the console failed');
    const notice = "The action failed. The cause is in the gateway's log.";
    return { result: 'failed', target: '', notice, page: '' };
  }
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

function readAddress({ pathname, searchParams }: URL): ConsoleAddress {
  const path = pathname.slice(CONSOLE_PATH.length);
  return { path, query: searchParams, root: toRoot(path) };
}

function formatAddress({ path, query }: Pick<ConsoleAddress, 'path' | 'query'>): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The address of a page, as its stream names it. Links of its sections are relative to the page. */
function readPageAddress(page: string | null): ConsoleAddress {
  const [path = '', ...query] = (page ?? '').split('?');
  return { path, query: new URLSearchParams(query.join('?')), root: toRoot(path) };
}

function respondWithoutBody(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}

/** @returns `null` for a segment whose percent-encoding is no text */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
