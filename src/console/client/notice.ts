/** Removes the notice of the last action from the address, so that a reload does not repeat it. */
export function removeNotice(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has('notice')) return;
  url.searchParams.delete('notice');
  url.searchParams.delete('signed');
  history.replaceState(null, '', url);
}
