import { MAX_INPUT_VARS, parseQueryPairs, toSitePath, urlDecode } from '../../base/php/request.ts';

/** `unless-posted`: open to visitors unless a form field named `action` overrides the query. */
export type AdminAccess = 'open' | 'closed' | 'unless-posted';

const ADMINISTRATION = /\/wp-(?:admin|login)(?![\w-])/;
/** Pages of visitors send forms to the first two scripts, and load the others and the files. */
const FOR_VISITORS =
  /\/wp-admin\/(?:(?:admin-(?:ajax|post)|load-(?:styles|scripts))\.php$|(?:css|js|images)\/(?!.*\.php))/s;
/** Actions of `wp-login.php` for visitors, e.g. a post's password. */
const VISITORS_ACTIONS: ReadonlySet<string> = new Set([
  ...['postpass', 'logout', 'rp', 'resetpass', 'confirmaction'],
]);

/** Path and query are raw, and below the mount of the site. */
export function readAdminAccess({ path, query }: Readonly<Record<'path' | 'query', string>>): AdminAccess {
  const sitePath = toSitePath(path);
  if (!ADMINISTRATION.test(sitePath)) return 'open';
  // If an address has two scripts, servers differ in which one they run.
  if (sitePath.includes('.php/')) return 'closed';
  if (FOR_VISITORS.test(sitePath)) return 'open';
  return sitePath.endsWith('/wp-login.php') && isForVisitors(query) ? 'unless-posted' : 'closed';
}

/** Reads `$_REQUEST['action']`. `checkemail` replaces it, and `;` separates variables on some sites. */
function isForVisitors(query: string): boolean {
  const pairs = parseQueryPairs(query);
  const [action, ...others] = pairs.filter(({ name }) => name === 'action' || name === 'checkemail');
  if (action?.name !== 'action' || action.isArray || others.length > 0) return false;
  return (
    pairs.length < MAX_INPUT_VARS && !query.includes(';') && VISITORS_ACTIONS.has(urlDecode(action.value))
  );
}
