import type { Question } from './question.ts';
import { wordsOf } from '../analysis/words.ts';
import type { Word } from '../analysis/words.ts';

/** A family of words that stand for one another in letters, bills and tables. */
interface Concept {
  words: string;
  /** What a value of it looks like: it need not be called by any of the words. */
  value?: RegExp;
}

const CONCEPTS: readonly Concept[] = [
  {
    words: `cost costs costed price prices priced fee fees amount amounts pay pays paid payment payable owe
      owed owing due charge charged spend spent total worth expensive kosten kostet kostete preis betrag zahlen
      bezahlt gesamtbetrag summe prix coûte coût coûté montant payer total precio precios cuesta cuestan
      costó importe pagar стоит стоят стоило стоила стоили цена стоимость 価格 料金 値段 سعر قيمة`,
    value:
      /[€$£¥₽]\s?\d|\d\s?(?:€|\$|£|₽|円|(?:eur|euros?|usd|gbp|dollars?|pounds?|chf|руб\p{L}*|درهم|دولار)(?!\p{L}))/iu,
  },
  {
    words: `phone telephone tel mobile cell hotline telefon telefonnummer handynummer téléphone teléfono móvil
      телефон телефона 電話 هاتف`,
    value:
      /(?<![\p{L}\d-])\+?\(?(?=(?:\d{2,3}[\s()./-]{0,3}){3})\d{2,}(?:(?:[\s./-]\(?|\)[\s./-]?|\)?\()\d{2,})*(?<=(?:\d[\s()./-]{0,2}){9})/u,
  },
  {
    words: `email e-mail mail emails courriel correo e-mail-adresse почта メール`,
    value: /[^\s@]@[^\s@]+\.\p{L}{2}/u,
  },
  {
    words: `hot warm cold temperature temperatures temperatur température temperatura температура`,
    value: /°|degrees|grad/iu,
  },
  { words: `website web site url link homepage`, value: /https?:\/\/|www\./iu },
  {
    words: `long duration lasts dauer dauert lange durée dure dura cuánto`,
    value:
      /(?:\p{N}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|twenty|thirty|ein|eine|zwei|drei|vier|fünf|sechs|deux|trois|quatre|six|dos|tres|cuatro|seis))\s?(?:h|hrs?|hours?|min|minutes?|sec|seconds?|days?|weeks?|months?|years?|std|stunden?|minuten|tage?|wochen?|monate?|jahre?|heures?|jours?|semaines?|mois|ans|horas?|minutos|días|meses|años)(?!\p{L})/iu,
  },
  {
    words: `date dates deadline datum fecha дата 日付 تاريخ موعد`,
    value:
      /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}\b|\b\d{1,2}\.?(?: de)? \p{L}{3,}|\p{L}{3} \d{1,2}(?:, \d{4})?\b|\d月\d/u,
  },
  { words: `born birth birthday birthdate geboren geburtsdatum né née naissance nació nacimiento` },
  { words: `salary salaries wage wages earn earns gehalt lohn salaire salario sueldo зарплата` },
  {
    words: `start starts started starting begin begins began beginning commence commences beginnt anfang
      commence début empieza comienza начинаются начинается начало`,
  },
  { words: `end ends ended expire expires expiry finish finishes until valid endet läuft` },
  { words: `leave leaves leaving depart departs departure departing abflug abfahrt départ salida` },
  { words: `arrive arrives arriving arrival arrivals land lands ankunft arrivée llegada` },
  {
    words: `manager manages boss supervisor supervises lead leads leader leading head heads chef leiter leiterin`,
  },
  { words: `doctor doctors physician dr arzt ärztin médecin médico` },
  { words: `flat apartment wohnung appartement piso` },
  { words: `car vehicle auto fahrzeug voiture coche vehículo` },
  { words: `film films movie movies` },
  {
    words: `buy buys bought purchase purchased purchases sell sold gekauft kaufdatum achat acheté compra`,
  },
  { words: `recommend recommends recommended advise advises advised suggest suggested suggests` },
  { words: `allow allowed permit permitted forbidden prohibited may erlaubt verboten gestattet` },
  { words: `job position role title occupation` },
  {
    words: `company firm employer vendor supplier provider shop store proveedor anbieter lieferant`,
  },
  { words: `wifi wi-fi wlan wireless` },
  { words: `password passwords passcode passwort kennwort contraseña пароль` },
  { words: `own owns owned owner owners belong belongs inhaber` },
  { words: `author authors wrote written write writes` },
  { words: `lab laboratory labs` },
  { words: `direct directed directs director directors` },
  { words: `sow sown sowing sowed` },
  { words: `deposit kaution caution fianza залог تأمين` },
];

/** Words that say little of what is asked: they may be said in many other ways, or not at all. */
const LIGHT_WORDS = new Set(
  `request requests requested list listed mention mentioned state stated
do does did go goes going went get gets got take takes took taken need needs needed use uses used give
gives gave given make makes made come comes came keep keeps kept work works worked find found run runs
stand stands have has had put want wants hold holds held happen happens say says said tell tells told
know known show shows shown see sees seen look looks like call called offer offers offered receive receives
received include includes included contain contains last lasts set send sent serve require required should
would could live lives stay stays high long big large old much many far level size kind type sort name
names number numbers value information detail details thing things part parts first current currently
address time date year day person people place our my your we
combien faut-il y-a-t-il passera-t-il est-ce qui wie welche welcher welches wann
lautet heißt gibt braucht brauche nötig muss hoch groß lang viel viele nummer
faut dure quel quelle lequel numéro nombre temps fait est-il
cuál cuánto cuánta necesita hay número tiempo
нужно надо сколько времени номер`.split(/\s+/u),
);

const LIGHT = 0.15;
const FIGURE = 1.5;

/** What a question's words ask of an answer. */
export interface Asked {
  /** For each of the question's terms, how much it is missed where it is nowhere to be found. */
  demands: readonly number[];
  /** The sum of the demands. */
  demand: number;
  /** 1 for the terms that say what is wanted, 0 for those that say of whom or what. */
  focus: readonly number[];
  /** Other words for a term, in small letters. */
  aliases: ReadonlyMap<string, readonly number[]>;
  /** Values that answer for a term without its word. */
  values: readonly { value: RegExp; terms: readonly number[] }[];
}

const FAMILIES = CONCEPTS.map(({ words, value }) => ({
  words: new Set(words.split(/\s+/u)),
  value,
}));

/** What a question asks for: which of its words matter, and what may stand for them. */
export function askedOf(question: Question): Asked {
  const aliases = new Map<string, number[]>();
  const values: { value: RegExp; terms: number[] }[] = [];
  const surfaces = question.terms.map(({ surface }) => surface.toLowerCase());
  for (const { words, value } of FAMILIES) {
    const terms = surfaces.flatMap((surface, at) => (words.has(surface) ? [at] : []));
    if (terms.length === 0) continue;
    for (const word of words) aliases.set(word, [...(aliases.get(word) ?? []), ...terms]);
    if (value !== undefined) values.push({ value, terms });
  }
  const demands = question.terms.map<number>(({ surface, weight, name }) => {
    if (weight < 0.35) return 0;
    if (weight < 1 || LIGHT_WORDS.has(surface.toLowerCase())) return LIGHT;
    return name && /\p{N}/u.test(surface) ? FIGURE : 1;
  });
  const demand = demands.reduce((sum, value) => sum + value, 0);
  return {
    demands,
    demand: Math.max(demand, LIGHT),
    focus: focusOf(question, demands),
    aliases,
    values,
  };
}

/** What parts the wanted thing from what it belongs to: 'the price of the car', 'die Miete in Berlin'. */
const BREAK =
  /^(?:of|for|in|on|at|from|to|with|by|does|do|did|der|des|von|vom|für|im|bei|de|du|des|del|della|di|do|da|в|на|у|для)$/u;

function focusOf({ text, terms, language }: Question, demands: readonly number[]): number[] {
  const owner = /^(.*\p{L})['’]s\s/u.exec(text)?.[1];
  const rest = owner === undefined ? text : text.slice(owner.length + 2);
  const isName = (at: number): boolean => language !== 'de' && terms[at]?.capital === true;
  const group: number[] = [];
  const all: number[] = [];
  let open = true;
  for (const { surface, lower } of wordsOf(rest).words) {
    const at = terms.findIndex((term) => term.surface === surface);
    if (at === -1) {
      if (BREAK.test(lower) && group.length > 0) open = false;
    } else if (!isName(at) && (demands[at] ?? 0) > 0) {
      if (open) group.push(at);
      all.push(at);
    }
  }
  const chosen = new Set(group.some((at) => (demands[at] ?? 0) >= 1) ? group : all);
  return terms.map((_, at) => Number(chosen.has(at)));
}

/** The words of a field's name: 'lan.ipAddress' and 'memory_gb' taken apart. */
export function wordsOfName(name: string): readonly Word[] {
  const spaced = name
    .replace(/(?<=\p{L})[._](?=\p{L})/gu, ' ')
    .replace(/(?<!\p{L})\p{Ll}\p{L}*/gu, (word) => word.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '));
  return wordsOf(spaced).words;
}
