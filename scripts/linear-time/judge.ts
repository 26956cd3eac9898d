import { analyse } from 'scslre';
import { alwaysTakes, growthOf, MOST_GROWTH, timeOf } from './growth.ts';
import { hostileTexts, type TextOf } from './hostile-texts.ts';

/** Repetitions at which a pattern that doubles its work with each is caught before it never ends. */
const FEW = [4, 8, 12, 18, 24, 36, 54, 80, 160];
/** Milliseconds; a hundred times what a linear pattern needs for so short a text. */
const LONG_FOR_FEW = 3;
const SCREENED = 2_000;
/** Milliseconds for each sign, within which a linear pattern is through. */
const SUSPICIOUS = 0.000_15;
const LEAST = 250;
const MOST = 100_000;
/** Of the texts that a pattern is slow on, how many are looked at closely, the slowest first. */
const MOST_SUSPECTS = 3;

/** All that a pattern is used for: to find each match, and what lies between. */
const use = (pattern: RegExp, text: string) => (): unknown => text.replace(pattern, '');

const shown = (text: string): string => JSON.stringify(text.slice(0, 60));

/** What a pattern needs for each sign of a text; undefined where it is soon through. */
function suspicion(pattern: RegExp, textOf: TextOf): number | undefined {
  const text = textOf(SCREENED);
  const work = use(pattern, text);
  const enough = SUSPICIOUS * text.length;
  if (timeOf(work) < enough) return undefined;
  // The first use of a pattern is the slowest: the engine compiles it only then.
  const ms = Math.min(timeOf(work), timeOf(work));
  return ms < enough ? undefined : ms / text.length;
}

function explodes(pattern: RegExp, textOf: TextOf): boolean {
  return FEW.some((times) => alwaysTakes(use(pattern, textOf(times)), LONG_FOR_FEW));
}

/** Why a pattern may take more than linear time; undefined where nothing speaks for it. */
export function superLinear(pattern: RegExp): string | undefined {
  const { reports } = analyse(pattern, {
    reportTypes: { Move: true, Self: true, Trade: true },
    assumeRejectingSuffix: false,
  });
  const [report] = reports;
  if (report !== undefined) {
    return `tries the same again and again over many ${JSON.stringify(report.character.pick)}`;
  }
  const suspects: { textOf: TextOf; msPerSign: number }[] = [];
  for (const textOf of hostileTexts(pattern)) {
    if (explodes(pattern, textOf)) return `explodes over ${shown(textOf(FEW.at(-1) ?? 0))}`;
    const msPerSign = suspicion(pattern, textOf);
    if (msPerSign !== undefined) suspects.push({ textOf, msPerSign });
  }
  suspects.sort((a, b) => b.msPerSign - a.msPerSign);
  for (const { textOf } of suspects.slice(0, MOST_SUSPECTS)) {
    const ratio = growthOf((times) => use(pattern, textOf(times)), { from: LEAST, to: MOST });
    if (ratio !== undefined && ratio > MOST_GROWTH) {
      return `takes ${ratio.toFixed(1)} times as long for twice as much of ${shown(textOf(60))}`;
    }
  }
  return undefined;
}
