<?php
/**
 * php network.php <wordpress folder> <settings as JSON>: makes an installed site the first of a network in folders, and with
 * `"subsites"`, once wp-config.php says so, creates them. Each has the pretty permalinks of the first.
 */
[, $folder, $settings] = $argv;
$settings = json_decode($settings, true, flags: JSON_THROW_ON_ERROR);
$address = parse_url($settings['url']);
$host = $_SERVER['HTTP_HOST'] = $address['host'] . ':' . $address['port'];
$_SERVER['REQUEST_URI'] = $address['path'];
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
/** Overrides WordPress's pluggable function: a test site sends no mail. */
function wp_mail(): bool
{
    return true;
}
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/schema.php';
wp_set_current_user(1);
if (!isset($settings['subsites'])) {
    foreach ($wpdb->tables('ms_global') as $table => $name) $wpdb->$table = $name;
    install_network();
    populate_network(1, $host, 'administrator@example.com', 'Network', $address['path'], false);
    exit(0);
}
$structure = get_option('permalink_structure');
foreach ($settings['subsites'] as $name) {
    $site = wp_insert_site(['domain' => $host, 'path' => "{$address['path']}$name/", 'title' => ucfirst($name), 'network_id' => 1, 'user_id' => 1]);
    if (is_wp_error($site)) throw new RuntimeException($site->get_error_message());
    // wp_normalize_site_data() takes the colon out of the host.
    $wpdb->update($wpdb->blogs, ['domain' => $host], ['blog_id' => $site]);
    clean_blog_cache($site);
    switch_to_blog($site);
    foreach (['siteurl', 'home'] as $option) update_option($option, $settings['url'] . $name);
    update_option('permalink_structure', $structure);
    delete_option('rewrite_rules');
    restore_current_blog();
}
