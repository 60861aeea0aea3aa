import { createSecretCheck } from '../../hash.ts';
import type { Log } from '../../ports.ts';
import { type AdminClient, type AuditEntry, writeAuditLine } from '../admin/admin-app.ts';
import type { TokenAttempts } from '../admin/token-attempts.ts';
import { type ConsoleAssets, ConsoleDocument, redirectTo, respondWithPage } from './layout.tsx';
import type { Session, Sessions } from './sessions.ts';

export class SignIn {
  readonly #checkToken: (text: string) => Promise<boolean>;
  readonly #assets: ConsoleAssets;
  readonly #attempts: TokenAttempts;
  readonly #sessions: Sessions;
  readonly #log: Log;

  constructor(token: string, assets: ConsoleAssets, sessions: Sessions, attempts: TokenAttempts, log: Log) {
    this.#checkToken = createSecretCheck(token);
    this.#assets = assets;
    this.#attempts = attempts;
    this.#sessions = sessions;
    this.#log = log;
  }

  show(query: URLSearchParams): Promise<Response> {
    const remark = query.has('ended') ? 'Your session has ended. Sign in again.' : undefined;
    return respondWithForm(this.#assets, toLocalPath(query.get('next')), { remark });
  }

  /** Checks the token of the form, and opens a session. */
  async submit(form: URLSearchParams, client: AdminClient): Promise<Response> {
    const next = toLocalPath(form.get('next'));
    const audit = (who: string, target: string, result: AuditEntry['result']): void =>
      writeAuditLine(this.#log, { who, client: client.address, action: 'sign-in', target, result });
    // A token that was copied from a file ends with a line break.
    const isRight = await this.#checkToken((form.get('token') ?? '').trim());
    const wait = this.#attempts.record(client.network, isRight);
    if (wait > 0) {
      audit('nobody', 'too many attempts', 'refused');
      const minutes = Math.ceil(wait / 60);
      const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
      const problem = `Too many wrong tokens. The next attempt is possible in ${time}.`;
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

  async end(session: Session, client: AdminClient): Promise<Response> {
    const cookie = await this.#sessions.close(session, client.protocol === 'https');
    const who = `session ${session.name}`;
    const entry = { who, client: client.address, action: 'sign-out', target: '', result: 'done' } as const;
    writeAuditLine(this.#log, entry);
    return redirectTo('./sign-in', { 'set-cookie': cookie });
  }
}

/**
 * Responds with the form for the admin token.
 *
 * @param next path below `/-/console/` of the page that follows, with query
 * @param words why the last attempt was refused, or why there is no session
 */
function respondWithForm(
  assets: ConsoleAssets,
  next: string,
  { problem, remark }: { readonly problem?: string; readonly remark?: string | undefined },
  status?: number,
  headers?: Readonly<Record<string, string>>,
): Promise<Response> {
  const page = (
    <ConsoleDocument assets={assets} root="./" titles={['Sign in']}>
      <main class="narrow" id="content" tabindex={-1}>
        <h1>waygate console</h1>
        {remark === undefined ? null : (
          <p class="notice" role="status">
            {remark}
          </p>
        )}
        <form method="post" action="./sign-in" class="sign-in">
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
            The token of <code>WAYGATE_ADMIN_TOKEN</code> or <code>admin.token</code>. A session lasts 8
            hours.
          </p>
          <button type="submit" class="button primary">
            Sign in
          </button>
        </form>
      </main>
    </ConsoleDocument>
  );
  return respondWithPage(page, status, headers);
}

/**
 * Returns the path of a page below `/-/console/`, or an empty path for anything else: a link to the sign-in must not lead to
 * another host.
 */
function toLocalPath(path: string | null): string {
  return path !== null &&
    /^sites\/[\w.~%-]{1,200}\/[a-z]{1,20}(?:\/[\w.~%:-]{1,300})?(?:\?[^\s\\]{0,2000})?$/.test(path)
    ? path
    : '';
}
