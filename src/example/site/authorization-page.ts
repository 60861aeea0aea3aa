import type { Json } from '../../json.ts';
import type { SiteUser } from '../../rest-server/declarations.ts';
import { authenticate } from '../../rest-server/request.ts';
import type { SitePage } from './definition.ts';
import { escapeHtml, htmlPage } from './pages.ts';
import type { SeededRandom } from './random.ts';
import type { DemoUser } from './users.ts';

/** The users of a site with their application passwords: the public ones, and those that users have granted to clients. */
export class Accounts {
  private readonly users: readonly DemoUser[];
  private readonly random: SeededRandom;
  private readonly granted = new Map<string, string[]>();

  constructor(users: readonly DemoUser[], random: SeededRandom) {
    this.users = users;
    this.random = random;
  }

  authenticate(credentials: Parameters<typeof authenticate>[0]): ReturnType<typeof authenticate> {
    const accounts = this.users.map(({ password, ...user }) => ({
      ...user,
      passwords: [password, ...(this.granted.get(user.login) ?? [])],
    }));
    return authenticate(credentials, accounts);
  }

  /** Creates an application password of a user, as WordPress writes it: `abcd EFGH 1234 …`. */
  grant({ login }: SiteUser): string {
    const password = this.random.text(24).replace(/[^a-zA-Z0-9]/g, 'x');
    const all = this.granted.get(login) ?? [];
    // A user keeps the latest passwords, so that clients cannot fill the memory.
    this.granted.set(login, [...all, password].slice(-MAX_PASSWORDS));
    return password.replace(/(.{4})(?=.)/g, '$1 ');
  }
}

const MAX_PASSWORDS = 50;

export const AUTHORIZATION_PATH = '/wp-admin/authorize-application.php';

const TITLE = 'Authorize application';

interface AuthorizationRequest {
  readonly siteName: string;
  /** The URL of the site, without a slash at the end. A proxy in front of the site names another one in `headers`. */
  readonly base: string;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  /** The fields of the form; `null` when the page is only read. */
  readonly form: ReadonlyMap<string, Json> | null;
  readonly accounts: Accounts;
  readonly users: readonly DemoUser[];
}

/**
 * Serves `authorize-application.php`, where a user grants a client an application password. The client gets it at
 * `success_url`, as `site_url`, `user_login` and `password`; without that URL, the page shows it.
 */
export function serveAuthorizationPage(request: AuthorizationRequest): SitePage {
  const { form, query, accounts } = request;
  const read = (name: string): string => String(form?.get(name) ?? query.get(name) ?? '');
  const [success, reject] = [read('success_url'), read('reject_url')];
  const invalid = [success, reject].find((url) => url !== '' && !isTrusted(url));
  if (invalid !== undefined) {
    return errorPage(400, 'The URL must be served over a secure connection, or be one of this computer.');
  }
  if (form === null) return formPage(request, read);
  if (form.has('reject')) {
    const refused = reject !== '' ? reject : success === '' ? '' : addToQuery(success, { success: 'false' });
    return refused === '' ? errorPage(200, 'The application has got no password.') : redirect(refused);
  }
  const user = accounts.authenticate({ username: read('login'), password: read('password') });
  if (user === null || 'kind' in user) {
    return errorPage(403, 'There is no user with this login and password.');
  }
  const password = accounts.grant(user);
  const granted = { site_url: getPublicUrl(request), user_login: user.login, password };
  if (success !== '') return redirect(addToQuery(success, granted));
  const main = `<p>The password of ${escapeHtml(read('app_name') || 'the application')} for ${escapeHtml(user.login)}:</p>
<p><code>${escapeHtml(password)}</code></p>`;
  return htmlPage(TITLE, `<h1>${TITLE}</h1>\n${main}`);
}

/** The URL of the site for its clients: a proxy must not tell an application where the site itself listens. */
function getPublicUrl({ base, headers }: AuthorizationRequest): string {
  const host = headers.get('x-forwarded-host');
  if (host === null) return base;
  const protocol = headers.get('x-forwarded-proto') ?? 'http';
  return `${protocol}://${host}${headers.get('x-forwarded-prefix') ?? ''}`;
}

/** `wp_is_authorize_application_redirect_url_valid()`: https, or a loopback address, or the scheme of an app. */
function isTrusted(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (['javascript:', 'data:'].includes(url.protocol)) return false;
  return url.protocol !== 'http:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

function addToQuery(url: string, values: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return target.href;
}

function redirect(location: string): SitePage {
  return { status: 302, body: '', headers: { Location: location, 'Cache-Control': 'no-store' } };
}

function errorPage(status: number, message: string): SitePage {
  return htmlPage(TITLE, `<h1>${TITLE}</h1>\n<p>${escapeHtml(message)}</p>`, { status });
}

function formPage({ siteName, users }: AuthorizationRequest, read: (name: string) => string): SitePage {
  const hidden = ['app_name', 'app_id', 'success_url', 'reject_url'].map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(read(name))}">`,
  );
  const rows = users.map(
    ({ login, role, password }) =>
      `<li>${escapeHtml(role)}: <code>${escapeHtml(login)}</code>, <code>${escapeHtml(password)}</code></li>`,
  );
  const main = `<h1>${TITLE}</h1>
<p>${escapeHtml(read('app_name') || 'An application')} asks for a password of ${escapeHtml(siteName)}.</p>
<form method="post">
${hidden.join('\n')}
<p><label>Login <input name="login" autocomplete="username"></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
<p><button name="approve" value="1">Yes, I approve</button> <button name="reject" value="1">No, I do not</button></p>
</form>
<p>This is a demonstration: these users are known to everybody, and what is granted ends with the process.</p>
<ul>
${rows.join('\n')}
</ul>`;
  return htmlPage(escapeHtml(`${TITLE}: ${siteName}`), main);
}
