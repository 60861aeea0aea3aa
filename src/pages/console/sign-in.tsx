import type { DocsAssets } from '../ui/packaged-assets.ts';
import { respondWithNarrowPage } from './layout.tsx';

/** @param next path below `/-/console/` of the page that follows, with query */
export function respondWithForm(
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
export function toLocalPath(path: string | null): string {
  return path !== null && /^sites\/[\w.~%-]{1,200}\/[a-z]{1,20}(?:\?[^\s\\]{0,2000})?$/.test(path)
    ? path
    : '';
}
