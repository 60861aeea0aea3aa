<?php
/**
 * A plugin whose writes are hard to see: a counter that WordPress's hooks change and that titles show, a field of posts whose
 * callback refuses after the post is written, a route that the index hides, and a form that any address takes.
 */
function hidden_writes_count(): void {
    update_option('hidden_writes', 1 + (int) get_option('hidden_writes'));
}
add_filter('the_title', fn ($title) => $title . ' ' . (int) get_option('hidden_writes'));
add_action('init', function (): void {
    if (!isset($_POST['hidden_form'])) return;
    hidden_writes_count();
    wp_update_post(['ID' => 10, 'post_title' => 'Sent by a form ' . $_POST['hidden_form']]);
    if (isset($_POST['hidden_status'])) {
        status_header((int) $_POST['hidden_status']);
        exit;
    }
});
add_action('rest_api_init', function (): void {
    register_rest_field('post', 'hidden_price', [
        'get_callback' => fn () => 5,
        'update_callback' => fn ($value) => new WP_Error($value, 'No.', ['status' => $value === 'rest_forbidden' ? 403 : 404]),
        'schema' => ['type' => 'string', 'context' => ['edit']],
    ]);
    register_rest_route('hidden/v1', '/save', [
        'methods' => 'POST',
        'show_in_index' => false,
        'permission_callback' => '__return_true',
        'callback' => function (WP_REST_Request $request): WP_Error {
            wp_update_post(['ID' => 11, 'post_title' => 'Hidden ' . $request['text']]);
            return new WP_Error('rest_no_route', 'No route was found matching the URL and request method.', ['status' => 404]);
        },
    ]);
});
