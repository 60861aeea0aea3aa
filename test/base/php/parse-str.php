<?php
/** Parses one hexadecimal query per line of standard input; prints the variables as JSON, with strings in hexadecimal. */
function entries( array $values ): array {
	$entries = array();
	foreach ( $values as $key => $value ) {
		$entries[] = array( bin2hex( $key ), is_array( $value ) ? entries( $value ) : bin2hex( $value ) );
	}
	return $entries;
}
$results = array();
foreach ( file( 'php://stdin', FILE_IGNORE_NEW_LINES ) as $line ) {
	parse_str( hex2bin( $line ), $values );
	$results[] = entries( $values );
}
echo json_encode( $results, 0, 512 );
