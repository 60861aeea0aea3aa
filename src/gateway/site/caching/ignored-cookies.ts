import { createNameMatcher } from '../../../base/glob.ts';
import type { ResponseHead } from '../../../base/http/exchange.ts';
import { fieldValue } from '../../../base/http/fields.ts';

/** Characters from which a cookie's value in a body is no coincidence. */
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
    const stripped = withoutCookies(head, cookies);
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

/**
 * Takes out the cookies that a response sets to what they are in the request, and so in the key: plugins for
 * currencies repeat them in each response. Their age is not renewed.
 */
export function withoutRepeatedCookies(head: ResponseHead, requestFields: readonly string[]): ResponseHead {
  const sent = new Set(fieldValue(requestFields, 'cookie')?.split('; '));
  const isRepeated = ({ at, name, value }: SetCookie): boolean =>
    // One that expires is deleted.
    sent.has(`${name}=${value}`) && !/;\s*max-age=(?:0|-)/i.test(head.headers[at + 1] ?? '');
  const repeated = sent.size === 0 ? [] : listSetCookies(head.headers).filter(isRepeated);
  return repeated.length === 0 ? head : withoutCookies(head, repeated);
}

function withoutCookies(head: ResponseHead, cookies: readonly SetCookie[]): ResponseHead {
  const taken = new Set(cookies.flatMap(({ at }) => [at, at + 1]));
  return { ...head, headers: head.headers.filter((_, at) => !taken.has(at)) };
}

interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Index of the field's name. */
  readonly at: number;
}

/** RFC 6265 §4.1.1. */
export function listSetCookies(headers: readonly string[]): readonly SetCookie[] {
  return headers.flatMap((field, at) => {
    if (at % 2 === 1 || field.toLowerCase() !== 'set-cookie') return [];
    const [pair = ''] = (headers[at + 1] ?? '').split(';', 1);
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    return [{ name: name.trim(), value: value.trim(), at }];
  });
}
