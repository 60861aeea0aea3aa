const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Nouns without a singular form or an indefinite article. */
export const UNCOUNTABLE: ReadonlySet<string> = wordSet(
  `access attendance consent content data feedback media metadata navigation news performance revenue stock
   traffic`,
);

/** Adjectives that stand before the nouns of the parents: `/projects/recent-boards` → recent project boards. */
export const ADJECTIVES: ReadonlySet<string> = wordSet(
  'active available default latest next popular previous recent top upcoming',
);

/** Words in `ed` that are no participles. */
const NOT_PARTICIPLES: ReadonlySet<string> = wordSet('breed embed feed need seed speed weed');

/** Words that form an adjective with the word before them: `/user-accessible-boards`. */
export const ADJECTIVE_ENDINGS: ReadonlySet<string> = wordSet('accessible associated based related specific');

/** Literals that select a form of the list before them: `/tasks/table`. */
export const VIEWS: ReadonlySet<string> = wordSet('calendar chart grid kanban list map table timeline tree');

/** Literals without parameters whose members end in their noun: `/reports/tasks` → the tasks report. */
export const CATEGORY_NOUNS: ReadonlySet<string> = wordSet(
  'checks options preferences reports settings tests',
);

/** Nouns of an agent with its verb: `/block-renderer/{name}` renders a block. */
export const AGENT_VERBS: ReadonlyMap<string, string> = new Map([
  ['exporter', 'export'],
  ['generator', 'generate'],
  ['importer', 'import'],
  ['renderer', 'render'],
  ['resolver', 'resolve'],
  ['validator', 'validate'],
]);

/** The verb of a POST to a noun that has no GET. Other nouns are created. */
export const POSTING_VERBS: ReadonlyMap<string, string> = new Map([
  ...'date dates order position priority time visibility'.split(' ').map((noun) => [noun, 'set'] as const),
  ...'assist check preview scan simulation step test'.split(' ').map((noun) => [noun, 'run'] as const),
  ['consent', 'give'],
  ['feedback', 'give'],
]);

/** Verbs between an object and the resource that contains it, with their preposition. */
export const CONTAINMENT_VERBS: ReadonlyMap<string, string> = new Map([
  ['add', 'to'],
  ['assign', 'to'],
  ['attach', 'to'],
  ['detach', 'from'],
  ['remove', 'from'],
  ['unassign', 'from'],
]);

/** Verbs whose object is several, even if the path has its singular. */
export const ORDERING_VERBS: ReadonlySet<string> = wordSet('reorder reposition sort');

/** Verbs that find one member of a collection. */
export const FINDING_VERBS: ReadonlySet<string> = wordSet('introspect lookup resolve');

/** Objects of verbs that stand alone in a path. */
export const IMPLIED_OBJECTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['export', ['data']],
  ['import', ['data']],
  ['search', ['the', 'site']],
  ['upload', ['a', 'file']],
]);

/** Abbreviations in the names of taxonomies and fields: `product_cat`. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['cat', 'category'],
  ['cats', 'categories'],
]);

/** `archived`, `filtered` */
export function isParticiple(word: string): boolean {
  return /..ed$/.test(word) && !NOT_PARTICIPLES.has(word);
}
