<?php
/** Prints what PHP knows of a request that asks for it, in place of what the request would do. */
if ( isset( $_SERVER['HTTP_X_SEEN'] ) ) {
	header( 'Content-Type: application/json' );
	header( 'X-Seen: 1' );
	echo json_encode(
		array(
			'server' => $_SERVER,
			'get'    => $_GET,
			'post'   => $_POST,
			'files'  => array_keys( $_FILES ),
			'input'  => md5( file_get_contents( 'php://input' ) ),
		)
	);
	exit;
}
