import { fieldValue } from '../../http/fields.ts';

/**
 * Whether `Accept-Encoding` lists a content coding (RFC 9110 §12.5.3), by name or `*`, and not with `q=0`. `false` if the
 * field is absent.
 */
export function acceptsCoding(headers: readonly string[], coding: string): boolean {
  let isWildcardAccepted = false;
  for (const item of (fieldValue(headers, 'accept-encoding') ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (name === coding) return !isRefused;
    if (name === '*') isWildcardAccepted = !isRefused;
  }
  return isWildcardAccepted;
}

/** Whether `If-None-Match` lists the entity tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesIfNoneMatch(headers: readonly string[], etag: string): boolean {
  const value = fieldValue(headers, 'if-none-match') ?? '';
  if (value === '') return false;
  if (value.trim() === '*') return true;
  return (value.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Whether `Accept` lists HTML, and not JSON before it. Browsers list HTML; programs list JSON or no type at all. */
export function prefersHtml(headers: readonly string[]): boolean {
  const accepted = (fieldValue(headers, 'accept') ?? '').toLowerCase();
  const html = accepted.indexOf('text/html');
  const json = accepted.search(/application\/(?:[\w.+-]*\+)?json/);
  return html >= 0 && (json < 0 || html < json);
}
