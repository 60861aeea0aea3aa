import type { Diagnostic } from '../diagnostics.ts';

/** What discovery tolerates: a sentence that says what was found, and what it does about it. */
export interface Rule {
  readonly severity: Diagnostic['severity'];
  readonly sentence: string;
  readonly action: string;
}

/**
 * Every finding that discovery can report, in the order of its work. The key is the diagnostic's `rule`. `info` means
 * that nothing was lost; `warning`, that the document may say less, or more, than the site does.
 */
export const RULES = {
  // Finding the root index
  'found-by': { severity: 'info', sentence: 'The root index was found.', action: 'Read it.' },
  'credentials-in-url': {
    severity: 'info',
    sentence: 'The address holds credentials.',
    action: 'Took them as --auth and left them out.',
  },
  'credentials-withheld': {
    severity: 'warning',
    sentence: 'The interface stands at another origin than the one that the credentials were given for.',
    action: 'Read it without the credentials and headers; give an address at that origin to send them.',
  },
  'credentials-unused': {
    severity: 'warning',
    sentence: 'The site answers as if no credentials had been given.',
    action: 'Read what anybody may read; check the user and the application password.',
  },
  'redirect-elsewhere': {
    severity: 'warning',
    sentence: 'A redirect led to another origin.',
    action: 'Followed it without the credentials and headers that were given for the first origin.',
  },
  'link-elsewhere': {
    severity: 'warning',
    sentence: 'The page names a root index at another origin than its own.',
    action: 'Tried both origins; see the address that was read.',
  },
  'self-address': {
    severity: 'info',
    sentence: 'The index names another address of its own than the one that it was found at.',
    action: 'Read it there.',
  },
  'status-of-index': {
    severity: 'warning',
    sentence: 'The root index came with an error status.',
    action: 'Read it all the same.',
  },

  // Reading the answer
  'byte-order-mark': {
    severity: 'info',
    sentence: 'The answer begins with a byte order mark.',
    action: 'Skipped it.',
  },
  'charset-label': {
    severity: 'info',
    sentence: 'The answer is not in the charset that its header names.',
    action: 'Read it as UTF-8.',
  },
  'foreign-charset': {
    severity: 'info',
    sentence: 'The answer is not in UTF-8, as JSON has to be.',
    action: 'Read it in the charset named.',
  },
  'invalid-utf8': {
    severity: 'warning',
    sentence: 'The answer holds bytes that are no UTF-8.',
    action: 'Read U+FFFD in their place.',
  },
  'text-before-json': {
    severity: 'info',
    sentence: 'Text stands before the JSON, such as PHP notices.',
    action: 'Skipped it.',
  },
  'text-after-json': {
    severity: 'info',
    sentence: 'Text stands after the JSON, such as PHP notices.',
    action: 'Skipped it.',
  },

  // The response schemas
  'help-refused': {
    severity: 'warning',
    sentence: 'The site refuses its index with context=help, which holds the response schemas.',
    action: 'Read the plain index; --schemas options asks each route for its schema.',
  },
  'no-schemas': {
    severity: 'warning',
    sentence: 'The index holds no response schemas.',
    action: 'Left responses open; --schemas options asks each route for its schema.',
  },
  'options-no-sample': {
    severity: 'warning',
    sentence:
      'No address could be made that this pattern matches, so that OPTIONS cannot ask for its schema.',
    action: 'Left the response open.',
  },
  'options-failed': {
    severity: 'warning',
    sentence: 'OPTIONS gave no description of this route.',
    action: 'Left the response open.',
  },
  'options-other-route': {
    severity: 'warning',
    sentence: 'Another route of the site answers first at the addresses that were made for this pattern.',
    action: 'Left the response open.',
  },

  // The index
  'not-an-index': {
    severity: 'warning',
    sentence: 'This is no root index.',
    action: 'Read no route from it.',
  },
  'namespace-index': {
    severity: 'warning',
    sentence: 'This is the index of one namespace, not the root index.',
    action: 'Read the routes that it lists.',
  },
  'empty-list-for-object': {
    severity: 'info',
    sentence: 'An empty list stands for an empty object, as PHP writes it.',
    action: 'Read an empty object.',
  },
  'no-routes': {
    severity: 'warning',
    sentence: 'The index lists no route.',
    action: 'Went on with an empty interface.',
  },
  'routes-as-list': {
    severity: 'warning',
    sentence: 'The routes are a list, which has lost their patterns.',
    action: 'Dropped the routes whose pattern cannot be known.',
  },
  'routes-limit': {
    severity: 'warning',
    sentence: 'The index lists more routes than the limit.',
    action: 'Dropped the rest.',
  },
  'unknown-key': {
    severity: 'info',
    sentence: 'A key that WordPress does not use stands here.',
    action: 'Ignored it.',
  },
  'text-not-a-string': {
    severity: 'info',
    sentence: 'A text is no string.',
    action: 'Read it as text, or as empty.',
  },
  'authentication-not-an-object': {
    severity: 'warning',
    sentence: '"authentication" is no object.',
    action: 'Read none.',
  },
  'namespaces-not-a-list': {
    severity: 'warning',
    sentence: 'The list of namespaces is missing or is no list.',
    action: 'Made it from the routes.',
  },
  'namespace-not-a-string': {
    severity: 'warning',
    sentence: 'A namespace is no string.',
    action: 'Dropped it.',
  },
  'namespace-duplicate': {
    severity: 'info',
    sentence: 'A namespace is listed twice.',
    action: 'Kept the first.',
  },
  'namespace-unlisted': {
    severity: 'info',
    sentence: 'A route belongs to a namespace that is not listed.',
    action: 'Added it at the end of the list.',
  },
  'namespace-missing': {
    severity: 'info',
    sentence: 'The route does not say its namespace.',
    action: 'Derived it from the pattern.',
  },
  'pattern-matches-nothing': {
    severity: 'warning',
    sentence: 'A pattern of include or exclude matches no namespace and no route.',
    action: 'Went on without it.',
  },

  // A route and its endpoints
  'reserved-name': {
    severity: 'info',
    sentence: 'A name has a meaning of its own in JavaScript.',
    action: 'Kept it as a name like any other.',
  },
  'route-not-an-object': { severity: 'warning', sentence: 'The route is no object.', action: 'Dropped it.' },
  'route-without-slash': {
    severity: 'warning',
    sentence: 'The pattern does not begin with a slash, as every route of WordPress does.',
    action: 'Kept it as it is.',
  },
  'endpoints-as-object': {
    severity: 'info',
    sentence: 'The endpoints are an object instead of a list.',
    action: 'Read its values in order.',
  },
  'endpoint-without-list': {
    severity: 'info',
    sentence: 'The one endpoint stands outside of a list.',
    action: 'Read it as the only one.',
  },
  'endpoints-missing': {
    severity: 'warning',
    sentence: 'The route has methods and no endpoints.',
    action: 'Made an endpoint without arguments from its methods.',
  },
  'no-endpoints': {
    severity: 'warning',
    sentence: 'The route has neither endpoints nor methods.',
    action: 'Kept it without operations.',
  },
  'endpoint-not-an-object': {
    severity: 'warning',
    sentence: 'An endpoint is no object.',
    action: 'Dropped it.',
  },
  'methods-as-text': {
    severity: 'info',
    sentence: 'The methods are a text.',
    action: 'Split it at its commas.',
  },
  'methods-as-object': {
    severity: 'info',
    sentence: 'The methods are an object.',
    action: 'Read the methods that it switches on.',
  },
  'methods-missing': {
    severity: 'warning',
    sentence: 'The endpoint does not say its methods.',
    action: "Took the route's, where this is its only endpoint.",
  },
  'method-case': {
    severity: 'info',
    sentence: 'A method is not in upper case.',
    action: 'Wrote it in upper case.',
  },
  'method-duplicate': { severity: 'info', sentence: 'A method is listed twice.', action: 'Kept the first.' },
  'method-not-a-token': {
    severity: 'warning',
    sentence: 'A method is no method name.',
    action: 'Dropped it.',
  },
  'allow-batch-not-an-object': {
    severity: 'info',
    sentence: '"allow_batch" is no object with a version.',
    action: 'Took it as not allowed, as the site does.',
  },

  // Arguments and schemas
  'args-missing': {
    severity: 'info',
    sentence: 'The endpoint does not say its arguments.',
    action: 'Read none.',
  },
  'args-as-list': {
    severity: 'info',
    sentence: 'The arguments are a list, so that the site knows them by position.',
    action: 'Named them by position.',
  },
  'args-not-an-object': {
    severity: 'warning',
    sentence: 'The arguments are no object.',
    action: 'Read none.',
  },
  'argument-not-an-object': {
    severity: 'warning',
    sentence: 'The declaration of an argument is no object.',
    action: 'Kept the argument and left its value open.',
  },
  'schema-not-an-object': {
    severity: 'warning',
    sentence: 'The response schema is no object.',
    action: 'Left the response open.',
  },
  'too-deep': {
    severity: 'warning',
    sentence: 'A schema nests deeper than any real one.',
    action: 'Left its value open.',
  },
  'more-findings': {
    severity: 'warning',
    sentence: 'More of the same was found than is listed.',
    action: 'Handled the rest alike.',
  },
} as const;

export type RuleName = keyof typeof RULES;
