/** A title as part of an address: `Ship it — today!` becomes `ship-it-today`. `untitled` where nothing is left. */
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

/** The slug of a title that none of the taken ones equals: `ship-it`, `ship-it-2`, `ship-it-3`, … */
export function uniqueSlug(title: string, taken: ReadonlySet<string>): string {
  const slug = slugify(title);
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
