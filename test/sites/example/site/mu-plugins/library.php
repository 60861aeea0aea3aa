<?php
/** Registers the routes of mirror.ts in WordPress for the comparison. */
add_action( 'rest_api_init', function () {
	$id   = array( 'id' => array( 'description' => 'The number of the book.', 'type' => 'integer' ) );
	$book = function ( $request ) {
		return array( 'id' => (int) $request['id'], 'title' => 'Book ' . (int) $request['id'] );
	};
	$args = array(
		'title' => array( 'description' => 'The title.', 'type' => 'string', 'minLength' => 1 ),
		'pages' => array( 'type' => 'integer', 'minimum' => 1, 'default' => 100 ),
		'tags'  => array( 'type' => 'array', 'items' => array( 'type' => 'string' ), 'default' => array() ),
		'note'  => array( 'type' => array( 'string', 'null' ) ),
		'meta'  => array(
			'type'                 => 'object',
			'properties'           => array( 'shelf' => array( 'type' => 'integer' ) ),
			'additionalProperties' => false,
		),
	);
	$may  = function ( $capability, $code = 'rest_forbidden', $message = 'Sorry, you are not allowed to do that.' ) {
		return function () use ( $capability, $code, $message ) {
			return current_user_can( $capability ) ? true
				: new WP_Error( $code, $message, array( 'status' => rest_authorization_required_code() ) );
		};
	};
	register_rest_route( 'library/v1', '/books', array(
		array(
			'methods' => 'GET', 'permission_callback' => '__return_true', 'allow_batch' => array( 'v1' => true ),
			'args' => array(
				'page'     => array( 'type' => 'integer', 'minimum' => 1, 'default' => 1 ),
				'per_page' => array( 'type' => 'integer', 'minimum' => 1, 'maximum' => 100, 'default' => 10 ),
				'tag'      => array( 'type' => 'array', 'items' => array( 'type' => 'string' ) ),
			),
			'callback' => function () { return array( array( 'id' => 1, 'title' => 'Book 1' ) ); },
		),
		array(
			'methods' => 'POST', 'allow_batch' => array( 'v1' => true ),
			'permission_callback' => $may( 'edit_others_posts', 'rest_cannot_create', 'Sorry, you may not add books.' ),
			'args' => array_merge( $args, array( 'title' => $args['title'] + array( 'required' => true ) ) ),
			'callback' => function ( $request ) {
				return new WP_REST_Response( array( 'title' => $request['title'], 'pages' => $request['pages'], 'tags' => $request['tags'] ), 201 );
			},
		),
		'schema' => function () {
			return array( '$schema' => 'http://json-schema.org/draft-04/schema#', 'title' => 'book', 'type' => 'object', 'properties' => array() );
		},
	) );
	register_rest_route( 'library/v1', '/books/(?P<id>[\d]+)', array(
		array( 'methods' => 'GET', 'args' => $id, 'permission_callback' => '__return_true', 'callback' => $book ),
		array(
			'methods' => 'POST, PUT, PATCH', 'args' => $id + $args, 'allow_batch' => array( 'v1' => true ),
			'permission_callback' => $may( 'edit_others_posts' ), 'callback' => $book,
		),
		array( 'methods' => 'DELETE', 'args' => $id, 'permission_callback' => $may( 'manage_options' ), 'callback' => $book ),
	) );
	register_rest_route( 'library/v1', '/echo', array(
		'methods' => 'GET, POST, PUT, PATCH, DELETE', 'permission_callback' => '__return_true',
		'callback' => function ( $request ) {
			$params = $request->get_params();
			unset( $params['rest_route'] );
			return array( 'method' => $request->get_method(), 'params' => $params );
		},
	) );
} );
