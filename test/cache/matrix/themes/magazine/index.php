<!DOCTYPE html>
<html <?php language_attributes(); ?>>
<head><meta charset="<?php bloginfo('charset'); ?>"><?php wp_head(); ?></head>
<body <?php body_class(); ?>>
<header>
  <h1><a href="<?php echo esc_url(home_url('/')); ?>"><?php bloginfo('name'); ?></a></h1><p><?php bloginfo('description'); ?></p>
  <?php wp_nav_menu(['theme_location' => 'top', 'fallback_cb' => 'wp_page_menu']); ?>
  <?php magazine_list('Breaking', ['numberposts' => 6]); ?>
</header>
<main>
<?php
if (is_archive()) {
    the_archive_title('<h2>', '</h2>');
    the_archive_description('<div>', '</div>');
    printf('<p>%d articles</p>', $wp_query->found_posts);
}
while (have_posts()) {
    the_post();
    printf('<article id="post-%d" class="%s">', get_the_ID(), esc_attr(implode(' ', get_post_class())));
    the_title('<h2><a href="' . esc_url(get_permalink()) . '">', '</a></h2>');
    the_post_thumbnail('thumbnail');
    printf('<p>%s, %s, %s, ', get_the_author(), get_the_date(), magazine_minutes(get_post()));
    comments_number();
    echo '</p>';
    if (!is_singular()) the_excerpt();
    else {
        the_content();
        printf('<p>Updated %s. Filed under %s %s</p>', get_the_modified_date('j F Y H:i:s'), get_the_category_list(', '), get_the_tag_list('', ', '));
        printf('<aside>%s (%d articles): %s</aside>', get_the_author_posts_link(), count_user_posts(get_the_author_meta('ID')), get_the_author_meta('description'));
        $terms = wp_get_post_categories(get_the_ID());
        magazine_list('Related', ['category__in' => $terms, 'exclude' => [get_the_ID()]], fn($post) => esc_html(get_the_excerpt($post)));
        the_post_navigation();
        comments_template();
    }
    echo '</article>';
}
the_posts_pagination();
if (is_front_page()) {
    foreach (get_categories(['orderby' => 'name']) as $category) {
        magazine_list("$category->name ($category->count)", ['category' => $category->term_id], fn($post) => esc_html(get_the_author_meta('display_name', $post->post_author)));
    }
}
?>
</main>
<aside>
<?php
magazine_list('Most discussed', ['orderby' => ['comment_count' => 'DESC', 'ID' => 'ASC']], fn($post) => "($post->comment_count)");
magazine_list('Long reads', ['numberposts' => 3, 'category_name' => 'news'], 'magazine_minutes');
magazine_list('Last updated', ['orderby' => ['modified' => 'DESC', 'ID' => 'DESC'], 'numberposts' => 3], fn($post) => $post->post_modified);
wp_tag_cloud(['number' => 20]);
foreach (get_users(['has_published_posts' => true, 'orderby' => 'ID']) as $user) echo '<p>', esc_html($user->display_name), '</p>';
dynamic_sidebar('side');
?>
</aside>
<footer><?php wp_nav_menu(['theme_location' => 'bottom', 'fallback_cb' => '__return_empty_string']); ?><?php wp_footer(); ?></footer>
</body>
</html>
