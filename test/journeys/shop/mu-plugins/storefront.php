<?php
/**
 * Plugin Name: Storefront (test plugin)
 *
 * The pages of a shop as WooCommerce builds them, for the products of the plugin `shop`: forms that are posted to the page that shows
 * them, with `_wp_http_referer`; `?wc-ajax=`; a session cookie from the first product on; endpoints below a page; orders.
 */

add_action('init', 'storefront_install', 11);
add_action('wp_loaded', 'storefront_handle_forms', 20);
add_action('template_redirect', 'storefront_before_page', 0);
add_action('wp_login', 'storefront_merge_carts', 10, 2);
add_filter('the_content', 'storefront_product_page');
add_action('wp_footer', 'storefront_footer');
foreach (['shop', 'cart', 'checkout', 'account'] as $name) add_shortcode("storefront_$name", "storefront_$name");

function storefront_endpoints(): array
{
    return ['order-received', 'orders', 'view-order', 'edit-account', 'edit-address', 'lost-password', 'customer-logout'];
}

function storefront_install(): void
{
    register_post_type('shop_order', ['label' => 'Orders', 'public' => false, 'show_ui' => true, 'supports' => ['title', 'custom-fields']]);
    foreach (storefront_endpoints() as $name) add_rewrite_endpoint($name, EP_PAGES);
    if (wp_installing() || get_option('storefront_version') === '1') return;
    update_option('storefront_version', '1');
    foreach (['shop' => 'Shop', 'cart' => 'Cart', 'checkout' => 'Checkout', 'account' => 'My account'] as $name => $title) {
        wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title, 'post_content' => "[storefront_$name]", 'post_author' => 1]);
    }
    flush_rewrite_rules(false);
}

function storefront_url(string $page, string $endpoint = '', $value = ''): string
{
    $url = home_url("/$page/");
    return $endpoint === '' ? $url : $url . $endpoint . '/' . ($value === '' ? '' : "$value/");
}

function storefront_price(float $amount): string
{
    return number_format($amount, 2) . ' ' . get_option('shop_currency');
}

// The session of a customer: a user, or whoever has the cookie.

function storefront_customer(bool $creates = false): string
{
    if (is_user_logged_in()) return 'user-' . get_current_user_id();
    $name = 'wp_woocommerce_session_' . COOKIEHASH;
    [$id, $hash] = explode('||', $_COOKIE[$name] ?? '') + ['', ''];
    if ($id !== '' && hash_equals(wp_hash($id), $hash)) return $id;
    if (!$creates) return '';
    $id = 't_' . wp_generate_password(30, false);
    $_COOKIE[$name] = "$id||" . wp_hash($id);
    setcookie($name, $_COOKIE[$name], time() + 2 * DAY_IN_SECONDS, COOKIEPATH ?: '/', COOKIE_DOMAIN, is_ssl(), true);
    return $id;
}

function storefront_session(): array
{
    $id = storefront_customer();
    return ($id === '' ? [] : get_option("storefront_session_$id", [])) + ['items' => [], 'removed' => [], 'coupons' => [], 'notices' => []];
}

function storefront_save_session(array $session): void
{
    update_option('storefront_session_' . storefront_customer(true), $session, false);
    if (headers_sent()) return;
    $path = COOKIEPATH ?: '/';
    if ($session['items']) {
        setcookie('woocommerce_items_in_cart', '1', 0, $path, COOKIE_DOMAIN, is_ssl());
        setcookie('woocommerce_cart_hash', md5(wp_json_encode($session['items'])), 0, $path, COOKIE_DOMAIN, is_ssl());
    } elseif (isset($_COOKIE['woocommerce_items_in_cart'])) {
        setcookie('woocommerce_items_in_cart', '0', time() - HOUR_IN_SECONDS, $path, COOKIE_DOMAIN, is_ssl());
        setcookie('woocommerce_cart_hash', '', time() - HOUR_IN_SECONDS, $path, COOKIE_DOMAIN, is_ssl());
    }
}

function storefront_merge_carts(string $login, WP_User $user): void
{
    $guest = storefront_session();
    if (!$guest['items'] || storefront_customer() === "user-$user->ID") return;
    $own = get_option("storefront_session_user-$user->ID", []);
    update_option("storefront_session_user-$user->ID", ['items' => $guest['items'] + ($own['items'] ?? [])] + $guest, false);
}

function storefront_notice(string $text): void
{
    $session = storefront_session();
    $session['notices'][] = $text;
    storefront_save_session($session);
}

function storefront_print_notices(): string
{
    $session = storefront_session();
    if (!$session['notices']) return '';
    $html = implode('', array_map(fn ($text) => '<p class="woocommerce-message" role="alert">' . esc_html($text) . '</p>', $session['notices']));
    $session['notices'] = [];
    storefront_save_session($session);
    return $html;
}

function storefront_add(int $product, int $quantity): bool
{
    $post = get_post($product);
    if (!$post || $post->post_type !== 'product' || $post->post_status !== 'publish') return false;
    $session = storefront_session();
    $wanted = ($session['items'][$product] ?? 0) + $quantity;
    if ($wanted > intval(get_post_meta($product, 'stock', true))) {
        storefront_notice("You cannot add that amount of “{$post->post_title}”.");
        return false;
    }
    $session['items'][$product] = $wanted;
    storefront_save_session($session);
    return true;
}

function storefront_totals(): array
{
    $session = storefront_session();
    $subtotal = 0.0;
    foreach ($session['items'] as $id => $quantity) $subtotal += $quantity * floatval(get_post_meta($id, 'price', true));
    $percent = 0;
    foreach ($session['coupons'] as $code) $percent += get_option('shop_coupons')[$code] ?? 0;
    return ['subtotal' => $subtotal, 'discount' => $subtotal * $percent / 100, 'total' => $subtotal * (100 - $percent) / 100];
}

function storefront_nonce_is_valid(string $action): bool
{
    return wp_verify_nonce($_REQUEST["$action-nonce"] ?? $_REQUEST['_wpnonce'] ?? '', $action) !== false;
}

function storefront_redirect(string $url): void
{
    wp_safe_redirect($url);
    exit;
}

// Forms are posted to the page that shows them. Most redirect to `_wp_http_referer`.

function storefront_handle_forms(): void
{
    if (isset($_REQUEST['add-to-cart']) && !isset($_GET['wc-ajax'])) {
        $id = absint($_REQUEST['add-to-cart']);
        if (storefront_add($id, max(1, absint($_REQUEST['quantity'] ?? 1)))) storefront_notice('“' . get_post($id)->post_title . '” has been added to your cart.');
    }
    $referer = remove_query_arg(['remove_item', 'undo_item', 'add-to-cart', '_wpnonce'], wp_get_referer() ?: storefront_url('cart'));
    foreach (['remove_item' => ['items', 'removed'], 'undo_item' => ['removed', 'items']] as $name => [$from, $to]) {
        if (!isset($_GET[$name]) || !storefront_nonce_is_valid('woocommerce-cart')) continue;
        $id = absint($_GET[$name]);
        $session = storefront_session();
        if (isset($session[$from][$id])) $session[$to][$id] = $session[$from][$id];
        unset($session[$from][$id]);
        if ($name === 'remove_item') $session['notices'][] = get_post($id)->post_title . ' removed.';
        storefront_save_session($session);
        storefront_redirect($name === 'remove_item' ? add_query_arg('removed_item', '1', $referer) : $referer);
    }
    if ((isset($_POST['update_cart']) || isset($_POST['apply_coupon'])) && storefront_nonce_is_valid('woocommerce-cart')) {
        $session = storefront_session();
        if (isset($_POST['apply_coupon'])) storefront_apply_coupon($session, $_POST['coupon_code'] ?? '');
        else {
            foreach ((array) ($_POST['cart'] ?? []) as $id => ['qty' => $quantity]) {
                $session['items'][$id] = absint($quantity);
                if (absint($quantity) === 0) unset($session['items'][$id]);
            }
            $session['notices'][] = 'Cart updated.';
        }
        storefront_save_session($session);
        storefront_redirect($referer);
    }
    if (isset($_POST['login'], $_POST['woocommerce-login-nonce']) && storefront_nonce_is_valid('woocommerce-login')) {
        $user = wp_signon(['user_login' => wp_unslash($_POST['username']), 'user_password' => wp_unslash($_POST['password']), 'remember' => isset($_POST['rememberme'])], is_ssl());
        if (!is_wp_error($user)) storefront_redirect(remove_query_arg('password-reset', wp_unslash($_POST['redirect'] ?? '') ?: wp_get_raw_referer() ?: storefront_url('my-account')));
        storefront_notice('Error: ' . wp_strip_all_tags($user->get_error_message()));
    }
    if (isset($_POST['register'], $_POST['email']) && storefront_nonce_is_valid('woocommerce-register')) {
        $id = wp_create_user(strtok($_POST['email'], '@'), $_POST['password'], $_POST['email']);
        if (!is_wp_error($id)) {
            wp_mail($_POST['email'], 'Your account', 'Your account: ' . storefront_url('my-account'));
            wp_set_current_user($id);
            wp_set_auth_cookie($id, true);
            storefront_redirect(wp_get_raw_referer() ?: storefront_url('my-account'));
        }
        storefront_notice('Error: ' . $id->get_error_message());
    }
    if (isset($_POST['wc_reset_password'], $_POST['user_login']) && storefront_nonce_is_valid('lost_password')) {
        $sent = retrieve_password(wp_unslash($_POST['user_login']));
        if (!is_wp_error($sent)) storefront_redirect(add_query_arg('reset-link-sent', 'true', storefront_url('my-account', 'lost-password')));
        storefront_notice('Invalid username or email.');
    }
    if (!is_user_logged_in()) return;
    $user = wp_get_current_user();
    if (isset($_POST['save_account_details']) && storefront_nonce_is_valid('save-account-details')) {
        wp_update_user(['ID' => $user->ID, 'first_name' => $_POST['account_first_name'], 'display_name' => $_POST['account_display_name']]);
        storefront_notice('Account details changed successfully.');
        storefront_redirect(storefront_url('my-account'));
    }
    if (isset($_POST['save_address']) && storefront_nonce_is_valid('woocommerce-edit_address')) {
        foreach (['billing_city', 'billing_country'] as $name) update_user_meta($user->ID, $name, sanitize_text_field(wp_unslash($_POST[$name])));
        storefront_notice('Address changed successfully.');
        storefront_redirect(storefront_url('my-account', 'edit-address'));
    }
    if (isset($_GET['order_again']) && storefront_nonce_is_valid('woocommerce-order_again')) {
        foreach (get_post_meta(absint($_GET['order_again']), 'items', true) as $id => $quantity) storefront_add($id, $quantity);
        storefront_notice('The cart has been filled with the items from your previous order.');
        storefront_redirect(storefront_url('cart'));
    }
}

function storefront_apply_coupon(array &$session, string $given): void
{
    $code = strtoupper(trim($given));
    $isKnown = isset(get_option('shop_coupons')[$code]);
    if ($isKnown) $session['coupons'] = [$code];
    $session['notices'][] = $isKnown ? 'Coupon code applied successfully.' : "Coupon “{$code}” does not exist!";
}

// Requests before a page: `?wc-ajax=`, sign-out, and pages that nobody may store.

function storefront_before_page(): void
{
    if (isset($_GET['wc-ajax'])) storefront_ajax($_GET['wc-ajax']);
    if (!is_page(['cart', 'checkout', 'my-account'])) return;
    nocache_headers();
    if (is_page('checkout') && get_query_var('order-received') === '' && !storefront_session()['items']) storefront_redirect(storefront_url('cart'));
    if (isset($GLOBALS['wp_query']->query_vars['customer-logout'])) {
        if (!wp_verify_nonce($_GET['_wpnonce'] ?? '', 'customer-logout')) return;
        wp_logout();
        storefront_redirect(storefront_url('my-account'));
    }
    if (isset($GLOBALS['wp_query']->query_vars['lost-password'], $_GET['key'], $_GET['login'])) {
        $value = wp_unslash($_GET['login']) . ':' . wp_unslash($_GET['key']);
        setcookie('wp-resetpass-' . COOKIEHASH, $value, 0, strtok($_SERVER['REQUEST_URI'], '?'), COOKIE_DOMAIN, is_ssl(), true);
        storefront_redirect(add_query_arg('show-reset-form', 'true', storefront_url('my-account', 'lost-password')));
    }
}

function storefront_fragments(): array
{
    $session = storefront_session();
    return ['fragments' => ['#cart-count' => array_sum($session['items']) . ' in cart'], 'cart_hash' => md5(wp_json_encode($session['items']))];
}

function storefront_ajax(string $action): void
{
    nocache_headers();
    if ($action === 'add_to_cart') {
        $id = absint($_POST['product_id'] ?? 0);
        wp_send_json(storefront_add($id, max(1, absint($_POST['quantity'] ?? 1))) ? storefront_fragments() : ['error' => true, 'product_url' => get_permalink($id)]);
    }
    if ($action === 'get_refreshed_fragments') wp_send_json(storefront_fragments());
    if ($action === 'apply_coupon') {
        check_ajax_referer('apply-coupon', 'security');
        $session = storefront_session();
        storefront_apply_coupon($session, $_POST['coupon_code'] ?? '');
        $text = array_pop($session['notices']);
        storefront_save_session($session);
        wp_die(esc_html($text));
    }
    if ($action === 'update_order_review') {
        check_ajax_referer('update-order-review', 'security');
        wp_send_json(['result' => 'success', 'fragments' => ['#order-total' => storefront_price(storefront_totals()['total'])]]);
    }
    if ($action === 'checkout') wp_send_json(storefront_order());
    wp_die('-1', 400);
}

function storefront_order(): array
{
    $session = storefront_session();
    $email = sanitize_email($_POST['billing_email'] ?? '');
    if (!storefront_nonce_is_valid('woocommerce-process_checkout') || !$session['items']) return ['result' => 'failure', 'messages' => 'Your session has expired.'];
    if ($email === '') return ['result' => 'failure', 'messages' => 'Billing Email address is a required field.'];
    $total = storefront_totals()['total'];
    if (isset($_POST['createaccount']) && !is_user_logged_in()) {
        $user = wp_create_user(strtok($email, '@'), $_POST['account_password'], $email);
        if (is_wp_error($user)) return ['result' => 'failure', 'messages' => $user->get_error_message()];
        wp_set_current_user($user);
        wp_set_auth_cookie($user, true);
    }
    $key = 'wc_order_' . wp_generate_password(13, false);
    $order = wp_insert_post(['post_type' => 'shop_order', 'post_status' => 'publish', 'post_title' => "Order of $email", 'post_author' => get_current_user_id(), 'meta_input' => ['items' => $session['items'], 'total' => $total, 'email' => $email, 'key' => $key, 'note' => sanitize_text_field(wp_unslash($_POST['order_comments'] ?? ''))]]);
    foreach ($session['items'] as $id => $quantity) {
        update_post_meta($id, 'stock', intval(get_post_meta($id, 'stock', true)) - $quantity);
        update_option('shop_orders', [...(array) get_option('shop_orders'), ['product' => $id, 'quantity' => $quantity]]);
    }
    $url = add_query_arg('key', $key, storefront_url('checkout', 'order-received', $order));
    wp_mail($email, "Your order $order", "Thank you: $url");
    storefront_save_session(['items' => [], 'removed' => [], 'coupons' => [], 'notices' => []]);
    return ['result' => 'success', 'redirect' => $url];
}

// Pages

function storefront_shop(): string
{
    $page = max(1, absint($_GET['product-page'] ?? 1));
    $products = get_posts([
        'post_type' => 'product', 'post_status' => 'publish', 'numberposts' => 4, 'offset' => ($page - 1) * 4,
        'orderby' => ($_GET['orderby'] ?? '') === 'price' ? 'meta_value_num' : 'title', 'meta_key' => 'price', 'order' => ($_GET['order'] ?? '') === 'desc' ? 'DESC' : 'ASC',
    ]);
    $html = storefront_print_notices() . '<form method="get" id="sorting"><select name="orderby"><option value="title">Title</option><option value="price">Price</option></select><input type="hidden" name="order" value="desc"><button>Sort</button></form><ul class="products">';
    foreach ($products as $post) {
        $html .= sprintf(
            '<li><a class="product" href="%s">%s</a> <span>%s</span> <a class="add_to_cart_button ajax_add_to_cart" data-product="%d" href="?add-to-cart=%d" rel="nofollow">Add to cart</a></li>',
            esc_url(get_permalink($post)), esc_html($post->post_title), storefront_price(floatval($post->price)), $post->ID, $post->ID,
        );
    }
    return "$html</ul><a id=\"next\" href=\"" . esc_url(add_query_arg('product-page', $page + 1)) . '">Next</a>';
}

function storefront_product_page(string $content): string
{
    if (!is_singular('product') || !in_the_loop()) return $content;
    $post = get_post();
    // WooCommerce gives the field another id in each response.
    $id = uniqid('quantity_');
    return storefront_print_notices() . $content . '<p id="price">' . storefront_price(floatval($post->price)) . '</p><p id="stock">' . intval($post->stock) . " in stock</p>
        <form class=\"cart\" method=\"post\" enctype=\"multipart/form-data\" action=\"" . esc_url(get_permalink()) . "\"><label for=\"$id\">Quantity</label>
        <input id=\"$id\" type=\"number\" name=\"quantity\" value=\"1\"><button type=\"submit\" name=\"add-to-cart\" value=\"$post->ID\">Add to cart</button></form>";
}

function storefront_cart(): string
{
    $session = storefront_session();
    $html = storefront_print_notices();
    if (!$session['items']) return "$html<p>Your cart is currently empty.</p>";
    $html .= '<form id="cart" method="post" action="' . esc_url(storefront_url('cart')) . '">';
    foreach ($session['items'] as $id => $quantity) {
        $remove = wp_nonce_url(add_query_arg('remove_item', $id, storefront_url('cart')), 'woocommerce-cart');
        $html .= '<p>' . esc_html(get_post($id)->post_title) . " <input type=\"number\" name=\"cart[$id][qty]\" value=\"$quantity\"> <a class=\"remove\" href=\"" . esc_url($remove) . '">Remove</a></p>';
    }
    $undo = array_key_last($session['removed']);
    if ($undo) $html .= '<a id="undo" href="' . esc_url(wp_nonce_url(add_query_arg('undo_item', $undo, storefront_url('cart')), 'woocommerce-cart')) . '">Undo</a>';
    $totals = array_map('storefront_price', storefront_totals());
    return $html . '<input name="coupon_code"><button name="apply_coupon" value="1">Apply coupon</button><button name="update_cart" value="1">Update cart</button>'
        . wp_nonce_field('woocommerce-cart', 'woocommerce-cart-nonce', true, false)
        . "</form><p id=\"totals\">{$totals['subtotal']} − {$totals['discount']} = {$totals['total']}</p><a id=\"to-checkout\" href=\"" . esc_url(storefront_url('checkout')) . '">Checkout</a>';
}

function storefront_checkout(): string
{
    $order = absint(get_query_var('order-received'));
    if ($order) {
        if (!hash_equals((string) get_post_meta($order, 'key', true), $_GET['key'] ?? '')) return '<p>Unknown order.</p>';
        return "<p id=\"received\">Thank you. Order $order: " . storefront_price(floatval(get_post_meta($order, 'total', true))) . '</p>';
    }
    $user = wp_get_current_user();
    $account = $user->ID ? '' : '<label><input type="checkbox" name="createaccount" value="1"> Create an account</label><input name="account_password" type="password" value="secret of a customer">';
    return storefront_print_notices() . '<form id="checkout" class="checkout" method="post" action="' . esc_url(storefront_url('checkout')) . '">'
        . '<input name="billing_email" value="' . esc_attr($user->user_email) . '"><input name="billing_city" value="' . esc_attr($user->billing_city) . "\"><textarea name=\"order_comments\"></textarea>$account"
        . wp_nonce_field('woocommerce-process_checkout', 'woocommerce-process_checkout-nonce', true, false)
        . '<button id="place_order">Place order</button></form><div id="messages"></div><p id="order-total">' . storefront_price(storefront_totals()['total']) . '</p>'
        . '<input id="coupon"><button id="apply" data-security="' . wp_create_nonce('apply-coupon') . '">Apply</button><button id="review" data-security="' . wp_create_nonce('update-order-review') . '">Update</button>';
}

function storefront_account(): string
{
    $vars = $GLOBALS['wp_query']->query_vars;
    $action = '';
    foreach (storefront_endpoints() as $name) if (isset($vars[$name])) $action = $name;
    $html = storefront_print_notices();
    $nonce = fn (string $action) => wp_nonce_field($action, "$action-nonce", true, false);
    if ($action === 'lost-password') {
        if (isset($_GET['reset-link-sent'])) return "$html<p>Password reset email has been sent.</p>";
        if (isset($_GET['show-reset-form'])) return $html . '<p>Enter a new password for ' . esc_html(strtok($_COOKIE['wp-resetpass-' . COOKIEHASH] ?? '', ':')) . '.</p>';
        return $html . '<form id="lost" method="post"><input name="user_login"><input type="hidden" name="wc_reset_password" value="true">' . $nonce('lost_password') . '<button>Reset password</button></form>';
    }
    if (!is_user_logged_in()) {
        return $html . '<form id="login" method="post"><input name="username"><input name="password" type="password"><input type="checkbox" name="rememberme" value="forever">' . $nonce('woocommerce-login')
            . '<button name="login" value="Log in">Log in</button></form><form id="register" method="post"><input name="email"><input name="password" type="password">' . $nonce('woocommerce-register') . '<button name="register" value="Register">Register</button></form>';
    }
    $user = wp_get_current_user();
    $links = array_map(fn ($name) => "<a href=\"" . esc_url($name === 'customer-logout' ? wp_nonce_url(storefront_url('my-account', $name), $name) : storefront_url('my-account', $name)) . "\">$name</a>", ['orders', 'edit-address', 'edit-account', 'customer-logout']);
    $html .= '<nav id="account">' . implode(' ', $links) . '</nav>';
    $orders = get_posts(['post_type' => 'shop_order', 'author' => $user->ID, 'numberposts' => -1]);
    $number = absint($vars['view-order'] ?? 0);
    return $html . match (true) {
        $action === 'orders' => '<ul id="orders">' . implode('', array_map(fn ($order) => '<li><a href="' . esc_url(storefront_url('my-account', 'view-order', $order->ID)) . "\">$order->ID</a> " . storefront_price(floatval($order->total)) . '</li>', $orders)) . '</ul>',
        $action === 'view-order' => in_array($number, wp_list_pluck($orders, 'ID'), true)
            ? "<p>Order $number: " . esc_html(get_post_meta($number, 'note', true)) . '</p><a id="again" href="' . esc_url(wp_nonce_url(add_query_arg('order_again', $number, storefront_url('cart')), 'woocommerce-order_again')) . '">Order again</a>'
            : '<p>Invalid order.</p>',
        $action === 'edit-account' => '<form method="post"><input name="account_first_name" value="' . esc_attr($user->first_name) . '"><input name="account_display_name" value="' . esc_attr($user->display_name) . '">' . $nonce('save-account-details') . '<button name="save_account_details" value="1">Save</button></form>',
        $action === 'edit-address' => '<form method="post"><input name="billing_city" value="' . esc_attr($user->billing_city) . '"><input name="billing_country" value="' . esc_attr($user->billing_country) . '">' . $nonce('woocommerce-edit_address') . '<button name="save_address" value="1">Save</button></form>',
        default => '<p id="hello">Hello ' . esc_html($user->display_name) . '</p>',
    };
}

function storefront_footer(): void
{
    $ajax = wp_json_encode(add_query_arg('wc-ajax', '%%action%%', home_url('/', 'relative')));
    echo <<<HTML
    <p id="cart-count"></p>
    <script>(() => {
      const post = (action, fields) => fetch($ajax.replace('%%action%%', action), { method: 'POST', body: new URLSearchParams(fields) });
      const show = ({ fragments }) => { for (const [selector, text] of Object.entries(fragments ?? {})) for (const element of document.querySelectorAll(selector)) element.textContent = text; };
      if (document.cookie.includes('woocommerce_items_in_cart=1')) post('get_refreshed_fragments', {}).then((response) => response.json()).then(show);
      for (const link of document.querySelectorAll('.ajax_add_to_cart')) link.addEventListener('click', async (event) => {
        event.preventDefault();
        const added = await (await post('add_to_cart', { product_id: link.dataset.product, quantity: 1 })).json();
        if (added.error) return void (location.href = added.product_url);
        show(added);
        link.textContent = 'Added';
      });
      const messages = document.querySelector('#messages');
      document.querySelector('#apply')?.addEventListener('click', async ({ target }) => {
        messages.textContent = await (await post('apply_coupon', { security: target.dataset.security, coupon_code: document.querySelector('#coupon').value })).text();
      });
      document.querySelector('#review')?.addEventListener('click', async ({ target }) => {
        show(await (await post('update_order_review', { security: target.dataset.security })).json());
        messages.textContent = 'Reviewed';
      });
      document.querySelector('form.checkout')?.addEventListener('submit', async (event) => {
        event.preventDefault();
        const result = await (await post('checkout', new FormData(event.target))).json();
        if (result.result === 'success') location.href = result.redirect;
        else messages.textContent = result.messages;
      });
    })()</script>
    HTML;
}
