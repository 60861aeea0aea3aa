/**
 * All values of a field, joined as RFC 9110 §5.3 allows; undefined where there is none.
 *
 * @param headers flat list name, value, name, value
 * @param name in lower case
 */
export function fieldValue(headers: readonly string[], name: string): string | undefined {
  let joined: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const found = headers[at] ?? '';
    // Lengths first: most fields are another.
    if (found.length !== name.length || found.toLowerCase() !== name) continue;
    joined = joined === undefined ? (headers[at + 1] ?? '') : `${joined}, ${headers[at + 1] ?? ''}`;
  }
  return joined;
}
