// @ts-check
/**
 * How each plugin is told by its own settings where the cache is: a file of PHP for `mu-plugins`.
 *
 * @type {Readonly<Record<string, (gateway: { readonly origin: string, readonly port: number }, secret: string) => string>>}
 */
export const PLUGINS = {
  // By the field X-LSCache alone.
  'litespeed-cache': () => `<?php
defined('WP_CACHE') || define('WP_CACHE', true);`,

  // The address of Varnish.
  'varnish-http-purge': ({ port }) => `<?php
define('VHP_VARNISH_IP', '127.0.0.1:${port}');`,

  // Purges by requests for /purge/…, which it sends to the host without its port, so the base is stated.
  // It calls a function of wp-admin everywhere.
  'nginx-helper': ({ origin }) => `<?php
require_once ABSPATH . 'wp-admin/includes/plugin.php';
add_filter('rt_nginx_helper_fastcgi_purge_url_base', function () { return '${origin}/purge'; });
add_filter('pre_option_rt_wp_nginx_helper_options', function () {
    return ['enable_purge' => 1, 'cache_method' => 'enable_fastcgi', 'purge_method' => 'get_request', 'purge_homepage_on_edit' => 1,
        'purge_homepage_on_del' => 1, 'purge_archive_on_edit' => 1, 'purge_archive_on_del' => 1, 'purge_archive_on_new_comment' => 1,
        'purge_archive_on_deleted_comment' => 1, 'purge_page_on_mod' => 1, 'purge_page_on_new_comment' => 1,
        'purge_page_on_deleted_comment' => 1, 'purge_feeds' => 1, 'purge_amp_urls' => 0, 'purge_url' => '', 'log_level' => 'NONE',
        'log_filesize' => 5, 'enable_map' => 0, 'enable_log' => 0, 'enable_stamp' => 0];
});`,

  // The address of the API, and the key.
  fastly: ({ origin }, secret) => `<?php
define('PURGELY_API_ENDPOINT', '${origin}/-/purges/default/');
define('PURGELY_FASTLY_KEY', '${secret}');
define('PURGELY_FASTLY_SERVICE_ID', 'service1');
define('PURGELY_ALLOW_PURGE_ALL', true);`,
};
