// Sets the color scheme before the first paint, so that a dark page never flashes white.
(() => {
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('engram-color-scheme') ?? 'auto';
  } catch {
    // Storage is disabled, so the system's scheme is used.
  }
  const dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';

  // The window of the installed app has the page's color, even if it is not the system's scheme.
  const colors = { light: '#fbfbfc', dark: '#0f0f12' };
  const paint = () => {
    const color = colors[document.documentElement.dataset.mantineColorScheme];
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = color;
  };
  paint();
  new MutationObserver(paint).observe(document.documentElement, {
    attributeFilter: ['data-mantine-color-scheme'],
  });
})();
