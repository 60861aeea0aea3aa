import PERMISSIONS from '../model/conventions/permissions.json' with { type: 'json' };
import TABLE from '../model/conventions/rights.json' with { type: 'json' };

export interface AccessNote {
  /** `Needs an editor (edit_others_posts).` */
  readonly text: string;
  readonly isRequired: boolean;
  readonly isForNobody: boolean;
  /** Fields of the body that need a higher right, such as `author` of a comment. */
  readonly restricted?: readonly string[];
}

const NEEDS_RIGHT = 'Needs a user with the right to do it';
const NEEDS_USER = 'Needs a signed-in user';
const FOR_NOBODY = 'WordPress refuses it to every user';
const PRIVATE_ITEMS = 'Private items need a user who can read them';

/** Codes of WordPress for users without a right, by what the right is needed for. */
const REFUSALS: readonly (readonly [text: string, codes: RegExp, isOptional?: 'optional'])[] = [
  [NEEDS_USER, /^rest_not_logged_in$/],
  [PRIVATE_ITEMS, /^rest_cannot_read_post$/, 'optional'],
  [
    NEEDS_RIGHT,
    /^(?!rest_user_cannot_view$)(?:\w+_)?(?:cannot_(?:create(?:_user)?|update|edit|delete|publish|(?:export|list|manage|read|view)\w*)|rest_(?:user_)?create)$/,
  ],
  ['The edit context needs a user who can edit', /^rest_forbidden_context$/, 'optional'],
  [NEEDS_RIGHT, /^rest_forbidden$/],
];

/** Operations of WordPress that `rights.json` cannot have: their right is another's, or they are newer. */
const OTHERS: readonly (readonly [text: string, operations: RegExp])[] = [
  // `map_meta_cap()` gives nobody the right to delete a revision.
  [FOR_NOBODY, /^DELETE \/wp\/v2\/(?!template|global-styles)[\w-]+\/\{\}\/revisions\//],
  ['Needs the users that its requests need', /^POST \/batch\/v1$/],
  ['Needs a user whom the ability allows to run it', /^\w+ \/wp-abilities\/v1\/.*\/run$/],
  [NEEDS_USER, /^\w+ \/wp-abilities\/v1\/./],
  ['Needs an administrator', /^(?!GET )\w+ \/wp\/v2\/(?:global-styles|widgets)/],
  ['Needs an administrator', /^\w+ \/wp\/v2\/(?:font-|block-directory)/],
  [
    `${NEEDS_RIGHT}, such as an administrator`,
    /^GET \/wp\/v2\/(?:templates|template-parts|global-styles|menu-|sidebars|widgets)/,
  ],
  [`${NEEDS_RIGHT}, such as an editor`, /^\w+ \/wp\/v2\/(?:media|block-types)\//],
];

type Right = Partial<Record<'permission' | 'own', string>> & {
  readonly operations: readonly string[];
  readonly role: string;
  readonly fields?: Readonly<Record<string, string | undefined>>;
};

const RIGHTS_BY_OPERATION: ReadonlyMap<string, Right> = new Map(
  TABLE.rights.flatMap((row: Right) =>
    row.operations.map((operation) => [normalize(operation), row] as const),
  ),
);

const PERMISSION_ROWS: readonly (readonly [permission: string, operations: RegExp])[] = PERMISSIONS.map(
  ({ operations, permission }) => [permission, new RegExp(`^(?:${operations.replaceAll('{}', '\\{\\}')})$`)],
);

/** By what WordPress did for each role, else by what WooCommerce asks for, and the site's codes for a missing right. */
export function findAccess(
  method: string,
  path: string,
  errorCodes: readonly string[],
): AccessNote | undefined {
  const name = normalize(`${method} ${path}`);
  // One callback runs all three.
  const right = RIGHTS_BY_OPERATION.get(name.replace(/^(?:PUT|PATCH) /, 'POST '));
  if (right !== undefined) return describeRight(right, errorCodes);
  const note = findNote(name, errorCodes);
  const [permission] = PERMISSION_ROWS.find(([, operations]) => operations.test(name)) ?? [];
  if (permission === undefined || note?.isForNobody === true) return note;
  return {
    isRequired: note?.isRequired ?? true,
    isForNobody: false,
    text: `Needs a user with ${permission}.`,
  };
}

function normalize(operation: string): string {
  return operation.replace(/\{[^{}]*\}/g, '{}');
}

const NAMES: Readonly<Record<string, string>> = {
  subscriber: 'a signed-in user',
  contributor: 'a contributor',
  author: 'an author',
  editor: 'an editor',
  administrator: 'an administrator',
};

function describeRight(
  { fields = {}, own, permission, role }: Right,
  errorCodes: readonly string[],
): AccessNote | undefined {
  const ownUser = own === undefined ? undefined : NAMES[own];
  const sentences = [
    role === 'none' && ownUser === undefined ? `${FOR_NOBODY}.` : '',
    role === 'none' && ownUser !== undefined ? `Needs ${ownUser}, for their own only.` : '',
    NAMES[role] === undefined
      ? ''
      : `Needs ${NAMES[role]}${permission ? ` (${permission})` : ''}${ownUser ? `; for their own, ${ownUser}` : ''}.`,
    role === 'nobody' && errorCodes.includes('rest_cannot_read_post') ? `${PRIVATE_ITEMS}.` : '',
    ...Object.entries(fields).map(
      ([name, needed = '']) => `"${name}" needs ${NAMES[needed] ?? 'what no user has'}.`,
    ),
  ];
  const text = sentences.filter((sentence) => sentence !== '').join(' ');
  if (text === '') return undefined;
  return {
    text,
    isRequired: role !== 'nobody',
    isForNobody: role === 'none' && own === undefined,
    restricted: Object.keys(fields).filter((name) => !name.includes('=')),
  };
}

function findNote(name: string, errorCodes: readonly string[]): AccessNote | undefined {
  const note = (text: string, isRequired = true): AccessNote => ({
    text: `${text}.`,
    isRequired,
    isForNobody: text === FOR_NOBODY,
  });
  const [other] = OTHERS.find(([, operations]) => operations.test(name)) ?? [];
  if (other !== undefined) return note(other);
  for (const [text, known, isOptional] of REFUSALS) {
    if (errorCodes.some((code) => known.test(code))) return note(text, isOptional === undefined);
  }
  return undefined;
}
