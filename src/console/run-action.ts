import type { Log } from '../ports.ts';
import { writeAuditLine } from './audit.ts';
import type { ActionResult, ConsoleAction, ConsoleClient } from './console-page.ts';
import { redirectTo } from './console-response.ts';
import type { Session, Sessions } from './session/sessions.ts';

/** Names of the query parameters that hold what the last action has done, and its signature. */
export const NOTICE_PARAMETER = 'notice';
export const NOTICE_SIGNATURE_PARAMETER = 'signed';

/** What {@link runAction} needs. */
export interface ActionContext {
  readonly session: Session;
  readonly sessions: Sessions;
  readonly client: ConsoleClient;
  readonly log: Log;
}

/** Runs an action, writes its audit line, and leads to the page that says what it has done. */
export async function runAction(
  action: ConsoleAction,
  form: URLSearchParams,
  { client, log, session, sessions }: ActionContext,
): Promise<Response> {
  const { notice, page, result, target } = await runSafely(action, form, log);
  writeAuditLine(log, {
    who: `session ${session.name}`,
    client: client.address,
    action: action.name,
    target,
    result,
  });
  const [path = '', query = ''] = page.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set(NOTICE_PARAMETER, notice);
  // The text stands in the page, so only the gateway may write it.
  parameters.set(NOTICE_SIGNATURE_PARAMETER, await sessions.sign(session, notice));
  return redirectTo(`./${path}?${parameters}`);
}

async function runSafely(action: ConsoleAction, form: URLSearchParams, log: Log): Promise<ActionResult> {
  try {
    return await action.run(form);
  } catch (error) {
    log.error({ err: error, action: action.name }, 'an action of the console failed');
    return {
      result: 'failed',
      target: '',
      notice: "The action failed. The cause is in the gateway's log.",
      page: '',
    };
  }
}

/** Reads what the last action has done from the query of the next page. */
export async function readNotice(
  query: URLSearchParams,
  session: Session,
  sessions: Sessions,
): Promise<string | undefined> {
  const notice = query.get(NOTICE_PARAMETER);
  if (notice === null) return undefined;
  const signature = query.get(NOTICE_SIGNATURE_PARAMETER) ?? '';
  return (await sessions.verify(session, notice, signature)) ? notice : undefined;
}
