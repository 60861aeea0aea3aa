import type { ResourceConvention } from './resource-conventions.ts';

/** What decides which errors an operation may send. */
export interface ErrorFacts {
  readonly method: string;
  /** The kind of the response: `item`, `list`, `batch`, … */
  readonly kind: string;
  /** The convention of the resource, if it is one of WordPress itself. */
  readonly convention: ResourceConvention | undefined;
  readonly hasArguments: boolean;
  readonly hasRequired: boolean;
  readonly hasContext: boolean;
  readonly hasPages: boolean;
  readonly hasJsonBody: boolean;
  /** Whether the path has parameters. */
  readonly isItem: boolean;
}

/** Error codes, what sends them, and when. An entry without a condition applies to every operation of its kinds. */
interface ErrorConvention {
  readonly codes: readonly string[];
  readonly source: string;
  /** Kinds of resources; absent: every operation, also of plugins. */
  readonly kinds?: readonly string[];
  readonly methods?: readonly string[];
  when?(facts: ErrorFacts): boolean;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const POSTS = ['post', 'attachment', 'menu-item'];
const READ = ['GET', 'HEAD'];
const UPDATE = ['POST', 'PUT', 'PATCH'];

function isItem(facts: ErrorFacts): boolean {
  return facts.isItem;
}

function isCreation({ isItem: hasPath, method }: ErrorFacts): boolean {
  return method === 'POST' && !hasPath;
}

function isChange({ isItem: hasPath }: ErrorFacts): boolean {
  return hasPath;
}

function isList({ kind }: ErrorFacts): boolean {
  return kind === 'list';
}

function hasContext(facts: ErrorFacts): boolean {
  return facts.hasContext;
}

/** Errors of WordPress' own controllers. */
const CONTENT_ERRORS: readonly ErrorConvention[] = [
  {
    codes: ['rest_forbidden_context'],
    source:
      'get_items_permissions_check() and get_item_permissions_check() of the controllers: `context=edit`',
    kinds: words(`post attachment menu-item term menu user comment type status taxonomy`),
    methods: READ,
    when: hasContext,
  },
  {
    codes: ['rest_post_invalid_id'],
    source: 'WP_REST_Posts_Controller::get_post()',
    kinds: POSTS,
    when: isItem,
  },
  {
    codes: ['rest_forbidden'],
    source: 'WP_REST_Server::respond_to_request(): a permission callback that returns false, as for a draft',
    kinds: POSTS,
    methods: READ,
    when: isItem,
  },
  {
    codes: ['rest_post_incorrect_password'],
    source: 'WP_REST_Posts_Controller::get_item_permissions_check()',
    kinds: ['post'],
    methods: READ,
    when: isItem,
  },
  {
    codes: ['rest_post_invalid_page_number'],
    source: 'WP_REST_Posts_Controller::get_items()',
    kinds: POSTS,
    methods: READ,
    when: ({ hasPages, kind }) => hasPages && kind === 'list',
  },
  {
    codes: ['rest_no_search_term_defined', 'rest_orderby_include_missing_include'],
    source: 'WP_REST_Posts_Controller::get_items()',
    kinds: POSTS,
    methods: READ,
    when: isList,
  },
  {
    codes: ['rest_cannot_create', 'rest_post_exists'],
    source: 'WP_REST_Posts_Controller::create_item_permissions_check() and create_item()',
    kinds: POSTS,
    when: isCreation,
  },
  {
    codes: ['rest_cannot_edit'],
    source: 'WP_REST_Posts_Controller::update_item_permissions_check()',
    kinds: POSTS,
    methods: UPDATE,
    when: isChange,
  },
  {
    codes: words(`rest_cannot_edit_others rest_cannot_assign_sticky rest_cannot_assign_term
      rest_cannot_publish rest_invalid_author rest_invalid_featured_media rest_invalid_field`),
    source:
      'WP_REST_Posts_Controller::prepare_item_for_database(), handle_status_param() and the permission checks',
    kinds: ['post'],
    methods: UPDATE,
  },
  {
    codes: ['rest_cannot_delete', 'rest_user_cannot_delete_post'],
    source: 'WP_REST_Posts_Controller::delete_item()',
    kinds: POSTS,
    methods: ['DELETE'],
  },
  {
    codes: ['rest_already_trashed'],
    source: 'delete_item() of the controllers of posts and comments',
    kinds: ['post', 'comment'],
    methods: ['DELETE'],
  },
  {
    codes: ['rest_trash_not_supported'],
    source: 'delete_item() of the controllers, without `force`',
    kinds: words(`post attachment menu-item revision menu term user comment font-family`),
    methods: ['DELETE'],
  },
  {
    codes: words(`rest_upload_no_data rest_upload_no_content_type rest_upload_no_content_disposition
      rest_upload_invalid_disposition rest_upload_hash_mismatch rest_upload_unknown_error
      rest_upload_sideload_error rest_upload_file_too_big`),
    source: 'WP_REST_Attachments_Controller::upload_from_file() and upload_from_data()',
    kinds: ['attachment'],
    when: isCreation,
  },
  {
    codes: ['rest_post_invalid_parent', 'rest_cannot_read'],
    source: 'WP_REST_Revisions_Controller::get_parent() and get_items_permissions_check()',
    kinds: ['revision', 'autosave', 'global-styles-revision'],
  },
  {
    codes: ['rest_post_invalid_id'],
    source: 'WP_REST_Revisions_Controller::get_revision(), WP_REST_Autosaves_Controller::get_item()',
    kinds: ['revision', 'autosave'],
    when: isItem,
  },
  {
    codes: ['rest_term_invalid'],
    source: 'WP_REST_Terms_Controller::get_term()',
    kinds: ['term', 'menu'],
    when: isItem,
  },
  {
    codes: ['rest_cannot_create', 'rest_taxonomy_not_hierarchical', 'term_exists'],
    source: 'WP_REST_Terms_Controller::create_item(); wp_insert_term()',
    kinds: ['term', 'menu'],
    when: isCreation,
  },
  {
    codes: ['rest_cannot_update', 'rest_taxonomy_not_hierarchical'],
    source: 'WP_REST_Terms_Controller::update_item()',
    kinds: ['term', 'menu'],
    methods: UPDATE,
    when: isChange,
  },
  {
    codes: ['rest_cannot_delete'],
    source: 'delete_item_permissions_check() of the controllers',
    kinds: ['term', 'menu', 'comment', 'revision'],
    methods: ['DELETE'],
  },
  {
    codes: ['rest_user_invalid_id'],
    source: 'WP_REST_Users_Controller::get_user()',
    kinds: ['user'],
    when: isItem,
  },
  {
    codes: ['rest_not_logged_in'],
    source: 'WP_REST_Users_Controller::get_current_item(), the routes of `/users/me`',
    kinds: ['user'],
    when: ({ isItem: hasPath, kind }) => !hasPath && kind !== 'list' && kind !== 'created',
  },
  {
    codes: ['rest_user_cannot_view'],
    source: 'WP_REST_Users_Controller::get_items_permissions_check() and get_item_permissions_check()',
    kinds: ['user'],
    methods: READ,
  },
  {
    codes: ['rest_forbidden_orderby', 'rest_forbidden_who'],
    source: 'WP_REST_Users_Controller::get_items_permissions_check()',
    kinds: ['user'],
    methods: READ,
    when: isList,
  },
  {
    codes: ['rest_cannot_create_user', 'rest_user_create', 'existing_user_login', 'existing_user_email'],
    source: 'WP_REST_Users_Controller::create_item(); wp_insert_user()',
    kinds: ['user'],
    when: isCreation,
  },
  {
    codes: ['rest_cannot_edit', 'rest_cannot_edit_roles', 'rest_user_invalid_argument'],
    source: 'WP_REST_Users_Controller::update_item()',
    kinds: ['user'],
    methods: UPDATE,
    when: isChange,
  },
  {
    codes: ['rest_user_cannot_delete', 'rest_user_invalid_reassign', 'rest_cannot_delete'],
    source: 'WP_REST_Users_Controller::delete_item()',
    kinds: ['user'],
    methods: ['DELETE'],
  },
  {
    codes: ['rest_comment_invalid_id'],
    source: 'WP_REST_Comments_Controller::get_comment()',
    kinds: ['comment'],
    when: isItem,
  },
  {
    codes: ['rest_cannot_read', 'rest_cannot_read_post'],
    source: 'WP_REST_Comments_Controller::get_items_permissions_check() and get_item_permissions_check()',
    kinds: ['comment'],
    methods: READ,
  },
  {
    codes: ['rest_forbidden_param'],
    source: 'WP_REST_Comments_Controller::get_items_permissions_check()',
    kinds: ['comment'],
    methods: READ,
    when: isList,
  },
  {
    codes: words(`rest_comment_login_required rest_comment_invalid_author rest_comment_invalid_status
      rest_comment_invalid_post_id rest_comment_draft_post rest_comment_trash_post rest_comment_closed
      rest_comment_content_invalid rest_comment_author_data_required rest_comment_exists
      rest_comment_failed_create`),
    source: 'WP_REST_Comments_Controller::create_item_permissions_check() and create_item()',
    kinds: ['comment'],
    when: isCreation,
  },
  {
    codes: ['rest_cannot_edit', 'rest_comment_content_invalid', 'rest_comment_failed_edit'],
    source: 'WP_REST_Comments_Controller::update_item_permissions_check() and update_item()',
    kinds: ['comment'],
    methods: UPDATE,
    when: isChange,
  },
];

/** Errors of every route of every site. */
const COMMON_ERRORS: readonly ErrorConvention[] = [
  {
    codes: ['rest_invalid_param'],
    source: 'WP_REST_Request::has_valid_params() and sanitize_params()',
    when: ({ hasArguments }) => hasArguments,
  },
  {
    codes: ['rest_missing_callback_param'],
    source: 'WP_REST_Request::has_valid_params()',
    when: ({ hasRequired }) => hasRequired,
  },
  {
    codes: ['rest_invalid_json'],
    source: 'WP_REST_Request::parse_json_params()',
    when: ({ hasJsonBody }) => hasJsonBody,
  },
];

/** Every convention about error codes. */
export const ERROR_CONVENTIONS: readonly ErrorConvention[] = [...COMMON_ERRORS, ...CONTENT_ERRORS];

/** The conventions about resources of no kind, which are those about every resource. */
const ABOUT_ALL = ERROR_CONVENTIONS.filter(({ kinds }) => kinds === undefined);

/** The conventions about each kind of resource, so that an operation is not compared with all of them. */
const BY_KIND: ReadonlyMap<string, readonly ErrorConvention[]> = new Map(
  [...new Set(ERROR_CONVENTIONS.flatMap(({ kinds = [] }) => kinds))].map((kind) => [
    kind,
    ERROR_CONVENTIONS.filter(({ kinds }) => kinds === undefined || kinds.includes(kind)),
  ]),
);

/** Lists the codes of the errors that an operation may send by convention. The site may send others. */
export function listErrorCodes(facts: ErrorFacts): readonly string[] {
  const conventions = BY_KIND.get(facts.convention?.kind ?? '') ?? ABOUT_ALL;
  return conventions.flatMap(({ codes, methods, when }) => {
    const applies =
      (methods === undefined || methods.includes(facts.method)) && (when === undefined || when(facts));
    return applies ? codes : [];
  });
}
