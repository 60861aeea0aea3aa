<?php
/**
 * php activate.php <wordpress folder> <settings as JSON>: activates plugins and a theme as wp-admin does. With `"step":"admin"` it
 * runs what plugins do at the next visit of wp-admin, such as the creation of their tables and pages.
 */
[, $folder, $settings] = $argv;
$settings = json_decode($settings, true, flags: JSON_THROW_ON_ERROR);
$address = parse_url($settings['url']);
$_SERVER['HTTP_HOST'] = $address['host'] . ':' . $address['port'];
$_SERVER['REQUEST_URI'] = $address['path'] . 'wp-admin/';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_ADMIN', true);
/** Overrides WordPress's pluggable function: a test site sends no mail. */
function wp_mail(): bool
{
    return true;
}
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user(1);
if (($settings['step'] ?? '') === 'admin') {
    do_action('admin_init');
    flush_rewrite_rules(false);
    exit(0);
}
foreach (array_keys(get_plugins()) as $plugin) {
    if (!in_array(dirname($plugin), $settings['plugins'], true)) continue;
    // A version that wants a newer WordPress is not refused, so `activate_plugin()` is not asked.
    include_once WP_PLUGIN_DIR . "/$plugin";
    do_action("activate_$plugin", false);
    update_option('active_plugins', array_merge(get_option('active_plugins'), [$plugin]));
}
$theme = $settings['theme'] ?? null;
if ($theme !== null && !wp_get_theme($theme)->exists()) throw new RuntimeException("The theme $theme is not installed.");
if ($theme !== null) switch_theme($theme);
