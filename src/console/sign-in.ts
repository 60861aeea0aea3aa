import type { Clock, Log } from '../ports.ts';
import { writeAuditLine } from './audit.ts';
import type { ConsoleClient } from './console-page.ts';
import { redirectTo, respondWithPage } from './console-response.ts';
import { renderSignInPage } from './pages/sign-in-page.tsx';
import { createSecretCheck } from './session/secrets.ts';
import type { Session, Sessions } from './session/sessions.ts';
import { createSignInLimit } from './session/sign-in-limit.ts';
import type { ConsoleAssets } from './shell/console-layout.tsx';

/** Signs operators in and out. */
export interface SignIn {
  /** Shows the form. */
  show(assets: ConsoleAssets, query: URLSearchParams): Promise<Response>;
  /** Checks the token of the form, and opens a session. */
  submit(assets: ConsoleAssets, form: URLSearchParams, client: ConsoleClient): Promise<Response>;
  /** Ends a session. */
  end(session: Session, client: ConsoleClient): Promise<Response>;
}

export function createSignIn(token: string, sessions: Sessions, clock: Clock, log: Log): SignIn {
  const checkToken = createSecretCheck(token);
  const limit = createSignInLimit(clock);

  return {
    async show(assets, query) {
      const next = toLocalPath(query.get('next'));
      const remark = query.has('ended') ? { remark: 'Your session has ended. Sign in again.' } : {};
      return respondWithPage(assets, await renderSignInPage(assets, { next, ...remark }));
    },

    async submit(assets, form, client) {
      const next = toLocalPath(form.get('next'));
      const attempt = { client: client.address, action: 'sign-in', target: '' };
      const wait = limit.begin(client.network);
      if (wait > 0) {
        writeAuditLine(log, { ...attempt, who: 'nobody', target: 'too many attempts', result: 'refused' });
        const problem = `Too many wrong tokens. The next attempt is possible in ${formatMinutes(wait)}.`;
        const page = await renderSignInPage(assets, { next, problem });
        return respondWithPage(assets, page, 429, { 'retry-after': String(wait) });
      }
      // A token that was copied from a file ends with a line break.
      if (!(await checkToken((form.get('token') ?? '').trim()))) {
        writeAuditLine(log, { ...attempt, who: 'nobody', target: 'wrong token', result: 'refused' });
        const problem = "This is not the gateway's admin token.";
        return respondWithPage(assets, await renderSignInPage(assets, { next, problem }), 403);
      }
      limit.succeed(client.network);
      const { cookie, session } = await sessions.open(client.protocol === 'https');
      writeAuditLine(log, { ...attempt, who: `session ${session.name}`, result: 'done' });
      return redirectTo(`./${next}`, { 'set-cookie': cookie });
    },

    async end(session, client) {
      const cookie = await sessions.close(session, client.protocol === 'https');
      writeAuditLine(log, {
        who: `session ${session.name}`,
        client: client.address,
        action: 'sign-out',
        target: '',
        result: 'done',
      });
      return redirectTo('./sign-in', { 'set-cookie': cookie });
    },
  };
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

function formatMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
