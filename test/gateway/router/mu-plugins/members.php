<?php
/**
 * Authenticates and refuses by the address of the request, as LearnPress does: a token is read below /wp-json/members/ only, and
 * requests there need one.
 */
function is_members_request() {
	return str_contains( $_SERVER['REQUEST_URI'], '/wp-json/members/' );
}

add_filter( 'determine_current_user', function ( $user ) {
	return is_members_request() && 'Bearer token' === ( $_SERVER['HTTP_AUTHORIZATION'] ?? '' ) ? 1 : $user;
} );

add_filter( 'rest_authentication_errors', function ( $errors ) {
	return is_members_request() && ! is_user_logged_in()
		? new WP_Error( 'no_token', 'A token is required.', array( 'status' => 401 ) )
		: $errors;
} );

add_action( 'rest_api_init', function () {
	register_rest_route( 'members/v1', '/lessons/(?P<id>.+)', array(
		'methods'             => 'GET,POST',
		'permission_callback' => '__return_true',
		'callback'            => fn ( $request ) => array(
			'id'    => $request['id'],
			'title' => $request['title'],
			'user'  => get_current_user_id(),
		),
	) );
} );
