<?php
/**
 * Plugin Name: Names in `X-Denied` the capabilities that a REST request asked for and its user lacks.
 */
$denied = [];
add_filter('rest_request_before_callbacks', function ($response) use (&$denied) {
    $denied = [];
    return $response;
});
add_filter('user_has_cap', function ($all, $capabilities) use (&$denied) {
    foreach ($capabilities as $capability) {
        if (empty($all[$capability])) {
            $denied[$capability] = true;
        }
    }
    return $all;
}, PHP_INT_MAX, 2);
// `rest_send_allow_header()` asks for the rights of all methods, at 10.
add_filter('rest_post_dispatch', function ($response) use (&$denied) {
    $response->header('X-Denied', implode(' ', array_keys($denied)));
    return $response;
}, 1);
