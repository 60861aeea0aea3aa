/** Bytes as they stand in a path template: what a template or an address gives a meaning is percent-encoded. */
export function templateText(bytes: readonly number[]): string {
  return bytes
    .map((byte) => {
      const text = String.fromCharCode(byte);
      // RFC 3986 §3.3, pchar, without the percent sign.
      return /[\w.~!$&'()*+,;=:@/-]/.test(text)
        ? text
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** WordPress trims slashes from the end of the route that it is asked for, so no path ends in one but the root. */
export function tidyTemplate(template: string): string {
  const rooted = template.startsWith('/') ? template : `/${template}`;
  return rooted.replace(/(?<=.)\/+$/s, '');
}

export interface LiteralPrefix {
  /** The template up to the last slash before anything but text. */
  readonly template: string;
  /** The one name that a group of the pattern has, if there is exactly one. */
  readonly name: string | undefined;
}

/** What can be said of a pattern that cannot be read. */
export function literalPrefix(pattern: string): LiteralPrefix {
  const text = /^(?:[\w/.~-]|\\[/.-])*/.exec(pattern)?.[0] ?? '';
  // The last character may belong to a quantifier; the text up to the last slash does not.
  const path = text.slice(0, text.lastIndexOf('/') + 1).replaceAll('\\', '');
  const names = [...pattern.matchAll(/\(\?P?[<'](\w+)[>']/g)].map(([, name]) => name);
  return { template: path === '' ? '/' : path, name: names.length === 1 ? names[0] : undefined };
}
