const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Verbs that a literal may begin with if the method is GET. */
export const READING_VERBS: ReadonlySet<string> = wordSet(
  `autocomplete calculate call can check compare count decode discover download encode estimate execute export fetch
   find generate get has introspect is list load lookup ping preview query read render resolve run search show suggest
   validate verify`,
);

/** Verbs that a literal may begin with if the method is not GET. */
export const LEADING_VERBS: ReadonlySet<string> = wordSet(
  `accept activate add apply approve archive assign attach authenticate authorize ban cancel change clean clear
   clone close commit complete confirm connect convert copy create deactivate decline delete deny deploy detach
   disable disconnect discard dismiss drag drop duplicate edit empty enable enroll expire finish flush force
   generate grant hide ignore import increment decrement initialize insert install invalidate join leave lock
   login logout make mark merge migrate move mute notify onboard open optimize pause pin pay publish purge push
   recalculate reconnect refresh regenerate register reject reload remove rename renew reopen reorder replace
   reposition resend reset restart restore resume retry revert revoke rotate save scan select send set simulate
   skip snooze sort split spam start stop submit subscribe swap switch sync synchronize toggle translate trash
   trigger unapprove unarchive unassign unban unblock undo unfollow uninstall unlink unlock unmute unpin
   unpublish unsnooze unspam unstar unsubscribe untrash update upgrade upload upsert wipe withdraw ${[...READING_VERBS].filter((verb) => verb !== 'has' && verb !== 'is').join(' ')}`,
);

/** Words that are verbs or nouns. Methods, parameters and other words of the path decide which. */
export const AMBIGUOUS_VERBS: ReadonlySet<string> = wordSet(
  `block bookmark comment flag follow invite like link log order play process rate record refund reply report
   request review schedule share star test track transfer trust use view vote`,
);

/** Words that are always verbs, even in the middle or at the end of a literal: `stage-create`, `image-upload`. */
export const TRAILING_VERBS: ReadonlySet<string> = wordSet(
  `activate add apply approve archive assign attach cancel clone connect create deactivate delete detach disable
   disconnect dismiss download duplicate enable execute generate import install move publish regenerate remove rename
   reorder resend reset restore resume revoke send sort subscribe submit sync toggle trash uninstall unpublish
   unsubscribe update upload validate verify`,
);

/** Pairs of words that form one verb. */
export const COMPOUND_VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['post process', ['post', 'process']],
  ['log in', ['login']],
  ['log out', ['logout']],
  ['sign in', ['sign', 'in']],
  ['sign up', ['sign', 'up']],
  ['sign out', ['sign', 'out']],
  ['re position', ['reposition']],
  ['re order', ['reorder']],
  ['re send', ['resend']],
  ['opt in', ['opt', 'in']],
  ['opt out', ['opt', 'out']],
]);

/** Plurals that name a single resource, which has no items. */
export const SINGLETON_WORDS: ReadonlySet<string> = wordSet(
  `capabilities config configuration configs credentials defaults details info information options permissions
   preferences settings sizes stats statistics status summary totals`,
);

/** Literals whose members are single resources: `/reports/tasks` is a report, `/tests/page-cache` a test. */
export const CONTAINER_WORDS: ReadonlySet<string> = wordSet(
  'analytics checks health metrics reports settings stats statistics tests',
);

/** Literals that select one member of the collection before them. */
export const SELECTOR_WORDS: ReadonlySet<string> = wordSet('me self current mine latest default');

/** Parameters that select a part of a collection instead of a member: `/block-types/{namespace}`. */
export const SCOPE_PARAMETERS: ReadonlySet<string> = wordSet('namespace collection group vendor');

/** Words that begin a literal which filters the collection before it: `/tasks/by-stage`. */
export const PREPOSITIONS: ReadonlySet<string> = wordSet('by for from with without in of to');

/** Words that relate a collection to the parameter that follows: `/crm-associated-tasks/{associated_id}`. */
export const RELATION_WORDS: ReadonlySet<string> = wordSet('associated by related similar');

/** Names of arguments that only lists have. */
export const PAGING_ARGUMENTS: ReadonlySet<string> = wordSet('page per_page offset');

/** Verbs that name the methods. */
export const METHOD_VERBS: ReadonlySet<string> = wordSet(
  'create delete get head list options patch post put run trace update',
);

/**
 * Global functions of browsers and Node whose names operations can have: `POST /report-error`. A generator exports each
 * operation as a function of its name.
 */
export const GLOBAL_FUNCTIONS: ReadonlySet<string> = wordSet(
  `cancelanimationframe clearimmediate clearinterval cleartimeout createimagebitmap getcomputedstyle getselection
   importscripts isfinite moveby moveto postmessage queuemicrotask reporterror requestanimationframe requestidlecallback
   resizeby resizeto scrollby scrollto setimmediate setinterval settimeout`,
);

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
