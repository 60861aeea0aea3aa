import type { IndexEndpoint } from '../../discovery/site.ts';
import type { JsonObject } from '../../json.ts';
import type { KnownResponse } from '../site.ts';
import * as schemas from './known-response-schemas.ts';

/** What identifies an operation. */
interface OperationFacts {
  readonly method: string;
  /** The path template with its parameters' names removed: `/wp/v2/posts/{}`. */
  readonly anonymousTemplate: string;
  readonly namespace: string;
  /** The title of the route's schema; empty if it has none. */
  readonly title: string;
  readonly endpoint: IndexEndpoint;
}

/** A response that WordPress fixes for every site and that no index describes. */
interface KnownResponseConvention {
  readonly name: string;
  readonly schema: JsonObject;
  readonly source: string;
  readonly method: string;
  readonly isPagedList?: boolean;
  /** @default application/json */
  readonly mediaType?: string;
  matches(facts: OperationFacts): boolean;
}

/** The first entry that matches applies. A path counts with the arguments that only WordPress' own route declares. */
export const KNOWN_RESPONSES: readonly KnownResponseConvention[] = [
  {
    name: 'RootIndex',
    schema: schemas.ROOT_INDEX_SCHEMA,
    source: 'WP_REST_Server::get_index()',
    method: 'GET',
    matches: ({ anonymousTemplate }) => anonymousTemplate === '/',
  },
  {
    name: 'NamespaceIndex',
    schema: schemas.NAMESPACE_INDEX_SCHEMA,
    source: 'WP_REST_Server::get_namespace_index(), which register_route() adds to each namespace',
    method: 'GET',
    matches: ({ anonymousTemplate, namespace, endpoint }) =>
      anonymousTemplate === `/${namespace}` && readDefault(endpoint, 'namespace') === namespace,
  },
  {
    name: 'OEmbedOfPost',
    schema: schemas.OEMBED_OF_POST_SCHEMA,
    source: 'WP_oEmbed_Controller::get_item()',
    method: 'GET',
    matches: ({ anonymousTemplate, endpoint }) =>
      anonymousTemplate === '/oembed/1.0/embed' && declares(endpoint, ['url', 'format', 'maxwidth']),
  },
  {
    name: 'OEmbed',
    schema: schemas.OEMBED_SCHEMA,
    source: 'WP_oEmbed_Controller::get_proxy_item()',
    method: 'GET',
    matches: ({ anonymousTemplate, endpoint }) =>
      anonymousTemplate === '/oembed/1.0/proxy' && declares(endpoint, ['url', 'maxwidth', 'maxheight']),
  },
  {
    name: 'SearchResult',
    schema: schemas.SEARCH_RESULT_SCHEMA,
    source: 'WP_REST_Search_Controller::get_items()',
    method: 'GET',
    isPagedList: true,
    matches: ({ anonymousTemplate, namespace, title, endpoint }) =>
      title === '' &&
      anonymousTemplate === `/${namespace}/search` &&
      declares(endpoint, ['page', 'per_page', 'search', 'type', 'subtype']),
  },
  {
    name: 'DeletedApplicationPasswords',
    schema: schemas.DELETED_PASSWORDS_SCHEMA,
    source: 'WP_REST_Application_Passwords_Controller::delete_items()',
    method: 'DELETE',
    matches: ({ anonymousTemplate, namespace }) =>
      anonymousTemplate === `/${namespace}/users/{}/application-passwords`,
  },
  {
    name: 'UrlDetails',
    schema: schemas.URL_DETAILS_SCHEMA,
    source: 'WP_REST_URL_Details_Controller::parse_url_details()',
    method: 'GET',
    matches: ({ anonymousTemplate, endpoint, title }) =>
      title === '' &&
      /-block-editor\/v1\/url-details$/.test(anonymousTemplate) &&
      declares(endpoint, ['url']),
  },
  {
    name: 'EncodedWidget',
    schema: schemas.ENCODED_WIDGET_SCHEMA,
    source: 'WP_REST_Widget_Types_Controller::encode_form_data()',
    method: 'POST',
    matches: ({ anonymousTemplate, namespace, endpoint }) =>
      anonymousTemplate === `/${namespace}/widget-types/{}/encode` &&
      declares(endpoint, ['instance', 'form_data']),
  },
  {
    name: 'WidgetPreview',
    schema: schemas.WIDGET_PREVIEW_SCHEMA,
    source: 'WP_REST_Widget_Types_Controller::render()',
    method: 'POST',
    matches: ({ anonymousTemplate, namespace, endpoint }) =>
      anonymousTemplate === `/${namespace}/widget-types/{}/render` && declares(endpoint, ['instance']),
  },
  {
    name: 'SiteHealthTest',
    schema: schemas.SITE_HEALTH_TEST_SCHEMA,
    source: 'WP_REST_Site_Health_Controller returns the results of WP_Site_Health',
    method: 'GET',
    matches: ({ anonymousTemplate, title }) =>
      title === '' && /^\/wp-site-health\/v1\/tests\/[\w-]+$/.test(anonymousTemplate),
  },
  {
    name: 'DirectorySizes',
    schema: schemas.DIRECTORY_SIZES_SCHEMA,
    source: 'WP_REST_Site_Health_Controller::get_directory_sizes(), WP_Debug_Data::get_sizes()',
    method: 'GET',
    matches: ({ anonymousTemplate, title }) =>
      title === '' && anonymousTemplate === '/wp-site-health/v1/directory-sizes',
  },
  {
    name: 'ThemeExport',
    schema: schemas.THEME_EXPORT_SCHEMA,
    source: 'WP_REST_Edit_Site_Export_Controller::export()',
    method: 'GET',
    mediaType: 'application/zip',
    matches: ({ anonymousTemplate, title }) =>
      title === '' && anonymousTemplate === '/wp-block-editor/v1/export',
  },
];

/** Finds the response of an operation that WordPress fixes. `HEAD` runs `GET`. */
export function findKnownResponse(facts: OperationFacts): KnownResponse | undefined {
  const method = facts.method === 'HEAD' ? 'GET' : facts.method;
  const known = KNOWN_RESPONSES.find((each) => each.method === method && each.matches(facts));
  if (known === undefined) return undefined;
  const isList = known.isPagedList === true;
  const { mediaType = 'application/json', name, schema } = known;
  return { kind: 'known', name, schema, mediaType, isList, isPaged: isList };
}

function declares({ args }: IndexEndpoint, names: readonly string[]): boolean {
  return names.every((name) => args.some((argument) => argument.name === name));
}

function readDefault({ args }: IndexEndpoint, name: string): unknown {
  return args.find((argument) => argument.name === name)?.declaration['default'];
}

/** A route without a schema that returns the resource of another route. */
interface BorrowedResponseConvention {
  readonly source: string;
  /** The last segment of the path. */
  readonly segment: string;
  /** The arguments that only WordPress' own route declares. */
  readonly args: readonly string[];
  /** The path of the route with the schema, relative to the path without its last segment. */
  readonly lender: string;
  /** Whether the response is an object without members if there is no resource. */
  readonly isMaybeEmpty: boolean;
}

export const BORROWED_RESPONSES: readonly BorrowedResponseConvention[] = [
  {
    source:
      'WP_REST_Templates_Controller::get_template_fallback(); since WordPress 6.3 `{}` without a template',
    segment: 'lookup',
    args: ['slug', 'is_custom', 'template_prefix'],
    lender: '',
    isMaybeEmpty: true,
  },
  {
    source: 'WP_REST_Site_Health_Controller::test_page_cache() returns WP_Site_Health::get_test_page_cache()',
    segment: 'page-cache',
    args: [],
    lender: '/loopback-requests',
    isMaybeEmpty: false,
  },
];

/** Where the schema of a route without one is found. */
interface LendingRoute {
  /** The anonymous template of the route with the schema. */
  readonly template: string;
  readonly isMaybeEmpty: boolean;
}

/** Finds the route whose resource a route without a schema returns. */
export function findLendingRoute(
  anonymousTemplate: string,
  endpoints: readonly IndexEndpoint[],
): LendingRoute | undefined {
  const slash = anonymousTemplate.lastIndexOf('/');
  const segment = anonymousTemplate.slice(slash + 1);
  const found = BORROWED_RESPONSES.find(
    (each) =>
      each.segment === segment &&
      endpoints.every(({ args }) =>
        each.args.every((name) => args.some((argument) => argument.name === name)),
      ),
  );
  if (found === undefined) return undefined;
  const { isMaybeEmpty, lender } = found;
  return { template: anonymousTemplate.slice(0, slash) + lender, isMaybeEmpty };
}
