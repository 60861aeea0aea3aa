/** The key of the schema component that a reference is to, if it is to one as a whole. */
export function schemaComponentOf(ref: string): string | undefined {
  const token = /^#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1];
  return token === undefined ? undefined : unescaped(token);
}

/** A reference's tokens are percent-encoded in the fragment and escaped as in a pointer (RFC 6901 §6). */
export function unescaped(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A lone `%` stands for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
