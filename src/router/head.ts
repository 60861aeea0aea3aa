import { isForm } from '../php/form.ts';

/** The parts of a request that decide what it means, as they stand on the wire. Strings are byte strings. */
export interface RequestHead {
  readonly method: string;
  /** The request target: `/path?query`, or in absolute form. */
  readonly target: string;
  /** name, value, name, value, … as Node's `rawHeaders`. */
  readonly headers: readonly string[];
}

/** RFC 9112 §3.2: origin form as it is, absolute form without its authority; null for the other two. */
export function originForm(target: string): string | null {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]+/i.exec(target);
  if (authority === null) return null;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path below a mount, with its leading slash; null where it is not below it. */
export function belowMount(path: string, mount: string): string | null {
  if (!path.startsWith(mount)) return null;
  const below = path.slice(mount.length);
  if (below === '') return '/';
  return below.startsWith('/') ? below : null;
}

/** The headers that change what a request means. */
export interface MeaningfulHeaders {
  readonly contentType: string;
  /** The values of `X-HTTP-Method-Override`. */
  readonly overrides: readonly string[];
}

const NO_OVERRIDES: readonly string[] = [];

export function readHeaders(headers: readonly string[]): MeaningfulHeaders {
  let contentType = '';
  let overrides = NO_OVERRIDES;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    // Lengths first: most headers are neither.
    if (name.length === 12 && name.toLowerCase() === 'content-type') {
      // Of several, one form is enough to be careful.
      if (!isForm('POST', contentType)) contentType = headers[i + 1] ?? '';
    } else if (name.length === 22 && name.toLowerCase() === 'x-http-method-override') {
      overrides = [...overrides, headers[i + 1] ?? ''];
    }
  }
  return { contentType, overrides };
}

/** strtoupper(): ASCII only. */
export function upperCase(method: string): string {
  return /[a-z]/.test(method) ? method.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : method;
}
