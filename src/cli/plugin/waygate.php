<?php
/**
 * Plugin Name: waygate
 * Description: Tells the gateway waygate what responses show and what has changed. Belongs into wp-content/mu-plugins.
 * Requires at least: 5.5
 * Requires PHP: 7.4
 *
 * READS. A response to a visitor's GET request through the gateway gets tags: `post-7` for a post, `list-post` for a query of posts. They
 * come from hooks, query objects and the keys of the object cache. Anything else, such as a plugin's own table, makes the response
 * ordinary: every change purges it, and it is stored for as long as a page without tags.
 * CHANGES. Hooks name the tags to purge. The response tells the gateway, or a signed message does after the response. What could not be
 * told is told later as `*`, everything. A visitor's read never sends a message.
 * The plugin is silent at a copy of the site: at another address than `homes`, or if the environment type is not `production`.
 *
 * @package waygate
 */

defined( 'ABSPATH' ) || exit;
// Can be defined in wp-config.php: a list of array( 'homes' => …, 'secret' => …, 'urls' => … ), one for each site of the gateway.
defined( 'WAYGATE_SITES' ) || define( 'WAYGATE_SITES', array() );

// A second copy of this file does nothing.
if ( ! class_exists( 'Waygate', false ) ) :

/** Tags responses, and tells of changes. */
final class Waygate {
	const MAX_FIELD = 4096, MAX_HEAD = 3900; // Bytes that servers take by default for one header field, and for all.
	const MAX_HELD = 262144; // Bytes of the response to a write that are held back until its changes are known.
	const MAX_NAMES = 1000; // With more names, everything has changed.
	const MAX_AGE = 300, CONNECT_TIME = 0.3, MESSAGE_TIME = 1; // Seconds: age of the gateway's signature; time to connect, and for a whole message.
	const INTERNAL_TYPES = array( 'revision', 'oembed_cache', 'customize_changeset', 'user_request', 'scheduled-action' ), COMMON_TYPES = array( 'custom_css', 'wp_global_styles' ); // Types that no response shows, and types that every page shows.
	const HIDDEN_STATUSES = array( 'new', 'draft', 'auto-draft', 'pending', 'future', 'private', 'trash', '0', 'hold', 'unapproved', 'spam', 'post-trashed', 'delete' ); // Statuses of posts and comments that visitors do not see.
	const QUERY_PARTS = array( 'post_content' => 'text', 'post_excerpt' => 'text', 'post_modified' => 'text', 'post_title' => 'title', 'post_author' => 'author', 'term_relationships' => 'tax', 'postmeta' => 'meta' ); // What a query of posts depends on besides the list of its type, by a word in its SQL.
	const USER_FIELDS = array( 'display_name', 'user_nicename', 'user_url', 'user_email' );
	const HIDDEN_META = array( '_edit_lock', '_edit_last', '_encloseme', '_pingme', '_wp_old_slug', '_wp_old_date', '_wp_trash_meta_status', '_wp_trash_meta_time', '_wp_trash_meta_comments_status', '_wp_desired_post_slug' );
	const HIDDEN_OPTIONS = array( 'cron', 'rewrite_rules', 'recently_edited', 'recently_activated', 'uninstall_plugins', 'can_compress_scripts', 'db_upgraded', 'fresh_site', 'user_count', 'blog_count', 'adminhash', 'new_admin_email', 'admin_email', 'admin_email_lifespan', 'auth_key', 'auth_salt', 'secure_auth_key', 'secure_auth_salt', 'logged_in_key', 'logged_in_salt', 'nonce_key', 'nonce_salt', 'auto_core_update_notified', 'auto_core_update_failed', 'auto_updater.lock', 'core_updater.lock', 'recovery_keys', 'recovery_mode_email_last_sent', 'https_detection_errors', 'theme_switched', 'auto_plugin_theme_update_emails', 'wp_force_deactivated_plugins', 'default_role', 'initial_db_version', 'finished_updating_comment_type', 'transient-doing_cron', 'transient-dirsize_cache', 'transient-is_multi_author' );
	const COMMON_OPTIONS = array( 'siteurl', 'home', 'blogname', 'blogdescription', 'blog_charset', 'blog_public', 'html_type', 'posts_per_page', 'posts_per_rss', 'rss_use_excerpt', 'show_on_front', 'page_on_front', 'page_for_posts', 'date_format', 'time_format', 'start_of_week', 'gmt_offset', 'timezone_string', 'WPLANG', 'permalink_structure', 'category_base', 'tag_base', 'template', 'stylesheet', 'template_root', 'stylesheet_root', 'current_theme', 'active_plugins', 'active_sitewide_plugins', 'site_name', 'use_smilies', 'use_balanceTags', 'thumbnail_size_w', 'thumbnail_size_h', 'thumbnail_crop', 'medium_size_w', 'medium_size_h', 'medium_large_size_w', 'medium_large_size_h', 'large_size_w', 'large_size_h', 'image_default_link_type', 'image_default_size', 'medium_crop', 'medium_large_crop', 'large_crop', 'hack_file', 'upload_path', 'upload_url_path', 'uploads_use_yearmonth_folders', 'show_avatars', 'avatar_default', 'avatar_rating', 'site_icon', 'site_logo', 'comment_registration', 'comment_order', 'comments_per_page', 'default_comments_page', 'page_comments', 'thread_comments', 'thread_comments_depth', 'close_comments_for_old_posts', 'close_comments_days_old', 'require_name_email', 'show_comments_cookies_opt_in', 'users_can_register', 'link_manager_enabled', 'db_version', 'wp_page_for_privacy_policy', 'default_category', 'default_post_format', 'default_ping_status', 'default_comment_status', 'wp_attachment_pages_enabled' ); // Options that nearly every response reads: no response is tagged with them, and a change purges everything.
	const HIDDEN_TABLES = array( 'actionscheduler_actions', 'actionscheduler_claims', 'actionscheduler_groups', 'actionscheduler_logs', 'woocommerce_sessions' ); // Tables of plugins that no response shows.
	const CACHE_GROUPS = 'posts|post_meta|post-queries|terms|term_meta|term-queries|\w+_relationships|comment|comment_meta|comment-queries|users|user_meta|user-queries|userlogins|userslugs|useremail|options|site-options|site-transient|transient|counts|timeinfo|calendar|bookmark|themes|plugins|theme_json|theme_files|sites|site-details|site-lookup|site-queries|blog-details|blog-lookup|blog-id-cache|blog_meta|networks|network-queries|global-posts|rss|image_editor|translation_files|waygate'; // Groups of the object cache that WordPress uses.
	/** How the statements begin in which WordPress reads what hooks or the object cache name. */
	const STATEMENTS = array(
		'SELECT FOUND_ROWS()', 'SELECT * FROM posts WHERE ID = ', 'SELECT posts.* FROM posts WHERE ID IN (', "SELECT * FROM posts WHERE (post_type = '", 'SELECT ID, post_name, post_parent, post_type FROM posts WHERE post_name IN (',
		'SELECT ID FROM posts WHERE post_name LIKE ', 'SELECT COUNT(*) FROM posts WHERE ( ( post_type = ', 'SELECT COUNT(*) FROM posts WHERE post_type = ', 'SELECT p.ID FROM posts AS p ',
		'SELECT post_modified_gmt FROM posts WHERE post_status = ', 'SELECT post_date_gmt FROM posts WHERE post_status = ', 'SELECT post_status, COUNT( * ) AS num_posts FROM posts', 'SELECT YEAR(post_date) AS `year`',
		'SELECT DISTINCT YEAR(post_date) AS `year`', 'SELECT DISTINCT DAYOFMONTH(post_date)', 'SELECT MONTH(post_date) AS month, YEAR(post_date)', 'SELECT * FROM users WHERE ',
		'SELECT post_id, meta_key, meta_value FROM postmeta WHERE post_id IN (', 'SELECT term_id, meta_key, meta_value FROM termmeta WHERE term_id IN (', 'SELECT user_id, meta_key, meta_value FROM usermeta WHERE user_id IN (',
		'SELECT * FROM comments WHERE comment_ID = ', 'SELECT comment_id, meta_key, meta_value FROM commentmeta WHERE comment_id IN (', 'SELECT comments.* FROM comments WHERE comment_ID IN (',
		'SELECT t.*, tt.* FROM terms AS t INNER JOIN term_taxonomy AS tt ON t.term_id = tt.term_id WHERE t.term_id ', 'SELECT comments.comment_ID FROM comments WHERE comment_post_ID = ',
		'SELECT comments.comment_ID FROM comments JOIN posts ON ', 'SELECT comment_date_gmt FROM comments WHERE comment_approved = ', 'SELECT meta_id FROM postmeta WHERE ', 'SELECT post_id FROM postmeta, posts WHERE ID = post_id AND post_type = ', 'SELECT option_name, option_value FROM options WHERE autoload ',
	);
	private static $sites = array(), $method = ''; // Index in WAYGATE_SITES by blog; null for a copy of the site. Method of the request.
	private static $is_forwarded = false, $is_read = false, $is_tagged = false; // Whether the gateway sent the request, whether it is a visitor's read, and whether its tags are sent.
	private static $tags = array(), $queries = array(), $options = array(), $reason = ''; // Tags of the response, its latest query objects, the options that it has read, and why it is ordinary.
	/** Names of what has changed, by index of the site; names of posts whose cache was cleared, and of those whose change is known. */
	private static $changed = array(), $cleared = array(), $known = array();
	private static $written = array(), $explained = array(); // Tables that statements wrote, and kinds of tables whose changes hooks have named.
	private static $send_at = 0.0, $interval = 1, $is_sending = false, $is_watching = false; // When a long process tells of its changes, and the seconds until the next time. Whether a message is being sent, and whether hooks see changes.
	public static function start() {
		add_filter( 'site_status_tests', static fn( $tests ) => array_merge_recursive( $tests, array( 'direct' => array( 'waygate' => array( 'label' => 'waygate', 'test' => array( __CLASS__, 'test_health' ) ) ) ) ) );
		$field = (string) ( $_SERVER['HTTP_X_WAYGATE_REQUEST'] ?? '' );
		unset( $_SERVER['HTTP_X_WAYGATE_REQUEST'] );
		self::$method = $_SERVER['REQUEST_METHOD'] ?? '';
		$site = self::find_site();
		if ( null === $site ) { return; }
		list( $time, $signature ) = explode( '.', "$field." );
		self::$is_forwarded       = abs( time() - (int) $time ) <= self::MAX_AGE && hash_equals( self::sign( $site, "waygate request $time" ), $signature );
		if ( self::$is_forwarded ) {
			self::$is_read = 'GET' === self::$method && ! is_admin() && ! wp_doing_cron();
			if ( self::$is_read ) {
				self::watch_reads();
			} elseif ( ! in_array( self::$method, array( 'GET', 'HEAD' ), true ) ) {
				ob_start( null, self::MAX_HELD );
			}
			add_action( 'shutdown', array( __CLASS__, 'finish_response' ), PHP_INT_MIN );
		}
		add_filter( 'query', array( __CLASS__, 'see_statement' ), PHP_INT_MIN );
		if ( ! self::$is_read ) {
			self::watch_changes();
		}
		foreach ( array( 'admin_bar_menu' => 'add_menu', 'admin_post_waygate_purge' => 'purge_page', 'admin_notices' => 'print_notice' ) as $hook => $method ) { add_action( $hook, array( __CLASS__, $method ), 100 ); }
	}
	/** Finds the site of the gateway that the current blog belongs to. @return int|null index in WAYGATE_SITES; null at a copy */
	private static function find_site() {
		$blog = get_current_blog_id();
		if ( ! array_key_exists( $blog, self::$sites ) ) {
			self::$sites[ $blog ] = null;
			$main                 = is_multisite() ? get_site( get_main_site_id() ) : null;
			// A blog without an entry of its own belongs to the main site of its network.
			foreach ( array( $main ? $main->domain . $main->path : '', (string) get_option( 'home' ) ) as $home ) {
				foreach ( 'production' === wp_get_environment_type() ? WAYGATE_SITES : array() as $index => $site ) {
					if ( in_array( self::shorten( $home ), array_map( array( __CLASS__, 'shorten' ), $site['homes'] ), true ) ) { self::$sites[ $blog ] = $index; }
				}
			}
		}
		return self::$sites[ $blog ];
	}
	private static function shorten( $url ) { return strtolower( untrailingslashit( preg_replace( '~^https?://~i', '', $url ) ) ); }
	private static function sign( $site, $text ) { return hash_hmac( 'sha256', $text, WAYGATE_SITES[ $site ]['secret'] ); }
	/** Creates the name of a tag: `post-7`, or `2:post-7` in a network. Users and network options belong to all blogs. */
	private static function name( $kind, $id, $blog = 0 ) {
		$id        = is_scalar( $id ) ? (string) $id : '';
		$id        = preg_match( '/^([A-Za-z0-9_-]{1,24}|\*)$/D', $id ) ? $id : substr( md5( $id ), 0, 10 );
		$is_shared = ! is_multisite() || in_array( $kind, array( 'user', 'users', 'usermeta', 'network' ), true );
		return ( $is_shared ? '' : ( $blog ? $blog : get_current_blog_id() ) . ':' ) . "$kind-$id";
	}
	/** Runs functions at hooks, after those of plugins. Odd arguments of a plugin must not stop a request. */
	private static function watch( array $hooks, callable $fail ) {
		foreach ( $hooks as $names => $run ) {
			foreach ( explode( ' ', $names ) as $hook ) {
				$kind    = preg_match( '/post|term|comment|user|option/', str_replace( 'profile', 'user', $hook ), $match ) ? $match[0] : '';
				$handler = static function ( $value = null, ...$more ) use ( $hook, $kind, $run, $fail ) {
					self::$explained[ $kind ] = true;
					try {
						$run( $value, ...$more );
					} catch ( Throwable $error ) {
						$fail( "{$error->getMessage()} at $hook" );
					}
					return $value;
				};
				add_filter( $hook, $handler, PHP_INT_MAX, 6 );
			}
		}
	}

	// Reads.
	private static function tag( $kind, ...$ids ) { self::$tags += array_fill_keys( array_map( static fn( $id ) => self::name( $kind, $id ), $ids ), true ); }
	/** Makes the response ordinary. The plugin is for `wp waygate status` only. */
	private static function make_ordinary( $reason ) {
		if ( '' !== self::$reason ) { return; }
		$files  = array_map( 'wp_normalize_path', array_column( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS ), 'file' ) );
		$plugin = preg_filter( '~^.*/(?:plugins|mu-plugins|themes)/(?!waygate\.php)([\w.-]+).*$~', '$1', $files );
		$reason = ( $plugin ? reset( $plugin ) : 'WordPress' ) . ": $reason";
		/** Filters why a response is ordinary, such as `notes: SELECT text FROM wp_notes`. With an empty text it is not. @param string $reason */
		self::$reason = substr( preg_replace( '/[^\x21-\x7e]+/', ' ', (string) apply_filters( 'waygate_ordinary', $reason ) ), 0, 160 );
	}
	private static function watch_reads() {
		// A response without content does not show what it depends on.
		unset( $_SERVER['HTTP_IF_NONE_MATCH'], $_SERVER['HTTP_IF_MODIFIED_SINCE'] );
		wp_cache_add_non_persistent_groups( 'waygate' );
		wp_cache_set( 'probe', 1, 'waygate' );
		$hooks = array(
			'pre_get_posts pre_get_terms pre_get_comments pre_get_users pre_get_sites' => static fn( $query ) => array_push( self::$queries, $query ) > 8 && self::read_query( array_shift( self::$queries ) ), // Early ones have ended.
			'get_comment' => static fn( $comment ) => self::tag( 'comments', $comment->comment_post_ID ),
			'get_comments_number' => static fn( $count, $post = 0 ) => self::tag( 'comments', $post ),
			'get_pages' => static fn( $pages, $query = array() ) => self::tag( 'list', $query['post_type'] ?? 'page' ) . self::tag( 'title', $query['post_type'] ?? 'page' ),
			'get_previous_post_where get_next_post_where' => static fn( $where, $same, $excluded, $taxonomy, $post ) => self::tag( 'list', $post->post_type ),
			'getarchives_where' => static fn( $where, $query = array() ) => self::tag( 'list', $query['post_type'] ?? 'post' ),
			'wp_count_posts' => static fn( $counts, $type = '*' ) => self::tag( 'list', $type ),
			'get_calendar' => static fn() => self::tag( 'list', 'post' ),
			'get_usernumposts pre_redirect_guess_404_permalink' => static fn() => self::tag( 'list', '*' ),
			'render_block' => static fn( $content, $block ) => empty( $block['attrs']['ref'] ) || self::tag( 'post', $block['attrs']['ref'] ),
			'get_user_metadata' => static fn( $value, $user, $key = '' ) => self::tag( 'usermeta', '' === $key ? $user : "{$user}_$key" ),
			'human_time_diff' => static fn() => self::make_ordinary( 'a time that passes' ),
			'pre_http_request' => static fn( $response, $request, $url ) => strpos( $url, 'doing_wp_cron' ) || self::make_ordinary( "request to $url" ),
			'rest_pre_echo_response' => static fn() => self::send_tags() || ( self::$is_watching && ob_start() ), // A read that writes tells of it at its end.
			'wp' => static fn() => get_query_var( 'sitemap' ) && ob_start(),
			'template_redirect' => static fn() => ob_start(), // After downloads, which are too large to be held back.
		);
		self::watch( $hooks, array( __CLASS__, 'make_ordinary' ) );
		add_filter( 'pre_option', array( __CLASS__, 'see_option' ), PHP_INT_MAX, 2 );
	}
	/** Sees each option that is read, often a thousand times in a request. The value is returned as it is. */
	public static function see_option( $value, $option = '' ) {
		$key = "{$GLOBALS['blog_id']}:$option";
		if ( ! isset( self::$options[ $key ] ) && ( 'sticky_posts' !== $option || ! self::is_stickiness_of_posts() ) ) {
			self::$options[ $key ] = true;
			self::read_option( $option );
		}
		return $value;
	}
	private static function read_option( $option ) {
		$option = self::normalize_option( $option );
		if ( '' !== $option && ! in_array( $option, self::COMMON_OPTIONS, true ) ) { self::tag( self::get_option_kind( $option ), $option ); }
	}
	/** Whether WordPress asks which of the shown posts are sticky, which their tags say. Queries that put sticky posts first have a tag. */
	private static function is_stickiness_of_posts() {
		foreach ( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS, 10 ) as $frame ) {
			if ( 'is_sticky' === $frame['function'] || ( 'get_posts' === $frame['function'] && 'WP_Query' === ( $frame['class'] ?? '' ) ) ) {
				return true;
			}
		}
		return false;
	}
	/** Options of widgets are read on every page, also where there is no sidebar. */
	private static function get_option_kind( $option ) { return preg_match( '/^(widget_|sidebars_widgets$)/D', $option ) ? 'widgets' : 'option'; }
	/** Returns the name of an option, `transient-…` for that of a transient, or an empty text for one that no response shows. */
	private static function normalize_option( $option ) {
		$option = preg_replace( '/^_transient_(?!timeout_)/', 'transient-', (string) $option );
		// WordPress computes the children of terms by itself.
		$is_hidden = in_array( $option, self::HIDDEN_OPTIONS, true ) || ( '_children' === substr( $option, -9 ) && taxonomy_exists( substr( $option, 0, -9 ) ) );
		return $is_hidden || preg_match( '/^(_transient_timeout_|_site_transient_|waygate_|transient-(global_styles|feed_|dash_))/', $option ) ? '' : $option;
	}
	/** Returns the name of a table of WordPress without its prefix; an empty text for that of a plugin, also if wpdb lists it. */
	private static function get_table( $table ) { $name = self::strip_prefix( $table ); return property_exists( 'wpdb', $name ) && in_array( $name, $GLOBALS['wpdb']->tables( 'all', false ), true ) ? $name : ''; }
	private static function strip_prefix( $table ) { return preg_replace( '/^' . preg_quote( $GLOBALS['wpdb']->base_prefix, '/' ) . '(\d+_)?/', '', $table ); }
	/** Sees a statement before the database does: its first words, and the names of tables in it. It is returned as it is. */
	public static function see_statement( $sql ) {
		$statement = preg_replace( '/\s+/', ' ', trim( substr( $sql, 0, 4000 ) ) );
		$verb      = strtoupper( (string) strtok( $statement, ' ' ) );
		if ( self::$is_sending || in_array( $verb, array( 'SHOW', 'SET', 'DESCRIBE', 'DESC', 'EXPLAIN', 'START', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'CREATE', 'LOCK', 'UNLOCK' ), true ) ) { return $sql; }
		preg_match_all( '/(?<![\'"\w])' . preg_quote( $GLOBALS['wpdb']->base_prefix, '/' ) . '\w+/', $statement, $tables );
		$tables = array_unique( $tables[0] );
		if ( 'SELECT' !== $verb && ! self::$is_watching ) {
			self::watch_changes(); // Most reads write nothing. Hooks that name a change follow its statement.
		}
		if ( 'SELECT' !== $verb ) { self::$written[ $tables ? reset( $tables ) : 'a table without prefix' ] = true; }
		if ( self::$is_read && '' === self::$reason && in_array( $verb, array( 'SELECT', 'WITH', '/*' ), true ) && ! self::is_explained( $sql, $statement, $tables ) ) { self::make_ordinary( $statement ); }
		return $sql;
	}
	/** Whether WordPress itself reads, and what it reads is named by other means. */
	private static function is_explained( $sql, $statement, array $tables ) {
		$names = array_map( array( __CLASS__, 'get_table' ), $tables );
		if ( in_array( '', $names, true ) ) { return false; }
		foreach ( self::$queries as $query ) {
			if ( isset( $query->request ) && $query->request === $sql ) { return true; }
		}
		$plain = str_replace( $tables, $names, $statement );
		foreach ( self::STATEMENTS as $beginning ) {
			if ( strpos( $plain, $beginning ) === 0 ) { return true; }
		}
		if ( preg_match( "/^SELECT (option_name, )?option_value FROM options WHERE option_name (= '|IN \\()/", $plain ) && preg_match_all( "/'([^']*)'/", $plain, $options ) ) {
			array_map( array( __CLASS__, 'read_option' ), $options[1] );
			return strpos( $plain, '"' ) === false;
		}
		return is_multisite() && $names && ! array_diff( $names, $GLOBALS['wpdb']->ms_global_tables );
	}
	/** Tags the response with what a query object of WordPress found, and with what would change its result. */
	private static function read_query( $query ) {
		$vars = (array) $query->query_vars;
		if ( $query instanceof WP_User_Query ) { self::tag( 'users', '*' ); }
		if ( $query instanceof WP_Query ) { self::read_posts( $query, $vars ); }
		if ( $query instanceof WP_Term_Query ) {
			self::tag( $vars['object_ids'] ? 'post' : 'terms', ...( $vars['object_ids'] ? (array) $vars['object_ids'] : ( (array) $vars['taxonomy'] ?: array( '*' ) ) ) );
		} elseif ( $query instanceof WP_Comment_Query ) {
			// Replies belong to the post of their comment, which was read before.
			$posts = array_filter( array_merge( array( $vars['post_id'] ), (array) $vars['post__in'] ) );
			self::tag( 'comments', ...( $posts || $vars['parent'] ? array_values( $posts ) : array( '*' ) ) );
		}
	}
	private static function read_posts( WP_Query $query, array $vars ) {
		foreach ( (array) $query->posts as $post ) {
			self::tag( 'post', $post->ID ?? $post );
		}
		if ( $query->is_comment_feed() ) { self::tag( 'comments', $query->is_singular() ? $query->get_queried_object_id() : '*' ); }
		if ( array_diff( wp_parse_list( $vars['post_status'] ?? '' ), array( '', 'publish', 'inherit' ) ) ) { self::make_ordinary( 'a query of posts that are not published' ); }
		if ( $query->is_home() && empty( $vars['ignore_sticky_posts'] ) ) {
			self::tag( 'option', 'sticky_posts' );
		}
		$ids   = array_filter( array_merge( (array) $vars['post__in'], array( $vars['p'], $vars['page_id'], $vars['attachment_id'] ) ) );
		$slugs = array_filter( array_merge( (array) $vars['post_name__in'], array( $vars['name'], basename( $vars['pagename'] ), $vars['attachment'] ) ) );
		if ( ( $ids || $slugs ) && ! $query->is_posts_page ) { self::tag( $ids ? 'post' : 'slug', ...array_values( $ids ? $ids : $slugs ) ); return; }
		$request = ' ' . preg_replace( '/^.*? FROM /s', '', (string) $query->request );
		foreach ( (array) ( $vars['post_type'] ? $vars['post_type'] : ( $query->is_tax() || $query->is_search() ? 'any' : 'post' ) ) as $type ) {
			foreach ( array_merge( array( ' ' => 'list' ), self::QUERY_PARTS ) as $word => $kind ) {
				if ( strpos( $request, $word ) !== false ) { self::tag( $kind, 'any' === $type ? '*' : $type ); }
			}
		}
		if ( strpos( $request, 'comment_count' ) !== false ) { self::tag( 'comments', '*' ); }
	}
	/** Tags the response with the items that the object cache holds in this request. What is not understood makes it ordinary. */
	private static function read_object_cache() {
		$cache = (array) ( $GLOBALS['wp_object_cache']->cache ?? array() );
		if ( isset( $cache['waygate'] ) ) {
			foreach ( $cache as $group => $items ) {
				foreach ( (array) $items as $key => $_ ) {
					self::read_object( "$group:$key" );
				}
			}
			return;
		}
		// Some drop-ins have one array with keys such as `wp:posts:7`.
		$is_found = false;
		foreach ( $cache as $key => $_ ) {
			$is_found = 'waygate' === self::read_object( (string) $key ) || $is_found;
		}
		if ( ! $is_found ) {
			self::make_ordinary( 'an object cache that cannot be read' );
		}
	}
	/** Tags the response with an item of the object cache. @return string its group */
	private static function read_object( $key ) {
		if ( ! preg_match( '/(?:^|:)(?:(\d+):)?(' . self::CACHE_GROUPS . '):(?:(\d+):)?(.*)$/D', $key, $match ) ) {
			if ( wp_using_ext_object_cache() && substr( $key, -17 ) !== 'is_blog_installed' ) {
				self::make_ordinary( "object cache $key" );
			}
			return '';
		}
		list( , $before, $group, $after, $id ) = $match;
		$kinds                                 = array( 'posts' => 'post', 'post_meta' => 'post', 'terms' => 'term', 'term_meta' => 'term', 'users' => 'user' );
		if ( 'transient' === $group ) {
			self::read_option( "_transient_$id" );
		} elseif ( 'site-options' === $group && is_multisite() && '' !== self::normalize_option( $id ) && ! in_array( $id, self::COMMON_OPTIONS, true ) ) {
			self::tag( 'network', $id );
		} elseif ( is_numeric( $id ) && ( isset( $kinds[ $group ] ) || '_relationships' === substr( $group, -14 ) ) ) {
			self::$tags[ self::name( $kinds[ $group ] ?? 'post', $id, (int) ( '' !== $after ? $after : $before ) ) ] = true;
		}
		return $group;
	}
	/** Sends the tags when everything was read and nothing is sent. */
	public static function send_tags() {
		if ( self::$is_tagged || headers_sent() || is_user_logged_in() ) { return; }
		self::$is_tagged = true;
		array_map( array( __CLASS__, 'read_query' ), self::$queries );
		self::read_object_cache();
		foreach ( explode( '/', trim( (string) strtok( $_SERVER['REQUEST_URI'] ?? '', '?' ), '/' ) ) as $slug ) { '' === $slug || self::tag( 'slug', sanitize_title_for_query( rawurldecode( $slug ) ) ); }
		if ( version_compare( $GLOBALS['wp_version'], '6.1-alpha', '<' ) ) { self::tag( 'option', '*' ); }
		self::tag( 'blog', 'all' );
		$names = array_keys( self::$tags );
		/** Filters the tags of a response. @param string[] $names */
		$names = (array) apply_filters( 'waygate_tags', did_action( 'dynamic_sidebar' ) ? $names : preg_grep( '/^(\d+:)?widgets-/', $names, PREG_GREP_INVERT ) );
		$field = self::fold( $names );
		if ( defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE ) {
			$field = 'no-store';
		} elseif ( '' !== self::$reason || '' === $field ) {
			$field = 'ordinary';
			header( 'X-Waygate-Ordinary: ' . ( '' === self::$reason ? 'too many tags' : self::$reason ) );
		}
		header( "X-Waygate-Tags: $field" );
	}
	/** Joins tags. The largest kinds become `kind-*` until they fit. */
	private static function fold( array $tags ) {
		$kinds = array();
		foreach ( $tags as $tag ) { $kinds[ strstr( $tag, '-', true ) ][] = $tag; }
		$sizes = array_map( static fn( $names ) => strlen( implode( ' ', $names ) ) + 1, $kinds );
		while ( array_sum( $sizes ) > self::count_room() ) {
			arsort( $sizes );
			$kind = key( $sizes );
			if ( array( "$kind-*" ) === $kinds[ $kind ] ) { return ''; }
			$kinds[ $kind ] = array( "$kind-*" );
			$sizes[ $kind ] = strlen( $kind ) + 3;
		}
		return implode( ' ', array_merge( array(), ...array_values( $kinds ) ) );
	}
	/** Counts the bytes that are left for a field. */
	private static function count_room() { return min( self::MAX_FIELD, self::MAX_HEAD - strlen( implode( '  ', headers_list() ) ) ); }

	// Changes.
	private static function watch_changes() {
		self::$is_watching = true;
		$term              = static fn( $id, $_, $taxonomy ) => self::change_term( get_term( $id, $taxonomy ) );
		$user  = static fn( $id ) => self::change( self::name( 'user', $id ), self::name( 'users', $id ) );
		$hooks = array(
			'post_updated attachment_updated' => static fn( $id, $post, $before ) => self::change_post( $post, $before ),
			'add_attachment' => static fn( $id ) => self::change_post( get_post( $id ) ),
			'deleted_post' => static fn( $id, $post ) => self::change_post( $post ),
			'transition_post_status' => static fn( $status, $old, $post ) => self::change_post( $post, (object) ( array( 'post_status' => $old ) + get_object_vars( $post ) ) ),
			'post_stuck post_unstuck' => static fn( $id ) => self::change( self::name( 'post', $id ) ),
			'clean_post_cache' => static fn( $id, $post ) => self::$cleared[ self::name( 'post', $id ) ] = self::name( 'list', $post->post_type ),
			'clean_attachment_cache' => static fn( $id ) => self::$cleared[ self::name( 'post', $id ) ] = self::name( 'list', 'attachment' ),
			'set_object_terms' => static fn( $id, $terms, $new, $taxonomy, $append, $old ) => self::change_terms_of( $id, $taxonomy, array_merge( array_diff( $new, $old ), $append ? array() : array_diff( $old, $new ) ) ),
			'deleted_term_relationships' => static fn( $id, $terms, $taxonomy ) => self::change_terms_of( $id, $taxonomy, $terms ),
			'created_term edited_term' => $term,
			'delete_term' => static fn( $id, $_, $taxonomy, $deleted, $posts ) => self::change_term( $deleted, $posts ),
			'wp_insert_comment deleted_comment' => static fn( $id, $comment ) => self::change_comment( $comment, $comment->comment_approved ),
			'edit_comment' => static fn( $id ) => self::change_comment( get_comment( $id ), get_comment( $id )->comment_approved ),
			'transition_comment_status' => static fn( $status, $old, $comment ) => self::change_comment( $comment, $status, $old ),
			'trashed_post_comments untrashed_post_comments' => static fn( $post ) => self::change( self::name( 'comments', $post ) ),
			'wp_update_comment_count' => static fn( $post, $new, $old ) => ( self::$known[ self::name( 'post', $post ) ] = true ) && (int) $new !== (int) $old && self::change( self::name( 'comments', $post ) ),
			'profile_update' => static fn( $id, $before ) => array_diff_assoc( wp_array_slice_assoc( get_userdata( $id )->to_array(), self::USER_FIELDS ), $before->to_array() ) && $user( $id ),
			'user_register deleted_user add_user_to_blog remove_user_from_blog' => $user,
			'add_option update_option delete_option edit_term_taxonomy' => static fn() => null, // Before statements that might change nothing.
			'added_option updated_option deleted_option' => static fn( $option ) => self::change_option( $option ),
			'setted_transient deleted_transient' => static fn( $transient ) => self::change_option( "_transient_$transient" ),
			'add_site_option update_site_option delete_site_option' => static fn( $option ) => ! is_multisite() || self::change_option( $option, true ),
			'switch_theme upgrader_process_complete add_link edit_link deleted_link' => static fn() => self::change_all(),
			'wp_insert_site wp_delete_site' => static fn() => self::change( '*' ),
			'woocommerce_product_set_stock woocommerce_variation_set_stock' => static fn( $product ) => self::change_meta( 'post', $product->get_id(), '_stock_status' ),
			'waygate_send' => static fn() => self::send_untold(),
			'shutdown' => static fn() => register_shutdown_function( array( __CLASS__, 'tell' ) ), // After what plugins do at the end of the request.
		);
		foreach ( array( 'post', 'term', 'user', 'comment' ) as $type ) {
			$hooks[ "added_{$type}_meta updated_{$type}_meta deleted_{$type}_meta" ] = static fn( $_, $id, $key, $value = '' ) => self::change_meta( $type, $id, $key, $value );
		}
		self::watch( $hooks, static fn() => self::change_all() );
	}
	/** Notes names of what has changed. In a network, a name without a blog belongs to all sites. */
	public static function change( ...$names ) {
		$site = self::find_site();
		if ( null === $site ) { return; }
		// A long process tells at intervals, and everything once more at its end.
		self::$send_at = self::$send_at ? self::$send_at : microtime( true ) + self::$interval;
		if ( self::is_background() && ! self::$is_sending && microtime( true ) > self::$send_at ) {
			self::$interval *= 2;
			self::$send_at   = microtime( true ) + self::$interval;
			self::send_changes();
		}
		foreach ( $names as $name ) {
			foreach ( is_multisite() && strpos( $name, ':' ) === false ? array_keys( WAYGATE_SITES ) : array( $site ) as $index ) { self::$changed[ $index ][ $name ] = true; }
		}
	}
	private static function change_all() { self::change( self::name( 'blog', 'all' ) ); }
	private static function is_background() { return 'cli' === PHP_SAPI || wp_doing_cron(); }
	/** Names what shows a post. @param object|null $before its previous version; null if it is new or gone */
	private static function change_post( $post, $before = null ) {
		self::$known[ self::name( 'post', $post->ID ) ] = true;
		$statuses = array( $post->post_status, $before->post_status ?? 'new' );
		if ( in_array( $post->post_type, self::INTERNAL_TYPES, true ) || ! array_diff( $statuses, self::HIDDEN_STATUSES ) ) { return; }
		if ( in_array( $post->post_type, self::COMMON_TYPES, true ) ) { self::change_all(); }
		$kinds = array();
		$parts = array( 'list' => 'post_status post_type post_parent menu_order post_date', 'slug' => 'post_name', 'text' => 'post_content post_excerpt post_title', 'title' => 'post_title', 'author' => 'post_author' );
		foreach ( $parts as $kind => $fields ) {
			foreach ( explode( ' ', $fields ) as $field ) { $kinds[ $kind ] = ! empty( $kinds[ $kind ] ) || null === $before || (string) $post->$field !== (string) $before->$field; }
		}
		self::change( self::name( 'post', $post->ID ) );
		$kinds['slug'] = $kinds['slug'] || $kinds['list'];
		foreach ( array_filter( array( $post, $before ) ) as $version ) {
			foreach ( array_keys( array_filter( $kinds ) ) as $kind ) { self::change( self::name( $kind, 'slug' === $kind ? str_replace( '__trashed', '', $version->post_name ) : $version->post_type ) ); }
			// Terms count their posts.
			foreach ( $kinds['list'] ? get_object_taxonomies( $version->post_type ) : array() as $taxonomy ) { self::change( self::name( 'terms', $taxonomy ) ); }
		}
	}
	private static function is_hidden( $post ) { return ! $post || in_array( $post->post_type, self::INTERNAL_TYPES, true ) || in_array( $post->post_status, self::HIDDEN_STATUSES, true ); }
	private static function change_terms_of( $id, $taxonomy, array $changed ) {
		if ( ! $changed || self::is_hidden( get_post( $id ) ) ) { return; }
		self::change( self::name( 'post', $id ), self::name( 'tax', get_post_type( $id ) ), self::name( 'terms', $taxonomy ) );
	}
	private static function change_term( $term, array $posts = array() ) {
		self::change( self::name( 'term', $term->term_id ), self::name( 'terms', $term->taxonomy ), self::name( 'slug', $term->slug ) );
		foreach ( $posts as $post ) { self::change( self::name( 'post', $post ) ); }
	}
	private static function change_comment( $comment, ...$statuses ) {
		if ( array_diff( $statuses, self::HIDDEN_STATUSES ) ) { self::change( self::name( 'comments', $comment->comment_post_ID ) ); }
	}
	/** Names what shows metadata. What a read writes, and numbers that a visitor writes, are counters. */
	private static function change_meta( $type, $id, $key, $value = '' ) {
		if ( self::$is_read || in_array( $key, self::HIDDEN_META, true ) || ( is_numeric( $value ) && ! self::is_background() && ! is_user_logged_in() ) ) { return; }
		if ( ! $id ) { return '_thumbnail_id' === $key || self::change_all(); } // Of all items. Pages with a picture that is deleted have its tag.
		if ( 'user' === $type ) { return self::change( self::name( 'usermeta', $id ), self::name( 'usermeta', "{$id}_$key" ) ); }
		if ( 'term' === $type ) { return self::change( self::name( 'term', $id ) ); }
		if ( 'comment' === $type ) { return self::change_comment( get_comment( $id ), get_comment( $id )->comment_approved ); }
		if ( ! self::is_hidden( get_post( $id ) ) ) { self::change( self::name( 'post', $id ), self::name( 'meta', get_post_type( $id ) ) ); }
	}
	private static function change_option( $option, $is_network = false ) {
		$name = self::normalize_option( $option );
		if ( in_array( $name, self::COMMON_OPTIONS, true ) ) { return self::change( $is_network ? '*' : self::name( 'blog', 'all' ) ); }
		if ( '' !== $name && ! self::$is_read ) { self::change( self::name( $is_network ? 'network' : self::get_option_kind( $name ), $name ) ); }
	}
	/** Names what statements changed that no hook explains: a table of WordPress is everything, and that of a plugin what is ordinary. */
	private static function change_by_statements() {
		foreach ( array_diff_key( self::$cleared, self::$known ) as $post => $list ) { self::change( $post, $list ); }
		// The gateway sees the writes of visitors, and what a read writes is a counter.
		$is_heartbeat = wp_doing_ajax() && 'heartbeat' === ( $_REQUEST['action'] ?? '' );
		if ( self::is_background() || ( 'GET' !== self::$method && is_user_logged_in() && ! $is_heartbeat ) ) {
			foreach ( array_keys( self::$written ) as $table ) {
				if ( preg_match( '/^(post|term|comment|option)/', self::get_table( $table ), $kind ) ) {
					isset( self::$explained[ $kind[0] ] ) || self::change_all();
				} elseif ( '' === self::get_table( $table ) && ! in_array( self::strip_prefix( $table ), self::HIDDEN_TABLES, true ) ) {
					self::change( self::name( 'blog', 'ordinary' ) );
				}
			}
		}
		self::$cleared = self::$written = array();
	}

	// Telling.
	/** Tells the gateway in the response what it shows and what has changed, before it is sent. */
	public static function finish_response() {
		$heads = array( 'wp_footer', 'embed_footer', 'rss2_head', 'rss_head', 'atom_head', 'rdf_header', 'commentsrss2_head', 'comments_atom_head' );
		if ( headers_sent() ) { return; }
		// Otherwise a plugin ended the request early, and it is not known what it read.
		if ( self::$is_read && ( array_filter( array_map( 'did_action', $heads ) ) || get_query_var( 'sitemap' ) || ( did_action( 'template_redirect' ) && 301 === http_response_code() ) ) && http_response_code() < 500 ) {
			self::send_tags();
		} elseif ( self::$is_read && ! self::$is_tagged && defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE ) {
			header( 'X-Waygate-Tags: no-store' );
		}
		self::change_by_statements();
		$site  = self::find_site();
		$field = implode( ' ', array_keys( self::$changed[ $site ] ?? array() ) );
		if ( strlen( $field ) > self::count_room() ) { $field = ! self::$is_read && self::send_changes() ? '' : '*'; }
		if ( '' !== $field || ! self::$is_read ) { header( 'X-Waygate-Changed: ' . ( '' === $field ? 'none' : $field ) ); }
		if ( '' === $field || 1 === count( WAYGATE_SITES[ $site ]['urls'] ) ) { unset( self::$changed[ $site ] ); }
	}
	/** Tells of what is left, after the response. @return bool whether every gateway knows it */
	public static function tell() {
		self::change_by_statements();
		foreach ( self::$changed ? array( 'fastcgi_finish_request', 'litespeed_finish_request' ) : array() as $finish ) {
			if ( function_exists( $finish ) ) { $finish(); }
		}
		return self::send_changes( true );
	}
	private static function send_changes( $is_end = false ) {
		$is_told = true;
		foreach ( self::$changed as $site => $names ) {
			foreach ( WAYGATE_SITES[ $site ]['urls'] as $url ) { $is_told = self::send( $site, $url, count( $names ) > self::MAX_NAMES ? array( '*' ) : array_keys( $names ) ) && $is_told; }
		}
		if ( $is_end ) { self::$changed = array(); }
		return $is_told;
	}
	/** Tells each gateway everything that has not heard of a change. */
	private static function send_untold() {
		foreach ( WAYGATE_SITES as $site => $settings ) {
			foreach ( $settings['urls'] as $url ) { get_site_option( self::get_key( $url ) . '_untold' ) && self::send( $site, $url, array( '*' ) ); }
		}
	}
	private static function get_key( $url ) { return 'waygate_' . substr( md5( $url ), 0, 12 ); }
	/** Reads what is known of a gateway, past what this process has read before. */
	private static function read_state( $url ) {
		wp_cache_delete( self::get_key( $url ), 'options' );
		wp_cache_delete( get_current_network_id() . ':' . self::get_key( $url ), 'site-options' );
		return (array) get_site_option( self::get_key( $url ), array() ) + array( 'until' => 0, 'failures' => 0, 'told' => 0, 'refusal' => '' );
	}
	/** Sends a message. One process at a time does, and none for a while after a failure. @return bool whether the gateway accepted it */
	private static function send( $site, $url, array $names ) {
		self::$is_sending = true;
		$key              = self::get_key( $url );
		$state            = self::read_state( $url );
		for ( $tries = 0; $tries < 6 && ! self::$is_read && ! $state['failures'] && $state['until'] > microtime( true ); $tries++ ) { usleep( 50000 ); $state = self::read_state( $url ); }
		$is_told = ! self::$is_read && $state['until'] <= microtime( true );
		if ( $is_told ) {
			update_site_option( $key, array( 'until' => microtime( true ) + self::MESSAGE_TIME + 1 ) + $state );
			if ( get_site_option( "{$key}_untold" ) && delete_site_option( "{$key}_untold" ) ) { $names = array( '*' ); }
			$error   = self::post( $site, $url, $names );
			$is_told = '' === $error;
			$failed  = $is_told ? 0 : $state['failures'] + 1;
			$changed = array( 'until' => $failed ? time() + min( self::MAX_AGE, 5 * 2 ** $failed ) : 0, 'failures' => $failed ) + ( $is_told ? array( 'told' => time() ) : array( 'refusal' => gmdate( 'c' ) . " $error" ) );
			update_site_option( $key, $changed + $state );
		}
		if ( ! $is_told ) {
			update_site_option( "{$key}_untold", time() );
			if ( ! wp_next_scheduled( 'waygate_send' ) ) { wp_schedule_single_event( time() + 30, 'waygate_send' ); }
		}
		self::$is_sending = false;
		return $is_told;
	}
	/** @return string why the gateway has not accepted the message; empty if it has */
	private static function post( $site, $url, array $names ) {
		$connect = static function ( &$url, &$headers, &$data, &$type, &$options ) { $options['connect_timeout'] = self::CONNECT_TIME; };
		add_action( 'requests-requests.before_request', $connect, 10, 5 );
		$time     = (string) time();
		$body     = wp_json_encode( array( 'id' => bin2hex( random_bytes( 16 ) ), 'tags' => $names ) );
		$headers  = array( 'Content-Type' => 'application/json', 'X-Waygate-Timestamp' => $time, 'X-Waygate-Signature' => 'sha256=' . self::sign( $site, "$time.$body" ) );
		$response = wp_remote_post( $url, array( 'timeout' => self::MESSAGE_TIME, 'redirection' => 0, 'headers' => $headers, 'body' => $body ) );
		remove_action( 'requests-requests.before_request', $connect, 10 );
		$status = (int) wp_remote_retrieve_response_code( $response );
		return $status >= 200 && $status < 300 ? '' : ( is_wp_error( $response ) ? $response->get_error_message() : $status . ' ' . substr( wp_remote_retrieve_body( $response ), 0, 200 ) );
	}

	// For people.
	/** Describes the state, and asks the site for a page as the gateway does. @return string[] */
	public static function describe( $path = '/' ) {
		$site = self::find_site();
		if ( null === $site ) { return array( 'problem' => 'Silent, because ' . get_option( 'home' ) . ' (' . wp_get_environment_type() . ') is not the site that this file is for.' ); }
		$lines = array();
		foreach ( WAYGATE_SITES[ $site ]['urls'] as $url ) {
			$state   = self::read_state( $url );
			$lines[] = "$url: last message " . ( $state['told'] ? gmdate( 'c', $state['told'] ) : 'never' ) . ', last refusal ' . ( $state['refusal'] ? $state['refusal'] : 'never' );
			if ( get_site_option( self::get_key( $url ) . '_untold' ) ) { $lines['problem'] = "$url has not heard of a change, and hears that everything has changed as soon as it accepts a message."; }
		}
		$time     = time();
		$response = wp_remote_get( home_url( $path ), array( 'headers' => array( 'X-Waygate-Request' => "$time." . self::sign( $site, "waygate request $time" ) ) ) );
		$tags     = wp_remote_retrieve_header( $response, 'x-waygate-tags' );
		$lines[]  = "$path: " . ( $tags ? $tags : 'no tags' ) . ' ' . wp_remote_retrieve_header( $response, 'x-waygate-ordinary' );
		return $lines;
	}
	public static function test_health() {
		$lines       = self::describe();
		$is_good     = ! isset( $lines['problem'] );
		$description = '<p>' . implode( '</p><p>', array_map( 'esc_html', $lines ) ) . '</p>';
		$label       = $is_good ? 'waygate.php tells the gateway of changes' : 'waygate.php cannot tell the gateway of changes';
		$badge       = array( 'label' => 'Performance', 'color' => 'blue' );
		return compact( 'label', 'badge', 'description' ) + array( 'status' => $is_good ? 'good' : 'recommended', 'actions' => '', 'test' => 'waygate' );
	}
	public static function print_notice() {
		foreach ( 'index.php' === $GLOBALS['pagenow'] && current_user_can( 'manage_options' ) ? WAYGATE_SITES[ self::find_site() ]['urls'] : array() as $url ) {
			if ( self::read_state( $url )['failures'] ) { printf( '<div class="notice notice-warning"><p>%s</p></div>', esc_html( "waygate: $url does not accept messages. See Tools, Site Health." ) ); }
		}
	}
	public static function add_menu( $bar ) {
		$id = is_singular() ? get_queried_object_id() : 0;
		if ( ! is_admin() && current_user_can( $id ? 'edit_post' : 'edit_others_posts', $id ) ) {
			$url = add_query_arg( array( 'action' => 'waygate_purge', 'id' => $id, 'path' => rawurlencode( $_SERVER['REQUEST_URI'] ) ), admin_url( 'admin-post.php' ) );
			$bar->add_node( array( 'id' => 'waygate', 'title' => 'Purge this page', 'href' => wp_nonce_url( $url, 'waygate' ) ) );
		}
	}
	public static function purge_page() {
		check_admin_referer( 'waygate' );
		$id   = absint( $_GET['id'] ?? 0 );
		$path = wp_unslash( $_GET['path'] ?? '/' );
		if ( ! current_user_can( $id ? 'edit_post' : 'edit_others_posts', $id ) || ! preg_match( '~^/(?!/)[\x21-\x7e]*$~D', $path ) ) { wp_die( '', '', 403 ); }
		self::change( $path );
		wp_safe_redirect( $path );
		exit;
	}
}

/** Purges responses: by tag such as `post-7`, by path such as `/about/`, or `*` for everything. @param string[] $names */
function waygate_purge( $names ) { Waygate::change( ...$names ); }

Waygate::start();
if ( defined( 'WP_CLI' ) && WP_CLI ) {
	WP_CLI::add_command( 'waygate status', static fn( $arguments ) => array_map( array( 'WP_CLI', 'log' ), Waygate::describe( $arguments[0] ?? '/' ) ) );
	WP_CLI::add_command( 'waygate purge', static fn( $arguments ) => waygate_purge( $arguments ? $arguments : array( '*' ) ) );
}

endif;
