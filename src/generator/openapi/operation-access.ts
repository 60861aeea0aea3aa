import PERMISSIONS from '../model/conventions/permissions.json' with { type: 'json' };

export interface AccessNote {
  /** Without the permission: `Needs a user with the right to do it.` */
  readonly text: string;
  readonly isRequired: boolean;
  readonly isForNobody: boolean;
  /** Capability of WordPress that its permission callback asks for, e.g. `edit_posts`. */
  readonly permission?: string;
}

const NEEDS_RIGHT = 'Needs a user with the right to do it';
const NEEDS_USER = 'Needs a signed-in user';
const FOR_NOBODY = 'WordPress refuses it to every user';

/** Codes of WordPress for users without a right, by what the right is needed for. */
const RIGHTS: readonly (readonly [text: string, codes: RegExp, isOptional?: 'optional'])[] = [
  [NEEDS_USER, /^rest_not_logged_in$/],
  ['Private items need a user who can read them', /^rest_cannot_read_post$/, 'optional'],
  [
    NEEDS_RIGHT,
    /^(?!rest_user_cannot_view$)(?:\w+_)?(?:cannot_(?:create(?:_user)?|update|edit|delete|publish|(?:export|list|manage|read|view)\w*)|rest_(?:user_)?create)$/,
  ],
  ['The edit context needs a user who can edit', /^rest_forbidden_context$/, 'optional'],
  [NEEDS_RIGHT, /^rest_forbidden$/],
];

/** Users of core operations, by permission callbacks and roles of WordPress 6.1 to 7.1. The first applies. */
const ROLES: readonly (readonly [users: string, operations: RegExp])[] = [
  [
    FOR_NOBODY,
    // `map_meta_cap()` gives nobody the right to delete a revision.
    /^DELETE \/wp\/v2\/(?!template|global-styles)[\w-]+\/\{\w+\}\/revisions\//,
  ],
  ['Needs the users that its requests need', /^POST \/batch\/v1$/],
  ['Needs a user whom the ability allows to run it', /^\w+ \/wp-abilities\/v1\/.*\/run$/],
  [
    NEEDS_USER,
    /^(?!DELETE .*\/me$)\w+ \/(?:wp-abilities\/v1\/.|wp\/v2\/users\/(?:me$|\{\w+\}\/application-passwords))/,
  ],
  [
    ', such as an administrator',
    /^\w+ \/wp(?:-site-health\/v1\/.|-block-editor\/v1\/export|\/v2\/(?:templates|template-parts|global-styles|font-|menu|navigation|settings|themes|plugins|sidebars|widget|users|block-directory))/,
  ],
  // Types of posts that a plugin registers below `/wp/v2/` have rights of their own.
  [
    ', such as an editor or an administrator',
    /^\w+ \/(?:wp\/v2\/(?:posts|pages|media|blocks|block-|pattern-|wp_pattern_|categories|tags|comments|types|taxonomies)|wp-block-editor\/v1\/.|oembed\/1\.0\/proxy)/,
  ],
];

const PERMISSION_ROWS: readonly (readonly [permission: string, operations: RegExp])[] = PERMISSIONS.map(
  ({ operations, permission }) => [
    permission,
    new RegExp(`^(?:${operations.replaceAll('{}', '\\{[^/]*\\}')})$`),
  ],
);

/** By the site's codes for a missing right, and what WordPress and WooCommerce ask for. */
export function findAccess(
  method: string,
  path: string,
  errorCodes: readonly string[],
): AccessNote | undefined {
  const note = findNote(method, path, errorCodes);
  const [permission] = PERMISSION_ROWS.find(([, operations]) => operations.test(`${method} ${path}`)) ?? [];
  if (permission === undefined || note?.isForNobody === true) return note;
  // Without the permission, WordPress shows a part of some items to everybody.
  const { isRequired = !isReading(method) || !/^\/wp\//.test(path), text = `${NEEDS_RIGHT}.` } = note ?? {};
  return { text, isRequired, isForNobody: false, permission };
}

export function toAccessText({ permission, text }: AccessNote): string {
  return permission === undefined ? text : `${text} Permission: ${permission}.`;
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function findNote(method: string, path: string, errorCodes: readonly string[]): AccessNote | undefined {
  const name = `${method} ${path}`;
  const [users = ''] = ROLES.find(([, operations]) => operations.test(name)) ?? [];
  const isSentence = /^[A-Z]/.test(users);
  const note = (known: string, isRequired = true): AccessNote => ({
    text: `${isSentence ? '' : known}${users}.`,
    ...{ isRequired, isForNobody: users === FOR_NOBODY },
  });
  // Its permission callback refuses visitors without a code of its own.
  if (name === 'GET /wp/v2/blocks/{id}') return note(NEEDS_RIGHT);
  for (const [text, known, isOptional] of RIGHTS) {
    if (errorCodes.some((code) => known.test(code))) return note(text, isOptional === undefined);
  }
  return isSentence || (users !== '' && !isReading(method)) ? note(NEEDS_RIGHT) : undefined;
}
