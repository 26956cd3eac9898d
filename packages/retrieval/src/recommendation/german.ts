import { countOf, SIMPLE, template, wordSet } from './template.ts';
import type { Template } from './template.ts';

const MONTH =
  '(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)';
const DAY = '(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)';
const DATE = String.raw`(?:(?:${DAY},? (?:de[mn] )?)?\d{1,2}\. ?(?:${MONTH}|\d{1,2}\.)(?: ?\d{4})?|(?:Jahre? )?(?:1\d{3}|20\d{2})|${MONTH}(?: \d{4})?|${DAY})`;
const SUBJECT = String.raw`((?:(?:Der|Die|Das|Eine?|Unsere?) )?(?:[\p{L}\p{N}.-]+ ){0,5}?[\p{L}\p{N}-]+)`;

const POINTING =
  /(?<!\p{L})(?:er|sie|es|ihn|ihm|ihr|ihnen|ihre\p{L}?|seine\p{L}?|sein|wir|uns|ich|mir|mich|du|man|dies\p{L}*|jene\p{L}*|solche\p{L}*|hier|dort|dabei|dafür|damit|dazu|darin|davon|daran|danach|daher|deshalb|beide\p{L}*|letzte\p{L}*|andere\p{L}*|welche\p{L}*|dass|ob|wenn|weil|als|auch|nicht|und|oder|aber|sich)(?!\p{L})/iu;
const ALONE = wordSet(
  'der die das ein eine es er sie dies dieser diese dieses man wir ich hier dort',
);

/** The subject as it stands within a question; null where it says too little by itself. */
function subjectOf(text: string): string | null {
  const words = text.trim().split(' ');
  const [first = ''] = words;
  if (POINTING.test(text) || (words.length === 1 && ALONE.has(first.toLowerCase()))) return null;
  const article = /^(?:Der|Die|Das|Eine?|Unsere?)$/u.test(first);
  // A subject begins with its article or name and ends with a noun; a verb in it makes a clause of it.
  const last = words.at(-1) ?? '';
  if (!/^[\p{Lu}\p{N}]/u.test(last) || (!article && !/^\p{Lu}/u.test(first))) return null;
  if (
    !article &&
    words
      .slice(1)
      .some((word) => /^\p{Ll}/u.test(word) && !/^(?:von|der|des|für|zur?)$/u.test(word))
  ) {
    return null;
  }
  if (
    !article &&
    /^(?:Im|Am|In|An|Auf|Bei|Mit|Nach|Von|Vor|Zum|Zur|Für|Seit|Ab|Bis|Um|Wer|Was|Wie|Wo|Alle|Jede\p{L}?|Viele|Einige|Nur|Doch|Dann|So|Da)$/u.test(
      first,
    )
  ) {
    return null;
  }
  return article ? [first.toLowerCase(), ...words.slice(1)].join(' ') : words.join(' ');
}

const tidy = (rest: string): string => rest.replace(/(?<![.!?])[.!?]+$/u, '').trim();
const clear = (rest: string, most = 10): boolean =>
  SIMPLE.test(rest) && countOf(rest) <= most && !POINTING.test(rest);
const join = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ');

const ASKED_DATES: Readonly<Record<string, string>> = {
  am: 'Wann',
  im: 'Wann',
  in: 'Wann',
  zum: 'Wann',
  ab: 'Ab wann',
  'ab dem': 'Ab wann',
  bis: 'Bis wann',
  'bis zum': 'Bis wann',
  'spätestens bis zum': 'Bis wann',
  'spätestens am': 'Bis wann',
  seit: 'Seit wann',
  'seit dem': 'Seit wann',
};
const LEADS = 'spätestens bis zum|spätestens am|bis zum|bis|ab dem|ab|seit dem|seit|am|im|zum';
const TIME_UNITS = '(?:Sekunden?|Minuten?|Stunden?|Tagen?|Tage?|Wochen?|Monate?n?|Jahre?n?)';
const NUMBER = String.raw`(?:\d[\d.,]*|eine?n?|zwei|drei|vier|fünf|sechs|acht|zehn|zwölf|vierzehn)`;
const HAPPENS =
  'wurden?|wird|werden|ist|sind|war|waren|beginnt|begann|beginnen|endet|endete|enden|findet|finden|startet|öffnet|schließt|läuft|muss|müssen|kann|können|soll|sollen|starb|erscheint|erschien|tritt|trat|gilt|geht';

const FRONTED_DATE = new RegExp(`^(${LEADS}) ${DATE} (\\p{Ll}+) (.+)$`, 'iu');
const FINITE = new RegExp(`^(?:${HAPPENS}|hat|haben|darf|dürfen|\\p{Ll}+t)$`, 'u');

/** What questions are made of German sentences by, the surest first. */
export const GERMAN: readonly Template[] = [
  {
    name: 'de-when-fronted',
    make(sentence) {
      const match = FRONTED_DATE.exec(sentence);
      const [, lead = '', verb = '', rest = ''] = match ?? [];
      const asked = ASKED_DATES[lead.toLowerCase()];
      return asked === undefined || !clear(tidy(rest), 12) || countOf(rest) < 2
        ? null
        : `${asked} ${verb} ${tidy(rest)}?`;
    },
  },
  template(
    'de-when',
    new RegExp(
      `^${SUBJECT} (${HAPPENS}) (${LEADS}) ${DATE}(?: um \\d[\\d:.]* Uhr)?((?: [^.,;:()]+)?)[.]`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '', lead = '', rest = '']) =>
      (rest === '' || clear(rest, 7)) && ASKED_DATES[lead] !== undefined
        ? `${join(ASKED_DATES[lead], verb, subject, rest)}?`
        : null,
  ),
  template(
    'de-length',
    new RegExp(`^${SUBJECT} (beträgt|betragen) (?:\\p{Ll}+ )?${NUMBER} ${TIME_UNITS}`, 'u'),
    subjectOf,
    (subject, [verb = '']) => `Wie lang ${verb === 'beträgt' ? 'ist' : 'sind'} ${subject}?`,
  ),
  template(
    'de-amount',
    new RegExp(`^${SUBJECT} (beträgt|betragen|beläuft sich auf|belaufen sich auf) [^.]*\\d`, 'u'),
    subjectOf,
    (subject, [verb = '']) =>
      `Wie hoch ${/^(?:beträgt|beläuft)/u.test(verb) ? 'ist' : 'sind'} ${subject}?`,
  ),
  template(
    'de-cost',
    new RegExp(`^${SUBJECT} (kostet|kosten) [^.]*\\d`, 'u'),
    subjectOf,
    (subject, [verb = '']) => `Was ${verb} ${subject}?`,
  ),
  template(
    'de-duration',
    new RegExp(`^${SUBJECT} (dauert|dauern|dauerte) `, 'u'),
    subjectOf,
    (subject, [verb = '']) => `Wie lange ${verb} ${subject}?`,
  ),
  template(
    'de-where',
    new RegExp(
      `^${SUBJECT} (liegt|liegen|lag|befindet sich|befinden sich|befand sich) (?:im|in|am|an|auf|bei|neben|unter|hinter|vor) `,
      'u',
    ),
    subjectOf,
    (subject, [verb = '']) => {
      const [finite = '', reflexive = ''] = verb.split(' ');
      return `${join('Wo', finite, reflexive, subject)}?`;
    },
  ),
  template(
    'de-why',
    new RegExp(`^${SUBJECT} (\\p{Ll}{3,}) ([^.,;:()]+), (?:weil|da) \\p{L}`, 'u'),
    subjectOf,
    (subject, [verb = '', rest = '']) =>
      clear(rest, 7) && FINITE.test(verb) ? `Warum ${verb} ${subject} ${rest}?` : null,
  ),
  {
    name: 'de-how-to',
    make(sentence) {
      const match =
        /^Um ([^.,;:()]{3,60}?) (?:zu (\p{Ll}+en|\p{Ll}+n)|((?:ab|an|auf|aus|ein|zurück|um|vor|zu|nach|weg|fest|los|her|hin|weiter))zu(\p{Ll}+n)), /u.exec(
          sentence,
        );
      const [, object = '', plain = '', prefix = '', stem = ''] = match ?? [];
      const verb = plain === '' ? `${prefix}${stem}` : plain;
      return verb === '' || !clear(object, 6) ? null : `Wie kann man ${object} ${verb}?`;
    },
  },
  template(
    'de-who-does',
    /^(?:(?:Herr|Frau|Dr\.) )*\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+){1,2} (leitet|gründete|schrieb|verwaltet|betreut|besitzt|führt|entwarf|erfand|organisiert|übernimmt|unterrichtet) ((?:den|die|das) [^.,;:()]{3,50})[.]/u,
    (text) => text,
    (verb, [object = '']) => (clear(object, 6) ? `Wer ${verb} ${object}?` : null),
  ),
  template(
    'de-who',
    new RegExp(
      `^(\\p{Lu}\\p{L}+(?: (?:von |van |de )?\\p{Lu}[\\p{L}-]+){1,2}) (ist|war) (?:der|die|ein|eine) (?:[\\p{L}-]+ ){0,3}?\\p{Lu}\\p{L}*(?:er|erin|in|or|ent|ist|eur|arzt|ärztin)(?!\\p{L})`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '']) => `Wer ${verb} ${subject}?`,
  ),
  template(
    'de-what',
    new RegExp(`^${SUBJECT} (ist|sind) (?:eine?|der|die|das) [^.]{12,}`, 'u'),
    subjectOf,
    (subject, [verb = '']) => {
      const name = /^\p{Lu}/u.test(subject) && countOf(subject) > 1;
      return name || countOf(subject) > 4 ? null : `Was ${verb} ${subject}?`;
    },
  ),
];
