<?php
/** Lists how WordPress validates every argument of every route, which the index does not show. */
add_action( 'rest_api_init', function () {
	register_rest_route( 'arguments/v1', '/all', array(
		'methods'             => 'GET',
		'permission_callback' => '__return_true',
		'callback'            => function () {
			$found = array();
			foreach ( rest_get_server()->get_routes() as $route => $handlers ) {
				foreach ( array_filter( $handlers, 'is_array' ) as $handler ) {
					foreach ( array_filter( $handler['args'], 'is_array' ) as $name => $arg ) {
						$validate = $arg['validate_callback'] ?? null;
						$sanitize = $arg['sanitize_callback'] ?? null;
						$parsed   = 'rest_parse_request_arg' === $sanitize
							|| ( ! array_key_exists( 'sanitize_callback', $arg ) && ! empty( $arg['type'] ) );
						$by       = 'rest_validate_request_arg' === $validate ? 'validator'
							: ( null === $validate && $parsed ? 'sanitiser' : 'callback' );
						foreach ( array_keys( $handler['methods'] ) as $method ) {
							$found[] = array(
								'route'  => $route,
								'method' => $method,
								'name'   => $name,
								'by'     => $by,
								'schema' => (object) array_intersect_key( $arg, array_flip( rest_get_allowed_schema_keywords() ) ),
							);
						}
					}
				}
			}
			return $found;
		},
	) );
} );
