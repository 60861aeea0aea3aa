/** Entity tags (RFC 9110 §8.8.3): `"strong"`, `W/"weak"`. Unquoted tags, which some sites send, are accepted too. */

/** Whether two tags match by strong comparison. RFC 9110 §8.8.3.2: "equivalent if both are not weak and their opaque-tags match character-by-character." */
export function isStrongMatch(one: string, other: string): boolean {
  return one === other && !isWeakEntityTag(one);
}

/** Whether two tags match by weak comparison: "equivalent if their opaque-tags match character-by-character, regardless of either or both being tagged as "weak"." */
export function isWeakMatch(one: string, other: string): boolean {
  return toOpaqueTag(one) === toOpaqueTag(other);
}

export function isWeakEntityTag(tag: string): boolean {
  return tag.startsWith('W/');
}

function toOpaqueTag(tag: string): string {
  return isWeakEntityTag(tag) ? tag.slice(2) : tag;
}

/** Splits the value of `If-Match` or `If-None-Match` into tags. A comma inside quotes is part of a tag. */
export function parseEntityTags(field: string): readonly string[] {
  return field.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? [];
}
