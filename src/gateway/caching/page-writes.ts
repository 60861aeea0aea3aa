import type { ResourceMap } from '../../cache/wordpress/resource-map.ts';
import { DYNAMIC_CONTENT_TAG, pageTags, toTagPath } from '../../cache/wordpress/tag-names.ts';
import {
  ALL_GROUPS,
  type ResponseGroupName,
  type WriteInvalidation,
} from '../../cache/wordpress/write-invalidation.ts';
import type { Json } from '../../json.ts';
import { parseQueryParameters } from '../../validation/request/index.ts';

/** A request to a page of a WordPress site that may write, with its outcome. */
export interface PageWrite {
  readonly method: string;
  /** Path at the site. */
  readonly path: string;
  readonly query: string;
  readonly status: number | null;
  /** `null` if they are unknown. */
  readonly sentParameters: ReadonlyMap<string, Json> | null;
  /** The body of the response as text, if it is short. */
  readonly responseText: string | null;
}

/**
 * Actions of `admin-ajax.php` that change nothing that a stored response shows: the editor's browser sends them by itself,
 * or they are reads by `POST`.
 */
const HARMLESS_ACTIONS: ReadonlySet<string> = new Set([
  'closed-postboxes',
  'dismiss-wp-pointer',
  'find_posts',
  'get-attachment',
  'get-revision-diffs',
  'heartbeat',
  'hidden-columns',
  'menu-get-metabox',
  'menu-quick-search',
  'meta-box-order',
  'query-attachments',
  'wp-link-ajax',
  'wp-remove-post-lock',
]);

/** Fields of WordPress's own login form. With other fields, such as an action, a plugin may write. */
const LOGIN_FIELDS: ReadonlySet<string> = new Set([
  'log',
  'pwd',
  'redirect_to',
  'rememberme',
  'testcookie',
  'wp-submit',
]);

/** Bodies of `admin-ajax.php` with status 400 or 403 for an unknown action (`0`) or an invalid nonce (`-1`). */
const AJAX_REFUSAL = /^\s*(?:0|-1)\s*$/;

const NOTHING: WriteInvalidation | null = null;

interface WritingPage {
  readonly path: RegExp;
  readonly reason: string;
  getInvalidation(write: PageWrite, resources: ResourceMap): WriteInvalidation | null;
}

/** Pages of WordPress whose writes are known. The first that matches applies. */
const KNOWN_PAGES: readonly WritingPage[] = [
  {
    path: /\/wp-comments-post\.php$/,
    reason: 'a comment changes the comments, and what plugins derive from them',
    getInvalidation: (_, resources) => ({
      tags: [...resources.collectionsOfKind('comments'), DYNAMIC_CONTENT_TAG],
      groups: OTHER_GROUP_ONLY,
    }),
  },
  {
    path: /\/wp-login\.php$/,
    reason: 'a login shows the form again (200) unless it succeeds; WordPress then writes only a session',
    getInvalidation: ({ sentParameters, status }) => {
      const isLogin =
        sentParameters !== null && Array.from(sentParameters.keys()).every((name) => LOGIN_FIELDS.has(name));
      if (!isLogin) return UNKNOWN_EFFECT;
      return status === 200 ? NOTHING : { tags: [], groups: OTHER_GROUP_ONLY };
    },
  },
  {
    path: /\/xmlrpc\.php$/,
    reason: 'a call that fails, such as one with a wrong password, has a fault as its response',
    getInvalidation: ({ responseText }) =>
      responseText !== null && XMLRPC_FAULT.test(responseText) ? NOTHING : UNKNOWN_EFFECT,
  },
  {
    path: /\/wp-admin\/admin-ajax\.php$/,
    reason: 'the action decides what a request does',
    getInvalidation: ({ responseText, sentParameters, status }) => {
      const isError = status === 400 || status === 403;
      if (isError && responseText !== null && AJAX_REFUSAL.test(responseText)) return NOTHING;
      const action = sentParameters?.get('action');
      return typeof action === 'string' && HARMLESS_ACTIONS.has(action) ? NOTHING : UNKNOWN_EFFECT;
    },
  },
];

const OTHER_GROUP_ONLY: readonly ResponseGroupName[] = ['other'];
const UNKNOWN_EFFECT: WriteInvalidation = { tags: [], groups: ALL_GROUPS };
const XMLRPC_FAULT = /^\s*(?:<\?xml[^>]*>\s*)?<methodResponse>\s*<fault>/;

/** Computes what a request to a page of a WordPress site invalidates; `null` for nothing. */
export function computePageInvalidation(write: PageWrite, resources: ResourceMap): WriteInvalidation | null {
  const { path } = write;
  const known = findKnownPage(toTagPath(path));
  const found = known === undefined ? UNKNOWN_EFFECT : known.getInvalidation(write, resources);
  return found === null ? null : { ...found, tags: [...found.tags, ...pageTags(path).slice(-1)] };
}

function findKnownPage(path: string): WritingPage | undefined {
  // What follows the name of a script is its path information, so the first script runs.
  const isScript = path.indexOf('.php') === path.length - '.php'.length;
  return isScript ? KNOWN_PAGES.find((page) => page.path.test(path)) : undefined;
}

/**
 * Whether a request with a safe method may write all the same: links of the administration pages carry a nonce, and
 * `wp-cron.php` runs scheduled tasks.
 */
export function isWritingRead(path: string, query: string): boolean {
  const decoded = toTagPath(decodePath(path));
  if (decoded.includes('/wp-cron.php')) return true;
  if (!decoded.includes('/wp-admin/')) return false;
  const parameters = parseQueryParameters(query);
  return parameters === null || Array.from(parameters.keys()).some((name) => NONCE_NAME.test(name));
}

/** Names of parameters with a nonce: `_wpnonce`, `_ajax_nonce`, those of plugins, and `security`, as many call it. */
const NONCE_NAME = /nonce|^security$/i;

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([0-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
