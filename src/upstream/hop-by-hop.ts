/**
 * The field names in a `Connection` header, lower case (RFC 9110 §7.6.1).
 *
 * @returns undefined where there are none but the usual words
 */
export function connectionOptions(connection: string): ReadonlySet<string> | undefined {
  if (connection === 'keep-alive' || connection === 'close') return undefined;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  const fields = names.filter((name) => name !== '' && name !== 'keep-alive' && name !== 'close');
  return fields.length === 0 ? undefined : new Set(fields);
}

/** Removes fields from a flat list, in place. */
export function dropFields(headers: string[], names: ReadonlySet<string>): void {
  let kept = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (names.has(name.toLowerCase())) continue;
    headers[kept] = name;
    headers[kept + 1] = headers[at + 1] ?? '';
    kept += 2;
  }
  headers.length = kept;
}
