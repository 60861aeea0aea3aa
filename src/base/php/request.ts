import type { Json } from '../json.ts';

/** `Content-Type` as PHP and WordPress parse it, against RFC 9110 and each other. */

/** The type by which PHP selects its body parser (`sapi_read_post_data()`). */
export function toPhpContentType(header: string | null): string {
  return /^[^;, ]*/.exec(header ?? '')?.[0].toLowerCase() ?? '';
}

/** `WP_REST_Request::get_content_type()`: `null` if absent or without slash. */
export function toWordPressContentType(header: string | null): string | null {
  if (header === null || header === '' || header === '0') return null;
  const semicolon = header.indexOf(';');
  const value = (semicolon > 0 ? header.slice(0, semicolon) : header).toLowerCase();
  return value.includes('/') ? value.trim() : null;
}

/** `WP_REST_Request::is_json_content_type()`: `&-^` in its class is a range with comma and slash. */
export function isJsonContentType(header: string | null): boolean {
  const value = toWordPressContentType(header) ?? '';
  for (const { 0: found, 1: run, index } of value.matchAll(/(?:^|[\s,])application\/([\w!#$&-^.+]*)/g)) {
    const next = value.charAt(index + found.length);
    if (/(?:^|.\+|,application\/)json(?:\+oembed)?(?:$|[\s;,])/.test(run + next)) return true;
  }
  return false;
}

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;

/** Accepts longer types than PHP, which only makes the upstream target more explicit. */
export function isFormPost(method: string, contentType: string): boolean {
  if (method.length !== 4 || method.toUpperCase() !== 'POST') return false;
  const type = contentType.trimStart().toLowerCase();
  return FORM_TYPES.some((form) => type.startsWith(form));
}

/** `untrailingslashit()`; an empty route is `/`. */
export function normalizeRoute(route: string): string {
  const trimmed = trimTrailingSlashes(route);
  return isPhpEmpty(trimmed) ? '/' : trimmed;
}

/** In linear time. */
export function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && (path[end - 1] === '/' || path[end - 1] === '\\')) end--;
  return path.slice(0, end);
}

/** PHP's `empty()`; an object is an array. */
export function isPhpEmpty(value: Json): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === '' || value === '0' || value === 0 || value === false;
}
