import type { Diagnostic } from '../diagnostics.ts';

/** A defect or an event that discovery reports, with its fixed texts. */
export interface DiscoveryRule {
  readonly severity: Diagnostic['severity'];
  /** What was found, as a sentence. */
  readonly message: string;
  /** What discovery did about it, as a sentence. */
  readonly action: string;
}

/**
 * Every diagnostic that discovery can report, in the order of the steps of a discovery. The key is the diagnostic's
 * `rule`. `info`: no information was lost. `warning`: the document may state less, or more, than the site does.
 */
export const DISCOVERY_RULES = {
  // Finding the root index
  'found-by': { severity: 'info', message: 'The root index was found.', action: 'Read it.' },
  'credentials-in-url': {
    severity: 'info',
    message: 'The address contains credentials.',
    action: 'Used them as --auth and removed them from the address.',
  },
  'credentials-withheld': {
    severity: 'warning',
    message: 'The REST interface is at another origin than the one that the credentials were given for.',
    action: 'Read it without the credentials and headers; to send them, give an address at that origin.',
  },
  'credentials-unused': {
    severity: 'warning',
    message: 'The site ignores the credentials.',
    action: 'Read the public index; check the user and the application password.',
  },
  'redirect-elsewhere': {
    severity: 'warning',
    message: 'A redirect led to another origin.',
    action: 'Followed it without the credentials and headers that were given for the first origin.',
  },
  'link-elsewhere': {
    severity: 'warning',
    message: 'The page links to a root index at another origin.',
    action: 'Tried both origins; `found-by` states the address that was read.',
  },
  'self-address': {
    severity: 'info',
    message: 'The index states another address for itself than the one where it was found.',
    action: 'Read it at the stated address.',
  },
  'status-of-index': {
    severity: 'warning',
    message: 'The response with the root index has an error status.',
    action: 'Ignored the status.',
  },

  // Decoding the response
  'byte-order-mark': {
    severity: 'info',
    message: 'The response begins with a byte order mark.',
    action: 'Skipped it.',
  },
  'charset-label': {
    severity: 'info',
    message: 'The response is not in the charset that its header names.',
    action: 'Decoded it as UTF-8.',
  },
  'foreign-charset': {
    severity: 'info',
    message: 'The response is not in UTF-8, which JSON requires.',
    action: 'Decoded it in the detected charset.',
  },
  'invalid-utf8': {
    severity: 'warning',
    message: 'The response contains bytes that are not valid UTF-8.',
    action: 'Replaced them by U+FFFD.',
  },
  'text-before-json': {
    severity: 'info',
    message: 'There is text before the JSON, such as PHP notices.',
    action: 'Skipped it.',
  },
  'text-after-json': {
    severity: 'info',
    message: 'There is text after the JSON, such as PHP notices.',
    action: 'Skipped it.',
  },

  // Fetching the response schemas
  'help-refused': {
    severity: 'warning',
    message: 'The site refuses the index with context=help, which contains the response schemas.',
    action: 'Read the index without schemas; --schemas options requests the schema of each route.',
  },
  'no-schemas': {
    severity: 'warning',
    message: 'The index contains no response schemas.',
    action: 'Left the response schemas open; --schemas options requests the schema of each route.',
  },
  'options-no-sample': {
    severity: 'warning',
    message: 'No sample path for this pattern could be generated, so OPTIONS cannot be requested.',
    action: 'Left the response schema open.',
  },
  'options-failed': {
    severity: 'warning',
    message: 'OPTIONS returned no description of this route.',
    action: 'Left the response schema open.',
  },
  'options-other-route': {
    severity: 'warning',
    message: 'Another route of the site handles the sample paths of this pattern.',
    action: 'Left the response schema open.',
  },

  // The index
  'not-an-index': {
    severity: 'warning',
    message: 'This is not a root index.',
    action: 'Read no routes.',
  },
  'namespace-index': {
    severity: 'warning',
    message: 'This is the index of one namespace, not the root index.',
    action: 'Read the routes that it lists.',
  },
  'empty-list-for-object': {
    severity: 'info',
    message: 'An empty list replaces an object: PHP encodes an empty array as a list.',
    action: 'Read it as an empty object.',
  },
  'no-routes': {
    severity: 'warning',
    message: 'The index lists no routes.',
    action: 'Continued without routes.',
  },
  'routes-as-list': {
    severity: 'warning',
    message: 'The routes are a list, which contains no patterns.',
    action: 'Dropped the routes.',
  },
  'routes-limit': {
    severity: 'warning',
    message: 'The index lists more routes than the limit.',
    action: 'Dropped the rest.',
  },
  'unknown-key': {
    severity: 'info',
    message: 'The key is not one of WordPress.',
    action: 'Ignored it.',
  },
  'text-not-a-string': {
    severity: 'info',
    message: 'A text is not a string.',
    action: 'Converted a number to a string; replaced any other value by an empty string.',
  },
  'authentication-not-an-object': {
    severity: 'warning',
    message: '"authentication" is not an object.',
    action: 'Read none.',
  },
  'namespaces-not-a-list': {
    severity: 'warning',
    message: 'The list of namespaces is missing or is not a list.',
    action: 'Derived it from the routes.',
  },
  'namespace-not-a-string': {
    severity: 'warning',
    message: 'A namespace is not a string.',
    action: 'Dropped it.',
  },
  'namespace-duplicate': {
    severity: 'info',
    message: 'A namespace is listed twice.',
    action: 'Kept the first.',
  },
  'namespace-unlisted': {
    severity: 'info',
    message: 'A route belongs to a namespace that is not listed.',
    action: 'Added it at the end of the list.',
  },
  'namespace-missing': {
    severity: 'info',
    message: 'The route does not state its namespace.',
    action: 'Derived it from the pattern.',
  },
  'pattern-matches-nothing': {
    severity: 'warning',
    message: 'A pattern of include or exclude matches no namespace and no route.',
    action: 'Ignored it.',
  },

  // A route and its endpoints
  'reserved-name': {
    severity: 'info',
    message: 'A name is reserved in JavaScript objects.',
    action: 'Kept it as an ordinary name.',
  },
  'route-not-an-object': {
    severity: 'warning',
    message: 'The route is not an object.',
    action: 'Dropped it.',
  },
  'route-without-slash': {
    severity: 'warning',
    message: 'The pattern does not begin with a slash, unlike every route of WordPress.',
    action: 'Kept it unchanged.',
  },
  'endpoints-as-object': {
    severity: 'info',
    message: 'The endpoints are an object instead of a list.',
    action: 'Read its values in order.',
  },
  'endpoint-without-list': {
    severity: 'info',
    message: 'The only endpoint is not in a list.',
    action: 'Read it as the only one.',
  },
  'endpoints-missing': {
    severity: 'warning',
    message: 'The route has methods but no endpoints.',
    action: 'Created an endpoint without arguments from its methods.',
  },
  'no-endpoints': {
    severity: 'warning',
    message: 'The route has neither endpoints nor methods.',
    action: 'Kept it without operations.',
  },
  'endpoint-not-an-object': {
    severity: 'warning',
    message: 'An endpoint is not an object.',
    action: 'Dropped it.',
  },
  'methods-as-text': {
    severity: 'info',
    message: 'The methods are a string instead of a list.',
    action: 'Split it at commas.',
  },
  'methods-as-object': {
    severity: 'info',
    message: 'The methods are an object instead of a list.',
    action: 'Read the methods whose value is true.',
  },
  'methods-missing': {
    severity: 'warning',
    message: 'The endpoint does not state its methods.',
    action: "Used the route's methods if this is its only endpoint.",
  },
  'method-case': {
    severity: 'info',
    message: 'A method is not in upper case.',
    action: 'Converted it to upper case.',
  },
  'method-duplicate': { severity: 'info', message: 'A method is listed twice.', action: 'Kept the first.' },
  'method-not-a-token': {
    severity: 'warning',
    message: 'A method is not a valid method name.',
    action: 'Dropped it.',
  },
  'allow-batch-not-an-object': {
    severity: 'info',
    message: '"allow_batch" is not an object with a version.',
    action: 'Read it as not allowed, as WordPress does.',
  },

  // Arguments and schemas
  'args-missing': {
    severity: 'info',
    message: 'The endpoint does not state its arguments.',
    action: 'Read none.',
  },
  'args-as-list': {
    severity: 'info',
    message: 'The arguments are a list, so the site names them by position.',
    action: 'Named them by position.',
  },
  'args-not-an-object': {
    severity: 'warning',
    message: 'The arguments are not an object.',
    action: 'Read none.',
  },
  'argument-not-an-object': {
    severity: 'warning',
    message: 'The declaration of an argument is not an object.',
    action: 'Kept the argument and left its schema open.',
  },
  'schema-not-an-object': {
    severity: 'warning',
    message: 'The response schema is not an object.',
    action: 'Left the response schema open.',
  },
  'too-deep': {
    severity: 'warning',
    message: 'A schema exceeds the nesting limit.',
    action: 'Left the schema open.',
  },
  'more-findings': {
    severity: 'warning',
    message: 'This rule applied more often than is listed.',
    action: 'Handled the other occurrences in the same way.',
  },
} as const;

/** The `rule` of a diagnostic of the discovery. */
export type DiscoveryRuleName = keyof typeof DISCOVERY_RULES;
