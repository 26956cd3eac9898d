import { askLibrary, figuresOf, LIBRARIES } from './measure.ts';

/**
 * Prints the figures of both libraries by class, and with '--each' every question with its files.
 * ENGRAM_QUALITY_MANUALS names a folder of manuals that is added to each library.
 */
export async function reportOnOwnLibraries(options: readonly string[] = []): Promise<void> {
  const manuals = process.env['ENGRAM_QUALITY_MANUALS'];
  for (const name of LIBRARIES) {
    const outcomes = await askLibrary(name, manuals === undefined ? [] : [manuals]);
    console.log(`\n${name}`, figuresOf(outcomes));
    const classes = Map.groupBy(outcomes, ({ asked }) => asked.class);
    console.table(Object.fromEntries([...classes].map(([kind, of]) => [kind, figuresOf(of)])));
    if (!options.includes('--each')) continue;
    for (const { asked, needed, grounded, files } of outcomes)
      console.log(
        `${needed ?? '-'} ${grounded ? ' ' : 'x'} ${asked.id}  ${asked.q}  ${files.join(' | ')}`,
      );
  }
}
