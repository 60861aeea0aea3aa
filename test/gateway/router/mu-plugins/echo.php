<?php
/**
 * Routes that take anything; and, where a request asks for it, headers that say what the site took it for. Such a
 * request does nothing.
 */
add_action( 'rest_api_init', function () {
	$args = array( 'methods' => 'GET,POST,DELETE', 'callback' => '__return_null', 'permission_callback' => '__return_true' );
	register_rest_route( 'echo/v1', '/any/(?P<any>[\s\S]+)', $args );
	register_rest_route( 'echo/v1', '/one/(?P<one>[^/]+)', $args );
	register_rest_route( 'echo/v1', '/(?P<collection>[a-z]+)', $args );
} );

if ( ! isset( $_SERVER['HTTP_X_ECHO'] ) ) {
	return;
}

// WordPress adds slashes later. A hash is enough of what is too long for a header.
foreach ( array(
	'X-Request-Uri' => $_SERVER['REQUEST_URI'],
	'X-Path-Info'   => $_SERVER['PATH_INFO'] ?? '',
	'X-Get'         => http_build_query( $_GET ),
) as $name => $seen ) {
	header( $name . ': ' . ( strlen( $seen ) > 500 ? md5( $seen ) : rawurlencode( $seen ) ) );
}

add_filter( 'rest_pre_dispatch', function ( $result, $server, $request ) {
	header( 'X-Seen-Route: ' . rawurlencode( $request->get_route() ) );
	header( 'X-Effective-Method: ' . rawurlencode( $request->get_method() ) );
	return $result;
}, 10, 3 );

add_filter( 'rest_request_before_callbacks', function ( $response, $handler, $request ) {
	foreach ( rest_get_server()->get_routes() as $route => $handlers ) {
		if ( in_array( $handler, $handlers, true ) && preg_match( '@^' . $route . '$@i', $request->get_route() ) ) {
			header( 'X-Matched-Route: ' . rawurlencode( $route ) );
			break;
		}
	}
	return new WP_Error( 'echoed', 'Nothing is done here.', array( 'status' => 418 ) );
}, 10, 3 );

add_action( 'send_headers', function () {
	header( 'X-Page: ' . ( isset( $_POST['comment'] ) ? 'form' : 'page' ) );
} );

// Status and location are known: nobody reads the page.
add_action( 'template_redirect', function () {
	exit;
}, PHP_INT_MAX );

// Blocks and widgets take half of the time of such a request, and no part in its interpretation.
foreach ( $GLOBALS['wp_filter']['init']->callbacks as $priority => $callbacks ) {
	foreach ( array_keys( $callbacks ) as $name ) {
		if ( preg_match( '/block|widget/', $name ) ) {
			remove_action( 'init', $name, $priority );
		}
	}
}
