import { createNameMatcher } from '../../glob.ts';
import type { ResponseHead } from '../../http/exchange.ts';

/** A shorter value can stand in a body by chance. */
const MIN_VALUE_LENGTH = 8;
export class IgnoredCookies {
  readonly #isIgnored: (name: string) => boolean;
  /** Values that were taken out of a response. */
  readonly #values = new WeakMap<ResponseHead, readonly string[]>();

  constructor(names: readonly string[]) {
    this.#isIgnored = createNameMatcher(names);
  }

  strip(head: ResponseHead): ResponseHead {
    const cookies = listSetCookies(head.headers).filter(({ name }) => this.#isIgnored(name));
    if (cookies.length === 0) return head;
    const taken = new Set(cookies.flatMap(({ at }) => [at, at + 1]));
    const stripped = { ...head, headers: head.headers.filter((_, at) => !taken.has(at)) };
    this.#values.set(
      stripped,
      cookies.map(({ value }) => value),
    );
    return stripped;
  }

  /** Whether a body contains the value of such a cookie, and so is made for one client. */
  isInBody(head: ResponseHead, body: Uint8Array): boolean {
    const values = this.#values.get(head)?.filter(({ length }) => length >= MIN_VALUE_LENGTH) ?? [];
    if (values.length === 0) return false;
    const text = new TextDecoder().decode(body);
    return values.some((value) => text.includes(value));
  }
}

/** RFC 6265 §4.1.1. @param at index of the field's name */
export function listSetCookies(
  headers: readonly string[],
): readonly { readonly name: string; readonly value: string; readonly at: number }[] {
  return headers.flatMap((field, at) => {
    if (at % 2 === 1 || field.toLowerCase() !== 'set-cookie') return [];
    const [pair = ''] = (headers[at + 1] ?? '').split(';', 1);
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    return [{ name: name.trim(), value: value.trim(), at }];
  });
}
