<?php
/**
 * Prints what the text functions of a WordPress make of a JSON list of texts, in the form of test/fixtures/wordpress-text.json.
 * It needs no database. To record the fixture again:
 *   node -p 'JSON.stringify(require("./test/fixtures/wordpress-text.json").cases.map(({ text }) => text))' |
 *     php scripts/wordpress/text.php <folder of WordPress>
 */
error_reporting( E_ALL & ~E_DEPRECATED );
define( 'ABSPATH', rtrim( $argv[1], '/' ) . '/' );
define( 'WPINC', 'wp-includes' );
foreach ( array( 'version', 'compat', 'load', 'plugin', 'formatting', 'kses', 'shortcodes' ) as $file ) {
	require ABSPATH . WPINC . "/$file.php";
}
// The site language is English, and no plugin has settings.
function _x( $text ) { return $text; }
function __( $text ) { return $text; }
function get_option( $name ) { return 'blog_charset' === $name ? 'UTF-8' : false; }
function wp_load_alloptions() { return array( 'blog_charset' => 'UTF-8' ); }
function get_locale() { return 'en_US'; }
function reset_mbstring_encoding() {}
function mbstring_binary_safe_encoding() {}
add_filter( 'sanitize_title', 'sanitize_title_with_dashes', 10, 3 );
$cases = array_map(
	function ( $text ) {
		return array(
			'text'  => $text,
			'title' => trim( convert_chars( wptexturize( $text ) ) ),
			'page'  => esc_html( convert_chars( wptexturize( strip_tags( wptexturize( $text ) ) . ' - Example' ) ) ),
			'html'  => wpautop( wptexturize( $text ) ),
			'slug'  => sanitize_title( $text ),
		);
	},
	json_decode( stream_get_contents( STDIN ) )
);
echo json_encode( array( 'version' => $wp_version, 'cases' => $cases ), JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ), "\n";
