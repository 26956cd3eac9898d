/** What the person is using, as the specification names it. */
export function deviceLabel(
  userAgent = navigator.userAgent,
  touchPoints = navigator.maxTouchPoints,
): string {
  // An iPad that asks for the desktop's pages calls itself a Mac, but no Mac is touched.
  if (/Macintosh/u.test(userAgent) && touchPoints > 1) return 'iPad';
  // Phones first: an iPhone also calls itself Mac OS X, and an Android phone Linux.
  const labels: [RegExp, string][] = [
    [/iPhone/u, 'iPhone'],
    [/iPad/u, 'iPad'],
    [/Android/u, 'Android'],
    [/Windows/u, 'Windows'],
    [/Macintosh|Mac OS/u, 'MacOS'],
    [/Linux|X11/u, 'Linux'],
  ];
  return labels.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Unknown Device';
}
