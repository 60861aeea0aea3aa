<?php
/**
 * Plugin Name: Contact (test plugin)
 *
 * A form for everybody, whose fields WordPress would take for variables of its query: many contact forms have such.
 */

add_action('init', function (): void {
    if (wp_installing() || get_option('contact_version') === '1') return;
    update_option('contact_version', '1');
    wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Contact', 'post_content' => '[contact]', 'post_author' => 1]);
}, 12);

add_shortcode('contact', function (): string {
    $sent = $_POST['message'] ?? null;
    $html = $sent === null ? '' : '<p id="sent">Thank you, ' . esc_html(wp_unslash($_POST['visitor'] ?? '')) . ': ' . esc_html(wp_unslash($sent)) . ' (' . esc_html($_SERVER['REQUEST_URI']) . ')</p>';
    if ($sent !== null) wp_mail(get_option('admin_email'), 'A message', wp_unslash($sent) . "\n" . home_url(wp_unslash($_SERVER['REQUEST_URI'])));
    return $html . '<form id="contact" method="post" enctype="multipart/form-data"><input name="visitor"><textarea name="message"></textarea><input type="file" name="attachment">' . wp_referer_field(false) . '<button>Send</button></form>';
});
