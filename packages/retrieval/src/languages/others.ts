import type { LanguagePack } from './language.ts';

/** Languages of which only a stemmer or a list of stop words is known, and what `Intl` says. */
const KNOWN = `bg russian bul, ca catalan cat, cs czech ces, da danish dan, el - ell, eu basque, fa - fas,
fi finnish fin, ga irish, he - heb, hi - hin, hr - hrv, hu hungarian hun, hy armenian, id - ind, lb,
nb norwegian, nn norwegian, no norwegian nob, pl - pol, ro romanian ron, sk czech slk, sl slovene slv,
sv swedish swe, ta tamil, tr turkish tur, uk russian ukr, vi - vie`;

export const others: readonly LanguagePack[] = KNOWN.split(/,\s/u).map((line) => {
  const [code = '', stemmer = '-', stopWords] = line.split(' ');
  return {
    code,
    ...(stemmer === '-' ? {} : { stemmer }),
    ...(stopWords === undefined ? {} : { stopWords }),
    ...(code === 'lb' ? { capitalNouns: true } : {}),
  };
});
