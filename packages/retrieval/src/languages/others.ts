import type { LanguagePack, QuestionWords } from './language.ts';

/** Question words by what they ask for: quantity, time, person, place, reason and manner. */
function asking(words: string): QuestionWords {
  const [quantity, time, person, place, reason, manner] = words.split(', ');
  return { quantity, time, person, place, reason, manner };
}

/** Languages of which only a stemmer or a list of stop words is known, and what `Intl` says. */
const KNOWN = `bg russian bul, ca catalan cat, cs czech ces, da danish dan, el - ell, eu basque, fa - fas,
fi finnish fin, ga irish, he - heb, hi - hin, hr - hrv, hu hungarian hun, hy armenian, id - ind, lb,
nb norwegian, nn norwegian, no norwegian nob, pl - pol, ro romanian ron, sk czech slk, sl slovene slv,
sv swedish swe, ta tamil, tr turkish tur, uk russian ukr, vi - vie`;

/** What more is known of some of them. */
const MORE: Readonly<Record<string, Partial<LanguagePack>>> = {
  da: { question: asking('hvor mange|hvor meget, hvornår, hvem, hvor, hvorfor') },
  he: { question: asking('כמה, מתי, מי, איפה, למה, איך') },
  lb: { capitalNouns: true },
  no: { question: asking('hvor mange|hvor mye, når, hvem, hvor, hvorfor') },
  pl: { question: asking('ile, kiedy, kto, gdzie, dlaczego') },
  sv: { question: asking('hur många|hur mycket, när, vem, var, varför') },
  tr: { question: asking('kaç, ne zaman, kim, nerede, neden') },
};

export const others: readonly LanguagePack[] = KNOWN.split(/,\s/u).map((line) => {
  const [code = '', stemmer = '-', stopWords] = line.split(' ');
  return {
    code,
    ...(stemmer === '-' ? {} : { stemmer }),
    ...(stopWords === undefined ? {} : { stopWords }),
    ...MORE[code],
  };
});
