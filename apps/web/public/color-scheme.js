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

  // The window of the installed app takes the page's colour, also where the choice is not the system's.
  const colours = { light: '#fbfbfc', dark: '#0f0f12' };
  const paint = () => {
    const colour = colours[document.documentElement.dataset.mantineColorScheme];
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = colour;
  };
  paint();
  new MutationObserver(paint).observe(document.documentElement, {
    attributeFilter: ['data-mantine-color-scheme'],
  });
})();
