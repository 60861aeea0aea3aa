<?php
/** Validates and then sanitises the values of rows [ value, schema ] with WordPress's functions. */
add_action( 'rest_api_init', function () {
	register_rest_route( 'validation/v1', '/rows', array(
		'methods'             => 'POST',
		'permission_callback' => '__return_true',
		'callback'            => function ( $request ) {
			$refusal = function ( $error ) {
				return array( 'refused' => array( $error->get_error_code(), $error->get_error_message() ), 'becomes' => null );
			};
			return array_map( function ( $row ) use ( $refusal ) {
				list( $value, $schema ) = $row;
				$valid = @rest_validate_value_from_schema( $value, $schema, 'p' );
				if ( is_wp_error( $valid ) ) {
					return $refusal( $valid );
				}
				$becomes = @rest_sanitize_value_from_schema( $value, $schema, 'p' );
				return is_wp_error( $becomes ) ? $refusal( $becomes ) : array( 'refused' => null, 'becomes' => $becomes );
			}, json_decode( $request->get_body(), true ) );
		},
	) );
} );
