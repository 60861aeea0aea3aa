<?php
/** Reads queries in hexadecimal, one a line, and answers what PHP makes of each, as JSON with its strings in hexadecimal. */
function entries( array $values ): array {
	$entries = array();
	foreach ( $values as $key => $value ) {
		$entries[] = array( bin2hex( $key ), is_array( $value ) ? entries( $value ) : bin2hex( $value ) );
	}
	return $entries;
}
$answers = array();
foreach ( file( 'php://stdin', FILE_IGNORE_NEW_LINES ) as $line ) {
	parse_str( hex2bin( $line ), $values );
	$answers[] = entries( $values );
}
echo json_encode( $answers, 0, 512 );
