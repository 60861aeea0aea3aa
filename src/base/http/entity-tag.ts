/** Entity tags (RFC 9110 §8.8.3): `"strong"`, `W/"weak"`, and unquoted ones, which some sites send. */

/** Weak comparison: the opaque-tags are equal (§8.8.3.2). */
export function isWeakMatch(one: string, other: string): boolean {
  return toOpaqueTag(one) === toOpaqueTag(other);
}

export function isWeakEntityTag(tag: string): boolean {
  return tag.startsWith('W/');
}

function toOpaqueTag(tag: string): string {
  return isWeakEntityTag(tag) ? tag.slice(2) : tag;
}

export function parseEntityTags(field: string): readonly string[] {
  return field.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? [];
}

/** In place: a strong tag promises the same bytes (RFC 9110 §8.8.1), and a weak one still matches (§13.1.2). */
export function weakenEntityTags(fields: string[]): string[] {
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const value = fields[at + 1] ?? '';
    if (fields[at]?.toLowerCase() === 'etag' && !isWeakEntityTag(value)) fields[at + 1] = `W/${value}`;
  }
  return fields;
}
