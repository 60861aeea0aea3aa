/**
 * What PHP and WordPress take a `Content-Type` for. They do not read it as RFC 9110 has it, and not in the same way:
 * PHP decides by it whether it reads a form into `$_POST`, WordPress whether there is JSON, or a form that PHP left.
 */

/** The media type that PHP looks its readers up by (sapi_read_post_data): up to `;`, `,` or a space, in lower case. */
export function toPhpContentType(header: string | null): string {
  return /^[^;, ]*/.exec(header ?? '')?.[0].toLowerCase() ?? '';
}

/** `WP_REST_Request::get_content_type()`: null where there is none, or what has no slash and is none either. */
export function toWordPressContentType(header: string | null): string | null {
  if (header === null || header === '' || header === '0') return null;
  const semicolon = header.indexOf(';');
  const value = (semicolon > 0 ? header.slice(0, semicolon) : header).toLowerCase();
  return value.includes('/') ? value.trim() : null;
}

/** `WP_REST_Request::is_json_content_type()`, by `wp_is_json_media_type()`: its character class is from `&` to `^`. */
export function isJsonContentType(header: string | null): boolean {
  const value = toWordPressContentType(header);
  return value !== null && JSON_TYPE.test(value);
}

const JSON_TYPE = /(?:^|[\s,])application\/(?:[\w!#$&-^.+]+\+)?json(?:\+oembed)?(?:$|[\s;,])/i;
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;

/**
 * Whether PHP may read a request's body into `$_POST`, where WordPress also looks for `rest_route`. Wider than PHP, which
 * wants the exact type: what is treated as a form without being one is only addressed more carefully.
 */
export function isFormPost(method: string, contentType: string): boolean {
  if (method.length !== 4 || method.toUpperCase() !== 'POST') return false;
  const type = contentType.trimStart().toLowerCase();
  return FORM_TYPES.some((form) => type.startsWith(form));
}
