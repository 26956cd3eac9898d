// Sets the colour scheme before the first paint, so that a dark page never flashes white.
(() => {
  let kept = 'auto';
  try {
    kept = localStorage.getItem('engram-color-scheme') ?? 'auto';
  } catch {
    // Storage is switched off: the system's scheme it is.
  }
  const dark =
    kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
