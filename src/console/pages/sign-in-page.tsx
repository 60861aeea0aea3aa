import { toDocumentText } from '../../docs/pages/render-page.tsx';
import { type ConsoleAssets, ConsoleDocument } from '../shell/console-layout.tsx';

/** What the page for the sign-in shows. */
export interface SignInPage {
  /** Path below `/-/console/` of the page that follows, with query. */
  readonly next: string;
  /** Why the last attempt was refused. */
  readonly problem?: string;
  /** Why there is no session: `Your session has ended.` */
  readonly remark?: string;
}

/** Renders the form for the admin token. */
export function renderSignInPage(
  assets: ConsoleAssets,
  { next, problem, remark }: SignInPage,
): Promise<string> {
  return toDocumentText(
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
    </ConsoleDocument>,
  );
}
