import { stopWords } from '../analysis/languages.ts';

/** What the words of one language may be in a phrase. */
export interface PhraseGrammar {
  /** Words that no phrase holds: function words, and what is said of things rather than their names. */
  outside: ReadonlySet<string>;
  /** Words after which the name of a thing begins. */
  leads: ReadonlySet<string>;
  /** Words that join two names to one: 'date de naissance', 'Bank of England'. */
  joins: ReadonlySet<string>;
  /** Whether nouns are written with a capital. */
  capitalNouns: boolean;
}

const set = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/u).filter((word) => word !== ''));

/** English words that are no part of a name: what people do, and how. */
const ENGLISH_SAYING =
  set(`say says said tell tells told make makes made take takes took taken give gives gave
given get gets got go goes went gone come comes came become becomes became see sees saw seen know knows knew known
think thinks thought want wants wanted use uses used using find finds found keep keeps kept let lets put puts call
calls called show shows showed shown seem seems seemed need needs needed help helps helped begin begins began start
starts started turn turns turned include includes included including provide provides provided allow allows allowed
require requires required contain contains contained add adds added move moves moved live lives lived believe
believes believed hold holds held bring brings brought happen happens happened write writes wrote written sit sat
stand stands stood lose loses lost pay pays paid meet meets met set sets learn learns learned change changes changed
lead leads led understand watch follow follows followed stop stopped create creates created speak spoke read spend
spent grow grew open opens opened walk win won offer offers offered remember love consider considers considered
appear appears appeared buy bought wait serve served die died send sent expect expects expected build built stay
fall fell cut reach reaches reached kill remain remains remained suggest suggests suggested raise raised pass
passed sell sold decide decided return returned explain explained hope develop carry carried break broke receive
receives received agree agreed support supports hit produce produced eat cover covers covered catch draw choose
choosing cause causes caused result results based due according ensure ensures please click press see note also
many much more most less least several various other another different certain own same such new old good bad best
better big small large great long short high low early late last next first second third recent able available
important possible likely every each few little lot lots way ways thing things something anything everything
nothing someone anyone everyone people person today yesterday tomorrow now often always never sometimes usually
really very quite rather almost already still yet ever maybe perhaps however therefore although though instead
together within without upon among around across along away back else even again soon later ago per via etc
one two three four five six seven eight nine ten hundred thousand million billion dozen half january february march
april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
mr mrs ms dr page pages figure table chapter section contents rights reserved confidential copyright regards
sincerely dear hello thanks thank untitled draft click here yes no ok don't doesn't didn't isn't can't won't i'm
i've i'll it's that's there's`);
const GERMAN_SAYING =
  set(`seite seiten abbildung tabelle kapitel inhaltsverzeichnis sehr geehrte geehrter damen
herren freundlichen grüßen grüße freundliche mit hallo danke bitte herr frau januar februar märz april mai juni juli
august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag uhr euro
wurde wurden worden wird werden kann können muss müssen soll sollen darf dürfen gibt geht steht liegt bleibt beträgt
gilt erhält erfolgt neue neuen neuer neues weitere weiteren andere anderen erste ersten zweite zweiten dritte
letzte letzten ganze ganzen viele vielen jede jeder jedes jeden alle allen ihre ihren ihrer ihrem ihr seine seinen
unsere unseren eigene eigenen gleiche gleichen solche solchen bestimmte verschiedene`);
const FRENCH_SAYING =
  set(`page pages bonjour merci madame monsieur cordialement veuillez agréer salutations
distinguées lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août
septembre octobre novembre décembre euros euro peut peuvent doit doivent fait font faut va vont nouveau nouvelle
nouveaux nouvelles premier première premiers dernier dernière autre autres chaque plusieurs même mêmes tout toute
toutes tous grand grande petit petite bon bonne est sont était étaient sera seront été être avoir`);
const SPANISH_SAYING =
  set(`página páginas hola gracias señor señora estimado estimada saludos atentamente cordial
lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre
octubre noviembre diciembre euros euro puede pueden debe deben hace hacen hay nuevo nueva nuevos nuevas primer
primera primero último última otro otra otros otras cada varios varias mismo misma todo toda todos todas gran
grande buen buena es son era eran fue fueron será serán está están estaba ha han ser estar tiene tienen`);
const OTHER_SAYING: Readonly<Record<string, ReadonlySet<string>>> = {
  en: ENGLISH_SAYING,
  de: GERMAN_SAYING,
  fr: FRENCH_SAYING,
  es: SPANISH_SAYING,
};

const LEADS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: set('the a an of for in on by with from at to his her its their our my your this these no'),
  de: set(`der die das den dem des ein eine einen einem einer eines im am zum zur vom beim für mit von
nach bei über unter durch ohne und seine ihre unser`),
  fr: set(
    'le la les un une des du au aux de pour par avec sans sur votre notre son sa ses ce cette',
  ),
  es: set('el la los las un una del al de para por con sin su sus este esta'),
  pt: set('o a os as um uma do da dos das no na ao para por com sem seu sua'),
  it: set('il lo la i gli le un uno una del della dei delle al alla nel nella per con senza'),
  nl: set('de het een van voor met in op bij door zonder zijn haar hun'),
};

const JOINS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: set('of'),
  de: set('von der zu'),
  fr: set('de du des d en à'),
  es: set('de del la'),
  pt: set('de do da dos das'),
  it: set('di del della dei'),
  nl: set('van de der den'),
};

/** Between the parts of a person's name, in whatever language. */
export const NAME_JOINS = set('of de la le du van von der den di da del dos bin ibn al y');

const NOTHING: ReadonlySet<string> = new Set();
const grammars = new Map<string, PhraseGrammar>();

/** What is known of a language; of one without a word list only its form is. */
export function grammarOf(language: string): PhraseGrammar {
  let grammar = grammars.get(language);
  if (grammar === undefined) {
    const saying = Object.hasOwn(OTHER_SAYING, language) ? OTHER_SAYING[language] : NOTHING;
    grammar = {
      outside: new Set([...stopWords(language), ...(saying ?? NOTHING)]),
      leads: (Object.hasOwn(LEADS, language) ? LEADS[language] : NOTHING) ?? NOTHING,
      joins: (Object.hasOwn(JOINS, language) ? JOINS[language] : NOTHING) ?? NOTHING,
      capitalNouns: language === 'de' || language === 'lb',
    };
    grammars.set(language, grammar);
  }
  return grammar;
}
