import { fieldValue } from '../../http/fields.ts';

/** Whether a content coding may be used (RFC 9110 §12.5.3): named, or meant by `*`, and not refused with `q=0`. */
export function accepts(headers: readonly string[], coding: string): boolean {
  let any = false;
  for (const item of (fieldValue(headers, 'accept-encoding') ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (name === coding) return !refused;
    if (name === '*') any = !refused;
  }
  return any;
}

/** Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(headers: readonly string[], etag: string): boolean {
  const given = fieldValue(headers, 'if-none-match') ?? '';
  if (given === '') return false;
  if (given.trim() === '*') return true;
  return (given.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag);
}
