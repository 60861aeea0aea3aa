import { removeNotice } from './notice.ts';
import { refreshSections } from './refresh.ts';

// The pages are complete without this script. It refreshes what is marked, while the page is open.
removeNotice();
refreshSections();
// On a small screen the navigation would stand before the content.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');
