import type { Diagnostic } from '../diagnostics.ts';

/** A position in the root index. */
export interface IndexPosition {
  /** JSON pointer into the root index. */
  readonly pointer: string;
  /** The route pattern, if the position is in a route. */
  readonly route?: string | undefined;
}

/**
 * Reports that a rule applied.
 *
 * @param detail a sentence that follows the rule's message
 * @param action replaces the rule's action
 */
export type RuleReporter = (
  rule: DiscoveryRuleName,
  position: IndexPosition,
  detail?: string | undefined,
  action?: string | undefined,
) => void;

/** Maximum number of diagnostics of one rule. A hostile index can cause one diagnostic per three bytes. */
const MAX_PER_RULE = 10_000;

/** Collects the diagnostics of one discovery. It counts the diagnostics of a rule beyond 10,000 without keeping them. */
export class DiagnosticCollector {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #counts: Map<DiscoveryRuleName, number> = new Map();

  readonly report: RuleReporter = (rule, position, detail, action) => {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count <= MAX_PER_RULE) this.#diagnostics.push(toDiagnostic(rule, position, detail, action));
  };

  /** Returns the diagnostics in the order of their reports. */
  list(): readonly Diagnostic[] {
    const more = [...this.#counts].filter(([, count]) => count > MAX_PER_RULE);
    const describe = ([rule, count]: [string, number]): string => `${rule}: ${count - MAX_PER_RULE} more.`;
    return [
      ...this.#diagnostics,
      ...more.map((each) => toDiagnostic('more-findings', { pointer: '' }, describe(each))),
    ];
  }
}

function toDiagnostic(
  rule: DiscoveryRuleName,
  { pointer, route }: IndexPosition,
  detail?: string,
  statedAction?: string,
): Diagnostic {
  const [severity, finding, action] = DISCOVERY_RULES[rule];
  const message = detail === undefined ? finding : `${finding} ${detail}`;
  const place = route === undefined ? { pointer } : { route, pointer };
  return { rule, severity, ...place, message, action: statedAction ?? action };
}

/**
 * Every diagnostic that discovery can report, in the order of the steps of a discovery. The key is the diagnostic's
 * `rule`. The values are its severity, what was found, and what discovery did about it, as sentences. `info`: no information was lost. `warning`: the document may state less, or more, than the site does.
 */
export const DISCOVERY_RULES = {
  // Finding the root index
  'found-by': ['info', 'The root index was found.', 'Read it.'],
  'credentials-in-url': [
    'info',
    'The address contains credentials.',
    'Used them as --auth and removed them from the address.',
  ],
  'credentials-withheld': [
    'warning',
    'The REST interface is at another origin than the one that the credentials were given for.',
    'Read it without the credentials and headers; to send them, give an address at that origin.',
  ],
  'credentials-unused': [
    'warning',
    'The site ignores the credentials.',
    'Read the public index; check the user and the application password.',
  ],
  'redirect-elsewhere': [
    'warning',
    'A redirect led to another origin.',
    'Followed it without the credentials and headers that were given for the first origin.',
  ],
  'link-elsewhere': [
    'warning',
    'The page links to a root index at another origin.',
    'Tried both origins; `found-by` states the address that was read.',
  ],
  'self-address': [
    'info',
    'The index states another address for itself than the one where it was found.',
    'Read it at the stated address.',
  ],
  'status-of-index': [
    'warning',
    'The response with the root index has an error status.',
    'Ignored the status.',
  ],

  // Decoding the response
  'byte-order-mark': ['info', 'The response begins with a byte order mark.', 'Skipped it.'],
  'charset-label': [
    'info',
    'The response is not in the charset that its header names.',
    'Decoded it as UTF-8.',
  ],
  'foreign-charset': [
    'info',
    'The response is not in UTF-8, which JSON requires.',
    'Decoded it in the detected charset.',
  ],
  'invalid-utf8': [
    'warning',
    'The response contains bytes that are not valid UTF-8.',
    'Replaced them by U+FFFD.',
  ],
  'text-before-json': ['info', 'There is text before the JSON, such as PHP notices.', 'Skipped it.'],
  'text-after-json': ['info', 'There is text after the JSON, such as PHP notices.', 'Skipped it.'],

  // Fetching the response schemas
  'help-refused': [
    'warning',
    'The site refuses the index with context=help, which contains the response schemas.',
    'Read the index without schemas; --schemas options requests the schema of each route.',
  ],
  'no-schemas': [
    'warning',
    'The index contains no response schemas.',
    'Left the response schemas open; --schemas options requests the schema of each route.',
  ],
  'options-no-sample': [
    'warning',
    'No sample path for this pattern could be generated, so OPTIONS cannot be requested.',
    'Left the response schema open.',
  ],
  'options-failed': [
    'warning',
    'OPTIONS returned no description of this route.',
    'Left the response schema open.',
  ],
  'options-other-route': [
    'warning',
    'Another route of the site handles the sample paths of this pattern.',
    'Left the response schema open.',
  ],

  // The index
  'not-an-index': ['warning', 'This is not a root index.', 'Read no routes.'],
  'namespace-index': [
    'warning',
    'This is the index of one namespace, not the root index.',
    'Read the routes that it lists.',
  ],
  'empty-list-for-object': [
    'info',
    'An empty list replaces an object: PHP encodes an empty array as a list.',
    'Read it as an empty object.',
  ],
  'no-routes': ['warning', 'The index lists no routes.', 'Continued without routes.'],
  'routes-as-list': ['warning', 'The routes are a list, which contains no patterns.', 'Dropped the routes.'],
  'routes-limit': ['warning', 'The index lists more routes than the limit.', 'Dropped the rest.'],
  'unknown-key': ['info', 'The key is not one of WordPress.', 'Ignored it.'],
  'text-not-a-string': [
    'info',
    'A text is not a string.',
    'Converted a number to a string; replaced any other value by an empty string.',
  ],
  'authentication-not-an-object': ['warning', '"authentication" is not an object.', 'Read none.'],
  'namespaces-not-a-list': [
    'warning',
    'The list of namespaces is missing or is not a list.',
    'Derived it from the routes.',
  ],
  'namespace-not-a-string': ['warning', 'A namespace is not a string.', 'Dropped it.'],
  'namespace-duplicate': ['info', 'A namespace is listed twice.', 'Kept the first.'],
  'namespace-unlisted': [
    'info',
    'A route belongs to a namespace that is not listed.',
    'Added it at the end of the list.',
  ],
  'namespace-missing': ['info', 'The route does not state its namespace.', 'Derived it from the pattern.'],
  'pattern-matches-nothing': [
    'warning',
    'A pattern of include or exclude matches no namespace and no route.',
    'Ignored it.',
  ],

  // A route and its endpoints
  'reserved-name': ['info', 'A name is reserved in JavaScript objects.', 'Kept it as an ordinary name.'],
  'route-not-an-object': ['warning', 'The route is not an object.', 'Dropped it.'],
  'route-without-slash': [
    'warning',
    'The pattern does not begin with a slash, unlike every route of WordPress.',
    'Kept it unchanged.',
  ],
  'endpoints-as-object': [
    'info',
    'The endpoints are an object instead of a list.',
    'Read its values in order.',
  ],
  'endpoint-without-list': ['info', 'The only endpoint is not in a list.', 'Read it as the only one.'],
  'endpoints-missing': [
    'warning',
    'The route has methods but no endpoints.',
    'Created an endpoint without arguments from its methods.',
  ],
  'no-endpoints': ['warning', 'The route has neither endpoints nor methods.', 'Kept it without operations.'],
  'endpoint-not-an-object': ['warning', 'An endpoint is not an object.', 'Dropped it.'],
  'methods-as-text': ['info', 'The methods are a string instead of a list.', 'Split it at commas.'],
  'methods-as-object': [
    'info',
    'The methods are an object instead of a list.',
    'Read the methods whose value is true.',
  ],
  'methods-missing': [
    'warning',
    'The endpoint does not state its methods.',
    "Used the route's methods if this is its only endpoint.",
  ],
  'method-case': ['info', 'A method is not in upper case.', 'Converted it to upper case.'],
  'method-duplicate': ['info', 'A method is listed twice.', 'Kept the first.'],
  'method-not-a-token': ['warning', 'A method is not a valid method name.', 'Dropped it.'],
  'allow-batch-not-an-object': [
    'info',
    '"allow_batch" is not an object with a version.',
    'Read it as not allowed, as WordPress does.',
  ],

  // Arguments and schemas
  'args-missing': ['info', 'The endpoint does not state its arguments.', 'Read none.'],
  'args-as-list': [
    'info',
    'The arguments are a list, so the site names them by position.',
    'Named them by position.',
  ],
  'args-not-an-object': ['warning', 'The arguments are not an object.', 'Read none.'],
  'argument-not-an-object': [
    'warning',
    'The declaration of an argument is not an object.',
    'Kept the argument and left its schema open.',
  ],
  'schema-not-an-object': [
    'warning',
    'The response schema is not an object.',
    'Left the response schema open.',
  ],
  'too-deep': ['warning', 'A schema exceeds the nesting limit.', 'Left the schema open.'],
  'more-findings': [
    'warning',
    'This rule applied more often than is listed.',
    'Handled the other occurrences in the same way.',
  ],
} as const;

/** The `rule` of a diagnostic of the discovery. */
export type DiscoveryRuleName = keyof typeof DISCOVERY_RULES;
