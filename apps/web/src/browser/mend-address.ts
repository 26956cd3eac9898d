function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/**
 * An address whose escapes are broken, as those of a link are that was cut within a letter: the signs
 * themselves are taken for meant, so that the page of that address can say that there is nothing here.
 */
export function mendAddress(): void {
  const { pathname, search, hash } = window.location;
  if (isReadable(pathname)) return;
  const mended = pathname.replaceAll('%', '%25');
  window.history.replaceState(window.history.state, '', `${mended}${search}${hash}`);
}
