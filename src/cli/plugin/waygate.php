<?php
/**
 * Plugin Name: waygate
 * Description: Tells the gateway waygate what responses show and what has changed. Belongs in wp-content/mu-plugins.
 * Requires at least: 5.5
 * Requires PHP: 7.4
 *
 * READS. A visitor's read through the gateway gets tags by hooks, statements and the keys of the object cache: `post-7` for a post, `list-post`
 * for a query, `table-notes` for a plugin's table, `group-notes` for its cache. What cannot be read off, such as a remote request, makes the
 * response ordinary: it keeps its tags, but lives as without the plugin, and editors purge it.
 * CHANGES. Hooks and statements name the tags to purge. The response tells the gateway, or a signed message does. What could not be told is told
 * later as `*`. What the view of a page writes, such as a counter, is no change.
 *
 * @package waygate
 */

defined( 'ABSPATH' ) || exit;
// Can be defined in wp-config.php: a list of array( 'homes' => …, 'secret' => …, 'urls' => … ), one for each site of the gateway.
defined( 'WAYGATE_SITES' ) || define( 'WAYGATE_SITES', array() );
if ( ! class_exists( 'Waygate', false ) ) : // A second copy of this file does nothing.
	/** Tags responses, and tells of changes. */
	final class Waygate {
		const MAX_HEAD     = 3970; // Bytes that servers take by default for a header section.
		const MAX_AGE      = 300; // Seconds for which a signature of the gateway is valid, and between two tries to send a message.
		const MAX_FIELDS   = 1900; // Bytes of the plugin's own fields.
		const MAX_HELD     = 262144; // Bytes of a page that are held.
		const MAX_MESSAGE  = 16000; // Bytes of the names in one message.
		const VERSION      = '3'; // Of this file. The gateway names sites with an older one.
		const END_RESPONSE = array( 'fastcgi_finish_request', 'litespeed_finish_request' );
		const TIMES        = array( 1, 5 ); // Seconds of the first try to send a message, and of the second, with the time to connect.
		// What no response shows, and types of posts that only pages are built from.
		const HIDDEN_TYPES    = array( 'revision', 'oembed_cache', 'customize_changeset', 'user_request', 'scheduled-action' );
		const HIDDEN_STATUSES = array( 'draft', 'auto-draft', 'pending', 'future', 'private', 'new', 'trash', '0', 'hold', 'unapproved', 'spam', 'post-trashed', 'delete' );
		const PAGE_TYPES      = array( 'custom_css', 'wp_global_styles', 'wp_template', 'wp_template_part' );
		// Fields that are no part of what a list of titles shows, and by kind of tag, words in the SQL of a query of posts that depends on such fields.
		const TEXT_FIELDS  = array( 'post_content', 'post_excerpt', 'post_content_filtered', 'post_modified', 'post_modified_gmt', 'comment_count' );
		const QUERY_FIELDS = array(
			'list'    => array( 'post_status', 'post_type', 'post_parent', 'menu_order', 'post_date', 'post_name' ),
			'text'    => array( 'post_content', 'post_excerpt' ),
			'titles'  => array( 'post_title' ),
			'saved'   => array( 'post_modified' ),
			'author'  => array( 'post_author' ),
			'tax'     => array( 'term_relationships' ),
			'meta'    => array( 'postmeta' ),
			'replies' => array( 'comment_count' ),
		);
		// What of WordPress lists posts by title and address, the blocks that a list can consist of, and the hooks at which a plugin could add more.
		const TITLE_LISTS  = array( 'WP_Sitemaps_Posts', 'render_block_core_latest_posts', 'render_block_core_page_list', 'WP_Navigation_Block_Renderer', 'WP_Widget_Recent_Posts', 'wp_list_pages' );
		const TITLE_BLOCKS = '~<!-- wp:(?!(post-(title|date|terms|author(-name)?|featured-image)|group|columns?|spacer|separator|heading|paragraph|image) )|"bindings"~';
		const TITLE_HOOKS  = array( 'the_title', 'post_class', 'render_block', 'render_block_core/post-title', 'wp_setup_nav_menu_item', 'post_link', 'page_link', 'post_type_link', 'attachment_link', 'comment_text', 'rest_prepare_comment', 'rest_request_after_callbacks', 'rest_post_dispatch', 'wp_sitemaps_posts_entry' );
		// Options and metadata that no response shows, and options that every response reads, so that a change purges everything.
		const HIDDEN         = ' alloptions notoptions cron rewrite_rules recently_edited recently_activated can_compress_scripts fresh_site user_count blog_count theme_switched default_role'
			. ' auto_updater.lock core_updater.lock recovery_keys transient-doing_cron transient-dirsize_cache session_tokens _application_passwords'
			. ' _edit_lock _edit_last _encloseme _pingme _wp_old_slug _wp_old_date _wp_trash_meta_status _wp_trash_meta_time _wp_trash_meta_comments_status ';
		const COMMON_OPTIONS = ' siteurl home blog_charset blog_public html_type date_format time_format start_of_week gmt_offset timezone_string WPLANG'
			. ' permalink_structure category_base tag_base template stylesheet active_plugins active_sitewide_plugins site_name use_smilies hack_file'
			. ' thumbnail_size_w thumbnail_size_h thumbnail_crop medium_size_w medium_size_h medium_crop medium_large_size_w medium_large_size_h'
			. ' medium_large_crop large_size_w large_size_h large_crop image_default_size link_manager_enabled comments_per_page show_avatars upload_path ';
		// Users' metadata that no visitor sees.
		const PREFERENCES = '/^(\w+_)?(persisted_preferences|closedpostboxes_.*|metaboxhidden_.*|meta-box-order_.*|screen_layout_.*|manage.*columnshidden|edit_.*_per_page|user-settings(-time)?|capabilities|user_level'
			. '|dashboard_quick_press_last_post_id|primary_blog|source_domain)$|^(admin_color|rich_editing|syntax_highlighting|comment_shortcuts|use_ssl|show_admin_bar_front|locale|dismissed_wp_pointers|show_welcome_panel'
			. '|nav_menu_recently_edited|managenav-menuscolumnshidden|community-events-location|wporg_favorites)$/D';
		// Tables of WordPress with the kinds of tags of what they hold, tables of plugins that no response shows, and groups of the object cache of WordPress.
		const TABLES                  = array(
			'posts'              => 'post list',
			'postmeta'           => 'post',
			'terms'              => 'term terms',
			'termmeta'           => 'term termmeta',
			'term_taxonomy'      => 'term terms',
			'term_relationships' => 'post terms tax',
			'comments'           => 'comments',
			'commentmeta'        => 'comments',
			'users'              => 'user',
			'usermeta'           => 'user',
			'options'            => 'option blog',
			'links'              => 'blog',
		);
		const NETWORK_TABLES          = '/^(blogs|blogmeta|site|sitemeta|signups|registration_log)$/D';
		const HIDDEN_TABLES           = '/^actionscheduler_|_sessions$/D'; // A session is one client's.
		const LITERALS                = '~\'(?:[^\'\\\\]++|\\\\.|\'\')*+(?:\'|$)|"(?:[^"\\\\]++|\\\\.|"")*+(?:"|$)|/\*(?!!).*?\*/~s';
		const VARYING                 = '~\b(?:NOW|RAND|UUID|UUID_SHORT|CURDATE|CURTIME|SYSDATE|UTC_\w+|LOCALTIME\w*)\s*\(|\bCURRENT_(?:DATE|TIME|TIMESTAMP|USER)\b|\bUNIX_TIMESTAMP\s*\(\s*\)~i';
		const CACHE_WRITES            = '/^(add|set|replace|incr|decr|delete|flush)(_multiple|_group)?$/D';
		const TRANSACTION             = '~^\s*(?:(BEGIN|START\s+TRANSACTION)\b|(?:COMMIT|ROLLBACK)\b(?!\s+(?:WORK\s+)?TO\b)|SET\s+(?:SESSION\s+|@@(?:session\.)?)?autocommit\W+(0|OFF)?)~i';
		const CACHE_GROUPS            = 'posts|terms|comment|users|sites|networks|(?:post|term|comment|user|blog)_meta|(?:post|term|comment|user|site|network)-queries|[\w-]+_relationships|user(?:logins|slugs|email)|(?:site-)?(?:options|transient)|site-(?:details|lookup)|blog-(?:details|lookup|id-cache)|counts|timeinfo|calendar|bookmark|themes|plugins|theme_(?:json|files)|global-posts|rss|image_editor|translation_files|waygate';
		private static $entries       = null; // Valid entries of WAYGATE_SITES.
		private static $faults        = array(); // What is wrong with the others.
		private static $error         = ''; // The first error at a hook.
		private static $sites         = array(); // Index of the entry by blog; null for a copy of the site.
		private static $is_asked      = false; // Whether the request is of the gateway.
		private static $is_get        = false; // Whether it is a GET.
		private static $is_read       = false; // Whether the request is a visitor's read through the gateway.
		private static $is_background = false; // Whether it is a process without a client.
		private static $tags          = array(); // Names of the tags of the response, as keys.
		private static $is_tagged     = false; // Whether they are sent.
		private static $queries       = array(); // Queries of posts that had not ended.
		private static $title_queries = array(); // Whether a query is of a list of titles, by id of its object.
		private static $titles        = array(); // Ids of posts in lists of titles, by tag; 0 if more of the post is shown.
		private static $level         = 0; // Level of the buffer of a page.
		private static $held          = ''; // The parts of the page before that in the buffer.
		private static $is_free       = false; // Whether a buffer of the site holds the page, so that its fields can change to its end.
		private static $head          = array(); // Status and fields that the site would have sent with the first part.
		private static $core          = ''; // Folder of WordPress's own code.
		private static $is_skipped    = false; // Whether the next statement is a query of revisions.
		private static $known_options = array(); // Names of the options whose first read is seen, as keys.
		private static $reason        = ''; // Why the response is ordinary; empty if it is not.
		private static $changed       = array(); // Names of what has changed, as keys, by index of the site.
		private static $answered      = array(); // Names of changes that are in the head of the response, as keys.
		private static $written       = array(); // Tables that statements have written, as keys.
		private static $statement     = null; // The last writing statement, and its tables.
		private static $numbers       = array(); // Metadata before the statement that writes it, by id and key.
		private static $has_nonce     = false; // Whether the request has verified a nonce.
		private static $explained     = array(); // Kinds of tables whose changes hooks have named, as keys.
		private static $is_sending    = false; // Whether a message is being sent.
		private static $is_open       = false; // Whether a transaction is open: its message waits for the end.
		private static $next_age      = 1; // Seconds after which a long process tells of its changes.
		/** Watches the request for what it reads and changes. */
		public static function start() {
			$test = array( 'label' => 'waygate', 'test' => array( __CLASS__, 'describe' ) );
			add_filter( 'site_status_tests', fn( $tests ) => array_merge_recursive( $tests, array( 'direct' => array( $test ) ) ) );
			self::$is_get        = 'GET' === sanitize_text_field( wp_unslash( $_SERVER['REQUEST_METHOD'] ?? '' ) );
			self::$is_background = 'cli' === PHP_SAPI || wp_doing_cron();
			self::$core          = str_replace( '\\', '/', ABSPATH . WPINC );
			$field               = sanitize_text_field( wp_unslash( $_SERVER['HTTP_X_WAYGATE_REQUEST'] ?? '' ) );
			unset( $_SERVER['HTTP_X_WAYGATE_REQUEST'] );
			$site = self::find_site();
			if ( null === $site ) {
				return;
			}
			list( $number, $signature ) = explode( '.', "$field." );
			if ( abs( time() - (int) $number ) <= self::MAX_AGE && hash_equals( self::sign( $site, "waygate request $number" ), $signature ) ) {
				header( "X-Waygate-Response: $number" ); // The gateway believes no response to another request: caches of the site repeat tags.
				header( 'X-Waygate-Version: ' . self::VERSION );
				self::$is_asked = true;
				self::$is_read  = self::$is_get && ! is_admin() && ! self::$is_background;
				self::$is_read && self::watch_reads();
				self::$is_read && self::watch( array( 'shutdown' => fn() => self::end_head() ), null, PHP_INT_MIN );
				self::answer_changes(); // The site can send a part of the response before its end.
			}
			self::$is_get && ! is_admin() && ! self::$is_background || self::watch_changes();
			$is_page = self::$is_get && ! is_admin() && ! self::$is_background;
			if ( isset( $_SERVER['HTTP_X_WP_NONCE'] ) || preg_grep( '/^[0-9a-f]{10}$/D', array_filter( $_GET, 'is_string' ) ) ) { // phpcs:ignore WordPress.Security.NonceVerification
				$is_page      = false;
				$is_verifying = fn() => in_array( 'wp_verify_nonce', array_column( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS, 9 ), 'function' ), true );
				self::watch( array( 'nonce_life' => fn() => self::$has_nonce = self::$has_nonce || $is_verifying() ) );
				self::watch( array( 'wp_verify_nonce_failed' => fn() => self::$has_nonce = false ) );
			}
			if ( ! $is_page && wp_using_ext_object_cache() ) {
				$GLOBALS['wp_object_cache'] = new Waygate_Cache( $GLOBALS['wp_object_cache'] ); // phpcs:ignore WordPress.WP.GlobalVariablesOverride
			}
			add_filter( 'query', array( __CLASS__, 'see_statement' ), PHP_INT_MIN );
			self::watch( array( 'shutdown' => fn() => self::change_by_statements() || self::answer_changes() ), null, PHP_INT_MIN );
			self::watch( array( 'shutdown' => fn() => register_shutdown_function( self::guard( 'the end', array( __CLASS__, 'tell' ) ) ) ) ); // After what plugins do then.
			self::watch( array( 'admin_bar_menu' => array( __CLASS__, 'add_menu' ) ), null, 100 );
			self::watch( array( 'admin_notices' => array( __CLASS__, 'print_notice' ) ) );
		}
		/** Reads WAYGATE_SITES. An entry that cannot be used is left out, and Site Health names its fault. */
		private static function list_sites(): array {
			if ( null === self::$entries ) {
				self::$entries = array();
				$given         = is_array( WAYGATE_SITES ) && WAYGATE_SITES ? array_values( WAYGATE_SITES ) : array( WAYGATE_SITES );
				foreach ( $given as $number => $entry ) {
					$wrong = array();
					foreach ( array( 'homes' => '.', 'urls' => '^https?://.', 'secret' => '.' ) as $name => $pattern ) {
						$value  = is_array( $entry ) ? $entry[ $name ] ?? null : null;
						$is_set = 'secret' === $name ? is_string( $value ) : is_array( $value );
						$odd    = array_filter( (array) $value, fn( $text ) => ! is_string( $text ) || ! preg_match( "~$pattern~i", $text ) );
						$is_set && ! $odd ? $entry[ $name ] = is_array( $value ) ? array_values( $value ) : $value : $wrong[] = "'$name'";
					}
					$fault = 'Entry ' . ( $number + 1 ) . ' of WAYGATE_SITES is not used, because it has no valid ' . implode( ', ', $wrong ) . '.';
					$wrong ? self::$faults[] = $fault : self::$entries[] = $entry;
				}
			}
			return self::$entries;
		}
		/** Finds the index of the entry that the current blog belongs to; null at a copy. */
		private static function find_site() {
			$blog = get_current_blog_id();
			if ( ! array_key_exists( $blog, self::$sites ) ) {
				$short                = fn( $url ) => strtolower( untrailingslashit( preg_replace( '~^https?://~i', '', $url ) ) );
				$find                 = fn( $home ) => array_filter( self::list_sites(), fn( $site ) => in_array( $short( $home ), array_map( $short, $site['homes'] ), true ) );
				$main                 = is_multisite() ? get_site( get_main_site_id() ) : null; // To which a blog without an entry of its own belongs.
				$found                = $find( (string) get_option( 'home' ) ) + $find( $main ? $main->domain . $main->path : '' );
				self::$sites[ $blog ] = 'production' === wp_get_environment_type() ? key( $found ) : null;
			}
			return self::$sites[ $blog ];
		}
		/** Whether the request is a view of a page: what it writes counts, but changes nothing. */
		private static function is_view(): bool {
			return self::$is_get && ! self::$is_background && ! self::$has_nonce && ! is_admin() && ! self::is_signed_in();
		}
		/** Whether somebody is signed in. */
		private static function is_signed_in(): bool {
			return did_action( 'init' ) && is_user_logged_in();
		}
		/** Signs a text as the gateway does. */
		private static function sign( int $site, string $text ): string {
			return hash_hmac( 'sha256', $text, self::list_sites()[ $site ]['secret'] );
		}
		/** Creates the name of a tag: `post-7`, or `2:post-7` in a network. Users and network options belong to all blogs. */
		private static function name( string $kind, $id, int $blog = 0 ): string {
			$text = is_scalar( $id ) ? (string) $id : '';
			$max  = 'option' === $kind ? 16 : 24; // A page can read a hundred options.
			$hash = substr( strtr( base64_encode( md5( $text, true ) ), '+/', '-_' ), 0, 8 ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
			$id   = is_int( $id ) || preg_match( "/^([A-Za-z0-9_-]{1,$max}|\\*)\$/D", $text ) ? $text : $hash;
			return ( is_multisite() && 'user' !== $kind && 'network' !== $kind ? ( $blog ? $blog : get_current_blog_id() ) . ':' : '' ) . "$kind-$id";
		}
		/** Runs functions at hooks, after those of plugins. */
		private static function watch( array $hooks, ?callable $fail = null, int $priority = PHP_INT_MAX ) {
			foreach ( $hooks as $names => $run ) {
				foreach ( explode( ' ', $names ) as $hook ) {
					add_filter( $hook, self::guard( $hook, $run, $fail ), $priority, 6 );
				}
			}
		}
		/** Creates a filter that changes nothing. Odd arguments of a plugin must not stop a request: the first error is logged. */
		private static function guard( string $hook, callable $run, ?callable $fail = null ): Closure {
			$kind = preg_match( '/post|term|comment|user|option/', strtr( $hook, array( 'profile' => 'user', 'attachment' => 'post', 'comment_count' => 'post' ) ), $match ) ? $match[0] : '';
			return static function ( $value = null, ...$more ) use ( $hook, $run, $fail, $kind ) {
				self::$explained[ $kind ] = true;
				try {
					$run( $value, ...$more );
				} catch ( Throwable $error ) {
					self::fail( $error, $hook );
					$fail && $fail( "{$error->getMessage()} at $hook" );
				}
				return $value;
			};
		}
		/** Logs the first error. */
		private static function fail( Throwable $error, string $where ) {
			self::$error || error_log( self::$error = "waygate.php at $where: $error" ); // phpcs:ignore WordPress.PHP.DevelopmentFunctions
		}
		/** Watches what the response shows. */
		private static function watch_reads() {
			unset( $_SERVER['HTTP_IF_NONE_MATCH'], $_SERVER['HTTP_IF_MODIFIED_SINCE'] ); // A response without content shows nothing.
			wp_cache_add_non_persistent_groups( 'waygate' );
			wp_cache_set( 'probe', 1, 'waygate' );
			$or_all = fn( $ids ) => $ids ? $ids : '*';
			$hooks  = array(
				'pre_get_posts'                         => fn( $query ) => 'revision' === ( $query->query_vars['post_type'] ?? '' ) ? self::$is_skipped = true : self::read_queries( $query ),
				'the_content get_the_excerpt'           => fn( $text, $post = null ) => self::list_posts( array( $post ?? $GLOBALS['post'] ?? '*' ), false ),
				'post_content post_excerpt post_modified post_modified_gmt' => fn( $value, $post ) => self::list_posts( array( $post ), false ),
				'get_post_modified_time'                => fn() => self::list_posts( array( '*' ), false ),
				'wp_get_nav_menu_items'                 => fn( $items ) => self::list_posts( wp_list_pluck( wp_list_filter( $items, array( 'type' => 'post_type' ) ), 'object_id' ), true ),
				'previous_post_link next_post_link'     => fn( $link, $format, $text, $post ) => self::list_posts( array_filter( array( $post ) ), true ),
				'render_block_core/navigation-link'     => fn( $html, $block ) => self::list_posts( 'post-type' === ( $block['attrs']['kind'] ?? '' ) ? array( $block['attrs']['id'] ?? 0 ) : array(), true ),
				'pre_get_terms'                         => fn( $query ) => self::tag( $query->query_vars['object_ids'] ? 'post' : 'terms', $or_all( $query->query_vars['object_ids'] ? $query->query_vars['object_ids'] : $query->query_vars['taxonomy'] ) ),
				'pre_get_comments'                      => fn( $query ) => $query->query_vars['parent'] || self::tag( 'comments', $or_all( $query->query_vars['post_id'] ? $query->query_vars['post_id'] : $query->query_vars['post__in'] ) ),
				'pre_get_users'                         => fn( $query ) => self::tag( 'user', '*' ) || self::tag( 'list', empty( $query->query_vars['has_published_posts'] ) ? array() : '*' ),
				'get_comment'                           => fn( $comment ) => self::tag( 'comments', $comment->comment_post_ID ) || self::list_posts( array( $comment->comment_post_ID ), true ),
				'get_comments_number'                   => fn( $count, $post = 0 ) => self::tag( 'comments', $post ),
				'get_pages'                             => fn( $pages, $query = array() ) => self::list_posts( $pages, self::is_title_list() ) || self::tag( 'list', $query['post_type'] ?? 'page' ),
				'get_previous_post_where get_next_post_where' => fn( $where, $same, $excluded, $taxonomy, $post ) => self::tag( 'list', $post->post_type ),
				'getarchives_where get_calendar'        => fn( $where, $query = array() ) => self::tag( 'list', $query['post_type'] ?? 'post' ),
				'wp_count_posts'                        => fn( $counts, $type = '*' ) => self::tag( 'list', $type ),
				'get_usernumposts wp_list_authors_args' => fn( $count, $user = 0, $types = '*' ) => self::tag( 'list', $types ),
				'dynamic_sidebar the_widget is_active_sidebar' => fn() => self::tag( 'blog', 'widgets' ),
				'remove_user_from_blog'                 => fn( $id ) => self::change( array( 'user' => $id ) ), // It comes before the first statement that writes.
				'human_time_diff'                       => fn() => self::make_ordinary( 'a time that passes' ),
				'pre_http_request'                      => fn( $response, $request, $url ) => strpos( $url, 'doing_wp_cron' ) || self::make_ordinary( "request to $url" ),
				'rest_pre_echo_response'                => fn( $result ) => self::send_tags( $result ),
				'template_redirect'                     => fn() => self::hold_page(), // Later than downloads and streams.
				'wp'                                    => fn() => get_query_var( 'sitemap' ) && self::hold_page(),
				'switch_blog'                           => fn() => add_filter( 'pre_option', array( __CLASS__, 'see_option' ), PHP_INT_MAX, 2 ), // Of each blog.
			);
			self::watch( $hooks, array( __CLASS__, 'make_ordinary' ) );
			self::$known_options = wp_load_alloptions() + (array) wp_cache_get( 'notoptions', 'options' );
			$first_read          = new WP_Hook(); // A filter of all reads would run some thousand times. Copies of one hook take little memory.
			$first_read->add_filter( 'pre_option', array( __CLASS__, 'see_option' ), PHP_INT_MAX, 2 );
			foreach ( array_diff_key( self::$known_options, array_flip( explode( ' ', self::HIDDEN . self::COMMON_OPTIONS ) ) ) as $option => $value ) {
				if ( isset( $GLOBALS['wp_filter'][ "pre_option_$option" ] ) ) {
					add_filter( "pre_option_$option", array( __CLASS__, 'see_option' ), PHP_INT_MAX, 2 );
				} else {
					$GLOBALS['wp_filter'][ "pre_option_$option" ] = clone $first_read; // phpcs:ignore WordPress.WP.GlobalVariablesOverride
				}
			}
		}
		/** Holds a page until its tags are known. */
		private static function hold_page() {
			$sizes         = array_column( ob_get_status( true ), 'chunk_size' ); // Without one, a buffer holds all.
			self::$is_free = in_array( 0, $sizes, true );
			ob_start( array( __CLASS__, 'take_part' ), max( 1024, 0, ...$sizes ) );
			self::$level = ob_get_level();
		}
		/** Takes a part of the page. From where the site would have sent the first one, later fields do not count, as without this buffer. */
		public static function take_part( string $text, int $phase ): string {
			self::$held .= $text;
			$is_whole    = self::$is_tagged || ( $phase & PHP_OUTPUT_HANDLER_CLEAN );
			$is_next     = ! ( $phase & ( PHP_OUTPUT_HANDLER_FLUSH | PHP_OUTPUT_HANDLER_FINAL ) );
			self::$head  = self::$head || self::$is_free || $is_whole ? self::$head : array( http_response_code(), headers_list() );
			if ( ! $is_whole && $is_next && strlen( self::$held ) <= self::MAX_HELD ) {
				return '';
			}
			if ( ! $is_whole ) {
				self::$level = 0;
				self::make_ordinary( $is_next ? 'a page of more than 256 kB' : 'a page that is sent in parts' );
				self::end_head( true );
			}
			list( $text, self::$held ) = array( self::$held, '' );
			return $text;
		}
		/** Completes the head of a page: what the site would not have sent in it is left out, unless a fault has changed its status. */
		private static function end_head( bool $is_part = false ) {
			list( $status, $fields ) = self::$head ? self::$head : array( 0, array() );
			if ( http_response_code() === $status && ! headers_sent() && array_diff( headers_list(), $fields ) ) {
				header_remove();
				array_map( fn( $field ) => header( $field, false ), $fields );
				self::answer_changes();
			}
			self::send_tags( null, $is_part );
			self::$is_tagged = true;
		}
		/** Tags the response with an option at its first read. Each page reads options of all widgets, and for each post whether it is sticky. */
		public static function see_option( $value, $option, int $blog = 0 ) {
			$name        = self::name_option( $option, 'option', $blog );
			self::$tags += 'sticky_posts' !== $option && strpos( $name, 'option-' ) !== false ? array( $name => true ) : array();
			remove_filter( "pre_option_$option", array( __CLASS__, 'see_option' ), PHP_INT_MAX );
			return $value;
		}
		/** Adds tags of one kind to the response. */
		private static function tag( string $kind, $ids ) {
			self::$tags += array_fill_keys( array_map( fn( $id ) => self::name( $kind, $id ), (array) $ids ), true );
		}
		/** Makes the response ordinary. The reason begins with the plugin that caused it. */
		private static function make_ordinary( string $reason ) {
			if ( '' === self::$reason ) {
				$files  = array_map( 'wp_normalize_path', array_column( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS ), 'file' ) );
				$plugin = preg_filter( '~^.*/(?:plugins|mu-plugins|themes)/(?!waygate\.php)([\w.-]+).*$~', '$1', $files );
				/** Filters why a response is ordinary, such as `notes: SELECT text FROM wp_notes`. With an empty text it is not. */
				$reason       = (string) apply_filters( 'waygate_ordinary', ( $plugin ? reset( $plugin ) : 'WordPress' ) . ": $reason" );
				self::$reason = substr( preg_replace( '/[^\x21-\x7e]+/', ' ', $reason ), 0, 160 );
			}
		}
		/** Creates the name of the tag of an option, `option-transient-…` for that of a transient. It is empty if no response shows the option. */
		private static function name_option( $option, string $kind = 'option', int $blog = 0 ): string {
			$option = preg_replace( '/^_transient_(?!timeout_)/', 'transient-', (string) $option );
			if ( strpos( self::COMMON_OPTIONS, " $option " ) !== false ) {
				return 'network' === $kind ? '*' : self::name( 'blog', 'all', $blog );
			}
			$is_hidden = strpos( self::HIDDEN, " $option " ) !== false || ( '_children' === substr( $option, -9 ) && taxonomy_exists( substr( $option, 0, -9 ) ) );
			if ( $is_hidden || preg_match( '/^(_transient_timeout_|_site_transient_|waygate_|transient-(global_styles|feed_|dash_))/', $option ) ) {
				return '';
			}
			return preg_match( '/^(widget_|sidebars_widgets$)/D', $option ) ? self::name( 'blog', 'widgets', $blog ) : self::name( $kind, $option, $blog );
		}
		/** Sees a statement before the database does. It is returned as it is. */
		public static function see_statement( $sql ) {
			try {
				self::read_statement( (string) $sql );
			} catch ( Throwable $error ) {
				self::fail( $error, 'query' );
				self::$is_read ? self::make_ordinary( $error->getMessage() ) : self::change( array( 'blog' => 'all' ) );
			}
			return $sql;
		}
		/** Notes what a statement reads, writes, and whether it begins or ends a transaction. */
		private static function read_statement( string $sql ) {
			self::end_statement();
			$is_skipped       = self::$is_skipped && strpos( $sql, "post_type = 'revision'" );
			self::$is_skipped = self::$is_skipped && ! $is_skipped;
			if ( preg_match( '~^\s*(INSERT|UPDATE|DELETE|REPLACE|ALTER|DROP|TRUNCATE|RENAME|LOAD|CALL|WITH|/\*)~i', $sql ) && ! self::$is_sending ) {
				self::$statement = array( $sql, self::list_tables( substr( $sql, 0, 4000 ) ) );
				has_action( 'waygate_send' ) || self::watch_changes();
				if ( self::$is_get && preg_match( '/`post_id` = (\d+) AND `meta_key` = \'([^\']+)\'/', $sql, $match ) ) {
					self::$numbers[ "$match[1] $match[2]" ] = wp_cache_get( $match[1], 'post_meta' )[ $match[2] ][0] ?? null;
				}
			}
			if ( self::$is_read && ! $is_skipped && preg_match( '~^\s*(\(?SELECT|WITH|/\*)~i', $sql ) ) {
				$frames  = array_filter( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS, 9 ), fn( $frame ) => is_a( $frame['class'] ?? '', 'wpdb', true ) );
				$caller  = end( $frames )['file'] ?? '';
				$is_core = strpos( str_replace( '\\', '/', $caller ), self::$core ) === 0;
				$pattern = '/(?<![\'"\w])' . preg_quote( $GLOBALS['wpdb']->base_prefix, '/' ) . '(?:\d+_)?+(?!(?:' . implode( '|', array_keys( self::TABLES ) ) . ')\b)\w/';
				( $is_core && ! preg_match( $pattern, $sql ) ) || self::read_tables( $sql, $is_core );
			}
			if ( preg_match( self::TRANSACTION, $sql, $match ) ) {
				self::$is_open = isset( $match[1] );
			}
		}
		/** Tags the response with the tables of a statement. What WordPress reads in its own has tags by hooks. */
		private static function read_tables( string $sql, bool $is_core ) {
			foreach ( self::list_tables( $sql ) as $table => $blog ) {
				$kinds = self::TABLES[ substr( $table, strlen( $blog ) ) ] ?? '';
				if ( 'options' === substr( $table, strlen( $blog ) ) && preg_match( '/\boption_name\s*=\s*[\'"]([^\'"\\\\]+)[\'"]\s*(LIMIT 1\s*)?;?\s*$/i', $sql, $match ) ) {
					self::see_option( '', $match[1], (int) $blog );
				} elseif ( $kinds ) {
					$is_core || self::read_own_table( $sql, $kinds, (int) $blog );
				} elseif ( preg_match( self::NETWORK_TABLES, $table ) ) {
					$is_core || self::make_ordinary( "a table of the network in $sql" );
				} elseif ( ! preg_match( self::HIDDEN_TABLES, substr( $table, strlen( $blog ) ) ) ) {
					self::$tags[ self::name_table( $table, $blog ) ] = true;
				}
			}
			$text = str_replace( '`', '', preg_replace( self::LITERALS, "''", $sql ) );
			preg_match_all( '~\b(?:FROM|JOIN)\s+(?:[\w.]+(?:\s+(?:AS\s+)?\w+)?\s*,\s*)?([\w.$]+)~i', $text, $from );
			preg_match_all( '~(\w+)\s*(?:\([^()]*\)\s*)?AS\s*\(~i', $text, $named ); // Common table expressions.
			$known = '~^(?:\w+\.)?' . preg_quote( $GLOBALS['wpdb']->base_prefix, '~' ) . '|^dual$~i';
			array_diff( preg_grep( $known, $from[1], PREG_GREP_INVERT ), $named[1] ) && self::make_ordinary( "a table without the site's prefix" );
			preg_match( self::VARYING, $text ) && self::make_ordinary( "a time or a random number in $sql" );
		}
		/** Tags the response with what a plugin's statement reads of WordPress's own tables: posts by id or type, or all. */
		private static function read_own_table( string $sql, string $kinds, int $blog ) {
			preg_match_all( '/\bpost_type`?\s*(?:=\s*|IN\s*\()((?:\s*,?\s*[\'"][\w-]+[\'"])+)/i', $sql, $types );
			preg_match_all( '/[\'"]([\w-]+)[\'"]/', implode( ' ', $types[1] ), $types );
			$is_of_posts = strpos( " $kinds", 'post' ) && ! preg_match( '/\b(comments|term_taxonomy|users|usermeta)\b/', $sql );
			if ( $is_of_posts && ! preg_match( '/\b(?:OR|UNION)\b/i', $sql ) && preg_match( '/\b(?:ID|post_id|object_id)`?\s*(?:=\s*\'?(\d+)\'?|IN\s*\(([\d\s,\']+)\))/', $sql, $ids ) ) {
				preg_match_all( '/\d+/', ( $ids[1] ?? '' ) . ' ' . ( $ids[2] ?? '' ), $ids );
				self::tag( 'post', $ids[0] );
				self::tag( 'hidden', $types[1] );
			} elseif ( $types[1] && ! preg_match( '/\bpost_type`?+\s*(?!IN\b|=)\S/i', preg_replace( '/\.post_type`?\s*[,)]|\bpost_type`?\s*,/', '', $sql ) ) ) {
				foreach ( array( 'hidden', ...array_keys( self::QUERY_FIELDS ) ) as $kind ) {
					self::tag( $kind, array_diff( $types[1], self::HIDDEN_TYPES ) );
				}
			} else {
				self::$tags += array_fill_keys( array_map( fn( $kind ) => self::name( $kind, '*', $blog ), explode( ' ', $kinds ) ), true );
			}
		}
		/** Lists the tables of a statement, with the number of a blog: array( 'notes' => '', '2_notes' => '2_' ). */
		private static function list_tables( string $sql ): array {
			$prefix = preg_quote( $GLOBALS['wpdb']->base_prefix, '~' );
			preg_match_all( "~(?<![\w\$@])$prefix((?:\d+_)?)(\w+)~i", preg_replace( self::LITERALS, "''", $sql ), $found );
			return array_combine( array_map( fn( $blog, $table ) => $blog . $table, $found[1], $found[2] ), $found[1] );
		}
		/** Creates the name of a plugin's table. One without the number of a blog can belong to all. */
		private static function name_table( string $table, string $blog ): string {
			return str_replace( 'network-', 'table-', ( $blog ? (int) $blog . ':' : '' ) . self::name( 'network', substr( $table, strlen( $blog ) ) ) );
		}
		/** Notes what the last writing statement has changed, unless it has changed no row. */
		private static function end_statement() {
			list( $sql, $tables ) = self::$statement ? self::$statement : array( '', array() );
			self::$statement      = null;
			$database             = $GLOBALS['wpdb'];
			$is_counted           = $database->last_query === $sql && preg_match( '~^\s*(INSERT|UPDATE|DELETE|REPLACE)~i', $sql );
			foreach ( $is_counted && ! $database->rows_affected ? array() : $tables as $table => $blog ) {
				self::$written[ key( $tables ) ] = true; // Others of a statement can be read only.
				$is_own                          = isset( self::TABLES[ substr( $table, strlen( $blog ) ) ] ) || preg_match( self::NETWORK_TABLES, $table );
				$is_own || preg_match( self::HIDDEN_TABLES, substr( $table, strlen( $blog ) ) ) || self::is_view() || self::change_names( self::name_table( $table, $blog ) );
			}
		}
		/** Notes that items of the object cache change. A value that stays the same does not. */
		public static function see_cache( string $method, array $arguments, $cache ) {
			try {
				list( $key, $value, $group ) = $arguments + array( '', '', 'default' );
				if ( preg_match( '/^flush$|_group$/', $method ) ) {
					$group = 'flush' === $method ? '*' : $key;
				} elseif ( strpos( $method, '_multiple' ) || strpos( $method, 'delete' ) === 0 ) {
					$group = strpos( $method, 'delete' ) === 0 || ! is_string( $arguments[1] ?? null ) ? ( is_string( $value ) && '' !== $value ? $value : 'default' ) : $arguments[1];
				}
				if ( self::is_view() || ! is_string( $group ) || 'is_blog_installed' === $key || preg_match( '/^(' . self::CACHE_GROUPS . ')$/D', $group ) ) {
					return;
				}
				$found = false;
				$old   = in_array( $method, array( 'add', 'set' ), true ) ? $cache->get( $key, $group, false, $found ) : null;
				( $found && ( 'add' === $method || $old === $value ) ) || self::change( array( 'group' => '' === $group ? 'default' : $group ) );
			} catch ( Throwable $error ) {
				self::fail( $error, $method );
			}
		}
		/** Reads the queries of posts that have ended. The next can begin within one that has not, or use the object of one again. */
		private static function read_queries( WP_Query $next ) {
			in_array( $next, self::$queries, true ) && self::tag( 'post', '*' ); // What the same object found before is gone.
			self::$queries                                 = array_filter( self::$queries, fn( $query ) => ! isset( $query->posts ) || self::read_posts( $query ) );
			self::$queries[]                               = $next;
			self::$title_queries[ spl_object_id( $next ) ] = self::is_title_list();
		}
		/** Whether WordPress itself runs the present query, and shows title and address of what it finds. */
		private static function is_title_list(): bool {
			$is_inside = false;
			foreach ( debug_backtrace( 0, 14 ) as $frame ) {
				$is_query = 'WP_Query' === ( $frame['class'] ?? '' ) || in_array( $frame['function'], array( 'get_posts', 'get_pages' ), true );
				if ( $is_inside && ! $is_query ) {
					$blocks = 'render_block_core_post_template' === $frame['function'] ? serialize_blocks( $frame['args'][2]->parsed_block['innerBlocks'] ) : '';
					$lists  = array_slice( self::TITLE_LISTS, (int) version_compare( $GLOBALS['wp_version'], '6.5', '>=' ) ); // Later sitemaps show a time.
					$found  = '' !== $blocks || array_intersect( array( $frame['function'], $frame['class'] ?? '' ), $lists );
					return $found && ! preg_match( self::TITLE_BLOCKS, $blocks ) && empty( $frame['args'][0]['displayPostContent'] ) && empty( $frame['args'][0]['walker'] );
				}
				$is_inside = $is_inside || $is_query;
			}
			return false;
		}
		/** Notes posts of which a list shows the titles, or more. */
		private static function list_posts( array $posts, bool $is_title ) {
			foreach ( $posts as $post ) {
				$id                    = $post->ID ?? $post;
				$name                  = self::name( 'post', $id );
				self::$titles[ $name ] = $is_title ? self::$titles[ $name ] ?? $id : 0;
			}
		}
		/** Names the posts by title of which a response shows no more. A plugin can show a text without a function of WordPress, so the text is searched. */
		private static function narrow( array $names, $result ): array {
			$buffers = self::$level ? array_slice( array_column( ob_get_status( true ), 'buffer_used' ), self::$level - 1 ) : array();
			$is_part = null === $result && ( ! $buffers || array_filter( array_slice( $buffers, 0, -1 ) ) ); // Unless the last buffer has the whole page.
			$is_more = $is_part || isset( self::$titles[ self::name( 'post', '*' ) ] ) || ! empty( $GLOBALS['wp_rest_additional_fields']['comment'] );
			$hooks   = array_slice( self::TITLE_HOOKS, did_action( 'wp_footer' ) || did_action( 'embed_footer' ) ? 0 : 5 ); // The first five are of pages.
			$titles  = $is_more || ! self::is_plain( $hooks ) ? array() : array_filter( self::$titles );
			$body    = $titles ? strtolower( null === $result ? self::$held . ob_get_contents() : wp_json_encode( $result, JSON_UNESCAPED_UNICODE ) ) : '';
			foreach ( $titles as $name => $id ) {
				$post = self::name( 'post', $id ) === $name ? get_post( $id ) : null;
				foreach ( $post ? array_filter( array( $post->post_content . ' ', $post->post_excerpt ) ) : array( '' ) as $text ) {
					$text = strtolower( preg_replace( '/<[^>]*+>/', "\n", strip_shortcodes( substr( $text, 0, 2000 ) ) ) );
					preg_match( '/[a-z0-9\x80-\xff](?:[a-z0-9\x80-\xff]| (?=[a-z0-9\x80-\xff])){3,29}/', $text, $start ); // No theme changes these.
					if ( ! $start || strpos( $body, $start[0] ) !== false || strpos( $body, trim( wp_json_encode( $start[0] ), '"' ) ) !== false ) {
						unset( $titles[ $name ] );
					}
				}
			}
			return array_map( fn( $name ) => isset( $titles[ $name ] ) ? str_replace( 'post-', 'title-', $name ) : $name, $names );
		}
		/** Whether only code of WordPress runs at hooks. */
		private static function is_plain( array $hooks ): bool {
			$callbacks = array_merge( ...array_merge( ...array_column( array_intersect_key( $GLOBALS['wp_filter'], array_flip( $hooks ) ), 'callbacks' ) ) );
			foreach ( array_column( $callbacks, 'function' ) as $run ) {
				$is_function = $run instanceof Closure || ( is_string( $run ) && function_exists( $run ) );
				$code        = is_array( $run ) && is_callable( $run ) ? new ReflectionClass( $run[0] ) : ( $is_function ? new ReflectionFunction( $run ) : null );
				if ( ! $code || ( ! $code->isInternal() && strpos( str_replace( '\\', '/', $code->getFileName() ), self::$core ) !== 0 ) ) {
					return false;
				}
			}
			return true;
		}
		/** Tags the response with the posts that a query found, and with what would change its result. */
		private static function read_posts( WP_Query $query ) {
			$vars  = $query->query_vars;
			$types = (array) ( $vars['post_type'] ? $vars['post_type'] : ( $query->is_tax() || $query->is_search() ? 'any' : 'post' ) );
			$types = array_diff( array( 'any' ) === $types ? get_post_types( array( 'exclude_from_search' => false ) ) : $types, self::PAGE_TYPES );
			$found = array_map( fn( $post ) => $post->ID ?? $post, (array) $query->posts );
			self::tag( 'post', $found );
			self::list_posts( $found, $query->is_comment_feed() || $query->get( 'sitemap' ) || ! empty( self::$title_queries[ spl_object_id( $query ) ] ) );
			self::tag( 'comments', $query->is_comment_feed() ? ( $query->is_singular() ? $query->get_queried_object_id() : '*' ) : array() );
			self::tag( 'hidden', array_intersect( wp_parse_list( $vars['post_status'] ?? '' ), array_merge( self::HIDDEN_STATUSES, array( 'any', 'all' ) ) ) ? $types : array() );
			preg_match( self::VARYING, (string) $query->request ) && self::make_ordinary( 'posts in a random order' );
			$is_list = $query->is_home() || $vars['post__in'] || $vars['post__not_in'];
			self::tag( 'option', $is_list && in_array( 'post', $types, true ) ? 'sticky_posts' : array() );
			$is_one  = ( $query->is_singular() && ! strpos( $vars['pagename'], '/' ) ) || ( $vars['post__in'] && ! array_diff( $vars['post__in'], $found ) );
			$request = preg_replace( '/^.*? FROM /s', '', (string) $query->request );
			foreach ( $found && $is_one ? array() : self::QUERY_FIELDS as $kind => $words ) {
				( 'list' === $kind || str_replace( $words, '', $request ) !== $request ) && self::tag( $kind, $types );
			}
		}
		/** Tags the response with the items that the object cache holds in this request. What is not understood makes it ordinary. */
		private static function read_object_cache() {
			$cache     = (array) ( $GLOBALS['wp_object_cache']->cache ?? array() );
			$is_nested = isset( $cache['waygate'] ); // Other drop-ins have one array with keys such as `wp:posts:7`.
			$probe     = preg_grep( '/(^|:)waygate:/', array_keys( $cache ) );
			$start     = preg_replace( '/(\d+:)?waygate:.*$/s', '', (string) reset( $probe ) );
			$is_nested || $probe || self::make_ordinary( 'an object cache that cannot be read' );
			foreach ( $cache as $group => $items ) {
				$keys   = $is_nested ? array_keys( (array) $items ) : array( '' );
				$is_ids = $is_nested && ! is_multisite() && preg_match( '/^(?:(post|term|user)(?:s|_meta)|[\w-]+_relationships)$/D', $group, $kind );
				$is_ids && self::tag( 'term_meta' === $group ? 'termmeta' : $kind[1] ?? 'post', array_filter( $keys, 'is_int' ) );
				foreach ( $is_ids ? array() : $keys as $key ) {
					$name = $is_nested ? "$group:$key" : $group;
					if ( ! preg_match( '/(?:^|:)(?:(\d+):)?(' . self::CACHE_GROUPS . '):(?:(\d+):)?(.*)$/D', $name, $match ) ) {
						$pattern = $is_nested ? '/^(?:\d+:)?([^:]+)/' : '/^' . preg_quote( $start, '/' ) . '(?:\d+:)?([^:]+)/';
						wp_using_ext_object_cache() && ! strpos( $name, 'is_blog_installed' ) && preg_match( $pattern, $name, $match ) && self::tag( 'group', array( $match[1], '*' ) );
						continue;
					}
					list( , $before, $group_name, $after, $id ) = $match;
					$blog                                       = (int) ( '' !== $after ? $after : $before );
					if ( 'transient' === $group_name || 'options' === $group_name ) {
						self::see_option( '', 'options' === $group_name ? $id : "_transient_$id", $blog );
					} elseif ( 'site-options' === $group_name && is_multisite() ) {
						self::$tags[ self::name_option( $id, 'network' ) ] = true;
					} elseif ( is_numeric( $id ) && preg_match( '/^(?:(post|term|user)(?:s|_meta)|[\w-]+_relationships)$/D', $group_name, $kind ) ) {
						self::$tags[ self::name( 'term_meta' === $group_name ? 'termmeta' : $kind[1] ?? 'post', $id, $blog ) ] = true;
					}
				}
			}
			$new_options = array_diff_key( (array) wp_cache_get( 'notoptions', 'options' ) + wp_load_alloptions(), self::$known_options );
			array_map( fn( $option ) => self::see_option( '', $option ), array_keys( $new_options ) );
		}
		/** Sends the tags when everything was read and nothing is sent. */
		private static function send_tags( $result = null, bool $is_part = false ) {
			$is_excluded = defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE;
			$is_page     = did_action( 'wp_footer' ) || did_action( 'embed_footer' );
			$is_found    = 200 === http_response_code();
			$is_complete = $is_page || $is_part || ! $is_found || did_action( 'rest_api_init' ) || ( did_action( 'wp' ) && ( is_feed() || get_query_var( 'sitemap' ) ) );
			if ( self::$is_tagged || headers_sent() || ! ( $is_complete || $is_excluded ) || is_user_logged_in() ) {
				return;
			}
			self::$is_tagged = true;
			array_map( array( __CLASS__, 'read_posts' ), self::$queries );
			self::read_object_cache();
			self::tag( 'blog', array( 'all', $is_page ? 'page' : 'all' ) );
			did_action( 'switch_blog' ) && version_compare( $GLOBALS['wp_version'], '6.1-alpha', '<' ) && self::make_ordinary( 'options of another blog' );
			$is_found || self::tag( 'list', '*' );
			$is_found || self::make_ordinary( 'status ' . http_response_code() );
			/** Filters the tags of a response. */
			$names   = (array) apply_filters( 'waygate_tags', array_diff( self::narrow( array_keys( self::$tags ), $result ), array( '', '*' ) ) );
			$room    = self::measure_room( 'X-Waygate-Tags' );
			$field   = implode( ' ', self::join( $names, $room ) );
			'*' === $field && self::make_ordinary( 'no room in the head' );
			header( 'X-Waygate-Tags: ' . ( $is_excluded ? 'no-store' : ( '*' === $field ? 'blog-all' : $field ) ) );
			'' === self::$reason || header( 'X-Waygate-Ordinary: ' . self::$reason );
		}
		/** Joins names by kind until they fit, long lists first, and those of content if that is enough: `post-7 post-8` become `post-*`. @param int $room in bytes */
		private static function join( array $names, int $room ): array {
			$kinds = array();
			foreach ( $names as $name ) {
				$at = strpos( $name, '-' );
				$kinds[ '/' === $name[0] ? '*' : ( $at ? substr( $name, 0, $at ) . '-*' : $name ) ][] = $name;
			}
			$bytes = array_map( fn( $of ) => strlen( implode( ' ', $of ) ) + 1, $kinds );
			$all     = array_sum( $bytes ) - 1;
			$content = array_intersect_key( $bytes, array_flip( preg_grep( '/^(\d+:)?(post|title|term|user|comments)-/', array_keys( $kinds ) ) ) );
			$others  = array_diff_key( $bytes, $content );
			arsort( $content );
			arsort( $others );
			$is_enough = $all - array_sum( $content ) < $room - 50; // Otherwise lists of content stay whole if possible.
			foreach ( array_keys( $is_enough ? $content + $others : $others + $content ) as $kind ) {
				if ( $all > $room ) {
					$all           -= $bytes[ $kind ] - strlen( $kind ) - 1;
					$kinds[ $kind ] = array( $kind );
				}
			}
			return $all > $room ? array( '*' ) : array_merge( array(), ...array_values( $kinds ) );
		}
		/** Watches what changes, a read from its first writing statement on. What it writes is a counter, but it can have shown an option that it deletes. */
		private static function watch_changes() {
			$reply  = fn( $comment, ...$statuses ) => self::change( array_diff( $statuses, self::HIDDEN_STATUSES ) ? array( 'comments' => $comment->comment_post_ID, 'replies' => get_post_type( $comment->comment_post_ID ) ) : array() );
			$user   = fn( $id ) => self::change( array( 'user' => $id ) );
			$all    = fn() => self::change( array( 'blog' => 'all' ) );
			$option = fn( $name ) => self::is_view() ? self::$tags[ $name ] = true : ( '' === $name || self::change_names( $name ) );
			$hooks = array(
				'post_updated attachment_updated'      => fn( $id, $post, $before ) => self::change_post( $post, $before ),
				'add_attachment deleted_post'          => fn( $id, $post = null ) => self::change_post( $post ? $post : get_post( $id ) ),
				'post_stuck post_unstuck'              => fn( $id ) => self::change_shown( $id, array() ),
				'transition_post_status'               => fn( $status, $old, $post ) => self::change_post( $post, (object) ( array( 'post_status' => $old ) + get_object_vars( $post ) ) ),
				'set_object_terms'                     => fn( $id, $terms, $ids, $taxonomy, $append, $old ) => ( array_diff( $ids, $old ) || ( ! $append && array_diff( $old, $ids ) ) ) && self::change_shown( $id, array( 'tax' => get_post_type( $id ), 'terms' => $taxonomy, 'title' => $id ) ),
				'deleted_term_relationships'           => fn( $id, $terms, $tax ) => self::change_shown( $id, array( 'tax' => get_post_type( $id ), 'terms' => $tax, 'title' => $id ) ),
				'created_term edited_term delete_term' => fn( $id, $relation, $taxonomy ) => self::change( array( 'term' => $id, 'terms' => $taxonomy ) ),
				'wp_insert_comment deleted_comment'    => fn( $id, $comment ) => $reply( $comment, $comment->comment_approved ),
				'edit_comment'                         => fn( $id ) => $reply( get_comment( $id ), get_comment( $id )->comment_approved ),
				'added_comment_meta updated_comment_meta deleted_comment_meta' => fn( $ids, $id ) => $reply( get_comment( $id ), get_comment( $id )->comment_approved ),
				'transition_comment_status'            => fn( $status, $old, $comment ) => $reply( $comment, $status, $old ),
				'trashed_post_comments untrashed_post_comments' => fn( $post ) => self::change( array( 'comments' => $post ) ),
				'wp_update_comment_count'              => fn( $post, $count, $old ) => self::change( (int) $count === (int) $old ? array() : array( 'comments' => $post, 'replies' => get_post_type( $post ) ) ),
				'profile_update'                       => fn( $id, $before ) => array_diff_assoc( wp_array_slice_assoc( get_userdata( $id )->to_array(), array( 'display_name', 'user_nicename', 'user_url', 'user_email' ) ), $before->to_array() ) && $user( $id ),
				'user_register deleted_user add_user_to_blog remove_user_from_blog' => $user,
				'added_option updated_option deleted_option' => fn( $name ) => $option( self::name_option( $name ) ),
				'setted_transient deleted_transient'   => fn( $name ) => $option( self::name_option( "_transient_$name" ) ),
				'add_site_option update_site_option delete_site_option' => fn( $name ) => is_multisite() && $option( self::name_option( $name, 'network' ) ),
				'add_option update_option delete_option edit_term_taxonomy' => fn() => null, // Their statements might change nothing.
				'add_link edit_link deleted_link'      => $all,
				'switch_theme upgrader_process_complete deleted_plugin deleted_theme wp_insert_site wp_delete_site' => fn() => self::change_names( '*' ),
				'editable_extensions wp_theme_editor_filetypes' => fn() => self::$is_get || self::change_names( '*' ), // A file is edited.
				'woocommerce_product_set_stock woocommerce_variation_set_stock' => fn( $item ) => self::change_shown( $item->get_id(), array( 'meta' => 'product' ) ),
				'waygate_send'                         => fn() => self::send_changes(),
			);
			foreach ( array( 'post', 'term', 'user' ) as $of ) {
				$hooks[ "added_{$of}_meta updated_{$of}_meta deleted_{$of}_meta" ] = fn( $ids, $id, $key, $value = '' ) => self::change_meta( $of, $id, $key, $value );
			}
			self::watch( $hooks, $all );
		}
		/** Notes a change of ids, by kind of tag. */
		private static function change( array $kinds ) {
			foreach ( $kinds as $kind => $ids ) {
				self::change_names( ...array_map( fn( $id ) => self::name( $kind, $id ), array_values( (array) $ids ) ) );
			}
		}
		/** Notes a change of a post, and of what depends on it, unless no visitor sees the post. */
		private static function change_shown( $id, array $kinds ) {
			$post     = get_post( $id );
			$is_shown = $post && ! in_array( $post->post_type, self::HIDDEN_TYPES, true ) && ! in_array( $post->post_status, self::HIDDEN_STATUSES, true );
			self::change( $is_shown ? array( 'post' => $id ) + $kinds : array( 'hidden' => $post ? $post->post_type : array() ) );
		}
		/** Notes names of what has changed. In a network, a name without a blog belongs to all sites. */
		public static function change_names( string ...$names ) {
			$site   = self::find_site();
			$is_new = false;
			if ( self::is_signed_in() && ! self::$is_background && preg_grep( '/^(\d+:)?(post|title|term|terms|comments|user|blog)-/', $names ) && current_user_can( 'edit_posts' ) ) {
				$names[] = self::name( 'blog', 'ordinary' ); // What is not exact can depend on it.
			}
			foreach ( null === $site ? array() : $names as $name ) {
				foreach ( is_multisite() && ! strpos( $name, ':' ) ? array_keys( self::list_sites() ) : array( $site ) as $index ) {
					$is_new                           = $is_new || ! isset( self::$changed[ $index ][ $name ] );
					self::$changed[ $index ][ $name ] = true;
				}
				if ( self::$answered && headers_sent() ) { // It has changed once more.
					unset( self::$answered[ $name ] );
				}
			}
			$is_new && self::answer_changes();
			$age = microtime( true ) - $GLOBALS['timestart']; // A long process tells at intervals, and everything once more at its end.
			if ( self::$is_background && ! self::$is_sending && ! self::$is_open && $age > self::$next_age ) {
				self::$next_age = 2 * $age;
				self::send_changes();
			}
		}
		/** Notes what shows a post. Its previous version is null if it is new or gone. */
		private static function change_post( $post, $before = null ) {
			$versions = array_filter( array( $post, $before ) );
			$types    = array_unique( wp_list_pluck( $versions, 'post_type' ) );
			if ( array_intersect( wp_list_pluck( $versions, 'post_status' ), self::HIDDEN_STATUSES ) ) {
				self::change( array( 'hidden' => array_diff( $types, self::HIDDEN_TYPES ) ) );
			}
			if ( ! array_diff( $types, self::HIDDEN_TYPES ) || ! array_diff( wp_list_pluck( $versions, 'post_status' ), self::HIDDEN_STATUSES ) ) {
				return;
			}
			$differs = fn( $fields ) => ! $before || array_diff_assoc( wp_array_slice_assoc( (array) $post, $fields ), (array) $before );
			$titles  = array_keys( array_filter( array_diff_key( get_object_vars( $post ), array_flip( self::TEXT_FIELDS ) ), 'is_scalar' ) );
			$changed = array_fill_keys( array_keys( array_filter( self::QUERY_FIELDS, $differs ) ), $types );
			$terms   = $differs( array( 'post_status', 'post_type' ) ) ? array_merge( array(), ...array_map( 'get_object_taxonomies', $types ) ) : array();
			$names   = array( 'post' => $post->ID, 'title' => $differs( $titles ) ? $post->ID : array(), 'terms' => $terms ) + $changed;
			self::change( array_diff( $types, self::PAGE_TYPES ) ? $names : array( 'blog' => 'page' ) );
		}
		/** Notes what shows metadata, unless a page's view has counted. */
		private static function change_meta( $type, $id, $key, $value = '' ) {
			$is_own = 'user' === $type && ( preg_match( self::PREFERENCES, $key ) || ( self::$is_get && ! self::$has_nonce && get_current_user_id() === (int) $id ) );
			if ( $is_own || strpos( self::HIDDEN, " $key " ) !== false || self::is_count( self::$numbers[ "$id $key" ] ?? null, $value ) ) {
				return;
			}
			if ( ! $id && '_thumbnail_id' !== $key ) { // Of all items. Pages with a picture that is deleted have its tag.
				self::change( array( 'blog' => 'all' ) );
			} elseif ( 'post' === $type ) {
				self::change_shown( $id, array( 'meta' => get_post_type( $id ), 'title' => '_thumbnail_id' === $key ? $id : array() ) ); // Lists can have pictures.
			} else {
				self::change( array( 'term' === $type ? 'termmeta' : $type => $id ) );
			}
		}
		/** Whether the view of a page has written a count, the present time, a list or a first value: a whole number has become a little larger. */
		private static function is_count( $before, $value ): bool {
			if ( ! self::$is_get || self::$is_background || self::$has_nonce || ( is_admin() && ! wp_doing_ajax() ) ) {
				return false;
			}
			$is_step = preg_match( '/^\d+$/D', (string) $before ) && is_scalar( $value ) && preg_match( '/^\d+$/D', (string) $value ) && abs( $value - $before ) <= 100 && $value >= $before;
			$time    = is_scalar( $value ) ? ( is_numeric( $value ) ? (int) $value : (int) strtotime( (string) $value ) ) : 0;
			return $is_step || null === $before || ! is_scalar( $value ) || abs( time() - $time ) < DAY_IN_SECONDS;
		}
		/** Notes what statements of editors and processes changed in WordPress's own tables without a hook: everything. */
		private static function change_by_statements() {
			self::end_statement();
			$is_editor = ! self::$is_get && self::is_signed_in() && ! did_action( 'wp_ajax_heartbeat' );
			foreach ( self::$is_background || $is_editor ? array_keys( self::$written ) : array() as $table ) {
				if ( preg_match( '/^(?:\d+_)?((post|term|comment|option)(?:s|meta|_\w+))$/D', $table, $kind ) && isset( self::TABLES[ $kind[1] ] ) && ! isset( self::$explained[ $kind[2] ] ) ) {
					self::change( array( 'blog' => 'all' ) );
				}
			}
			self::$written = array();
		}
		/** Measures the room for one of the plugin's fields, in bytes. */
		private static function measure_room( string $field ): int {
			$others = preg_grep( "/^$field:/i", headers_list(), PREG_GREP_INVERT );
			$own    = preg_grep( '/^X-Waygate-/i', $others );
			return min( self::MAX_HEAD - strlen( implode( '  ', $others ) ), self::MAX_FIELDS - strlen( implode( '  ', $own ) ) ) - strlen( "$field: " );
		}
		/** Tells the gateway in the head of the response what has changed so far. What changes later is in a message. */
		private static function answer_changes() {
			$names = self::$changed[ self::find_site() ] ?? array();
			if ( self::$is_asked && ! headers_sent() && ( $names || ! self::$is_read ) ) {
				self::$answered = $names;
				$joined         = self::join( array_keys( $names ), self::measure_room( 'X-Waygate-Changed' ) );
				header( 'X-Waygate-Changed: ' . ( $names ? implode( ' ', $joined ) : 'none' ) );
				self::is_stranger() ? header( 'X-Waygate-Sender: stranger' ) : header_remove( 'X-Waygate-Sender' );
			}
		}
		/** Whether nobody has signed in to the request. */
		private static function is_stranger(): bool {
			return ! self::$is_background && ! self::is_signed_in();
		}
		/** Tells of what is left, and other gateways of all, after the response. That to a write of the gateway ends once the gateway knows it. */
		private static function tell() {
			self::change_by_statements();
			$site = self::find_site();
			$all  = self::$changed[ $site ] ?? array();
			$left = array_diff_key( $all, self::$answered );
			self::$changed[ $site ] = isset( self::list_sites()[ $site ]['urls'][1] ) ? $all : $left;
			if ( array_filter( self::$changed ) ) {
				$is_late = self::$is_asked && ! self::$is_read && $left;
				$is_late || array_map( 'call_user_func', array_filter( self::END_RESPONSE, 'function_exists' ) );
				self::send_changes();
				self::$changed = array();
			}
		}
		/** Sends messages of what has changed, also those that a gateway has not got. @return string[] why a gateway has not taken one */
		private static function send_changes( bool $is_test = false ): array {
			self::$is_sending = true;
			$refusals         = array();
			foreach ( self::list_sites() as $site => $settings ) {
				$names = array_keys( self::$changed[ $site ] ?? array() );
				foreach ( $settings['urls'] as $url ) {
					$refusals[] = $names || $is_test || self::read_failure( $url ) ? self::send( $site, $url, $names ) : '';
				}
			}
			self::$is_sending = false;
			return array_filter( $refusals );
		}
		/** Creates the name of the row with a failure of a gateway. There is none while messages arrive. */
		private static function name_failure( string $url ): string {
			return 'waygate_' . substr( md5( $url ), 0, 12 );
		}
		/** Reads the failure of a gateway, past what this process has read before: when it was asked, is asked again, and why it refused. */
		private static function read_failure( string $url ): array {
			$key = self::name_failure( $url );
			wp_cache_delete( $key, 'options' );
			wp_cache_delete( get_current_network_id() . ":$key", 'site-options' );
			return (array) get_site_option( $key, array() );
		}
		/** Sends a message, or notes that everything has changed for a gateway that does not answer. It is asked again after a while. */
		private static function send( int $site, string $url, array $names ): string {
			$key     = self::name_failure( $url );
			$failure = self::read_failure( $url );
			if ( $failure && $failure['until'] > time() ) {
				return self::retry( $url, $failure );
			}
			$names = $failure ? array( '*' ) : self::join( $names, self::MAX_MESSAGE );
			$body  = wp_json_encode( array( 'id' => bin2hex( random_bytes( 16 ) ), 'version' => self::VERSION, 'stranger' => ! $failure && self::is_stranger(), 'tags' => $names ) );
			// Nobody waits for the second try.
			$tries = 'cli' === PHP_SAPI || array_filter( self::END_RESPONSE, 'function_exists' ) ? self::TIMES : array( self::TIMES[0] );
			foreach ( $tries as $timeout ) {
				$start   = microtime( true );
				$time    = (string) time();
				$headers = array( 'Content-Type' => 'application/json', 'X-Waygate-Timestamp' => $time, 'X-Waygate-Signature' => 'sha256=' . self::sign( $site, "$time.$body" ) );
				$connect = fn( &$url, &$headers, &$data, &$type, &$options ) => $options['connect_timeout'] = $timeout / 3;
				add_action( 'requests-requests.before_request', $connect, 10, 5 );
				$reply = wp_remote_post( $url, array( 'redirection' => 0 ) + compact( 'timeout', 'headers', 'body' ) );
				remove_action( 'requests-requests.before_request', $connect, 10 );
				$status = (int) wp_remote_retrieve_response_code( $reply );
				if ( $status || microtime( true ) - $start < $timeout / 3 ) {
					break;
				}
			}
			if ( 2 === intdiv( $status, 100 ) ) {
				$failure && delete_site_option( $key );
				return '';
			}
			$times   = 1 + ( $failure['times'] ?? 0 );
			$until   = time() + min( self::MAX_AGE, 5 * 2 ** $times );
			$refusal = gmdate( 'c ' ) . ( $status ? "$status " . substr( wp_remote_retrieve_body( $reply ), 0, 200 ) : $reply->get_error_message() );
			$failure = compact( 'times', 'until', 'refusal' );
			update_site_option( $key, $failure );
			return self::retry( $url, $failure );
		}
		/** Lets WordPress's cron send a message again. @return string what Site Health says */
		private static function retry( string $url, array $failure ): string {
			wp_next_scheduled( 'waygate_send' ) || wp_schedule_single_event( $failure['until'] + 1, 'waygate_send' );
			return "$url has not taken a message: {$failure['refusal']}. It hears that everything has changed once it takes one.";
		}
		/** Describes the state for Site Health, by a message that nothing has changed. */
		public static function describe(): array {
			$is_silent   = null === self::find_site();
			$silence     = 'Silent, because ' . get_option( 'home' ) . ' (' . wp_get_environment_type() . ') is not the site of this file.';
			$lines       = array_merge( $is_silent ? array( $silence ) : self::send_changes( true ), self::$faults );
			$label       = $lines ? 'waygate.php cannot tell the gateway of changes' : 'waygate.php tells the gateway of changes';
			$status      = $lines ? 'recommended' : 'good';
			$description = '<p>' . implode( "</p>\n<p>", array_map( 'esc_html', array_merge( $lines, array( 'Version ' . self::VERSION ) ) ) ) . '</p>';
			return compact( 'label', 'status', 'description' ) + array( 'badge' => array( 'label' => 'Performance', 'color' => 'blue' ), 'actions' => '', 'test' => 'waygate' );
		}
		/** Prints on the dashboard that a gateway does not accept messages. */
		private static function print_notice() {
			$urls = 'index.php' === $GLOBALS['pagenow'] && current_user_can( 'manage_options' ) ? self::list_sites()[ self::find_site() ]['urls'] : array();
			foreach ( array_filter( $urls, array( __CLASS__, 'read_failure' ) ) as $url ) {
				printf( '<div class="notice notice-warning"><p>%s</p></div>', esc_html( "waygate: $url does not accept messages. See Tools, Site Health." ) );
			}
		}
		/** Runs `wp waygate purge`. @param string[] $names default: `*` */
		public static function run_purge( array $names ) {
			$names = $names ? $names : array( '*' );
			$odd   = preg_grep( '~^([\w*:.-]{1,64}|/[\x21-\x7e]{0,2000})$~D', $names, PREG_GREP_INVERT );
			$odd && WP_CLI::error( 'This is no tag (post-7), and no path (/about/): ' . implode( ', ', $odd ) );
			self::change_names( ...$names );
			$faults        = null === self::find_site() ? array( wp_strip_all_tags( self::describe()['description'] ) ) : self::send_changes();
			self::$changed = array();
			$faults ? WP_CLI::error( implode( "\n", $faults ) ) : WP_CLI::success( 'Purged what has one of these tags or paths: ' . implode( ', ', $names ) );
		}
		/** Adds "Purge this page" to the admin bar for those who can edit the page. Its link asks for the same page, which purges it. */
		private static function add_menu( $bar ) {
			$id = is_singular() ? get_queried_object_id() : 0;
			if ( is_admin() || ! current_user_can( $id ? 'edit_post' : 'edit_others_posts', $id ) ) {
				return;
			}
			$path = remove_query_arg( 'waygate_purge' );
			if ( wp_verify_nonce( sanitize_key( $_GET['waygate_purge'] ?? '' ), 'waygate_purge' ) ) {
				self::$is_read = false;
				self::change_names( $path );
			}
			$bar->add_node( array( 'id' => 'waygate', 'title' => 'Purge this page', 'href' => wp_nonce_url( $path, 'waygate_purge', 'waygate_purge' ) ) );
		}
	}
	/** An object cache that tells what is changed in it. */
	final class Waygate_Cache {
		private $cache; // That of the site.
		public function __construct( $cache ) {
			$this->cache = $cache;
		}
		public function get( $key, $group = 'default', $force = false, &$found = null ) {
			return $this->cache->get( $key, $group, $force, $found );
		}
		public function __call( $method, $arguments ) {
			preg_match( Waygate::CACHE_WRITES, $method ) && Waygate::see_cache( $method, $arguments, $this->cache );
			return $this->cache->$method( ...$arguments );
		}
		public function &__get( $name ) {
			return $this->cache->$name;
		}
		public function __set( $name, $value ) {
			$this->cache->$name = $value;
		}
		public function __isset( $name ) {
			return isset( $this->cache->$name );
		}
		public function __unset( $name ) {
			unset( $this->cache->$name );
		}
	}
	/** Purges responses: by tag such as `post-7`, by path such as `/about/`, or `*` for everything. */
	function waygate_purge( array $names ) {
		Waygate::change_names( ...$names );
	}
	Waygate::start();
	if ( defined( 'WP_CLI' ) && WP_CLI ) {
		WP_CLI::add_command( 'waygate purge', array( 'Waygate', 'run_purge' ) );
	}
endif;
