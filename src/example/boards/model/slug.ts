/** Converts a title to a path segment: `Ship it — today!` becomes `ship-it-today`, a title without letters `untitled`. */
export function slugify(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
  return slug === '' ? 'untitled' : slug;
}

/** A slug that is not taken yet: `ship-it`, `ship-it-2`, `ship-it-3`, … */
export function createUniqueSlug(title: string, taken: ReadonlySet<string>): string {
  const slug = slugify(title);
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
