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
  'found-by': info('The root index was found.', 'Read it.'),
  'credentials-in-url': info('The address holds credentials.', 'Took them as --auth and left them out.'),
  'credentials-withheld': warning(
    'The interface stands at another origin than the one that the credentials were given for.',
    'Read it without the credentials and headers; give an address at that origin to send them.',
  ),
  'redirect-elsewhere': warning(
    'A redirect led to another origin.',
    'Followed it without the credentials and headers that were given for the first origin.',
  ),
  'link-elsewhere': warning(
    'The page names a root index at another origin than its own.',
    'Tried both origins; see the address that was read.',
  ),
  'self-address': info(
    'The index names another address of its own than the one that it was found at.',
    'Read it there.',
  ),
  'status-of-index': warning('The root index came with an error status.', 'Read it all the same.'),

  // Reading the answer
  'byte-order-mark': info('The answer begins with a byte order mark.', 'Skipped it.'),
  'charset-label': info('The answer is not in the charset that its header names.', 'Read it as UTF-8.'),
  'foreign-charset': info('The answer is not in UTF-8, as JSON has to be.', 'Read it in the charset named.'),
  'invalid-utf8': warning('The answer holds bytes that are no UTF-8.', 'Read U+FFFD in their place.'),
  'text-before-json': info('Text stands before the JSON, such as PHP notices.', 'Skipped it.'),
  'text-after-json': info('Text stands after the JSON, such as PHP notices.', 'Skipped it.'),

  // The response schemas
  'help-refused': warning(
    'The site refuses its index with context=help, which holds the response schemas.',
    'Read the plain index; --schemas options asks each route for its schema.',
  ),
  'no-schemas': warning(
    'The index holds no response schemas.',
    'Left responses open; --schemas options asks each route for its schema.',
  ),
  'options-no-sample': warning(
    'No address could be made that this pattern matches, so that OPTIONS cannot ask for its schema.',
    'Left the response open.',
  ),
  'options-failed': warning('OPTIONS gave no description of this route.', 'Left the response open.'),
  'options-other-route': warning(
    'Another route of the site answers at the address that was made for this pattern.',
    'Left the response open.',
  ),

  // The index
  'not-an-index': warning('This is no root index.', 'Read no route from it.'),
  'namespace-index': warning(
    'This is the index of one namespace, not the root index.',
    'Read the routes that it lists.',
  ),
  'empty-list-for-object': info(
    'An empty list stands for an empty object, as PHP writes it.',
    'Read an empty object.',
  ),
  'no-routes': warning('The index lists no route.', 'Went on with an empty interface.'),
  'routes-as-list': warning(
    'The routes are a list, which has lost their patterns.',
    'Dropped the routes whose pattern cannot be known.',
  ),
  'routes-limit': warning('The index lists more routes than the limit.', 'Dropped the rest.'),
  'unknown-key': info('A key that WordPress does not use stands here.', 'Ignored it.'),
  'text-not-a-string': info('A text is no string.', 'Read it as text, or as empty.'),
  'authentication-not-an-object': warning('"authentication" is no object.', 'Read none.'),
  'namespaces-not-a-list': warning(
    'The list of namespaces is missing or is no list.',
    'Made it from the routes.',
  ),
  'namespace-not-a-string': warning('A namespace is no string.', 'Dropped it.'),
  'namespace-duplicate': info('A namespace is listed twice.', 'Kept the first.'),
  'namespace-unlisted': info(
    'A route belongs to a namespace that is not listed.',
    'Added it at the end of the list.',
  ),
  'namespace-missing': info('The route does not say its namespace.', 'Derived it from the pattern.'),
  'pattern-matches-nothing': warning(
    'A pattern of include or exclude matches no namespace and no route.',
    'Went on without it.',
  ),

  // A route and its endpoints
  'reserved-name': info(
    'A name has a meaning of its own in JavaScript.',
    'Kept it as a name like any other.',
  ),
  'route-not-an-object': warning('The route is no object.', 'Dropped it.'),
  'route-without-slash': warning(
    'The pattern does not begin with a slash, as every route of WordPress does.',
    'Kept it as it is.',
  ),
  'endpoints-as-object': info('The endpoints are an object instead of a list.', 'Read its values in order.'),
  'endpoint-without-list': info('The one endpoint stands outside of a list.', 'Read it as the only one.'),
  'endpoints-missing': warning(
    'The route has methods and no endpoints.',
    'Made an endpoint without arguments from its methods.',
  ),
  'no-endpoints': warning('The route has neither endpoints nor methods.', 'Kept it without operations.'),
  'endpoint-not-an-object': warning('An endpoint is no object.', 'Dropped it.'),
  'methods-as-text': info('The methods are a text.', 'Split it at its commas.'),
  'methods-as-object': info('The methods are an object.', 'Read the methods that it switches on.'),
  'methods-missing': warning(
    'The endpoint does not say its methods.',
    "Took the route's, where this is its only endpoint.",
  ),
  'method-case': info('A method is not in upper case.', 'Wrote it in upper case.'),
  'method-duplicate': info('A method is listed twice.', 'Kept the first.'),
  'method-not-a-token': warning('A method is no method name.', 'Dropped it.'),
  'allow-batch-not-an-object': info(
    '"allow_batch" is no object with a version.',
    'Took it as not allowed, as the site does.',
  ),

  // Arguments and schemas
  'args-missing': info('The endpoint does not say its arguments.', 'Read none.'),
  'args-as-list': info(
    'The arguments are a list, so that the site knows them by position.',
    'Named them by position.',
  ),
  'args-not-an-object': warning('The arguments are no object.', 'Read none.'),
  'argument-not-an-object': warning(
    'The declaration of an argument is no object.',
    'Kept the argument and left its value open.',
  ),
  'schema-not-an-object': warning('The response schema is no object.', 'Left the response open.'),
  'too-deep': warning('A schema nests deeper than any real one.', 'Left its value open.'),
  'more-findings': warning('More of the same was found than is listed.', 'Handled the rest alike.'),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

function info(sentence: string, action: string): Rule {
  return { severity: 'info', sentence, action };
}

function warning(sentence: string, action: string): Rule {
  return { severity: 'warning', sentence, action };
}
