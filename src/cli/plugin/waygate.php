<?php
/**
 * Plugin Name: waygate
 * Description: Tells the gateway waygate what each response was made of, and what has changed. Copy this file to wp-content/mu-plugins.
 *
 * READS. A response to a GET request of the gateway gets `X-Waygate-Tags`: what WordPress has loaded for it. Lists come from the SQL of
 * the request (filter `query`), items from the object cache, options and metadata from their filters. A response depends on the content,
 * excerpt or modification time of a post only if a template function has read it or the response contains its text.
 *
 * WRITES. The hooks of WordPress name what has changed. Statements of plugins on tables of their own name the table; statements of
 * plugins on tables of WordPress name the row, or everything. The names are sent with the response (`X-Waygate-Changed`), or by a signed
 * message after it. Each batch of names is an option until all gateways have acknowledged it.
 *
 * NOT SEEN: writes to the database by other programs; what a theme computes of the comment count or the text of a post without template
 * functions (a reading time); data that a plugin keeps in a persistent object cache under groups of its own, in transients or in files;
 * other sites' data; the time.
 *
 * PHP 7.4 to 8.4. WordPress 5.5 or later; options are tracked by name from 6.1.
 */
defined('ABSPATH') || exit;
defined('WAYGATE_SECRET') || define('WAYGATE_SECRET', '');
defined('WAYGATE_URLS') || define('WAYGATE_URLS', []);

final class Waygate
{
    /** Header fields of more bytes are rejected by gateways, and all fields together by nginx in its default configuration. */
    const MAX_FIELD = 4096;
    const MAX_HEAD = 3900;
    /** Responses with more bytes are not held back, so they have no tags. */
    const MAX_BODY = 8388608;
    const MAX_MESSAGE_TAGS = 5000;
    /** Bytes of a term that is searched for, and of a changed text, whose parts are named. */
    const MAX_TERM = 20;
    const MAX_CHANGED_TEXT = 150;
    /** With more batches that wait, everything counts as changed. */
    const MAX_BATCHES = 100;
    /** Seconds for which a client may wait for messages; for messages after the response; after which an unfinished batch counts as lost. */
    const MAX_WAIT = 0.035;
    const MAX_WAIT_AFTER = 3;
    const MAX_OPEN = 120;

    /** Tables of WordPress whose rows have names of their own. */
    const TABLES = ['posts', 'comments', 'terms', 'term_taxonomy', 'term_relationships', 'users', 'postmeta', 'termmeta', 'commentmeta', 'usermeta', 'options'];
    const HIDDEN_STATUSES = ['new', 'draft', 'auto-draft', 'pending', 'future', 'trash'];
    const HIDDEN_COMMENTS = ['0', 'hold', 'unapproved', 'spam', 'trash', 'post-trashed', 'delete', 'new'];
    /** Types whose posts no response shows. */
    const INTERNAL_TYPES = ['revision', 'oembed_cache', 'customize_changeset', 'user_request', 'scheduled-action'];
    /** Functions of WordPress that write posts or comments without a hook for each. */
    const WITHOUT_HOOKS = ['set_post_type', 'wp_media_attach_action', 'attach_uploads', 'wp_delete_user', 'remove_user_from_blog', 'wp_comments_personal_data_eraser'];
    /** Tables of plugins that no response shows: jobs of Action Scheduler. */
    const INTERNAL_TABLES = '/^actionscheduler_/';
    /** Metadata that WordPress reads with most posts. It counts as a part of the post. */
    const POST_META = '/^(_thumbnail_id|_wp_attached_file|_wp_attachment_(metadata|image_alt)|_wp_page_template|_menu_item_\w+)$/D';
    /** Options that no response shows. */
    const HARMLESS_OPTIONS = '/^(_transient_(timeout_|doing_cron$|global_styles|dirsize_cache|feed_|dash_|wp_)|_site_transient_|waygate_|auto_core_update|auto_updater|recently_|recovery_|https_detection|theme_switched|(auth|secure_auth|logged_in|nonce)_(key|salt)$|(cron|rewrite_rules|can_compress_scripts|db_upgraded|fresh_site|user_count|adminhash|new_admin_email|admin_email_lifespan|finished_\w+|uninstall_plugins)$)|_lock$/D';
    /** Options that all responses count as reading. */
    const COMMON_OPTIONS = '/^(siteurl|home|blog\w+|users_can_register|admin_email|start_of_week|use_\w+|require_name_email|comments?_\w+|posts_per_\w+|rss_\w+|mailserver_\w+|default_\w+|date_format|time_format|links_\w+|moderation_\w+|permalink_structure|active_plugins|active_sitewide_plugins|category_base|tag_base|ping_sites|gmt_offset|timezone_string|template\w*|stylesheet\w*|html_type|db_version|initial_db_version|upload\w*|show_\w+|avatar\w*|thumbnail_\w+|medium_\w+|large_\w+|image_\w+|close_comments_\w+|thread_comments\w*|page_\w+|link_manager_enabled|site_icon|site_logo|wp_page_for_privacy_policy|disallowed_keys|hack_file|WPLANG|\w*user_roles|theme_mods_.*|widget_.*|sidebars_widgets|current_theme|wp_force_deactivated_plugins|auto_\w+|wp_attachment_pages_enabled|(site_)?nonce_\w+)$/D';

    /** Whether the request comes from a gateway with the secret; whether its response gets tags. */
    private static $isForwarded = false;
    private static $isRead = false;
    /** Names of the response's tags. What the request has read: posts by field; options and metadata by name. */
    private static $tags = [];
    private static $shown = ['content' => [], 'excerpt' => [], 'modified' => []];
    private static $isModifiedShown = false;
    private static $isTimeShown = false;
    private static $options = [];
    private static $meta = [];

    /** Names of what has changed and was not recorded as complete; row and time of its batch. */
    private static $changed = [];
    private static $batch = '';
    private static $changedAt = 0.0;
    /** Whether there are complete batches to send; seconds that remain for sending. */
    private static $isPending = false;
    private static $wait = self::MAX_WAIT;
    private static $isInTransaction = false;
    private static $isOwnQuery = false;
    /** What changed items were: terms by id, counts by term_taxonomy_id. */
    private static $terms = [];
    private static $counts = [];
    /** Values of transients that were deleted. WordPress deletes one that has expired, and the same value is often stored again. */
    private static $deleted = [];

    public static function start()
    {
        if (WAYGATE_SECRET === '' || wp_installing()) return;
        $field = $_SERVER['HTTP_X_WAYGATE_REQUEST'] ?? '';
        self::$isForwarded = is_string($field) && hash_equals(hash_hmac('sha256', 'waygate request', WAYGATE_SECRET), $field);
        if (self::$isForwarded) {
            ob_start([__CLASS__, 'finish'], self::MAX_BODY);
            self::$isRead = ($_SERVER['REQUEST_METHOD'] ?? '') === 'GET' && !is_admin() && !wp_doing_cron();
            if (self::$isRead) self::watchReads();
        }
        self::watchWrites();
    }

    // ---------------------------------------------------------------- names

    /** Creates the name of an item. Its kind ends at the first `-`. `*` is any item of the kind. */
    private static function name($kind, $id, $blog = null)
    {
        $id = is_scalar($id) ? (string) $id : '';
        if (!preg_match('/^([A-Za-z0-9_-]{1,36}|\*)$/D', $id)) $id = md5($id);
        if (is_multisite() && strpos($kind, 'user') !== 0) $kind = ($blog ?: get_current_blog_id()) . ':' . $kind;
        return "$kind-$id";
    }

    private static function tag($kind, $id, $blog = null)
    {
        self::$tags[self::name($kind, $id, $blog)] = true;
    }

    // ---------------------------------------------------------------- reads

    private static function watchReads()
    {
        // A response without a body says nothing of what it depends on. WordPress compares with less than what feeds show.
        unset($_SERVER['HTTP_IF_NONE_MATCH'], $_SERVER['HTTP_IF_MODIFIED_SINCE']);
        foreach (['post', 'term', 'user', 'comment'] as $type) {
            add_filter("get_{$type}_metadata", function ($value, $id, $key) use ($type) {
                if (is_scalar($id) && is_string($key)) self::$meta[is_multisite() ? get_current_blog_id() : 0][$type][$id][$key] = true;
                return $value;
            }, PHP_INT_MIN, 3);
        }
        add_filter('pre_option', function ($value, $name) {
            if (is_string($name)) self::$options[is_multisite() ? get_current_blog_id() : 0][$name] = true;
            return $value;
        }, PHP_INT_MIN, 2);
        // Posts that a search server has found need no SQL.
        add_filter('posts_pre_query', function ($posts, $query = null) {
            if (is_array($posts) && $query instanceof WP_Query) self::readSql((string) $query->request);
            foreach (is_array($posts) ? $posts : [] as $post) if (isset($post->ID)) self::tag('post.any', $post->ID);
            return $posts;
        }, PHP_INT_MAX, 2);
        add_filter('get_the_excerpt', function ($excerpt, $post = null) {
            // Without an excerpt WordPress makes one of the content.
            if ($post instanceof WP_Post) self::show(trim($post->post_excerpt) === '' ? ['excerpt', 'content'] : ['excerpt'], $post->ID);
            return $excerpt;
        }, PHP_INT_MIN, 2);
        add_filter('the_content', function ($content) {
            if (isset($GLOBALS['post']->ID)) self::show(['content'], $GLOBALS['post']->ID);
            return $content;
        }, PHP_INT_MIN);
        // Templates decide by `has_excerpt()`, which has no hook.
        add_action('the_post', function ($post, $query = null) {
            if (!$post instanceof WP_Post || !$query instanceof WP_Query || !$query->is_main_query()) return;
            foreach (['content', 'excerpt'] as $field) if (trim($post->{"post_$field"}) === '') self::show([$field], $post->ID);
        }, 10, 2);
        add_filter('get_comments_number', function ($count, $id = 0) {
            self::tag('comments', $id);
            return $count;
        }, PHP_INT_MIN, 2);
        add_filter('get_post_modified_time', function ($time) {
            self::$isModifiedShown = true;
            return $time;
        });
        add_filter('get_feed_build_date', function ($time, $format = '') {
            // In RSS it is the time at which the content of the feed has changed last, whatever else of its posts was edited since.
            if ($format === 'r') return $time;
            foreach ((array) ($GLOBALS['wp_query']->posts ?? []) as $post) if (isset($post->ID)) self::show(['modified'], $post->ID);
            return $time;
        }, 10, 2);
        add_filter('human_time_diff', function ($since) {
            self::$isTimeShown = true;
            return $since;
        });
        if (wp_using_ext_object_cache() && is_object($GLOBALS['wp_object_cache'] ?? null)) {
            $GLOBALS['wp_object_cache'] = new Waygate_Object_Cache($GLOBALS['wp_object_cache']);
        }
        if (!wp_using_ext_object_cache()) wp_cache_set('probe', 1, 'waygate');
        wp_cache_get('probe', 'waygate');
    }

    private static function show(array $fields, $id)
    {
        foreach ($fields as $field) self::$shown[$field][self::name('post', $id)] = true;
    }

    /** Reads from a `SELECT` what the response depends on, besides the rows that WordPress keeps in its object cache. */
    private static function readSql($sql)
    {
        global $wpdb;
        // The time of the last change is a header field of feeds, and a validator that the gateway does not use.
        if (preg_match('/^\s*SELECT (post_modified|post_date|comment_date)_gmt\s+FROM/', $sql) && self::isCalledBy('send_headers')) return;
        $statement = preg_replace("/'[^'\\\\]*+(?:\\\\.[^'\\\\]*+)*+'/s", "''", $sql);
        preg_match_all('/\b' . preg_quote($wpdb->base_prefix, '/') . '(?:(\d+)_)?(\w+)/', $statement, $found, PREG_SET_ORDER);
        $tables = [];
        foreach ($found as $match) $tables[$match[2]] = (int) $match[1] ?: (is_multisite() ? get_main_site_id() : 0);
        foreach ($tables as $table => $blog) {
            switch ($table) {
                case 'posts':
                    self::readPosts($sql, $blog);
                    break;
                case 'comments':
                    $ids = self::readValues('/\bcomment_post_ID`?\s*(?:=|IN)\s*/i', $sql);
                    // Replies are at the post of the comment, which was read.
                    $parents = self::readValues('/\bcomment_parent`?\s*(?:=|IN)\s*/i', $sql);
                    if ((self::isById($sql, 'comment_ID') && self::isCalledBy('get_instance', '_prime_comment_caches')) || ($parents && !in_array('0', $parents, true))) break;
                    foreach ($ids ?: ['*'] as $id) self::tag('comments', $id, $blog);
                    break;
                case 'terms':
                case 'term_taxonomy':
                    $ids = self::readValues('/\bobject_id`?\s*(?:=|IN)\s*/i', $sql);
                    foreach ($ids as $id) self::tag('post', $id, $blog);
                    if (self::isById($sql, 'term_id')) {
                        foreach (self::readValues('/\bterm_id`?\s*(?:=|IN)\s*/i', $sql) as $id) self::tag('term', $id, $blog);
                        if (stripos($sql, 'description') !== false) self::tag('term.description', '*', $blog);
                    } elseif (!$ids) {
                        $kind = preg_match('/\b(slug|name)`?\s*(=|IN)/i', $sql) && stripos($sql, 'count') === false ? 'terms.slugs' : 'terms';
                        foreach (self::readValues('/\btaxonomy`?\s*(?:=|IN)\s*/i', $sql) ?: ['*'] as $taxonomy) self::tag($kind, $taxonomy, $blog);
                    }
                    break;
                case 'term_relationships':
                    if (count($tables) === 1 && !self::readValues('/\bobject_id`?\s*(?:=|IN)\s*/i', $sql)) self::tag('terms', '*', $blog);
                    break;
                case 'users':
                    if (!self::isById($sql, 'ID')) self::tag('users', '*');
                    else foreach (self::readValues('/\bID`?\s*(?:=|IN)\s*/i', $sql) as $id) self::tag('user', $id);
                    break;
                case 'postmeta':
                case 'termmeta':
                case 'commentmeta':
                case 'usermeta':
                    // WordPress reads all metadata of an item at once; filters see what is used of it.
                    if (preg_match('/^\s*SELECT \w+_id, meta_key, meta_value FROM \S+ WHERE \w+_id IN \([\d,]+\) ORDER BY/', $sql)) break;
                    foreach (self::readValues('/\bmeta_key`?\s*(?:=|IN)\s*/i', $sql) ?: ['*'] as $key) self::tag($table, $key, $blog);
                    break;
                case 'options':
                    foreach (self::readValues('/\boption_name`?\s*=\s*/i', $sql) as $name) self::$options[$blog][$name] = true;
                    if (!preg_match('/WHERE (autoload|option_name\s*(=|IN|LIKE \'(waygate|\\\\?_(site\\\\?_)?transient)))/i', $sql)) self::tag('option', '*', $blog);
                    break;
                case 'sitemeta':
                case 'blogs':
                case 'blogmeta':
                case 'site':
                    break;
                default:
                    if (!preg_match(self::INTERNAL_TABLES, $table)) self::tag('table', $table, $blog);
            }
        }
    }

    private static function readPosts($sql, $blog)
    {
        $fields = self::listRowFields($sql);
        // A condition on the number or the slug of the only table: nothing else can be selected.
        if (!preg_match('/\s(OR|JOIN)\s|,\s*`?\w+posts\b/i', $sql) && preg_match_all('/\bSELECT\b/i', $sql) === 1) {
            foreach (['ID' => 'post', 'post_name' => 'name'] as $column => $kind) {
                $values = self::readValues("/(?<![\\w.])(?:\\w+\\.)?`?$column`?\\s*(?:=|IN)\\s*/i", $sql);
                foreach ($values as $value) self::tag($kind, $value, $blog);
                foreach (array_diff($fields, ['title']) && $kind === 'post' ? $values : [] as $value) self::tag('post.any', $value, $blog);
                if ($values && (!$fields || $kind === 'post')) return;
            }
        }
        $kinds = ['posts'];
        $rest = preg_replace_callback("/\\bpost_(?:content|excerpt)`? (?:NOT )?LIKE '%([a-z0-9](?:[a-z0-9 ]*[a-z0-9])?)%'/i", function ($match) use ($blog) {
            if (strlen($match[1]) < 3 || strlen($match[1]) > self::MAX_TERM) return $match[0];
            self::tag('posts.text', str_replace(' ', '_', strtolower(substr($match[1], 0, 3))), $blog);
            self::tag('posts.texts', 'all', $blog);
            return '';
        }, $sql) ?? $sql;
        foreach (['content', 'excerpt', 'title', 'modified'] as $field) if (in_array($field, $fields, true) || stripos($rest, "post_$field") !== false) $kinds[] = "posts.$field";
        if (stripos($sql, 'post_status') === false || preg_match("/'(draft|auto-draft|pending|future|trash)'/", $sql)) $kinds[] = 'posts.hidden';
        if (stripos($sql, 'comment_count') !== false) self::tag('comments', '*', $blog);
        foreach (self::readValues('/\bpost_type`?\s*(?:=|IN)\s*/i', $sql) ?: ['*'] as $type) {
            foreach ($kinds as $kind) self::tag($kind, $type, $blog);
        }
    }

    /** Lists the fields of posts that a `SELECT` reads into rows that WordPress does not keep in its object cache. */
    private static function listRowFields($sql)
    {
        $columns = preg_split('/\sFROM\s/i', $sql, 2)[0];
        $fields = ['content', 'excerpt', 'title', 'modified'];
        if (!preg_match('/[\s,.]\*\s*(,|$)/D', $columns)) return array_filter($fields, fn ($field) => stripos($columns, "post_$field") !== false);
        $isDatabase = false;
        foreach (debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT | DEBUG_BACKTRACE_IGNORE_ARGS, 20) as $frame) {
            $object = $frame['object'] ?? null;
            if ($object instanceof wpdb) $isDatabase = true;
            elseif (!$isDatabase) continue;
            elseif ($object instanceof WP_Query) return empty($object->query_vars['cache_results']) ? $fields : [];
            else return in_array($frame['function'], ['get_instance', '_prime_post_caches', 'get_pages'], true) ? [] : $fields;
        }
        return $isDatabase ? $fields : [];
    }

    /** Lists the literals after the operator of a condition: `= 5`, `= 'a'`, `IN ('a', 'b')`. */
    private static function readValues($condition, $sql)
    {
        $literal = "(?:'(?:[^'\\\\]|\\\\.)*'|\\d+)";
        $pattern = substr($condition, 0, strrpos($condition, '/')) . "($literal|\\(\\s*$literal(?:\\s*,\\s*$literal)*\\s*\\))/i";
        if (!preg_match_all($pattern, $sql, $found)) return [];
        preg_match_all("/$literal/", implode(' ', $found[1]), $literals);
        return array_map(fn ($value) => stripslashes(trim($value, "'")), array_unique($literals[0]));
    }

    /** Whether a `SELECT` of one table reads rows by their numbers alone. The object cache has them. */
    private static function isById($sql, $column)
    {
        return (bool) preg_match("/\\bWHERE\\s+(?:\\w+\\.)?`?$column`?\\s*(=\\s*'?\\d+'?|IN\\s*\\([\\d\\s,']*\\))\\s*(LIMIT \\d+)?\\s*$/i", $sql);
    }

    private static function isCalledBy(...$functions)
    {
        foreach (debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 20) as $frame) if (in_array($frame['function'], $functions, true)) return true;
        return false;
    }

    /** Reads what a query of WordPress depends on whose result a persistent object cache has kept, so that no SQL was sent. */
    public static function readCachedQuery($group)
    {
        foreach (debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT, 12) as $frame) {
            if ($frame['function'] === 'send_headers') return;
            if ($frame['function'] === 'get_page_by_path' && is_string($frame['args'][0] ?? null)) {
                foreach (explode('/', trim($frame['args'][0], '/')) as $slug) self::tag('name', sanitize_title_for_query($slug));
                return;
            }
            $query = $frame['object'] ?? null;
            if (!$query instanceof WP_Query && !$query instanceof WP_Term_Query) continue;
            if (is_string($query->request) && $query->request !== '') {
                self::readSql($query->request);
                return;
            }
        }
        $kinds = ['posts', 'posts.title', 'posts.hidden'];
        if ($group === 'timeinfo') $kinds = ['posts.modified'];
        foreach (['comment' => 'comments', 'term' => 'terms', 'user' => 'users'] as $start => $kind) if (strpos($group, $start) === 0) $kinds = [$kind];
        foreach ($kinds as $kind) self::tag($kind, '*');
    }

    /** Receives the response. Its head is sent after this, unless parts of the response were sent before. */
    public static function finish($body, $phase)
    {
        // What a plugin clears is not sent.
        if (headers_sent() || ($phase & PHP_OUTPUT_HANDLER_CLEAN) || !self::$isForwarded) return $body;
        try {
            $sequence = self::readSequence();
            self::changeDeleted();
            if (self::$changed) {
                $names = implode(' ', array_keys(self::$changed));
                if (isset(self::$changed['*']) || strlen($names) > self::countRoom()) $names = '*';
                $sequence = self::record(count(WAYGATE_URLS) === 1);
                header("X-Waygate-Changed: $names");
            }
            header('X-Waygate-Sequence: ' . self::readInstance() . ".$sequence");
            // Before the end of the request, a part is sent and more may be read.
            $tags = $phase & PHP_OUTPUT_HANDLER_FINAL && did_action('shutdown') ? self::listTags((string) $body) : null;
            if ($tags !== null) header("X-Waygate-Tags: $tags");
        } catch (\Throwable $error) {
            error_log("waygate: {$error->getMessage()}");
        }
        return $body;
    }

    /** Lists the tags of the response, or returns null if it may depend on more than the tags say. */
    private static function listTags($body)
    {
        if (!self::$isRead || self::$isTimeShown || http_response_code() >= 500) return null;
        if (function_exists('is_user_logged_in') && is_user_logged_in()) return null;
        // A plugin has compressed the body, so that its text cannot be searched.
        if (stripos(implode("\n", headers_list()), 'content-encoding:') !== false) return null;
        $cache = $GLOBALS['wp_object_cache'] ?? null;
        $groups = isset($cache->cache) || method_exists($cache, '__get') ? $cache->cache : null;
        // The cache was cleared, or is not the one of WordPress.
        if (!isset($groups['waygate'])) return null;
        self::tagItems($groups, $body);
        self::tagMeta();
        if (!self::$options) self::tag('option', '*');
        foreach (self::$options as $blog => $names) {
            foreach ($names as $name => $_) {
                if (!self::isHarmless($name) && !preg_match(self::COMMON_OPTIONS, $name)) self::$tags[self::name('option', $name, $blog)] = self::groupOption($name, $blog) ?? true;
            }
        }
        return self::fold(self::countRoom());
    }

    /** Counts the bytes that a field may have. */
    private static function countRoom()
    {
        return min(self::MAX_FIELD, self::MAX_HEAD - strlen(implode('  ', headers_list())));
    }

    /** Tags the items in the object cache. */
    private static function tagItems(array $groups, $body)
    {
        $texts = null;
        $own = function_exists('get_queried_object_id') && isset($GLOBALS['wp_query']) ? (int) get_queried_object_id() : 0;
        $isMarkup = stripos(implode("\n", headers_list()), 'content-type: text/html') !== false;
        foreach (['posts' => 'post', 'terms' => 'term', 'users' => 'user', 'comment' => 'comments'] as $group => $kind) {
            foreach ((array) ($groups[$group] ?? []) as $key => $item) {
                if (!preg_match('/^(?:(\d+):)?(\d+)$/D', (string) $key, $match) || !is_object($item)) continue;
                $blog = (int) $match[1];
                $id = $match[2];
                if ($kind === 'comments') $id = $item->comment_post_ID ?? '*';
                self::tag($kind, $id, $blog);
                if ($kind === 'term' && ($item->description ?? '') !== '') {
                    $texts = $texts ?? self::listTexts($body);
                    if (self::contains($texts, $item->description) !== false) self::tag('term.description', $id, $blog);
                } elseif ($kind === 'term' && isset($GLOBALS['wp_query']) && (is_tax() || is_category() || is_tag() || defined('REST_REQUEST'))) {
                    self::tag('term.description', $id, $blog);
                }
                if ($kind !== 'post') continue;
                $type = $item->post_type ?? '';
                if ($type === '' || !post_type_exists($type) || !is_post_type_viewable($type)) {
                    self::tag('post.any', $id, $blog);
                    continue;
                }
                $texts = $texts ?? self::listTexts($body);
                $name = self::name('post', $id, $blog);
                foreach (['content', 'excerpt'] as $field) {
                    $isShown = isset(self::$shown[$field][$name]);
                    if (!$isShown) {
                        $isContained = self::contains($texts, (string) ($item->{"post_$field"} ?? ''));
                        $isShown = $isContained ?? (int) $id === $own;
                    }
                    if ($isShown) self::tag("post.$field", $id, $blog);
                }
                if (self::$isModifiedShown || isset(self::$shown['modified'][$name]) || self::containsTime($body, $item, $isMarkup)) self::tag('post.modified', $id, $blog);
            }
        }
    }

    private static function containsTime($body, $post, $isMarkup)
    {
        foreach (['', '_gmt'] as $zone) {
            $time = (string) ($post->{"post_modified$zone"} ?? '');
            // A page shows the date of a post. It may be that of its modification.
            if ($isMarkup && $time === ($post->{"post_date$zone"} ?? '')) continue;
            if ($time !== '' && (strpos($body, $time) !== false || strpos($body, str_replace(' ', 'T', $time)) !== false)) return true;
        }
        return false;
    }

    private static function tagMeta()
    {
        foreach (self::$meta as $blog => $types) {
            foreach ($types as $type => $items) {
                foreach ($items as $id => $keys) {
                    foreach ($keys as $key => $_) {
                        if ($type === 'post' && preg_match(self::POST_META, $key)) self::tag('post', $id, $blog);
                        elseif ($key === '') self::tag("$type.metas", $id, $blog);
                        else self::tag("$type.meta", "{$id}_$key", $blog);
                    }
                }
            }
        }
    }

    /** Returns the letters and digits of a response, without and with those of its tags. */
    private static function listTexts($body)
    {
        // Pages have scripts with JSON.
        $body = preg_replace_callback('/(?:\\\\u[0-9a-f]{4})+/i', function ($match) {
            return (string) json_decode("\"$match[0]\"");
        }, $body) ?? $body;
        if (preg_match('/^\s*[\[{]/', $body)) {
            $body = str_replace(['\\n', '\\r', '\\t', '\\'], [' ', ' ', ' ', ''], $body);
        }
        $body = str_replace(['<![CDATA[', ']]>'], '', $body);
        return [self::reduce(strip_tags($body)), self::reduce($body)];
    }

    private static function reduce($text)
    {
        $text = html_entity_decode($text, ENT_QUOTES | ENT_HTML5, 'UTF-8');
        // Without punctuation of Unicode: WordPress replaces quotation marks and dashes.
        return preg_replace('/(?:[^A-Za-z0-9\x80-\xff]++|\xe2[\x80\x81].|\xc2[\xa0-\xbf])++/s', '', $text);
    }

    /** Whether a response contains the beginning, a part of the middle or the end of a text; null if the text is too short to tell. */
    private static function contains(array $texts, $value)
    {
        // The limits of PHP's regular expressions were exceeded.
        if (!isset($texts[0], $texts[1])) return true;
        $length = strlen($value);
        $parts = $length < 6000 ? [$value] : [substr($value, 0, 2000), substr($value, $length >> 1, 2000), substr($value, -2000)];
        $isLong = false;
        foreach ($parts as $index => $part) {
            if ($index > 0) $part = preg_replace('/^[^<>]*>/', '', $part);
            if (strpos($part, '[') !== false) $part = strip_shortcodes($part);
            $part = (string) self::reduce(strip_tags($part));
            $size = strlen($part);
            if ($size < 4) continue;
            $isLong = true;
            foreach ([0, ($size - 16) >> 1, $size - 16] as $at) {
                $piece = substr($part, max(0, $at), 16);
                // Attributes, such as descriptions in metadata, have the beginning.
                if (strpos($texts[0], $piece) !== false || ($at <= 0 && $index === 0 && strpos($texts[1], $piece) !== false)) return true;
                if ($size <= 16) break;
            }
        }
        return $isLong ? false : null;
    }

    /** Joins the tags. The largest kinds become `kind-*` until they fit. */
    private static function fold($limit)
    {
        $kinds = [];
        foreach (self::$tags as $tag => $_) $kinds[strstr($tag, '-', true)][] = $tag;
        foreach ($kinds as $kind => $tags) if (in_array("$kind-*", $tags, true)) $kinds[$kind] = ["$kind-*"];
        $sizes = array_map(fn ($tags) => strlen(implode(' ', $tags)) + 1, $kinds);
        while (array_sum($sizes) > $limit) {
            arsort($sizes);
            $kind = key($sizes);
            if ($kinds[$kind] === ["$kind-*"]) return null;
            // First the options of a plugin become one.
            $groups = array_filter(array_map(fn ($tag) => self::$tags[$tag] ?? true, $kinds[$kind]), 'is_string');
            if ($groups) $kinds["{$kind}s"] = array_keys(array_flip($groups));
            $kinds[$kind] = $groups ? array_diff_key($kinds[$kind], $groups) : ["$kind-*"];
            foreach ([$kind, "{$kind}s"] as $changed) if (isset($kinds[$changed])) $sizes[$changed] = strlen(implode(' ', $kinds[$changed])) + 1;
        }
        // What depends on nothing but the common options is tagged too.
        return implode(' ', array_merge([], ...array_values($kinds))) ?: 'none';
    }

    /** Names the options that begin as one does. Transients are written too often to be one of several. */
    private static function groupOption($name, $blog = null)
    {
        return strpos($name, '_transient_') !== 0 && preg_match('/^_?[A-Za-z0-9]+/', $name, $match) ? self::name('options', $match[0], $blog) : null;
    }

    // ---------------------------------------------------------------- writes

    private static function watchWrites()
    {
        add_filter('query', [__CLASS__, 'onQuery'], PHP_INT_MAX);
        $hooks = [
            'post_updated' => fn ($id, $after = null, $before = null) => self::changePost($after, $before),
            'attachment_updated' => fn ($id, $after = null, $before = null) => self::changePost($after, $before),
            'save_post' => fn ($id, $post = null, $isUpdate = true) => $isUpdate || self::changePost($post, null),
            'add_attachment' => fn ($id) => self::changePost(get_post($id), null),
            'transition_post_status' => [__CLASS__, 'changeStatus'],
            'deleted_post' => fn ($id, $post = null) => self::changePost(null, $post),
            'set_object_terms' => function ($id, $terms = [], $new = [], $taxonomy = '', $append = false, $old = []) {
                [$new, $old] = [array_map('intval', (array) $new), array_map('intval', (array) $old)];
                if (array_diff($new, $old) || (!$append && array_diff($old, $new))) self::changeTermsOf($id, $taxonomy);
            },
            'deleted_term_relationships' => fn ($id, $terms = [], $taxonomy = '') => self::changeTermsOf($id, $taxonomy),
            'edit_terms' => fn ($id, $taxonomy = '') => self::$terms[$id] = clone get_term($id, $taxonomy),
            'created_term' => fn ($id, $_ = 0, $taxonomy = '') => self::changeTerm($id, $taxonomy),
            'edited_term' => [__CLASS__, 'compareTerm'],
            'delete_term' => function ($id, $_ = 0, $taxonomy = '', $term = null, $objects = []) {
                self::changeTerm($id, $taxonomy);
                foreach ((array) $objects as $object) self::changeTermsOf($object, $taxonomy);
            },
            'edit_term_taxonomy' => fn ($id) => self::$counts[$id] = self::readCount($id),
            // Runs after each update of a post, too.
            'edited_term_taxonomy' => function ($id, $taxonomy = '') {
                $now = self::readCount($id);
                if (!$now || $now !== (self::$counts[$id] ?? null)) self::change(self::name('term', $now[0] ?? 0), self::name('terms', $taxonomy));
            },
            'wp_insert_comment' => fn ($id, $comment = null) => self::changeComment($comment, $comment->comment_approved ?? '1'),
            'transition_comment_status' => fn ($new, $old = '', $comment = null) => self::changeComment($comment, $new, $old),
            'edit_comment' => fn ($id) => self::changeComment(get_comment($id), get_comment($id)->comment_approved ?? '1'),
            'deleted_comment' => fn ($id, $comment = null) => self::changeComment($comment, $comment->comment_approved ?? '1'),
            'wp_update_comment_count' => fn ($id, $new = 0, $old = 0) => (int) $new === (int) $old || self::change(self::name('comments', $id)),
            'profile_update' => function ($id, $before = null) {
                $secret = ['user_pass' => 1, 'user_activation_key' => 1, 'user_status' => 1];
                if (array_diff_key((array) (get_userdata($id)->data ?? []), $secret) != array_diff_key((array) ($before->data ?? []), $secret)) self::changeUser($id);
            },
        ];
        foreach (['trashed', 'untrashed'] as $verb) $hooks["{$verb}_post_comments"] = fn ($id) => self::change(self::name('comments', $id));
        foreach (['user_register', 'deleted_user', 'remove_user_from_blog', 'add_user_to_blog'] as $hook) $hooks[$hook] = fn ($id) => self::changeUser($id);
        $hooks += [
            // Runs after each publication, too.
            'wp_update_site' => fn ($after, $before = null) => ['last_updated' => 0] + (array) $after == ['last_updated' => 0] + (array) $before || self::change('*'),
            'added_option' => fn ($name, $value = null) => self::changeOption($name, $value),
            'updated_option' => fn ($name) => self::changeOption($name),
            'delete_option' => fn ($name) => strpos($name, '_transient_') !== 0 || self::isHarmless($name) || self::$deleted[self::name('option', $name)] = [get_option($name)],
            'deleted_option' => fn ($name) => isset(self::$deleted[self::name('option', $name)]) || self::changeOption($name),
        ];
        foreach (['add_site_option', 'update_site_option', 'delete_site_option'] as $hook) {
            $hooks[$hook] = fn ($name) => !is_multisite() || self::isHarmless($name) || preg_match('/_count$/D', $name) || self::change('*');
        }
        foreach (['switch_theme', 'upgrader_process_complete', 'wp_insert_site', 'wp_delete_site'] as $hook) $hooks[$hook] = fn () => self::change('*');
        foreach (['post', 'term', 'user', 'comment'] as $type) {
            foreach (['added', 'updated', 'deleted'] as $verb) $hooks["{$verb}_{$type}_meta"] = fn ($_, $id = 0, $key = '') => self::changeMeta($type, $id, $key);
        }
        // Later than what plugins do with the same hook. Odd arguments of plugins must not stop a request.
        foreach ($hooks as $hook => $run) {
            add_action($hook, function (...$args) use ($run) {
                try {
                    $run(...$args);
                } catch (\Throwable $error) {
                    self::change('*');
                }
            }, PHP_INT_MAX, 6);
        }
        add_action('shutdown', function () {
            self::send();
            // What plugins run later than WordPress's own end, past the response, changes something too.
            register_shutdown_function(function () {
                if (self::$changed) self::send();
            });
        }, PHP_INT_MAX);
        add_action('waygate_send', function () {
            self::$isPending = true;
        });
    }

    private static function change(...$names)
    {
        foreach ($names as $name) self::$changed[$name] = true;
        if (self::$changedAt === 0.0) self::$changedAt = microtime(true);
        // If the process is killed, the batch says that everything has changed.
        if (self::$batch || self::$isOwnQuery || !WAYGATE_URLS) return;
        self::$batch = 'waygate_batch_open_' . bin2hex(random_bytes(8));
        self::write(self::$batch, ['open' => time(), 'tags' => ['*']]);
    }

    public static function changeStatus($new, $old = '', $post = null)
    {
        if ($new === $old) return;
        $before = clone $post;
        $before->post_status = $old;
        self::changePost($post, $before);
    }

    private static function changePost($after, $before)
    {
        $post = $after instanceof WP_Post ? $after : $before;
        if (!$post instanceof WP_Post) return self::change('*');
        if (in_array($post->post_type, self::INTERNAL_TYPES, true)) return null;
        $fields = [];
        foreach (get_object_vars($post) as $field => $_) {
            if (!$after || !$before || (string) ($after->$field ?? '') !== (string) ($before->$field ?? '')) $fields[$field] = true;
        }
        unset($fields['filter'], $fields['pinged'], $fields['to_ping'], $fields['comment_count'], $fields['ancestors'], $fields['page_template'], $fields['post_category'], $fields['tags_input']);
        unset($fields['post_modified_gmt'], $fields['post_date_gmt']);
        if (!$fields) return null;
        $isHidden = true;
        $types = [];
        $names = [self::name('post.any', $post->ID)];
        foreach ([$after, $before] as $version) {
            if (!$version) continue;
            $types[$version->post_type] = true;
            $isHidden = $isHidden && in_array($version->post_status, self::HIDDEN_STATUSES, true);
        }
        $shown = [];
        foreach (['content', 'excerpt', 'title', 'modified'] as $field) {
            if (!isset($fields["post_$field"])) continue;
            $shown[] = "posts.$field";
            if ($after && $before && in_array($field, ['content', 'excerpt'], true)) {
                $parts = self::listChangedText($before->{"post_$field"}, $after->{"post_$field"});
                if ($parts === null) $names[] = self::name('posts.texts', 'all');
                foreach ($parts ?? [] as $part) $names[] = self::name('posts.text', $part);
            }
            if ($field !== 'title') $names[] = self::name("post.$field", $post->ID);
            if ($field !== 'title') unset($fields["post_$field"]);
        }
        if ($fields) $names[] = self::name('post', $post->ID);
        unset($fields['post_title']);
        // Anything else may decide which lists the post is in.
        if ($fields) {
            $shown[] = 'posts';
            foreach ([$after, $before] as $version) if ($version && $version->post_name !== '') $names[] = self::name('name', $version->post_name);
            // The old slug of a post in the trash.
            if ($before && $after) foreach ([$after, $before] as $version) $names[] = self::name('name', str_replace('__trashed', '', $version->post_name));
        }
        foreach ($types as $type => $_) foreach ($isHidden ? ['posts.hidden'] : $shown as $kind) $names[] = self::name($kind, $type);
        if (!$isHidden && in_array('posts', $shown, true)) foreach ($types as $type => $_) $names[] = self::name('posts.hidden', $type);
        return self::change(...$names);
    }

    /**
     * Lists the beginnings, three characters each, of the terms whose searches an edit may change, or returns null if these may be
     * any. Both texts have the same occurrences of a term but those that reach into what differs.
     */
    private static function listChangedText($before, $after)
    {
        [$before, $after] = [strtolower((string) $before), strtolower((string) $after)];
        $shorter = min(strlen($before), strlen($after));
        $same = strspn($before ^ $after, "\0");
        $sameEnd = min($shorter - $same, strspn(strrev($before) ^ strrev($after), "\0"));
        $parts = [];
        foreach ([$before, $after] as $text) {
            // A character has four bytes at most.
            $from = max(0, $same - 4 * self::MAX_TERM);
            $text = substr($text, $from, strlen($text) - $sameEnd + 2 - $from);
            // The database takes é for e, and the spaces of Unicode for a space. Its quotation marks and dashes are in no term.
            $text = preg_replace('/\xe2\x80[\x90-\x9f\xa2\xa6\xb9\xba]|\xc2[\xa1-\xa7\xa9\xab-\xae\xb0\xb1\xb6\xb7\xbb\xbf]/', '-', $text);
            if (strlen($text) > self::MAX_CHANGED_TEXT || preg_match('/[\x80-\xff]/', $text)) return null;
            for ($at = 0; $at + 3 <= strlen($text); $at++) {
                $part = substr($text, $at, 3);
                if (preg_match('/^[a-z0-9][a-z0-9 ]{2}$/D', $part)) $parts[str_replace(' ', '_', $part)] = true;
            }
        }
        return array_keys($parts);
    }

    private static function changeTermsOf($id, $taxonomy)
    {
        $post = get_post($id);
        self::change(self::name('post', $id));
        if (!$post) self::change(self::name('terms', $taxonomy));
        else self::change(self::name(in_array($post->post_status, self::HIDDEN_STATUSES, true) ? 'posts.hidden' : 'posts', $post->post_type));
    }

    private static function changeUser($id)
    {
        self::change(self::name('user', $id), self::name('users', $id));
    }

    public static function compareTerm($id, $_ = 0, $taxonomy = '')
    {
        [$before, $after] = [self::$terms[$id] ?? null, get_term($id, $taxonomy)];
        if (!$before instanceof WP_Term || !$after instanceof WP_Term) return self::change('*');
        $isRenamed = [$before->name, $before->slug, $before->parent, $before->term_group] != [$after->name, $after->slug, $after->parent, $after->term_group];
        if ($isRenamed) self::changeTerm($id, $taxonomy);
        elseif ($before->description !== $after->description) self::change(self::name('term.description', $id), self::name('terms', $taxonomy));
        return null;
    }

    private static function changeTerm($id, $taxonomy)
    {
        self::change(self::name('term', $id), self::name('term.description', $id), self::name('terms', $taxonomy), self::name('terms.slugs', $taxonomy));
    }

    private static function readCount($id)
    {
        return self::runOwn(function ($wpdb) use ($id) {
            return $wpdb->get_row($wpdb->prepare("SELECT term_id, count FROM $wpdb->term_taxonomy WHERE term_taxonomy_id = %d", $id), ARRAY_N);
        });
    }

    private static function changeComment($comment, ...$statuses)
    {
        if (!isset($comment->comment_post_ID)) return self::change('*');
        foreach ($statuses as $status) {
            if (!in_array((string) $status, self::HIDDEN_COMMENTS, true)) return self::change(self::name('comments', $comment->comment_post_ID));
        }
        return null;
    }

    private static function changeMeta($type, $id, $key)
    {
        // Without a number it was deleted of all items.
        if (!is_numeric($id) || (int) $id === 0 || !is_string($key) || $key === '') return self::change('*');
        if ($type === 'post' && preg_match(self::POST_META, $key)) self::change(self::name('post', $id), self::name('post.any', $id));
        return self::change(self::name("$type.meta", "{$id}_$key"), self::name("$type.metas", $id), self::name("{$type}meta", $key));
    }

    /** Whether no response shows the option. WordPress computes the children of terms by itself. */
    private static function isHarmless($name)
    {
        return preg_match(self::HARMLESS_OPTIONS, $name) || (substr($name, -9) === '_children' && taxonomy_exists(substr($name, 0, -9)));
    }

    private static function changeOption($name, $value = null)
    {
        if (!is_string($name) || self::isHarmless($name)) return;
        $tag = self::name('option', $name);
        $isSame = ($value !== null && (self::$deleted[$tag] ?? null) == [$value]);
        unset(self::$deleted[$tag]);
        if (!$isSame) self::change(...(preg_match(self::COMMON_OPTIONS, $name) ? ['*'] : array_filter([$tag, self::groupOption($name)])));
    }

    private static function changeDeleted()
    {
        if (self::$deleted) self::change(...array_keys(self::$deleted));
        self::$deleted = [];
    }

    /** Sees each statement before it is sent to the database. */
    public static function onQuery($sql)
    {
        if (!is_string($sql) || self::$isOwnQuery) return $sql;
        try {
            // A long import tells of the statements before this one, unless this one reads what the last statement has left.
            if (self::$changed && !self::$isInTransaction && (!self::$isForwarded || headers_sent()) && microtime(true) - self::$changedAt > (self::$isPending ? 60 : 1) && !preg_match('/\b(LAST_INSERT_ID|FOUND_ROWS|ROW_COUNT)\b/i', $sql)) self::send(false);
            $statement = preg_replace('~^(?:[\s(]++|/\*.*?\*/|(?:--|#)[^\n]*\n)+~s', '', substr($sql, 0, 2000));
            $verb = strtoupper(substr((string) $statement, 0, 6));
            if ($verb === 'SELECT' || strpos($verb, 'WITH') === 0) {
                if (self::$isRead) self::readSql($sql);
            } elseif (in_array($verb, ['INSERT', 'UPDATE', 'DELETE', 'REPLAC', 'TRUNCA', 'ALTER ', 'DROP T'], true)) {
                self::changeBySql($sql);
            } elseif (preg_match('/^(START TRANSACTION|BEGIN|COMMIT|ROLLBACK(?! TO))/i', (string) $statement, $match)) {
                self::$isInTransaction = in_array(strtoupper($match[1]), ['BEGIN', 'START TRANSACTION'], true);
            }
        } catch (\Throwable $error) {
            self::change('*');
        }
        return $sql;
    }

    private static function changeBySql($sql)
    {
        global $wpdb;
        if (!preg_match('/\b' . preg_quote($wpdb->base_prefix, '/') . '(?:(\d+)_)?(\w+)/', substr($sql, 0, 2000), $match)) return;
        $table = $match[2];
        $blog = (int) $match[1] ?: (is_multisite() ? get_main_site_id() : 0);
        if (in_array($table, ['sitemeta', 'site', 'blogs', 'blogmeta', 'signups', 'registration_log'], true) || preg_match(self::INTERNAL_TABLES, $table)) return;
        // Plugins add their tables to those of `$wpdb`, as WooCommerce does.
        if (!in_array($table, self::TABLES, true)) {
            self::$isOwnQuery = true;
            self::change(self::name('table', $table, $blog));
            self::$isOwnQuery = false;
            return;
        }
        // WordPress itself runs hooks. A plugin that writes to its tables may not.
        foreach (debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 14) as $frame) {
            $file = wp_normalize_path($frame['file'] ?? '');
            if ($file === '' || preg_match('~/(class-wp-hook|plugin|class-wpdb|wp-db|db|waygate)\.php$~', $file)) continue;
            if (strpos($file, wp_normalize_path(ABSPATH . WPINC)) === 0 || strpos($file, wp_normalize_path(ABSPATH . 'wp-admin')) === 0) {
                if (!in_array($table, ['posts', 'comments'], true) || !self::isCalledBy(...self::WITHOUT_HOOKS)) return;
            }
            break;
        }
        self::$isOwnQuery = true;
        $name = self::readValues('/\boption_name`?\s*=\s*/i', $sql);
        $id = self::readValues('/\bpost_id`?\s*=\s*/i', $sql);
        $key = self::readValues('/\bmeta_key`?\s*=\s*/i', $sql);
        if ($table === 'options' && preg_match('/_transient|INTO/', $sql)) preg_match('/transient/', $sql) || self::change('*');
        elseif ($table === 'options' && count($name) === 1) self::changeOption($name[0]);
        elseif ($table === 'postmeta' && count($id) === 1 && count($key) === 1) self::changeMeta('post', $id[0], $key[0]);
        elseif ($table !== 'posts' || !self::changePostsBySql($sql)) self::change('*');
        self::$isOwnQuery = false;
    }

    /** Names the posts of a statement that is not WordPress's own. @return bool whether they are known */
    private static function changePostsBySql($sql)
    {
        // A text may look like a condition.
        $statement = preg_replace_callback("/'[^'\\\\]*+(?:\\\\.[^'\\\\]*+)*+'/s", fn ($text) => preg_match("/^'[\\w-]*'$/D", $text[0]) ? $text[0] : "''", $sql);
        if (preg_match('/\b(OR|JOIN|SELECT)\b/i', $statement) || !preg_match('/^\s*UPDATE\s+\S+\s+SET\s(.*)\sWHERE\s(.*)$/is', $statement, $match)) return false;
        $types = self::readValues('/\bpost_type`?\s*=\s*/i', $match[2]);
        if ($types && !array_diff($types, self::INTERNAL_TYPES) && stripos($match[1], 'post_type') === false) return true;
        // What decides which lists and addresses have the post.
        if (preg_match('/post_(type|status|name)/i', $match[1])) return false;
        $ids = self::readValues('/(?<!\w)ID`?\s*=\s*/', $match[2]);
        $before = count($ids) === 1 ? get_post((int) $ids[0]) : null;
        if (!$before) return false;
        $after = clone $before;
        $after->post_modified = '';
        $others = preg_replace("/`?post_modified(_gmt)?`?\s*=\s*'[^']*'/i", '', $match[1]);
        self::changePost(trim($others, ', ') === '' ? $after : null, $before);
        return true;
    }

    // ---------------------------------------------------------------- batches

    /** Runs queries of this plugin, and leaves what WordPress reads of the last query as it was. */
    private static function runOwn(callable $run)
    {
        global $wpdb;
        $names = ['insert_id', 'rows_affected', 'num_rows', 'last_error', 'last_query', 'last_result'];
        $state = [];
        foreach ($names as $name) $state[$name] = $wpdb->$name;
        $wasOwn = self::$isOwnQuery;
        self::$isOwnQuery = true;
        $areErrorsHidden = $wpdb->suppress_errors(true);
        try {
            return $run($wpdb, $wpdb->base_prefix . 'options');
        } finally {
            $wpdb->suppress_errors($areErrorsHidden);
            self::$isOwnQuery = $wasOwn;
            foreach ($state as $name => $value) $wpdb->$name = $value;
        }
    }

    /** Writes the row of a batch. Rows of complete batches are named by their number. */
    private static function write($name, array $batch, $before = '')
    {
        if (!WAYGATE_URLS) return;
        self::runOwn(function ($wpdb, $table) use ($name, $batch, $before) {
            $row = ['option_name' => $name, 'option_value' => wp_json_encode($batch)];
            if ($before && $wpdb->update($table, $row, ['option_name' => $before])) return;
            $wpdb->insert($table, $row + ['autoload' => 'no']);
        });
    }

    private static function remove($name)
    {
        self::runOwn(function ($wpdb, $table) use ($name) {
            $wpdb->delete($table, ['option_name' => $name]);
        });
    }

    private static function takeNumber()
    {
        return self::runOwn(function ($wpdb, $table) {
            $take = "UPDATE $table SET option_value = LAST_INSERT_ID(option_value + 1) WHERE option_name = 'waygate_sequence'";
            if (!$wpdb->query($take)) {
                $wpdb->query("INSERT IGNORE INTO $table (option_name, option_value, autoload) VALUES ('waygate_sequence', '0', 'no')");
                $wpdb->query($take);
            }
            return (int) $wpdb->get_var('SELECT LAST_INSERT_ID()');
        });
    }

    /** Records the changes so far as a complete batch. @param bool $isTold whether no message is needed. @return int its number */
    private static function record($isTold)
    {
        $names = array_keys(self::$changed);
        if (isset(self::$changed['*']) || count($names) > self::MAX_MESSAGE_TAGS) $names = ['*'];
        $number = self::takeNumber();
        if (!$isTold) {
            self::write(self::rowName($number), ['tags' => $names], self::$batch);
            self::$isPending = true;
        } elseif (self::$batch) {
            self::remove(self::$batch);
        }
        self::$changed = [];
        self::$batch = '';
        self::$changedAt = 0.0;
        return $number;
    }

    private static function rowName($number)
    {
        return sprintf('waygate_batch_%015d', $number);
    }

    private static function readSequence()
    {
        $row = self::runOwn(function ($wpdb, $table) {
            return $wpdb->get_row("SELECT (SELECT option_value FROM $table WHERE option_name = 'waygate_sequence'), EXISTS (SELECT 1 FROM $table WHERE option_name LIKE 'waygate\\_batch\\_%')", ARRAY_N);
        });
        if (!empty($row[1])) self::$isPending = true;
        return (int) ($row[0] ?? 0);
    }

    private static function readInstance()
    {
        $main = is_multisite() ? get_main_site_id() : 0;
        $instance = $main ? get_blog_option($main, 'waygate_instance') : get_option('waygate_instance');
        if (!is_string($instance) || !preg_match('/^[0-9a-f]{16}$/D', $instance)) {
            $instance = bin2hex(random_bytes(8));
            $main ? update_blog_option($main, 'waygate_instance', $instance) : update_option('waygate_instance', $instance);
        }
        return $instance;
    }

    /** Sends the batches that gateways have not acknowledged. The client does not wait for it, or for a moment only. */
    public static function send($isEnd = true)
    {
        try {
            if ($isEnd) self::changeDeleted();
            if (self::$changed) self::record(false);
            if (!self::$isPending || !WAYGATE_URLS) return;
            if (PHP_SAPI === 'cli' || wp_doing_cron()) self::$wait = self::MAX_WAIT_AFTER;
            else foreach (['fastcgi_finish_request', 'litespeed_finish_request'] as $finish) {
                // It returns false if a plugin has ended the response already.
                if (!$isEnd || !function_exists($finish)) continue;
                $finish();
                self::$wait = self::MAX_WAIT_AFTER;
            }
            self::$isPending = !self::sendBatches();
            if (self::$isPending && $isEnd && !wp_next_scheduled('waygate_send')) wp_schedule_single_event(time() + 30, 'waygate_send');
        } catch (\Throwable $error) {
            error_log("waygate: {$error->getMessage()}");
        }
    }

    /** @return bool whether all are acknowledged */
    private static function sendBatches()
    {
        $rows = (array) self::runOwn(function ($wpdb, $table) {
            return $wpdb->get_results("SELECT option_name, option_value FROM $table WHERE option_name LIKE 'waygate\\_batch\\_%' ORDER BY option_name LIMIT " . (self::MAX_BATCHES + 1));
        });
        if (count($rows) > self::MAX_BATCHES) $rows = [self::joinBatches()];
        $isComplete = true;
        $unreachable = [];
        foreach ($rows as $row) {
            $batch = json_decode($row->option_value, true);
            $batch = is_array($batch['tags'] ?? null) ? $batch : ['tags' => ['*']];
            $name = $row->option_name;
            if (strpos($name, 'waygate_batch_open_') === 0) {
                if (($batch['open'] ?? 0) > time() - self::MAX_OPEN) continue;
                $name = self::rowName(self::takeNumber());
                self::write($name, ['tags' => ['*']], $row->option_name);
                $batch = ['tags' => ['*']];
            }
            $done = (array) ($batch['done'] ?? []);
            $waiting = array_diff((array) WAYGATE_URLS, $done);
            foreach ($waiting as $url) {
                if (isset($unreachable[$url])) continue;
                $started = microtime(true);
                if (self::$wait > 0.001 && self::post($url, (int) substr($name, 14), $batch['tags'])) $done[] = $url;
                else $unreachable[$url] = true;
                self::$wait -= microtime(true) - $started;
            }
            $left = array_diff((array) WAYGATE_URLS, $done);
            if (!$left) self::remove($name);
            elseif (count($left) < count($waiting)) self::write($name, ['tags' => $batch['tags'], 'done' => $done], $name);
            $isComplete = $isComplete && !$left;
        }
        return $isComplete;
    }

    /** Replaces what waits by one batch that says everything. */
    private static function joinBatches()
    {
        self::runOwn(function ($wpdb, $table) {
            $wpdb->query("DELETE FROM $table WHERE option_name LIKE 'waygate\\_batch\\_0%'");
        });
        $name = self::rowName(self::takeNumber());
        self::write($name, ['tags' => ['*']]);
        return (object) ['option_name' => $name, 'option_value' => '{"tags":["*"]}'];
    }

    /** Sends a message. @return bool whether the gateway has acknowledged it within the time that remains */
    private static function post($url, $number, array $tags)
    {
        if (!function_exists('curl_init')) return false;
        $body = wp_json_encode(['instance' => self::readInstance(), 'sequence' => $number, 'tags' => array_values($tags)]);
        $time = (string) time();
        $request = curl_init($url);
        curl_setopt_array($request, [
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => [
                'Content-Type: application/json',
                'Expect:',
                "X-Waygate-Timestamp: $time",
                'X-Waygate-Signature: sha256=' . hash_hmac('sha256', "$time.$body", WAYGATE_SECRET),
            ],
            CURLOPT_NOSIGNAL => true,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT_MS => max(1, (int) (self::$wait * 1000)),
            CURLOPT_TIMEOUT_MS => max(1, (int) (self::$wait * 1000)),
        ]);
        curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        return $status >= 200 && $status < 300;
    }
}

/** Stands before a persistent object cache for one request, and keeps what the request reads of it. */
final class Waygate_Object_Cache
{
    /** Items by group and key, as in WordPress's own cache. */
    public $cache = [];
    private $inner;

    public function __construct($inner)
    {
        $this->inner = $inner;
    }

    public function get($key, $group = 'default', $force = false, &$found = null)
    {
        $value = $this->inner->get($key, $group, $force, $found);
        $this->keep($key, $group, $value);
        return $value;
    }

    public function get_multiple($keys, $group = 'default', $force = false)
    {
        $values = $this->inner->get_multiple($keys, $group, $force);
        foreach ((array) $values as $key => $value) $this->keep($key, $group, $value);
        return $values;
    }

    private function keep($key, $group, $value)
    {
        $group = $group ?: 'default';
        if (is_object($value) || $group === 'waygate') {
            $isGlobal = !is_multisite() || $group === 'users';
            $this->cache[$group][$isGlobal ? $key : get_current_blog_id() . ":$key"] = $value;
        } elseif ($key !== 'last_changed' && $value !== false && !is_numeric($key) && preg_match('/^(posts|post-queries|counts|timeinfo|calendar|terms|term-queries|comment|comment-queries|user-queries)$/D', $group)) {
            Waygate::readCachedQuery($group);
        }
    }

    public function __call($name, $args)
    {
        // What is stored was read before.
        if (in_array($name, ['set', 'add'], true) && count($args) > 1) $this->keep($args[0], $args[2] ?? 'default', is_object($args[1]) ? clone $args[1] : false);
        return $this->inner->$name(...$args);
    }

    public function &__get($name)
    {
        return $this->inner->$name;
    }

    public function __set($name, $value)
    {
        $this->inner->$name = $value;
    }

    public function __isset($name)
    {
        return isset($this->inner->$name);
    }

    public function __unset($name)
    {
        unset($this->inner->$name);
    }
}

Waygate::start();
