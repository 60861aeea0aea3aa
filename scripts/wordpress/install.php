<?php
/**
 * php install.php <wordpress folder> <settings as JSON>: installs WordPress with content in an empty database, and prints
 * its version and users as JSON.
 *
 * The content is deterministic, including dates and ids, so that tests can refer to it.
 */
[, $folder, $settings] = $argv;
$settings = json_decode($settings, true, flags: JSON_THROW_ON_ERROR);
$address = parse_url($settings['url']);
$_SERVER['HTTP_HOST'] = $address['host'] . ':' . $address['port'];
$_SERVER['REQUEST_URI'] = $address['path'];
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';

/** Overrides WordPress's pluggable function: a test site sends no mail. */
function wp_mail(): bool
{
    return true;
}
/** Overrides WordPress's pluggable function: the post "Hello world!" would contain the time of installation. */
function wp_install_defaults(int $user_id): void
{
}

$config = file_get_contents("$folder/wp-config.php");
preg_match("/'DB_HOST', 'localhost:([^']+)'/", $config, $socket);
$database = new mysqli(null, 'root', '', '', 0, $socket[1]);
$database->query('CREATE DATABASE wordpress CHARACTER SET utf8mb4');
$database->close();

define('WP_INSTALLING', true);
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/image.php';

// The installer would request the site's front page to test URL rewriting, and that request would wait for this script.
add_filter('pre_http_request', fn () => new WP_Error('blocked', 'installing'));

$passwords = array_map(fn () => wp_generate_password(24, false), array_flip(['administrator', 'editor', 'subscriber']));
wp_install($settings['title'], 'administrator', 'administrator@example.com', true, '', $passwords['administrator']);
update_option('siteurl', untrailingslashit($settings['url']));
update_option('home', untrailingslashit($settings['url']));
update_option('blogdescription', 'Made by a script, gone with it');
update_option('timezone_string', 'UTC');
update_option('thread_comments', 1);
update_option('comment_moderation', 0);
update_option('comment_previously_approved', 0);
if ($settings['permalinks'] === 'pretty') {
    $wp_rewrite->set_permalink_structure('/%year%/%monthnum%/%postname%/');
} else {
    $wp_rewrite->set_permalink_structure('');
}
$wp_rewrite->flush_rules(false);

$users = [];
foreach ($passwords as $role => $password) {
    $id = username_exists($role) ?: wp_insert_user([
        'user_login' => $role,
        'user_pass' => $password,
        'user_email' => "$role@example.com",
        'display_name' => ucfirst($role),
        'role' => $role,
    ]);
    [$application] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'waygate tests']);
    $users[$role] = ['user' => $role, 'password' => $application, 'loginPassword' => $password];
}
$author = username_exists('editor');
wp_set_current_user(username_exists('administrator'));

// Terms: a hierarchy of categories, and tags with non-ASCII names.
wp_insert_term('Uncategorized', 'category', ['slug' => 'uncategorized']);
update_option('default_category', get_term_by('slug', 'uncategorized', 'category')->term_id);
$categories = [];
foreach (['News' => null, 'Local' => 'News', 'Abroad' => 'News', 'Recipes & more' => null] as $name => $parent) {
    $parent = $parent ? $categories[$parent] : 0;
    $categories[$name] = wp_insert_term($name, 'category', ['parent' => $parent, 'description' => "All of $name"])['term_id'];
}
$tags = ['red', 'green', 'größer', '日本語'];

// Media: one image with its sizes, one text file.
$attach = function (string $name, string $bytes, string $type, string $title): int {
    $upload = wp_upload_bits($name, null, $bytes, '2024/01');
    $id = wp_insert_attachment(
        ['post_title' => $title, 'post_mime_type' => $type, 'post_date' => '2024-01-01 00:00:00', 'guid' => $upload['url']],
        $upload['file'],
    );
    wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $upload['file']));
    return $id;
};
$image = imagecreatetruecolor(640, 400);
imagefilledrectangle($image, 0, 0, 639, 399, imagecolorallocate($image, 30, 90, 160));
imagefilledellipse($image, 320, 200, 260, 260, imagecolorallocate($image, 250, 220, 80));
ob_start();
imagepng($image);
$picture = $attach('sun.png', ob_get_clean(), 'image/png', 'A sun');
update_post_meta($picture, '_wp_attachment_image_alt', 'A yellow disc on blue');
$attach('notes.txt', "Plain notes.\n", 'text/plain', 'Notes');

// Posts: three pages of them, with one post of each status.
$special = [
    3 => ['post_status' => 'draft'],
    5 => ['post_status' => 'private'],
    7 => ['post_password' => 'open sesame'],
    9 => ['post_title' => 'Ünïcödé & <em>markup</em> 日本語', 'post_name' => 'unicode'],
    11 => ['post_status' => 'future', 'post_date' => '2099-01-01 00:00:00'],
];
$names = array_keys($categories);
$posts = [];
for ($n = 1; $n <= 25; $n++) {
    $posts[$n] = wp_insert_post(($special[$n] ?? []) + [
        'post_title' => "Post number $n",
        'post_name' => "post-$n",
        'post_content' => "<!-- wp:paragraph -->\n<p>The text of post $n, at {$settings['url']}.</p>\n<!-- /wp:paragraph -->",
        'post_excerpt' => $n % 2 ? "Post $n in short" : '',
        'post_status' => 'publish',
        'post_author' => $n % 3 ? $author : get_current_user_id(),
        'post_date' => sprintf('2024-01-%02d 12:00:00', $n),
        'post_category' => [$categories[$names[$n % 4]]],
        'tags_input' => [$tags[$n % 4]],
    ], true);
}
set_post_thumbnail($posts[1], $picture);
set_post_thumbnail($posts[25], $picture);
stick_post($posts[2]);
// A second revision history for one post.
foreach (['once', 'twice'] as $times) {
    wp_update_post(['ID' => $posts[1], 'post_content' => "<p>The text of post 1, changed $times.</p>"]);
}

$about = wp_insert_post(['post_type' => 'page', 'post_title' => 'About', 'post_name' => 'about', 'post_status' => 'publish', 'post_date' => '2024-02-01 12:00:00', 'post_content' => '<p>About this site.</p>']);
wp_insert_post(['post_type' => 'page', 'post_title' => 'The team', 'post_name' => 'team', 'post_status' => 'publish', 'post_date' => '2024-02-02 12:00:00', 'post_parent' => $about, 'menu_order' => 1, 'post_content' => '<p>Three users.</p>']);

// MySQL lists comments of one second in any order.
$comment = fn (int $second, array $fields): int => wp_insert_comment($fields + [
    'comment_post_ID' => $posts[1],
    'comment_author' => 'A reader',
    'comment_author_email' => 'reader@example.com',
    'comment_date' => sprintf('2024-03-01 12:00:%02d', $second),
    'comment_approved' => 1,
]);
$first = $comment(0, ['comment_content' => 'A first comment.']);
$comment(1, ['comment_content' => 'An answer to it.', 'comment_parent' => $first]);
$comment(2, ['comment_content' => 'On another post.', 'comment_post_ID' => $posts[2]]);
$comment(3, ['comment_content' => 'Still waiting.', 'comment_approved' => 0]);
wp_update_comment_count_now($posts[1]);

echo json_encode(['version' => $wp_version, 'users' => $users], JSON_THROW_ON_ERROR);
