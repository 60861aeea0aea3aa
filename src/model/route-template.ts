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
