<?php
// The visitor's address, for wp-config.php. Without these lines (or those for nginx or Apache), comment limits and lock-outs take all
// visitors for one: the gateway. Name the gateway, and each proxy in front of it. Nobody else is believed.
$waygate_proxies = array( '127.0.0.1', '::1' );
foreach ( array_reverse( explode( ',', $_SERVER['HTTP_X_FORWARDED_FOR'] ?? '' ) ) as $waygate_address ) {
	$waygate_address = trim( $waygate_address );
	if ( ! in_array( $_SERVER['REMOTE_ADDR'] ?? '', $waygate_proxies, true ) || ! filter_var( $waygate_address, FILTER_VALIDATE_IP ) ) {
		break;
	}
	$_SERVER['REMOTE_ADDR'] = $waygate_address;
}
unset( $waygate_proxies, $waygate_address );
