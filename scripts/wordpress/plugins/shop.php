<?php
/**
 * Plugin Name: Shop (test plugin)
 *
 * Products, stock, orders and coupons, for tests. Products are a post type that three namespaces show: wp/v2, store/v1 and
 * catalog/v1. It is written as many plugins are: prices cached in an option, carts by header fields, hooks on WordPress's
 * own writes, sanitising that the index does not show.
 */

add_action('init', 'shop_install');
add_action('rest_api_init', 'shop_routes');
add_action('save_post_product', fn () => delete_option('shop_prices'));
// A comment is a review, which changes the product's rating.
add_action('wp_insert_comment', 'shop_rate', 10, 2);
add_action('deleted_comment', 'shop_rate', 10, 2);

function shop_install(): void
{
    register_taxonomy('product_group', 'product', ['label' => 'Groups', 'public' => true, 'show_in_rest' => true, 'rest_base' => 'product-groups']);
    register_post_type('product', [
        'label' => 'Products', 'public' => true, 'show_in_rest' => true, 'rest_base' => 'products', 'capability_type' => 'post',
        'supports' => ['title', 'editor', 'excerpt', 'thumbnail', 'comments', 'custom-fields'], 'taxonomies' => ['product_group'],
    ]);
    foreach (['price' => 'number', 'stock' => 'integer'] as $name => $type) {
        register_post_meta('product', $name, ['type' => $type, 'single' => true, 'show_in_rest' => true]);
    }
    if (wp_installing() || get_option('shop_version') === '1') return;
    flush_rewrite_rules(false);
    update_option('shop_version', '1');
    update_option('shop_currency', 'EUR');
    update_option('shop_coupons', ['TEN' => 10, 'HALF' => 50]);
    update_option('shop_orders', []);
    $group = wp_insert_term('Cups', 'product_group', ['slug' => 'cups'])['term_id'];
    wp_insert_term('Plates', 'product_group', ['slug' => 'plates']);
    foreach (range(1, 8) as $n) {
        $id = wp_insert_post(['post_type' => 'product', 'post_title' => "Product $n", 'post_name' => "product-$n", 'post_status' => $n === 7 ? 'private' : 'publish', 'post_content' => "<p>Product $n.</p>", 'post_date' => "2024-04-0$n 12:00:00", 'post_author' => 1, 'comment_status' => 'open']);
        wp_set_object_terms($id, $n % 2 ? $group : 'plates', 'product_group');
        update_post_meta($id, 'price', $n * 1.5);
        update_post_meta($id, 'stock', $n);
    }
}

function shop_rate($id, $comment): void
{
    update_post_meta($comment->comment_post_ID, 'rating', get_comments(['post_id' => $comment->comment_post_ID, 'count' => true]));
}

function shop_product($post): array
{
    $price = floatval(get_post_meta($post->ID, 'price', true));
    return [
        'id' => $post->ID,
        'name' => get_the_title($post),
        'price' => number_format($price, 2) . ' ' . get_option('shop_currency'),
        'stock' => intval(get_post_meta($post->ID, 'stock', true)),
        'in_stock' => get_post_meta($post->ID, 'stock', true) > 0,
        'sold' => array_sum(array_column(array_filter((array) get_option('shop_orders'), fn ($order) => $order['product'] == $post->ID), 'quantity')),
        'groups' => wp_get_post_terms($post->ID, 'product_group', ['fields' => 'names']),
        'rating' => intval(get_post_meta($post->ID, 'rating', true)),
        'image' => get_the_post_thumbnail_url($post) ?: null,
        'status' => $post->post_status,
    ];
}

function shop_find($id)
{
    $post = get_post(intval($id));
    if (!$post || $post->post_type !== 'product' || $post->post_status === 'trash' || ($post->post_status !== 'publish' && !current_user_can('edit_posts'))) {
        return new WP_Error('shop_no_product', 'No such product.', ['status' => 404]);
    }
    return $post;
}

function shop_list(WP_REST_Request $request): array
{
    $products = get_posts(array_filter([
        'post_type' => 'product',
        'numberposts' => max(1, min(100, intval($request['per_page'] ?: 10))),
        'offset' => (max(1, intval($request['page'])) - 1) * 10,
        'include' => wp_parse_id_list($request['include'] ?: []),
        'exclude' => wp_parse_id_list($request['exclude'] ?: []),
        's' => $request['search'],
        'orderby' => $request['orderby'] === 'title' ? 'title' : 'date',
        'order' => strtoupper((string) $request['order']) === 'ASC' ? 'ASC' : 'DESC',
        'tax_query' => $request['group'] ? [['taxonomy' => 'product_group', 'field' => 'slug', 'terms' => $request['group']]] : null,
    ]));
    $maximum = floatval($request['max_price']);
    $products = array_map('shop_product', $products);
    return array_values(array_filter($products, fn ($product) => !$maximum || floatval($product['price']) <= $maximum));
}

/** Anonymous visitors have a cart, which a field of the request names. */
function shop_cart(WP_REST_Request $request, $value = null): WP_REST_Response
{
    $token = $request->get_header('cart_token') ?: wp_generate_password(16, false);
    if ($value !== null) update_option("shop_cart_$token", $value);
    $response = new WP_REST_Response(['items' => get_option("shop_cart_$token", []), 'currency' => get_option('shop_currency'), 'token' => $token]);
    $response->header('Cart-Token', $token);
    $response->header('X-Store-Nonce', wp_create_nonce("cart-$token"));
    return $response;
}

function shop_routes(): void
{
    $public = ['permission_callback' => '__return_true'];
    $staff = ['permission_callback' => fn () => current_user_can('edit_posts')];
    $route = fn (string $namespace, string $route, string $methods, array $access, callable $callback, array $args = []) =>
        register_rest_route($namespace, $route, $access + compact('methods', 'callback', 'args'));
    $integer = ['type' => 'integer', 'validate_callback' => '__return_true', 'sanitize_callback' => 'absint'];
    $ids = ['type' => 'array', 'items' => ['type' => 'integer'], 'default' => [], 'sanitize_callback' => 'wp_parse_id_list'];
    $list = [
        'page' => $integer + ['default' => 1, 'minimum' => 1],
        'per_page' => ['type' => 'integer', 'default' => 10, 'minimum' => 1, 'maximum' => 100],
        'include' => $ids, 'exclude' => $ids,
        'search' => ['type' => 'string'],
        'orderby' => ['type' => 'string', 'enum' => ['date', 'title'], 'default' => 'date'],
        'order' => ['type' => 'string', 'enum' => ['asc', 'desc'], 'default' => 'desc', 'sanitize_callback' => 'sanitize_key'],
        'group' => ['type' => 'string', 'pattern' => '^[a-z-]+$'],
        'max_price' => ['type' => 'number', 'minimum' => 0],
    ];
    $product = [
        'name' => ['type' => 'string', 'minLength' => 1],
        'price' => ['type' => 'number', 'minimum' => 0],
        'stock' => $integer,
        'status' => ['type' => 'string', 'enum' => ['publish', 'private', 'draft']],
        'groups' => ['type' => 'array', 'items' => ['type' => 'string'], 'maxItems' => 5],
    ];
    $save = function (WP_REST_Request $request) {
        $fields = array_filter(['post_title' => $request['name'], 'post_status' => $request['status']]);
        $post = $request['id'] ? shop_find($request['id']) : null;
        if (is_wp_error($post)) return $post;
        $id = $post ? wp_update_post($fields + ['ID' => $post->ID]) : wp_insert_post($fields + ['post_type' => 'product', 'post_status' => 'publish']);
        foreach (['price', 'stock'] as $name) {
            if ($request[$name] !== null) update_post_meta($id, $name, $request[$name]);
        }
        if ($request['groups'] !== null) wp_set_object_terms($id, $request['groups'], 'product_group');
        return shop_product(get_post($id));
    };
    foreach (['store/v1' => '/products', 'catalog/v1' => '/items'] as $namespace => $base) {
        $route($namespace, $base, 'GET', $public, 'shop_list', $list);
        $route($namespace, "$base/(?P<id>[\\d]+)", 'GET', $public, fn ($request) => is_wp_error($post = shop_find($request['id'])) ? $post : shop_product($post));
    }
    $route('store/v1', '/products', 'POST', $staff, $save, ['name' => $product['name'] + ['required' => true]] + $product);
    $route('store/v1', '/products/(?P<id>[\d]+)', 'POST, PUT, PATCH', $staff, $save, $product);
    $route('store/v1', '/products/(?P<id>[\d]+)', 'DELETE', $staff, fn ($request) => is_wp_error($post = shop_find($request['id'])) ? $post : ['deleted' => (bool) wp_delete_post($post->ID, rest_sanitize_boolean($request['force']))], ['force' => ['type' => 'boolean', 'validate_callback' => '__return_true']]);
    $route('store/v1', '/products/(?P<id>[\d]+)/stock', 'POST', $staff, function ($request) {
        $post = shop_find($request['id']);
        if (is_wp_error($post)) return $post;
        update_post_meta($post->ID, 'stock', max(0, intval(get_post_meta($post->ID, 'stock', true)) + intval($request['change'])));
        return new WP_REST_Response(null, 204);
    }, ['change' => ['type' => 'integer', 'required' => true, 'sanitize_callback' => fn ($value) => intval($value)]]);
    $route('store/v1', '/prices', 'GET', $public, function () {
        $prices = get_option('shop_prices');
        if (!$prices) {
            $prices = wp_list_pluck(array_map('shop_product', get_posts(['post_type' => 'product', 'numberposts' => -1])), 'price', 'name');
            update_option('shop_prices', $prices);
        }
        return $prices;
    });
    $route('catalog/v1', '/summary', 'GET', $public, fn () => [
        'products' => wp_count_posts('product')->publish,
        'cheapest' => min(wp_list_pluck(shop_list(new WP_REST_Request()), 'price') ?: ['']),
        'groups' => wp_list_pluck(get_terms(['taxonomy' => 'product_group', 'hide_empty' => false]), 'count', 'slug'),
        'orders' => count(get_option('shop_orders')),
        'shop' => get_bloginfo('name'),
    ]);
    $route('store/v1', '/orders', 'POST', $public, function ($request) {
        $post = shop_find($request['product']);
        if (is_wp_error($post)) return $post;
        $quantity = max(1, intval($request['quantity']));
        $stock = intval(get_post_meta($post->ID, 'stock', true));
        if ($stock < $quantity) return new WP_Error('shop_sold_out', 'Not enough in stock.', ['status' => 409]);
        $discount = get_option('shop_coupons')[strtoupper((string) $request['coupon'])] ?? 0;
        update_post_meta($post->ID, 'stock', $stock - $quantity);
        if ($stock === $quantity) wp_update_post(['ID' => $post->ID, 'post_excerpt' => 'Sold out']);
        update_option('shop_orders', array_merge((array) get_option('shop_orders'), [['product' => $post->ID, 'quantity' => $quantity]]));
        $response = new WP_REST_Response(['discount' => $discount], 201);
        $response->header('X-Order-Key', wp_generate_password(12, false));
        return $response;
    }, ['product' => ['type' => 'integer', 'required' => true], 'quantity' => $integer + ['default' => 1], 'coupon' => ['type' => 'string']]);
    $route('store/v1', '/coupons', 'GET', $staff, fn () => get_option('shop_coupons'));
    $route('store/v1', '/coupons/(?P<code>\w+)', 'GET', $public, function ($request) {
        $percent = get_option('shop_coupons')[strtoupper($request['code'])] ?? null;
        return $percent === null ? new WP_Error('shop_no_coupon', 'Unknown coupon.', ['status' => 404]) : ['percent' => $percent];
    });
    $route('store/v1', '/coupons/(?P<code>\w+)', 'PUT, DELETE', $staff, function ($request) {
        $coupons = get_option('shop_coupons');
        unset($coupons[strtoupper($request['code'])]);
        if ($request->get_method() === 'PUT') $coupons[strtoupper($request['code'])] = intval($request['percent']);
        update_option('shop_coupons', $coupons);
        return ['coupons' => count($coupons)];
    }, ['percent' => ['type' => 'integer', 'minimum' => 1, 'maximum' => 100]]);
    $route('store/v1', '/settings', 'POST', $staff, function ($request) {
        update_option('shop_currency', $request['currency']);
        delete_option('shop_prices');
        return new WP_REST_Response();
    }, ['currency' => ['type' => 'string', 'enum' => ['EUR', 'USD', 'JPY'], 'required' => true]]);
    $route('store/v1', '/cart', 'GET', $public, 'shop_cart');
    $route('store/v1', '/cart', 'POST', $public, fn ($request) => shop_cart($request, $request['items']), ['items' => $ids]);
    register_rest_field('product', 'shop', ['get_callback' => fn ($data) => array_intersect_key(shop_product(get_post($data['id'])), ['price' => 1, 'stock' => 1, 'rating' => 1, 'sold' => 1])]);
}
