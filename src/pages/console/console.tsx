import type { MiddlewareHandler } from 'hono';
import { type CookieOptions, parseSigned, serialize, serializeSigned } from 'hono/utils/cookie';
import { tryDecodeURIComponent } from 'hono/utils/url';
import { LRUCache } from 'lru-cache';
import { computeHmac, createSecretCheck, digest } from '../../base/hash.ts';
import type { Clock } from '../../base/ports.ts';
import { countOf } from '../../base/text.ts';
import type { OperatedGateway, OperatorClient } from '../../gateway/report/operated-gateway.ts';
import { type AdminCall, type AuditEntry, readOwnUrl, writeAuditLine } from '../admin/admin-app.ts';
import type { DocsAssets } from '../ui/packaged-assets.ts';
import { toRoot } from '../ui/page.tsx';
import { cachePage, purge } from './cache.tsx';
import {
  type ActionResult,
  CONSOLE_PATH,
  type ConsoleAction,
  type ConsoleRequest,
  type ConsoleView,
  CSRF_FIELD,
  createConsoleSecurity,
  redirectTo,
  respondWithMessage,
  respondWithNarrowPage,
  respondWithView,
  SITE_TABS,
  type SitePage,
  type SiteTab,
} from './layout.tsx';
import { overviewPage, rediscover } from './overview.tsx';
import { problemsPage } from './problems.tsx';
import { trafficPage } from './traffic.tsx';

const SITE_PAGES: Readonly<Record<SiteTab, SitePage>> = {
  traffic: trafficPage,
  cache: cachePage,
  problems: problemsPage,
};

/** Actions by the last segment of the form's address, because the cookie is only valid in the console's folder. */
const ACTIONS: ReadonlyMap<string, ConsoleAction> = new Map(Object.entries({ rediscover, purge }));

export type ConsoleHandler = Exclude<keyof Console, 'refuseAll' | 'secure'>;

export class Console {
  readonly secure: MiddlewareHandler;
  readonly #gateway: OperatedGateway;
  readonly #assets: DocsAssets;
  readonly #sessions: Sessions;
  readonly #checkToken: (text: string) => boolean;
  readonly #notices = new LRUCache<string, string>({ max: 100 });

  constructor(gateway: OperatedGateway, assets: DocsAssets) {
    // Without a token nobody can sign in.
    const token = gateway.token || crypto.randomUUID();
    this.#gateway = gateway;
    this.#assets = assets;
    this.secure = createConsoleSecurity(assets.consoleScript.integrity);
    this.#sessions = new Sessions(token, gateway.clock);
    this.#checkToken = createSecretCheck(token);
  }

  refuseAll(call: AdminCall): Promise<Response> {
    return respondWithMessage(this.#assets, readAddress(call).root, 'closed');
  }

  showSignIn(call: AdminCall): Promise<Response> {
    return respondWithForm(this.#assets, toLocalPath(readAddress(call).query.get('next')));
  }

  async signIn(call: AdminCall): Promise<Response> {
    const client = call.get('client');
    const form = readForm(call);
    const next = toLocalPath(form.get('next'));
    const audit = (who: string, target: string, result: AuditEntry['result']): void =>
      this.#audit({ who, client: client.address, action: 'sign-in', target, result });
    // A token that was copied from a file ends with a line break.
    const isRight = this.#checkToken((form.get('token') ?? '').trim());
    const wait = isRight ? 0 : this.#gateway.attempts.recordWrong(client.address);
    if (wait > 0) {
      audit('nobody', 'too many attempts', 'refused');
      const time = countOf(Math.ceil(wait / 60), 'minute');
      const problem = `Too many wrong tokens. Enter the right one, or wait ${time}.`;
      return respondWithForm(this.#assets, next, problem, 429, { 'retry-after': String(wait) });
    }
    if (!isRight) {
      audit('nobody', 'wrong token', 'refused');
      return respondWithForm(this.#assets, next, "This is not the gateway's admin token.", 403);
    }
    const { cookie, session } = await this.#sessions.open(client.protocol === 'https');
    audit(`session ${session.name}`, '', 'done');
    return redirectTo(`./${next}`, { 'set-cookie': cookie });
  }

  async #signOut(session: Session, { address: client, protocol }: OperatorClient): Promise<Response> {
    const cookie = this.#sessions.close(session, protocol === 'https');
    this.#audit({ who: `session ${session.name}`, client, action: 'sign-out', target: '', result: 'done' });
    return redirectTo('./sign-in', { 'set-cookie': cookie });
  }

  #audit(entry: AuditEntry): void {
    writeAuditLine(this.#gateway.log, entry);
  }

  async show(call: AdminCall): Promise<Response> {
    const { path, query, root } = readAddress(call);
    const session = await this.#sessions.read(call.req.raw);
    if (session === null) {
      const address = query.size === 0 ? path : `${path}?${query}`;
      const next = path === '' ? '' : `?${new URLSearchParams({ next: address })}`;
      return redirectTo(`${root}sign-in${next}`);
    }
    const { csrf, id } = session;
    const view = await this.#createView(path, { query, root, csrf });
    if (view === null) return respondWithMessage(this.#assets, root, 'notFound');
    const notice = this.#notices.get(id);
    this.#notices.delete(id);
    const sites = [...this.#gateway.sites.values()];
    return respondWithView(this.#assets, view, { csrf, root }, sites, notice);
  }

  async #createView(path: string, request: ConsoleRequest): Promise<ConsoleView | null> {
    if (path === '') return overviewPage(this.#gateway, request);
    const [, key = '', name = ''] = /^sites\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const site = this.#gateway.sites.get(tryDecodeURIComponent(key));
    const [tab, title] = SITE_TABS.find(([each]) => each === name) ?? [];
    if (site === undefined || tab === undefined || title === undefined) return null;
    const content = await SITE_PAGES[tab](this.#gateway, site, request);
    return { title, tab, site: site.name, content };
  }

  /** Runs the action of a form. Its token proves that a page of this session sent it: with passthrough, the site has the same origin. */
  async act(call: AdminCall): Promise<Response> {
    const { path, root } = readAddress(call);
    const session = await this.#sessions.read(call.req.raw);
    if (session === null) return respondWithMessage(this.#assets, root, 'staleForm');
    const form = readForm(call);
    const client = call.get('client');
    const audit = (result: AuditEntry['result'], target: string): void =>
      this.#audit({ who: `session ${session.name}`, client: client.address, action: path, target, result });
    if (!createSecretCheck(session.csrf)(form.get(CSRF_FIELD) ?? '')) {
      audit('refused', 'form of another session');
      return respondWithMessage(this.#assets, root, 'staleForm');
    }
    if (path === 'sign-out') return this.#signOut(session, client);
    const action = ACTIONS.get(path);
    if (action === undefined) return respondWithMessage(this.#assets, root, 'notFound');
    const { notice, page = '', result, target } = await this.#run(path, action, form);
    audit(result, target);
    this.#notices.set(session.id, notice);
    return redirectTo(`./${page}`);
  }

  async #run(name: string, action: ConsoleAction, form: URLSearchParams): Promise<ActionResult> {
    try {
      return await action(this.#gateway, form);
    } catch (error) {
      this.#gateway.log.error({ err: error, action: name }, 'an action of the console failed');
      return {
        result: 'failed',
        target: '',
        notice: "The action failed. The cause is in the gateway's log.",
      };
    }
  }
}

function readAddress(call: AdminCall): Pick<ConsoleRequest, 'query' | 'root'> & { readonly path: string } {
  const { pathname, searchParams: query } = readOwnUrl(call.get('head'));
  const path = pathname.slice(CONSOLE_PATH.length);
  return { path, query, root: toRoot(path) };
}

function readForm(call: AdminCall): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(call.get('body')));
}

function respondWithForm(
  assets: DocsAssets,
  next: string,
  problem?: string,
  status?: number,
  headers?: Readonly<Record<string, string>>,
): Promise<Response> {
  const form = (
    <form method="post" action="./sign-in">
      <input type="hidden" name="next" value={next} />
      {/* Password managers store a password with a name. */}
      <input name="user" value="operator" autocomplete="username" readonly hidden />
      <label for="token">Admin token</label>
      <input
        id="token"
        name="token"
        type="password"
        required
        autofocus
        autocomplete="current-password"
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={problem === undefined ? 'token-help' : 'problem token-help'}
      />
      {problem === undefined ? null : (
        <p id="problem" class="problem" role="alert">
          {problem}
        </p>
      )}
      <p id="token-help" class="aside">
        The token of <code>WAYGATE_ADMIN_TOKEN</code> or <code>admin.token</code>. A session lasts 8 hours.
      </p>
      <button type="submit" class="button primary">
        Sign in
      </button>
    </form>
  );
  return respondWithNarrowPage(assets, './', 'waygate console', form, status, headers);
}

/** An empty path for anything but a page of the console: a link to the sign-in must not lead to another host. */
function toLocalPath(path: string | null): string {
  return path !== null && /^sites\/[\w.~%-]{1,200}\/[a-z]{1,20}(?:\?[^\s\\]{0,2000})?$/.test(path)
    ? path
    : '';
}

/** Milliseconds from the sign-in to the end of a session. Use does not extend it. */
const SESSION_LIFETIME = 8 * 60 * 60 * 1000;

const MAX_CLOSED_SESSIONS = 1_000;

/**
 * Without `Path` a cookie is valid in the folder of its response (RFC 6265 §5.1.4): the console's, below any prefix of a proxy, known
 * or not. So a site at the same host doesn't get the cookie.
 */
const COOKIE: CookieOptions = { httpOnly: true, sameSite: 'Strict' };

export interface Session {
  readonly id: string;
  /** Identifies the session in the log; a hash, so that it cannot be used as one. */
  readonly name: string;
  readonly csrf: string;
  readonly expiresAt: number;
}

/** A session is a cookie signed with a key from the admin token. Gateways with the token accept it, this one until sign-out. */
export class Sessions {
  readonly #key: ReturnType<typeof computeHmac>;
  readonly #cookieName: string;
  readonly #closed = new LRUCache<string, true>({ max: MAX_CLOSED_SESSIONS });
  readonly #clock: Pick<Clock, 'now'>;

  constructor(token: string, clock: Pick<Clock, 'now'>) {
    this.#key = computeHmac(token, 'waygate console session');
    // Browsers send a cookie to every port of a host. Gateways there with the same token share the session.
    const suffix = computeHmac(token, 'waygate console cookie').toString('hex', 0, 4);
    this.#cookieName = `waygate_session_${suffix}`;
    this.#clock = clock;
  }

  async open(isSecure: boolean): Promise<{ readonly session: Session; readonly cookie: string }> {
    const id = crypto.randomUUID();
    const session = this.#toSession(id, this.#clock.now() + SESSION_LIFETIME);
    const options = { ...COOKIE, secure: isSecure, maxAge: SESSION_LIFETIME / 1000 };
    const value = `${id}.${session.expiresAt}`;
    const cookie = await serializeSigned(this.#cookieName, value, this.#key, options);
    return { session, cookie };
  }

  async read({ headers }: Request): Promise<Session | null> {
    const name = this.#cookieName;
    const value = (await parseSigned(headers.get('cookie') ?? '', this.#key, name))[name];
    if (typeof value !== 'string') return null;
    const [id = '', expiresAt = ''] = value.split('.');
    if (Number(expiresAt) <= this.#clock.now() || this.#closed.has(id)) return null;
    return this.#toSession(id, Number(expiresAt));
  }

  close({ id }: Session, isSecure: boolean): string {
    this.#closed.set(id, true);
    return serialize(this.#cookieName, '', { ...COOKIE, secure: isSecure, maxAge: 0 });
  }

  #toSession(id: string, expiresAt: number): Session {
    const name = digest(id).toString('hex', 0, 6);
    const csrf = computeHmac(this.#key, `${id}\ncsrf`).toString('hex', 0, 16);
    return { id, expiresAt, name, csrf };
  }
}
