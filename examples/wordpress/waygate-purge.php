<?php
/**
 * Plugin Name: waygate purge
 * Description: Notifies the gateway of changed and deleted content, so that it purges stored responses. Copy this file to
 * wp-content/mu-plugins and define WAYGATE_WEBHOOK (https://gateway.example.com/-/webhook/default) and WAYGATE_SECRET in
 * wp-config.php.
 */
final class Waygate_Purge
{
    private static array $notice = ['changed' => [], 'deleted' => []];

    /** Adds a REST route to the notice, which is sent when the request ends. */
    public static function add(string $route, string $kind = 'changed'): void
    {
        if ($route === '') return;
        if (!array_filter(self::$notice)) add_action('shutdown', [self::class, 'send'], 1);
        self::$notice[$kind][$route] = $route;
    }

    /** Sends the notice, signed with HMAC-SHA256 over the time and the body. */
    public static function send(): void
    {
        if (!defined('WAYGATE_WEBHOOK') || !defined('WAYGATE_SECRET')) return;
        $body = wp_json_encode(array_map('array_values', self::$notice) + ['id' => wp_generate_uuid4()]); // The gateway accepts each id once.
        $time = (string) time();
        wp_remote_post(WAYGATE_WEBHOOK, ['timeout' => 3, 'body' => $body, 'headers' => [
            'Content-Type' => 'application/json',
            'X-Waygate-Timestamp' => $time,
            'X-Waygate-Signature' => 'sha256=' . hash_hmac('sha256', "$time.$body", WAYGATE_SECRET),
        ]]);
    }
}

$waygate_comment = fn ($id) => Waygate_Purge::add("/wp/v2/comments/$id");
foreach (['comment_post', 'edit_comment', 'wp_set_comment_status'] as $hook) add_action($hook, $waygate_comment);
add_action('deleted_comment', fn ($id) => Waygate_Purge::add("/wp/v2/comments/$id", 'deleted'));
foreach (['save_post', 'add_attachment', 'edit_attachment'] as $hook) add_action($hook, fn ($id) => Waygate_Purge::add(rest_get_route_for_post($id)));
foreach (['before_delete_post', 'delete_attachment'] as $hook) add_action($hook, fn ($id) => Waygate_Purge::add(rest_get_route_for_post($id), 'deleted'));
add_action('saved_term', fn ($id) => Waygate_Purge::add(rest_get_route_for_term($id)));
add_action('pre_delete_term', fn ($id) => Waygate_Purge::add(rest_get_route_for_term($id), 'deleted'));
foreach (['user_register', 'profile_update'] as $hook) add_action($hook, fn ($id) => Waygate_Purge::add("/wp/v2/users/$id"));
add_action('deleted_user', fn ($id) => Waygate_Purge::add("/wp/v2/users/$id", 'deleted'));
add_action('updated_option', fn ($name) => preg_match('/^(blog|site_|home$|timezone)/', $name) && Waygate_Purge::add('/wp/v2/settings'));
