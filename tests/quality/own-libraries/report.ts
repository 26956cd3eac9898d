import { figuresOf, LIBRARIES, markLibrary } from './measure.ts';

/** Prints the marks of both libraries by class, and with '--each' every question with its answer. */
export async function reportOnOwnLibraries(options: readonly string[] = []): Promise<void> {
  for (const name of LIBRARIES) {
    const marked = await markLibrary(name);
    console.log(`\n${name}`, figuresOf(marked));
    const classes = Map.groupBy(marked, ({ asked }) => asked.class);
    const count = (of: typeof marked) => ({
      questions: of.length,
      right: of.filter(({ mark }) => mark === 'right').length,
      wrong: of.filter(({ mark }) => mark === 'wrong').length,
      refused: of.filter(({ mark }) => mark === 'refused').length,
    });
    console.table(Object.fromEntries([...classes].map(([kind, of]) => [kind, count(of)])));
    if (!options.includes('--each')) continue;
    for (const { asked, mark, answer } of marked)
      console.log(
        `${mark.padEnd(8)}${asked.id}  ${asked.q}\n        ${answer.replace(/\s+/gu, ' ')}`,
      );
  }
}
