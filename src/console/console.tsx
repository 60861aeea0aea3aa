import type { MiddlewareHandler } from 'hono';
import { tryDecodeURIComponent } from 'hono/utils/url';
import {
  type AdminCall,
  type AdminClient,
  type AuditEntry,
  readOwnUrl,
  writeAuditLine,
} from '../gateway/admin/admin-app.ts';
import { siteKey } from '../gateway/admin/site-operations.ts';
import { createSecretCheck } from '../hash.ts';
import type { Log } from '../ports.ts';
import type { DocsAssets } from '../ui/assets.ts';
import { toRoot } from '../ui/page.tsx';
import { createCachePage } from './cache.tsx';
import { createDocumentPage } from './document.tsx';
import {
  CONFIRMED_FIELD,
  CSRF_FIELD,
  confirmationContent,
  createConsoleSecurity,
  type Frame,
  fillMessage,
  MESSAGES,
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
import { respondWithForm, toLocalPath } from './sign-in.tsx';
import { createTrafficPage } from './traffic.tsx';

interface ConsoleAddress {
  /** What follows {@link CONSOLE_PATH}: `sites/content/cache`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path from the address to {@link CONSOLE_PATH}, relative. */
  readonly root: string;
}

/** A request for an address of the console, of a client that has signed in. */
interface Visit {
  readonly address: ConsoleAddress;
  readonly client: AdminClient;
  readonly session: Session;
}

export type ConsoleHandler = Exclude<keyof Console, 'refuseForm' | 'say' | 'secure'>;

/** Responds to requests whose path begins with {@link CONSOLE_PATH}. Every page but that of the sign-in needs a session. */
export class Console {
  /** Sets the fields that restrict what a browser does with a response. */
  readonly secure: MiddlewareHandler;
  readonly #context: ConsoleContext;
  readonly #assets: DocsAssets;
  /** By their paths. */
  readonly #pages: ReadonlyMap<string, ConsolePage>;
  readonly #actions: readonly ConsoleAction[];
  readonly #sessions: Sessions;
  readonly #checkToken: (text: string) => Promise<boolean>;

  constructor(context: ConsoleContext, assets: DocsAssets) {
    // Without a token nobody can sign in.
    const token = context.token || crypto.randomUUID();
    this.#context = context;
    this.#assets = assets;
    this.secure = createConsoleSecurity(assets.consoleScriptIntegrity);
    const pages = [
      createOverviewPage(context),
      createTrafficPage(context),
      createCachePage(context),
      createDocumentPage(context),
      createProblemsPage(context),
    ];
    this.#pages = new Map(pages.map((page) => [page.path, page]));
    this.#actions = [...createOverviewActions(context), createPurgeAction(context)];
    this.#sessions = new Sessions(token, context.clock);
    this.#checkToken = createSecretCheck(token);
  }

  say(call: AdminCall, message: keyof typeof MESSAGES): Promise<Response> {
    return respondWithMessage(this.#assets, readAddress(call).root, MESSAGES[message]);
  }

  /** Refuses a form. The audit line is that of its session. */
  async refuseForm(call: AdminCall, cause: string, message: keyof typeof MESSAGES): Promise<Response> {
    const { path, root } = readAddress(call);
    const { address: client, host } = call.get('client');
    const session = await this.#sessions.read(call.req.raw);
    if (session !== null) {
      const who = `session ${session.name}`;
      this.#audit({ who, client, action: path, target: cause, result: 'refused' });
    }
    const origin = call.req.header('origin') ?? 'another site';
    return respondWithMessage(this.#assets, root, fillMessage(MESSAGES[message], { origin, host }));
  }

  showSignIn(call: AdminCall): Promise<Response> {
    const { query } = readAddress(call);
    const remark = query.has('ended') ? 'Your session has ended. Sign in again.' : undefined;
    return respondWithForm(this.#assets, toLocalPath(query.get('next')), { remark });
  }

  /** Checks the token of the form, and opens a session. */
  async signIn(call: AdminCall): Promise<Response> {
    const client = call.get('client');
    const form = readForm(call);
    const next = toLocalPath(form.get('next'));
    const audit = (who: string, target: string, result: AuditEntry['result']): void =>
      this.#audit({ who, client: client.address, action: 'sign-in', target, result });
    // A token that was copied from a file ends with a line break.
    const isRight = await this.#checkToken((form.get('token') ?? '').trim());
    const wait = isRight ? 0 : this.#context.attempts.recordWrong(client.network);
    if (wait > 0) {
      audit('nobody', 'too many attempts', 'refused');
      const minutes = Math.ceil(wait / 60);
      const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
      const problem = `Too many wrong tokens. Enter the right one, or wait ${time}.`;
      return respondWithForm(this.#assets, next, { problem }, 429, { 'retry-after': String(wait) });
    }
    if (!isRight) {
      audit('nobody', 'wrong token', 'refused');
      return respondWithForm(this.#assets, next, { problem: "This is not the gateway's admin token." }, 403);
    }
    const { cookie, session } = await this.#sessions.open(client.protocol === 'https');
    audit(`session ${session.name}`, '', 'done');
    return redirectTo(`./${next}`, { 'set-cookie': cookie });
  }

  async #signOut(session: Session, { address: client, protocol }: AdminClient): Promise<Response> {
    const cookie = await this.#sessions.close(session, protocol === 'https');
    this.#audit({ who: `session ${session.name}`, client, action: 'sign-out', target: '', result: 'done' });
    return redirectTo('./sign-in', { 'set-cookie': cookie });
  }

  #audit(entry: AuditEntry): void {
    writeAuditLine(this.#context.log, entry);
  }

  async show(call: AdminCall): Promise<Response> {
    const address = readAddress(call);
    const session = await this.#sessions.read(call.req.raw);
    if (session === null) return redirectToSignIn(address, await this.#sessions.hasCookie(call.req.raw));
    const { query } = address;
    const visit = { address, session, client: call.get('client') };
    const view = await this.#createView(visit);
    if (view === null) return this.#refuse(visit);
    const notice = await this.#readNotice(query, session);
    query.delete(NOTICE_PARAMETER);
    query.delete(NOTICE_SIGNATURE_PARAMETER);
    return respondWithView(this.#assets, view, { ...this.#createFrame(session, address), notice });
  }

  /** Says in the frame of the console that there is no such page. */
  #refuse({ address, session }: Visit): Promise<Response> {
    const { content, status, title } = MESSAGES.notFound;
    const view = { title, sections: [section('message', '', () => messageContent(content))] };
    return respondWithView(this.#assets, view, this.#createFrame(session, address), status);
  }

  async #createView({ address, client, session }: Visit): Promise<ConsoleView | null> {
    const { path, query, root } = address;
    const [, site = '', tab = ''] = SITE_PATH.exec(path) ?? [];
    const template = tab === '' ? path : `sites/:site/${tab}`;
    const params = { site: tryDecodeURIComponent(site) };
    const page = this.#pages.get(template);
    return page?.render({ params, query, root, csrf: session.csrf, client }) ?? null;
  }

  #createFrame({ csrf }: Session, address: ConsoleAddress): Frame {
    const { sites } = this.#context;
    return {
      root: address.root,
      address: formatAddress(address),
      csrf,
      sites: Array.from(sites.values(), (site) => ({
        key: siteKey(site),
        title: site.runtime.snapshot?.documented?.title ?? siteKey(site),
      })),
    };
  }

  /** Runs an action, writes its audit line, and leads to the page that says what it has done; or asks first. */
  async act(call: AdminCall): Promise<Response> {
    const address = readAddress(call);
    const session = await this.#sessions.read(call.req.raw);
    if (session === null) return redirectTo(`${address.root}sign-in?ended`);
    const form = readForm(call);
    const isOwn = await createSecretCheck(session.csrf)(form.get(CSRF_FIELD) ?? '');
    if (!isOwn) return this.refuseForm(call, 'form of another session', 'staleForm');
    const client = call.get('client');
    if (address.path === 'sign-out') return this.#signOut(session, client);
    const action = this.#actions.find((each) => each.name === address.path);
    if (action === undefined) return this.#refuse({ address, session, client });
    const question = await this.#ask(action, form, session);
    if (question !== null) return question;
    const { notice, page, result, target } = await runSafely(action, form, this.#context.log);
    const who = `session ${session.name}`;
    this.#audit({ who, client: client.address, action: action.name, target, result });
    const [path = '', query = ''] = page.split('?');
    const parameters = new URLSearchParams(query);
    parameters.set(NOTICE_PARAMETER, notice);
    // The text stands in the page, so only the gateway may write it.
    parameters.set(NOTICE_SIGNATURE_PARAMETER, await this.#sessions.sign(session, notice));
    return redirectTo(`./${path}?${parameters}`);
  }

  async #ask(action: ConsoleAction, form: URLSearchParams, session: Session): Promise<Response | null> {
    if (form.get(CONFIRMED_FIELD) === 'yes') return null;
    const confirmation = (await action.confirm?.(form)) ?? null;
    if (confirmation === null) return null;
    const { page, site, tab, title } = confirmation;
    const frame = this.#createFrame(session, { root: './', path: page, query: new URLSearchParams() });
    const content = () => confirmationContent(action.name, confirmation, form, frame);
    const sections = [section('confirmation', '', content)];
    return respondWithView(this.#assets, { title, site, tab, sections }, frame);
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

const SITE_PATH = /^sites\/([^/]+)\/([^/]+)$/;

function readAddress(call: AdminCall): ConsoleAddress {
  const { pathname, searchParams } = readOwnUrl(call.get('head'));
  const path = pathname.slice(CONSOLE_PATH.length);
  return { path, query: searchParams, root: toRoot(path) };
}

function readForm(call: AdminCall): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(call.get('body')));
}

function formatAddress({ path, query }: Pick<ConsoleAddress, 'path' | 'query'>): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
