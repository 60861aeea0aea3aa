<?php
/**
 * Plugin Name: Record (test plugin)
 *
 * Writes what PHP was asked, and the mails that it sent, to `wp-content/journey.log`, a line of JSON each.
 */

require_once __DIR__ . '/address.php';
// The site moves to its public name when somebody first asks for it, with what is written in its posts.
if (!wp_installing() && get_option('home') !== JOURNEY_ORIGIN) {
    $GLOBALS['wpdb']->query($GLOBALS['wpdb']->prepare("UPDATE {$GLOBALS['wpdb']->posts} SET post_content = REPLACE(post_content, %s, %s), guid = REPLACE(guid, %s, %s)", get_option('home'), JOURNEY_ORIGIN, get_option('home'), JOURNEY_ORIGIN));
    $GLOBALS['wpdb']->query($GLOBALS['wpdb']->prepare("UPDATE {$GLOBALS['wpdb']->users} SET user_url = REPLACE(user_url, %s, %s)", get_option('home'), JOURNEY_ORIGIN));
    foreach (['home', 'siteurl'] as $name) update_option($name, JOURNEY_ORIGIN);
    // Avatars are at another host.
    update_option('show_avatars', '');
}

function journey_record(array $line): void
{
    file_put_contents(WP_CONTENT_DIR . '/journey.log', wp_json_encode($line, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PARTIAL_OUTPUT_ON_ERROR) . "\n", FILE_APPEND | LOCK_EX);
}

if (PHP_SAPI !== 'cli') {
    journey_record([
        'method' => $_SERVER['REQUEST_METHOD'],
        'uri' => $_SERVER['REQUEST_URI'],
        'pathInfo' => $_SERVER['PATH_INFO'] ?? '',
        'host' => $_SERVER['HTTP_HOST'],
        'type' => explode(';', $_SERVER['CONTENT_TYPE'] ?? '')[0],
        'post' => array_keys($_POST),
        'files' => array_map(fn ($file) => [$file['name'], $file['size']], $_FILES),
        'referer' => $_SERVER['HTTP_REFERER'] ?? '',
        'action' => $_POST['action'] ?? '',
    ]);
}
// What the site has stored, for a comparison at the end.
add_action('wp_loaded', function () {
    global $wpdb;
    if (!isset($_GET['journey_database'])) return;
    $tables = ['posts', 'postmeta', 'options', 'comments', 'commentmeta', 'terms', 'term_taxonomy', 'term_relationships', 'users', 'usermeta'];
    wp_send_json(array_combine($tables, array_map(fn ($name) => $wpdb->get_results("SELECT * FROM $wpdb->prefix$name ORDER BY 1, 2"), $tables)));
}, 1);
add_filter('pre_wp_mail', function ($sent, $mail) {
    journey_record(['mail' => $mail['to'], 'subject' => $mail['subject'], 'text' => $mail['message']]);
    return true;
}, 10, 2);
// All visitors have one address, from which WordPress refuses a second comment within 15 seconds.
add_action('check_comment_flood', fn () => remove_filter('wp_is_comment_flood', 'wp_check_comment_flood', 10), 99);
