/** The kinds of tags, as `tag-names.ts` lists them. The first that matches tells what a tag selects. */
const KINDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^\/$/, 'everything of the site'],
  [/^#any$/, 'what may contain any item'],
  [/^>#any$/, 'what may refer to any item'],
  [/^#dynamic$/, 'what has blocks made of other items'],
  [/^R"/, 'one address of the REST API'],
  [/^A\//, 'one address of a page'],
  [/^P/, 'pages at this path and below'],
  [/^=/, 'exactly this route'],
  [/^>/, 'what refers to the item'],
  [/^@/, 'what mentions the item by its id'],
  [/^!/, 'a name of the site or of a cache rule'],
  [/\?\*$/, 'all lists of the collection'],
  [/\?$/, 'lists without a filter'],
  [/\?/, 'lists with this filter'],
  [/#own$/, "the item's own routes"],
  [/#any$/, 'what depends on any field'],
  [/#/, 'what depends on this field'],
  [/^\//, 'this path, what is below, and what contains it'],
];

/** Tells which responses have a tag. */
export function describeTag(tag: string): string {
  return KINDS.find(([pattern]) => pattern.test(tag))?.[1] ?? '';
}
