import { isFormPost } from '../php/content-type.ts';

/**
 * Converts a request target to origin form (RFC 9112 §3.2): the authority of an absolute form is removed.
 *
 * @returns `null` for authority form and asterisk form
 */
export function toOriginForm(target: string): string | null {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]+/i.exec(target);
  if (authority === null) return null;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Removes the mount from a path. The result has a leading slash; `null` if the path is not below the mount. */
export function stripMount(path: string, mount: string): string | null {
  if (!path.startsWith(mount)) return null;
  const below = path.slice(mount.length);
  if (below === '') return '/';
  return below.startsWith('/') ? below : null;
}

/** The header fields that select what WordPress runs. */
export interface RoutingHeaders {
  readonly contentType: string;
  /** All values of `X-HTTP-Method-Override`. */
  readonly methodOverrides: readonly string[];
}

const NO_OVERRIDES: readonly string[] = [];

/** Reads the header fields that select what WordPress runs. */
export function readRoutingHeaders(headers: readonly string[]): RoutingHeaders {
  let contentType = '';
  let methodOverrides = NO_OVERRIDES;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    // The length is compared first: most fields are neither.
    if (name.length === 12 && name.toLowerCase() === 'content-type') {
      // If the field is repeated, a form type takes precedence: it is the more careful assumption.
      if (!isFormPost('POST', contentType)) contentType = headers[i + 1] ?? '';
    } else if (name.length === 22 && name.toLowerCase() === 'x-http-method-override') {
      methodOverrides = [...methodOverrides, headers[i + 1] ?? ''];
    }
  }
  return { contentType, methodOverrides };
}

/** Converts ASCII letters to upper case, as PHP's strtoupper() does. */
export function toAsciiUpperCase(method: string): string {
  return /[a-z]/.test(method) ? method.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : method;
}
