const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Verbs that a GET may begin with and still be a GET. */
export const READING_VERBS: ReadonlySet<string> = setOf(
  `autocomplete calculate call can check compare count decode discover download encode estimate execute export fetch
   find generate get has introspect is list load lookup ping preview query read render resolve run search show suggest
   validate verify`,
);

/** Verbs that a literal of a path may begin with where the method writes. */
export const LEADING_VERBS: ReadonlySet<string> = setOf(
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

/** Words that are verbs as often as nouns: a verb only where the rest of the path speaks for it. */
export const DOUBTFUL_VERBS: ReadonlySet<string> = setOf(
  `block bookmark comment flag follow invite like link log order play process rate record refund reply report
   request review schedule share star test track transfer trust use view vote`,
);

/** Verbs that are nothing else, so that they may stand in the middle or at the end: `stage-create`, `image-upload`. */
export const TRAILING_VERBS: ReadonlySet<string> = setOf(
  `activate add apply approve archive assign attach cancel clone connect create deactivate delete detach disable
   disconnect dismiss download duplicate enable execute generate import install move publish regenerate remove rename
   reorder resend reset restore resume revoke send sort subscribe submit sync toggle trash uninstall unpublish
   unsubscribe update upload validate verify`,
);

/** Two words that are one verb. */
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

/** Plurals that name one thing: there is no item of it to list or to create. */
export const SINGLE_THINGS: ReadonlySet<string> = setOf(
  `capabilities config configuration configs credentials defaults details info information options permissions
   preferences settings sizes stats statistics status summary totals`,
);

/** Literals whose members are one thing each: `/reports/tasks` is a report, `/tests/page-cache` a test. */
export const CONTAINERS: ReadonlySet<string> = setOf(
  'analytics checks health metrics reports settings stats statistics tests',
);

/** Literals that stand for one member of the collection before them. */
export const SELECTORS: ReadonlySet<string> = setOf('me self current mine latest default');

/** Parameters that choose a part of a collection and not a member: `/block-types/{namespace}`. */
export const SCOPES: ReadonlySet<string> = setOf('namespace collection group vendor');

/** Words with which a literal says which members of the collection before it are meant: `/tasks/by-stage`. */
export const PREPOSITIONS: ReadonlySet<string> = setOf('by for from with without in of to');

/** Words that tie the things they name to the parameter that follows: `/crm-associated-tasks/{associated_id}`. */
export const RELATIONS: ReadonlySet<string> = setOf('associated by related similar');

/** Names of arguments that only a list takes. */
export const PAGING: ReadonlySet<string> = setOf('page per_page offset');

/** Words that cannot be the name of a function in JavaScript, and that a lone verb could be. */
export const RESERVED: ReadonlySet<string> = setOf('delete export import switch');
