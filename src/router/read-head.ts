import { isFormPost } from '../php/content-type.ts';

/** RFC 9112 §3.2: origin form as it is, absolute form without its authority; null for the other two. */
export function toOriginForm(target: string): string | null {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]+/i.exec(target);
  if (authority === null) return null;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path below a mount, with its leading slash; null where it is not below it. */
export function stripMount(path: string, mount: string): string | null {
  if (!path.startsWith(mount)) return null;
  const below = path.slice(mount.length);
  if (below === '') return '/';
  return below.startsWith('/') ? below : null;
}

/** The headers that change what a request means. */
export interface RoutingHeaders {
  readonly contentType: string;
  /** The values of `X-HTTP-Method-Override`. */
  readonly methodOverrides: readonly string[];
}

const NO_OVERRIDES: readonly string[] = [];

export function readRoutingHeaders(headers: readonly string[]): RoutingHeaders {
  let contentType = '';
  let methodOverrides = NO_OVERRIDES;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    // Lengths first: most headers are neither.
    if (name.length === 12 && name.toLowerCase() === 'content-type') {
      // Of several, one form is enough to be careful.
      if (!isFormPost('POST', contentType)) contentType = headers[i + 1] ?? '';
    } else if (name.length === 22 && name.toLowerCase() === 'x-http-method-override') {
      methodOverrides = [...methodOverrides, headers[i + 1] ?? ''];
    }
  }
  return { contentType, methodOverrides };
}

/** strtoupper(): ASCII only. */
export function toAsciiUpperCase(method: string): string {
  return /[a-z]/.test(method) ? method.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : method;
}
