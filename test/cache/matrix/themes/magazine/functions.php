<?php
/** Places for widgets and menus of a magazine, and the parts that each of its pages shows. */
add_action('after_setup_theme', function () {
    add_theme_support('title-tag');
    add_theme_support('post-thumbnails');
    add_theme_support('automatic-feed-links');
    register_nav_menus(['top' => 'Top', 'bottom' => 'Bottom']);
});
add_action('widgets_init', fn() => register_sidebar(['id' => 'side', 'name' => 'Side']));

/** Lists links to posts: `$query` selects them, `$describe` says more of each. */
function magazine_list(string $title, array $query, ?callable $describe = null): void
{
    $posts = get_posts($query + ['numberposts' => 4, 'orderby' => ['date' => 'DESC', 'ID' => 'DESC']]);
    echo '<section><h2>', esc_html($title), '</h2><ul>';
    foreach ($posts as $post) {
        $more = $describe === null ? '' : ' ' . $describe($post);
        printf('<li><a href="%s">%s</a>%s</li>', esc_url(get_permalink($post)), esc_html(get_the_title($post)), $more);
    }
    echo '</ul></section>';
}

/** Minutes that a text takes to read, at 20 words a minute: an edit changes it often. */
function magazine_minutes(WP_Post $post): string
{
    return sprintf('%d min', ceil(str_word_count(wp_strip_all_tags($post->post_content)) / 20));
}
