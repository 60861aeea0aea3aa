import { isJsonObject, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';

/** What is known about the credentials that an operation needs. */
export interface AccessNote {
  readonly text: string;
  /** Whether each request needs them. */
  readonly isRequired: boolean;
  /** The errors of requests without sufficient credentials. */
  readonly codes: readonly string[];
}

/** Codes of WordPress for users without a right, by what the right is needed for. */
const RIGHTS: readonly (readonly [text: string, codes: RegExp, isOptional?: 'optional'])[] = [
  ['Needs a signed-in user.', /^rest_not_logged_in$/],
  [
    'Needs a user with the right to do it.',
    /^rest_(?:user_)?(?:cannot_(?:create(?:_user)?|update|edit|delete|publish|manage)|create)$/,
  ],
  ['The edit context needs a user who may edit.', /^rest_forbidden_context$/, 'optional'],
];

/**
 * Describes the credentials that an operation needs, as far as the document states them or the codes of its errors tell.
 *
 * @returns `undefined` if nothing is known
 */
export function describeAccess(
  operation: JsonObject,
  document: JsonObject,
  errorCodes: readonly string[],
): AccessNote | undefined {
  const required = jsonItems(operation['security'] ?? document['security']);
  if (required.length > 0 && required.every((each) => jsonMembers(each).length > 0)) {
    const codes = errorCodes.filter((code) => RIGHTS.some(([, known]) => known.test(code)));
    return { text: 'Needs credentials.', isRequired: true, codes };
  }
  for (const [text, known, isOptional] of RIGHTS) {
    const codes = errorCodes.filter((code) => known.test(code));
    if (codes.length > 0) return { text, isRequired: isOptional === undefined, codes };
  }
  const responses = operation['responses'];
  const isRefusalKnown = isJsonObject(responses) && (responses['401'] ?? responses['403']) !== undefined;
  return isRefusalKnown
    ? { text: 'The site refuses requests without sufficient credentials.', isRequired: true, codes: [] }
    : undefined;
}
