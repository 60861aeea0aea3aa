import { firstFieldValue } from './fields.ts';

/**
 * Parses `Content-Length`; `undefined` if it is absent or invalid.
 *
 * @param headers flat list name, value, name, value
 */
export function parseContentLength(headers: readonly string[]): number | undefined {
  const value = firstFieldValue(headers, 'content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
