/** Names that TypeScript, JavaScript or a generated module uses, and names that would become code if they were not escaped. */
export const HOSTILE_NAMES: readonly string[] = [
  ...'Error Date Record Array Promise Pick Omit Uint8Array ArrayBuffer Bytes SharedQuery JSON Object'.split(
    ' ',
  ),
  ...'RegExp Set z schemas check'.split(' '),
  ...'string any never default class enum paths operations components globalThis undefined'.split(' '),
  ...'__proto__ constructor hasOwnProperty toString prototype $ref $defs definitions'.split(' '),
  ...['post', 'Post', 'POST', 'post-1', 'post 1', 'Post1', '1', '200', '', ' ', '*/', '`', '${x}', '"', "'"],
  // U+2E2F is a letter that no identifier may have.
  ...['\\', '\n', '\u2028', '🙂', '\ud800', '\u2e2f'],
];
