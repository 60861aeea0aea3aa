<?php
/**
 * Plugin Name: Trouble
 *
 * Breaks the REST interface in the ways that sites are seen to break. `wp-content/trouble.txt` says how.
 */

function trouble(): string
{
    $file = WP_CONTENT_DIR . '/trouble.txt';
    return is_file($file) ? trim((string) file_get_contents($file)) : '';
}

// Plugins that disable the interface refuse visitors like this.
add_filter('rest_authentication_errors', function ($result) {
    if (trouble() !== 'closed' || is_user_logged_in() || $result !== null) return $result;
    return new WP_Error('rest_login_required', 'Only signed-in users have access.', ['status' => 401]);
}, 99);

// A maintenance page, a firewall or a fatal error responds with a page.
add_action('parse_request', function (): void {
    if (trouble() !== 'html' || empty($GLOBALS['wp']->query_vars['rest_route'])) return;
    header('Content-Type: text/html; charset=UTF-8');
    echo '<!DOCTYPE html><title>Please wait</title><p>One moment.</p>';
    exit;
}, 1);

// An index that lists nothing.
add_filter('rest_index', function (WP_REST_Response $response): WP_REST_Response {
    if (trouble() === 'empty') $response->data['routes'] = (object) [];
    return $response;
}, 99);
