import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import { SIMPLE, template } from './template.ts';
import type { Template } from './template.ts';

const FRENCH_POINTING =
  /(?<!\p{L})(?:il|elle|ils|elles|ce|cet|cette|ces|celui|celle|ceux|qui|que|dont|où|son|sa|ses|leur|leurs|nous|vous|je|lui|y|en|et|ou|mais|si|ne|pas|se|même|autre|autres|dernier|dernière|premier|première)(?!\p{L})/iu;
const SPANISH_POINTING =
  /(?<!\p{L})(?:él|ella|ellos|ellas|este|esta|estos|estas|ese|esa|eso|esto|que|quien|cual|donde|su|sus|nuestro|nuestra|yo|le|les|lo|y|o|pero|si|no|se|mismo|otra|otro|último|primera|primer)(?!\p{L})/iu;
const RUSSIAN_POINTING =
  /(?<!\p{L})(?:он|она|оно|они|это|этот|эта|эти|тот|та|те|который|которая|которые|его|её|их|мы|вы|я|и|или|но|если|не|что|как|там|тут|здесь|такой|такая|другой|также|все|всё|каждый|в|на|с|по|для|от|до|из)(?!\p{L})/iu;

/** A subject with its article in small letters; null where it is more than a name. */
const withArticle =
  (pointing: RegExp) =>
  (text: string): string | null => {
    const words = text.trim().split(' ');
    if (words.length > 7 || pointing.test(text) || !SIMPLE.test(text)) return null;
    return text.trim().replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
  };
const french = withArticle(FRENCH_POINTING);
const spanish = withArticle(SPANISH_POINTING);

/** A Russian subject: in small letters unless a name is likely. */
function russian(text: string): string | null {
  const words = text.trim().split(' ');
  const named = /^\p{Lu}/u.test(words[1] ?? '');
  if (words.length > 5 || RUSSIAN_POINTING.test(text) || !SIMPLE.test(text)) return null;
  return named ? text.trim() : text.trim().replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
}

const japanese = (text: string): string | null =>
  /^(?:これ|それ|あれ|ここ|そこ|彼|彼女|私|今日|本日|今回|昨日|明日)/u.test(text) ||
  /[、。「」（）：\s]/u.test(text)
    ? null
    : text;

const FR = String.raw`((?:Le |La |Les |L['’])[\p{L}\p{N}'’ -]{3,60}?)`;
const ES = String.raw`((?:El|La|Los|Las) [\p{L}\p{N} -]{3,60}?)`;
const RU = String.raw`(\p{Lu}[\p{L}\p{N} -]{2,60}?)`;
const JA = String.raw`^([\p{L}\p{N}ー・のと]{2,20}?)`;

const FRENCH: readonly Template[] = [
  template(
    'fr-cost',
    new RegExp(`^${FR} (coûte|coûtent) [^.]*\\d`, 'u'),
    french,
    (subject, [verb = '']) => `Combien ${verb} ${subject} ?`,
  ),
  template(
    'fr-amount',
    new RegExp(
      `^${FR} (?:est de|s['’]élève à) [^.]*?\\d[\\s,]*(?:\\.[\\d\\s.,]*)?(?:€|euros?|%)`,
      'u',
    ),
    french,
    (subject) => `À combien s’élève ${subject} ?`,
  ),
  template(
    'fr-duration',
    new RegExp(`^${FR} (dure|durent) `, 'u'),
    french,
    (subject, [verb = '']) => `Combien de temps ${verb} ${subject} ?`,
  ),
  template(
    'fr-where',
    new RegExp(`^${FR} (?:se trouve|est situé|est située) (?:à|au|en|dans|sur|près)`, 'u'),
    french,
    (subject) => `Où se trouve ${subject} ?`,
  ),
  template(
    'fr-when',
    new RegExp(
      `^${FR} (commence|débute|se termine|expire|a lieu|aura lieu|ouvre|ferme) (?:le|en|à|au) `,
      'u',
    ),
    french,
    (subject, [verb = '']) => `Quand ${verb} ${subject} ?`,
  ),
  template(
    'fr-what',
    /^((?:Le|La) [\p{L}\p{N}'’ -]{3,40}?) est (?:un|une) [^.]{12,}/u,
    french,
    (subject) => `Qu’est-ce que ${subject} ?`,
  ),
  template(
    'fr-how-to',
    /^Pour ([\p{Ll}-]+(?:er|ir|re) [^.,;:()]{3,50}), /u,
    french,
    (task) => `Comment ${task} ?`,
  ),
];

const SPANISH: readonly Template[] = [
  template(
    'es-cost',
    new RegExp(`^${ES} (cuesta|cuestan) [^.]*\\d`, 'u'),
    spanish,
    (subject, [verb = '']) => `¿Cuánto ${verb} ${subject}?`,
  ),
  template(
    'es-amount',
    new RegExp(`^${ES} es de [^.]*?\\d,*(?:\\.[\\d.,]*)? ?(?:€|euros?|%)`, 'u'),
    spanish,
    (subject) => `¿De cuánto es ${subject}?`,
  ),
  template(
    'es-duration',
    new RegExp(`^${ES} (dura|duran) `, 'u'),
    spanish,
    (subject, [verb = '']) => `¿Cuánto ${verb} ${subject}?`,
  ),
  template(
    'es-where',
    new RegExp(`^${ES} (?:se encuentra|está|está situado|está situada) en `, 'u'),
    spanish,
    (subject) => `¿Dónde está ${subject}?`,
  ),
  template(
    'es-when',
    new RegExp(
      `^${ES} (empieza|comienza|termina|vence|caduca|abre|cierra|es) (?:el|en|a las) (?:\\d|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)`,
      'u',
    ),
    spanish,
    (subject, [verb = '']) => `¿Cuándo ${verb} ${subject}?`,
  ),
  template(
    'es-what',
    new RegExp(`^${ES} es (?:un|una) [^.]{12,}`, 'u'),
    spanish,
    (subject) => `¿Qué es ${subject}?`,
  ),
  template(
    'es-how-to',
    /^Para ([\p{Ll}]+(?:ar|er|ir)(?:lo|la|se)? [^.,;:()]{3,50}), /u,
    spanish,
    (task) => `¿Cómo ${task}?`,
  ),
];

const RUSSIAN: readonly Template[] = [
  template(
    'ru-cost',
    new RegExp(`^${RU} (стоит|стоят) [^.]*\\d`, 'u'),
    russian,
    (subject, [verb = '']) => `Сколько ${verb} ${subject}?`,
  ),
  template(
    'ru-what',
    new RegExp(`^${RU} [—–-] это [^.]{8,}`, 'u'),
    russian,
    (subject) => `Что такое ${subject}?`,
  ),
  template(
    'ru-when',
    new RegExp(
      `^${RU} (начинается|начинаются|начнётся|начнутся|заканчивается|заканчиваются|состоится|состоятся|открывается) (?:в|с|на)? ?(?:\\d|понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)`,
      'u',
    ),
    russian,
    (subject, [verb = '']) => `Когда ${verb} ${subject}?`,
  ),
  template(
    'ru-where',
    new RegExp(`^${RU} (находится|находятся|расположен|расположена) (?:в|на|под|у|рядом) `, 'u'),
    russian,
    (subject, [verb = '']) => `Где ${verb} ${subject}?`,
  ),
  template(
    'ru-how-to',
    /^Чтобы ([\p{Ll}]+ть(?:ся)? [^.,;:()]{3,50}), /u,
    (task) => (/(?<!\p{L})(?:это|его|её|их|не)(?!\p{L})/u.test(task) ? null : task),
    (task) => `Как ${task}?`,
  ),
];

const JAPANESE: readonly Template[] = [
  template(
    'ja-cost',
    new RegExp(`${JA}は[^。、]{0,12}?[\\d０-９,，万千]+円`, 'u'),
    japanese,
    (subject) => `${subject}はいくらですか？`,
  ),
  template(
    'ja-when',
    new RegExp(`${JA}は、?(?:\\d{4}年)?\\d{1,2}月\\d{1,2}日`, 'u'),
    japanese,
    (subject) => `${subject}はいつですか？`,
  ),
  template(
    'ja-what',
    new RegExp(`${JA}とは[、,]?[^。]{4,}`, 'u'),
    japanese,
    (subject) => `${subject}とは何ですか？`,
  ),
  template('ja-how-to', /^([^。、「」（）：\s]{3,24})(?:には|ためには)、/u, japanese, (task) =>
    /[うくすつぬぶむるぐ]$/u.test(task) ? `${task}にはどうすればよいですか？` : null,
  ),
];

const CHINESE: readonly Template[] = [
  template(
    'zh-what',
    /^([\p{Script=Han}\p{L}]{2,12}?)是(?:一种|一个|一家|一项|指)[^。]{4,}/u,
    (subject) => (/^[这那它他她我你其]/u.test(subject) ? null : subject),
    (subject) => `什么是${subject}？`,
  ),
];

/** What questions are made of sentences by, for each language that has such patterns. */
export const TEMPLATES: ReadonlyMap<string, readonly Template[]> = new Map([
  ['en', ENGLISH],
  ['de', GERMAN],
  ['fr', FRENCH],
  ['es', SPANISH],
  ['ru', RUSSIAN],
  ['ja', JAPANESE],
  ['zh', CHINESE],
]);
