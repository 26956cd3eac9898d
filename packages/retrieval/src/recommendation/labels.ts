import { wordSet } from './template.ts';

const DATE_VALUE =
  /\d{4}-\d\d-\d\d|\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}|\d{1,2}\.? (?:de )?\p{L}{3,}|\p{L}{3} \d{1,2},? \d{4}|\d月\d/u;
const MONEY_VALUE = /[€$£¥₽]|(?:\d|\s)(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|円|руб)/iu;
const NAME_VALUE =
  /^(?:(?:Dr|Mr|Mrs|Ms|Herr|Frau|M|Mme)\.? )?\p{Lu}[\p{L}.'’-]+(?: (?:\p{Lu}[\p{L}.'’-]*|de|van|von|der)){1,3}$/u;

/** Nobody's list of questions shows what is to be kept secret. */
const SECRET =
  /pass(?:word|wort|code|phrase)|(?:alarm|door|gate|access|entry|safe|security|tür|zugangs)[ -]?code|kennw|mot de passe|contraseña|парол|パスワード|密码|(?<!\p{L})(?:pin|puk|tan|secret|token|key|iban|bic|cvc|cvv|ssid|mac)(?!\p{L})/iu;

const ENGLISH_HEADS =
  wordSet(`amount address balance budget cost date deadline deposit fee fare number payment
period premium price rate rent salary size term time total duration capacity weight height length width discount
surcharge allowance limit threshold status location venue room seat gate destination origin diagnosis dosage dose
medication allergy policy warranty coverage excess deductible copayment subscription plan tariff interest tax
subtotal postcode code reference model version frequency goal target objective topic theme subject agenda motto
temperature speed range mileage colour color material department team office position role title company employer
school course grade score result rating language nationality birthday birthplace start end departure arrival
checkout checkin meeting milestone quantity stock supplier vendor brand category usage consumption`);
const ENGLISH_ROLES =
  wordSet(`landlord tenant manager lead leader director engineer teacher sponsor owner chair
chairman chairperson editor author treasurer secretary coordinator supervisor doctor physician surgeon nurse patient
customer client buyer seller insurer lender borrower employee guarantor applicant recipient sender host guest
instructor lecturer professor principal trainer coach captain driver pilot witness lawyer architect contractor
organiser organizer speaker presenter moderator photographer caterer executor beneficiary policyholder
interviewer candidate`);
const WHEN = wordSet('meeting departure arrival checkout checkin start end');
/** By themselves these say too little: the total of what? */
const ENGLISH_VAGUE =
  wordSet(`amount address cost date number time total status code size term result title
subject start end reference model version range role position rate period category team quantity topic score
company room location plan tax price name weight length height width color colour language payment limit`);

/** 'Invoice number' as it stands within a sentence; 'VAT number' keeps its capitals. */
const inSentence = (label: string): string =>
  label
    .split(' ')
    .map((word) => (/^\p{Lu}\p{Ll}/u.test(word) ? word.toLowerCase() : word))
    .join(' ');

function englishField(label: string, value: string): string | null {
  const words = label.split(' ');
  const last = (words.at(-1) ?? '').toLowerCase();
  if (
    words.length > 4 ||
    /\b(?:to|by|from|if|is|are|your|our|my|you|and|or|the|this)\b/iu.test(label)
  ) {
    return null;
  }
  if (ENGLISH_ROLES.has(last))
    return NAME_VALUE.test(value) ? `Who is the ${inSentence(label)}?` : null;
  const tells = ENGLISH_HEADS.has(last) && (words.length > 1 || !ENGLISH_VAGUE.has(last));
  if (!tells) return null;
  if (MONEY_VALUE.test(value)) return `How much is the ${inSentence(label)}?`;
  return /^(?:date|deadline)$/u.test(last) || (WHEN.has(last) && DATE_VALUE.test(value))
    ? `When is the ${inSentence(label)}?`
    : `What is the ${inSentence(label)}?`;
}

/** Ends of German nouns and their articles; the longest that fits counts. */
const GERMAN_HEADS = new Map(
  Object.entries({
    der: `betrag preis zins zinssatz termin beginn tag satz wert ort grund raum stand zeitraum verbrauch umfang
      rabatt tarif vertrag anteil abschlag zuschlag titel treffpunkt ansprechpartner arbeitgeber lieferant abstand
      beitrag eigenanteil selbstbehalt verlauf inhalt status einzug auszug abflug`,
    die: `nummer summe miete frist gebühr rate zeit adresse anschrift dauer höhe fläche größe laufzeit kaution
      versicherung menge prämie marke farbe abteilung position bezeichnung zahlung diagnose temperatur
      kapazität garantie anzahl uhrzeit note dosis steuer pauschale strecke art klasse sprache firma rechnung
      kundennummer grundgebühr kilometerstand mwst`,
    das: `datum ende gewicht konto gehalt ziel jahr alter modell thema budget limit guthaben kennzeichen volumen
      baujahr honorar hotel zimmer fach produkt medikament`,
  }).flatMap(([article, words]) =>
    words.split(/\s+/u).map((word): [string, string] => [word, article]),
  ),
);
const GERMAN_ROLES = new Map(
  Object.entries({
    der: `vermieter mieter verwalter eigentümer auftraggeber auftragnehmer versicherungsnehmer kunde patient arzt
      leiter projektleiter geschäftsführer käufer verkäufer lehrer ansprechpartner absender empfänger fahrer gast
      architekt schriftführer vorsitzende protokollführer arbeitnehmer`,
    die: `vermieterin mieterin verwalterin eigentümerin kundin patientin ärztin leiterin projektleiterin lehrerin
      klassenlehrerin ansprechpartnerin fahrerin hausverwaltung architektin schriftführerin käuferin verkäuferin`,
  }).flatMap(([article, words]) =>
    words.split(/\s+/u).map((word): [string, string] => [word, article]),
  ),
);
const GERMAN_SUMS =
  /(?:betrag|preis|miete|summe|gebühr|rate|kaution|prämie|honorar|gehalt|zuschlag|rabatt|beitrag|tarif|abschlag|budget|guthaben|pauschale|steuer|eigenanteil|selbstbehalt|mwst)$/iu;
const GERMAN_VAGUE = wordSet(
  'betrag preis datum nummer summe adresse anschrift zeit ort status titel art tag',
);

function headIn(heads: ReadonlyMap<string, string>, word: string): string | null {
  const lower = word.toLowerCase();
  let found = '';
  for (const head of heads.keys()) {
    if (head.length > found.length && lower.endsWith(head)) found = head;
  }
  return found === '' ? null : (heads.get(found) ?? null);
}

function germanField(label: string, value: string): string | null {
  if (!/^\p{Lu}[\p{L}-]+$/u.test(label) || GERMAN_VAGUE.has(label.toLowerCase())) return null;
  const role = headIn(GERMAN_ROLES, label);
  if (role !== null) return NAME_VALUE.test(value) ? `Wer ist ${role} ${label}?` : null;
  const article = headIn(GERMAN_HEADS, label);
  if (article === null) return null;
  return MONEY_VALUE.test(value) && GERMAN_SUMS.test(label)
    ? `Wie hoch ist ${article} ${label}?`
    : `Wie lautet ${article} ${label}?`;
}

const FRENCH_HEADS = new Map([
  ...`date durée adresse référence période échéance franchise prime surface cotisation quantité température remise
    taxe facture commande caution`
    .split(/\s+/u)
    .map((word): [string, string] => [word, 'Quelle est la']),
  ...`montant numéro prix tarif taux loyer dépôt délai solde nom poids total type lieu budget modèle code salaire`
    .split(/\s+/u)
    .map((word): [string, string] => [word, 'Quel est le']),
]);
const FRENCH_VAGUE = wordSet(
  'date adresse référence montant numéro prix nom total type lieu code période',
);

/** 'Quelle est la date de naissance': the head comes first, and alone it says too little. */
function headFirst(
  heads: ReadonlyMap<string, string>,
  vague: ReadonlySet<string>,
  label: string,
): string | null {
  const lower = label.toLowerCase();
  const [head = '', ...rest] = lower.split(' ');
  const asked = heads.get(head);
  if (asked === undefined || rest.length > 4 || (rest.length === 0 && vague.has(head))) return null;
  return `${asked} ${lower.slice(0, head.length)}${label.slice(head.length)}`;
}

const SPANISH_HEADS = new Map([
  ...`fecha duración dirección referencia matrícula cuota tarifa franquicia prima cantidad superficie temperatura
    hora garantía fianza`
    .split(/\s+/u)
    .map((word): [string, string] => [word, '¿Cuál es la']),
  ...`importe número precio plazo teléfono total nombre tipo código salario peso saldo lugar modelo kilometraje`
    .split(/\s+/u)
    .map((word): [string, string] => [word, '¿Cuál es el']),
]);
const SPANISH_VAGUE = wordSet(
  'fecha dirección referencia cantidad hora importe número precio nombre total tipo código lugar',
);

function russianField(label: string): string | null {
  const [head = ''] = label.split(' ');
  if (label.split(' ').length < 2 || !/^\p{Script=Cyrillic}+$/u.test(head)) return null;
  const lower = label.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
  if (/[ая]$/u.test(head)) return `Какая ${lower}?`;
  if (/[ое]$/u.test(head)) return null;
  return /[бвгджзклмнпрстфхцчшщ]$/u.test(head) && !/(?:ых|их|ов|ей)$/u.test(head)
    ? `Какой ${lower}?`
    : null;
}

const JAPANESE_VAGUE = wordSet(
  '備考 注意 注記 その他 日付 日時 件名 内容 合計 番号 項目 詳細 場所',
);

function japaneseField(label: string, value: string): string | null {
  if (!/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,12}$/u.test(label)) return null;
  if (JAPANESE_VAGUE.has(label)) return null;
  if (/円/u.test(value)) return `${label}はいくらですか？`;
  if (/\d月\d{1,2}日|\d時/u.test(value)) return `${label}はいつですか？`;
  return /(?:者|担当)$/u.test(label) ? `${label}は誰ですか？` : `${label}は何ですか？`;
}

const chineseField = (label: string): string | null =>
  /^\p{Script=Han}{3,10}$/u.test(label) ? `${label}是什么？` : null;

const FIELDS: ReadonlyMap<string, (label: string, value: string) => string | null> = new Map([
  ['en', englishField],
  ['de', germanField],
  ['fr', (label: string) => close(headFirst(FRENCH_HEADS, FRENCH_VAGUE, label), ' ?')],
  ['es', (label: string) => close(headFirst(SPANISH_HEADS, SPANISH_VAGUE, label), '?')],
  ['ru', russianField],
  ['ja', japaneseField],
  ['zh', chineseField],
]);

const close = (question: string | null, end: string): string | null =>
  question === null ? null : `${question}${end}`;

const LONGEST_VALUE = 80;

/** The question that a labelled value of a form answers; null where the label says too little. */
export function questionOfField(label: string, value: string, language: string): string | null {
  const bare = label.trim().replaceAll(/\s+/gu, ' ');
  if (SECRET.test(bare) || value.length > LONGEST_VALUE || value.length === 0) return null;
  if (!/^[\p{L}\p{M}][\p{L}\p{M}\p{N}'’ -]*$/u.test(bare)) return null;
  return FIELDS.get(language)?.(bare, value) ?? null;
}

/** What kind of value a field holds, for the names of the patterns. */
export function kindOfValue(value: string): 'date' | 'money' | 'name' | 'text' {
  if (MONEY_VALUE.test(value)) return 'money';
  if (DATE_VALUE.test(value)) return 'date';
  return NAME_VALUE.test(value) ? 'name' : 'text';
}

/** The questions for a column of a row; none where its name says too little or is kept secret. */
export function questionsOfCell(
  column: string,
  value: string,
  key: string,
  language: string,
): { question: string; template: string }[] {
  const label = column.trim().replaceAll(/[\s_]+/gu, ' ');
  if (SECRET.test(label) || !/^[\p{L}][\p{L}\p{N}'’ -]{2,29}$/u.test(label)) return [];
  if (label.split(' ').length > 3) return [];
  const asked = ROWS.get(language)?.(label, value, key) ?? [];
  return asked.flatMap((question, at) =>
    question === null ? [] : [{ question, template: `row-${at}-${label.toLowerCase()}` }],
  );
}

function germanCell(label: string, _value: string, key: string): (string | null)[] {
  const article = headIn(GERMAN_HEADS, label);
  const listed = `Was steht bei ${key} unter „${label}“?`;
  return article === null || label.includes(' ')
    ? [listed]
    : [`Wie lautet ${article} ${label} von ${key}?`, listed];
}

/** Columns of which people ask in words of their own. */
const ENGLISH_ASKED: Readonly<Record<string, (key: string) => string>> = {
  company: (key) => `Which company does ${key} work for?`,
  city: (key) => `Which city is ${key} in?`,
  country: (key) => `Which country is ${key} in?`,
  region: (key) => `Which region is ${key} in?`,
  department: (key) => `Which department is ${key} in?`,
  year: (key) => `Which year is ${key} from?`,
  email: (key) => `What is the email address of ${key}?`,
  'e-mail': (key) => `What is the email address of ${key}?`,
  mail: (key) => `What is the email address of ${key}?`,
  phone: (key) => `What is the phone number of ${key}?`,
  telephone: (key) => `What is the phone number of ${key}?`,
  mobile: (key) => `What is the mobile number of ${key}?`,
};

function englishCell(label: string, value: string, key: string): (string | null)[] {
  const last = (label.split(' ').at(-1) ?? '').toLowerCase();
  const name = inSentence(label);
  const own = Object.hasOwn(ENGLISH_ASKED, name) ? ENGLISH_ASKED[name] : undefined;
  if (own !== undefined) return [own(key)];
  if (/^(?:price|cost)$/u.test(last)) {
    return [
      key.endsWith('s') ? null : `How much does ${key} cost?`,
      `What is the ${name} of ${key}?`,
    ];
  }
  if (ENGLISH_PEOPLE.has(last))
    return NAME_VALUE.test(value) ? [`Who is the ${name} of ${key}?`] : [];
  if (name === 'date' || !(ENGLISH_HEADS.has(last) || ENGLISH_CELLS.has(last))) return [];
  const of = FOR.has(last) ? 'for' : 'of';
  return MONEY_VALUE.test(value)
    ? [`How much is the ${name} ${of} ${key}?`]
    : [
        `What is the ${name} ${of} ${key}?`,
        HAD.has(last) ? `Which ${name} does ${key} have?` : null,
      ];
}

type Cell = (label: string, value: string, key: string) => (string | null)[];

const ROWS: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['en', englishCell],
  ['de', germanCell],
  ['es', (label, _, key) => [close(headFirst(SPANISH_HEADS, NOTHING, label), ` de ${key}?`)]],
  ['fr', (label, _, key) => [close(headFirst(FRENCH_HEADS, NOTHING, label), ` de ${key} ?`)]],
  ['ja', (label, _, key) => [`${key}の${label}は何ですか？`]],
]);

const NOTHING: ReadonlySet<string> = new Set();
const FOR = wordSet('budget cost amount total deadline target');
const HAD = wordSet(
  'phone telephone number email role position genre seat room table size colour color brand status rating',
);
const ENGLISH_PEOPLE = wordSet(
  'director author artist writer manager owner teacher editor publisher coach lead contact supervisor',
);
const ENGLISH_CELLS = wordSet(
  'genre job population area capital birthplace extension occupation runtime isbn district',
);
