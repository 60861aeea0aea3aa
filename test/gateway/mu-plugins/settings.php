<?php
/**
 * A page of settings as that of a shop: one form with all fields and files, which is posted to the page itself. Its fields are
 * saved as they are, and each saved form is printed with the files by `admin-ajax.php?action=saved_settings`.
 */
add_action(
	'admin_menu',
	function () {
		$hook = add_menu_page( 'Shop', 'Shop', 'manage_options', 'shop-settings', function () {
			echo '<form method="post" id="mainform" action="" enctype="multipart/form-data">';
			wp_nonce_field( 'shop-settings' );
			$logo = get_option( 'shop_settings', array() )['logo'] ?? home_url( '/logo.png' );
			echo '<input name="logo" value="' . esc_attr( $logo ) . '"></form>';
		} );
		add_action( "load-$hook", function () {
			if ( ! isset( $_POST['save'] ) ) {
				return;
			}
			check_admin_referer( 'shop-settings' );
			$files = array();
			foreach ( $_FILES as $name => $file ) {
				$content        = $file['error'] === UPLOAD_ERR_OK ? file_get_contents( $file['tmp_name'] ) : '';
				$files[ $name ] = array( $file['name'], $file['type'], $file['error'], $file['size'], md5( $content ) );
			}
			$fields = wp_unslash( $_POST );
			unset( $fields['_wpnonce'] );
			update_option( 'shop_settings', array( 'files' => $files, 'post' => count( $_POST ) ) + $fields );
			wp_safe_redirect( admin_url( 'admin.php?page=shop-settings&tab=email&saved=1' ) );
			exit;
		} );
	}
);
add_action(
	'wp_ajax_saved_settings',
	function () {
		wp_send_json( get_option( 'shop_settings' ) );
	}
);
